package dev.arenakit.tool.du;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.SharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.arenakit.tool.TestImage.cells;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

class DuCommandTest {
    /// The largest page size that Linux has on the supported machines.
    private static final int PAGE = 1 << 16;

    private final Path directory;

    DuCommandTest(@TempDir(factory = SharedMemory.class) Path directory) {
        this.directory = directory;
    }

    @Test
    void du_base_printsEachAllocationAndAllFiles() {
        image("memory", 16, 4);
        ToolRun run = du("memory");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        List<String> lines = cells(run.out());
        assertThat(lines.subList(0, 4)).satisfiesExactly(
                titles -> assertThat(titles).isEqualTo("NAME|SIZE|WRITTEN|EXTENTS"),
                large -> assertThat(large).matches("large\\|4 MiB\\|1 MiB\\|16\\|\u2588{30,}"),
                small -> assertThat(small).matches("small\\|1 MiB\\|256 KiB\\|4\\|\u2588{7,}\\S?"),
                empty -> assertThat(empty).isEqualTo("empty|64 KiB|0 B|0"));
        assertThat(lines.get(4)).isEmpty();
        assertThat(lines.get(5)).matches("memory: .* MiB on disk \\(1 data file .* MiB, catalog and lock .*iB\\)");
        assertThat(bar(lines.get(2))).isBetween(bar(lines.get(1)) / 4, bar(lines.get(1)) / 4 + 1);
    }

    @Test
    void du_width_isThatOfTheTerminal() {
        image("memory", 16, 4);
        int widest = du("memory").out().lines().mapToInt(String::length).max().orElseThrow();
        assertThat(widest).isEqualTo(80);
    }

    @Test
    void du_directory_printsEachImageAndTheirSum() throws IOException {
        image("a", 3, 0);
        image("b", 1, 0);
        Files.write(directory.resolve("c-0"), new byte[PAGE]);
        List<String> lines = cells(ToolRun.of("du", directory.toString()).out());
        assertThat(lines).hasSize(5);
        assertThat(lines.get(1)).matches("a\\|64.1 MiB\\|.*\\|\u2588+");
        assertThat(lines.get(3)).matches("c\\|64 KiB\\|64 KiB\\|1\\|\u2588+\\S?");
        assertThat(lines.get(4)).matches("3 images\\|128.2 MiB\\|.*\\|\\d+");
    }

    @Test
    void du_freedMemoryAndLostFiles_areCountedAndAProblem() throws IOException {
        Path base = TestImage.closed(directory.resolve("memory"));
        Files.delete(directory.resolve("memory-0"));
        ToolRun run = ToolRun.of("du", base.toString());
        assertThat(cells(run.out())).contains("trades|31.3 KiB|0 B|0", "old|320 B|0 B|0");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void du_noImage_isAProblem() {
        assertThat(ToolRun.of("du", directory.toString()).err()).contains("no image in directory");
        assertThat(du("memory").err()).isEqualTo("arena: " + directory.resolve("memory") + ": no such image\n");
        assertThat(du("memory").exitCode()).isEqualTo(1);
    }

    private ToolRun du(String base) {
        return ToolRun.of("du", directory.resolve(base).toString());
    }

    private static long bar(String line) {
        return line.chars().filter(c -> c == '\u2588').count();
    }

    /// Writes an image of one chunk, in which every fourth page is written.
    private void image(String name, int large, int small) {
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve(name)).chunked(1 << 26).build()) {
            write(arena, "large", large);
            write(arena, "small", small);
            arena.allocate("empty", JAVA_BYTE, PAGE);
        }
    }

    private static void write(InfiniteArena arena, String name, int pages) {
        var memory = arena.allocate(name, JAVA_BYTE, 4L * pages * PAGE);
        for (long page = 0; page < pages; page++) {
            memory.asSlice(4 * page * PAGE, PAGE).fill((byte) 1);
        }
    }
}
