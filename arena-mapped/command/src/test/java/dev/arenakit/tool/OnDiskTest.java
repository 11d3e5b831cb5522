package dev.arenakit.tool;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.InfiniteArenaBuilder;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.console.ByteSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.tool.TestImage.cells;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests that all commands print the same size on disk: the size of the data files, the catalog and the lock file.
class OnDiskTest {
    private static final Pattern ON_DISK = Pattern.compile("([\\d.]+ \\w+) on disk");

    private final Path base;

    OnDiskTest(@TempDir Path directory) {
        base = directory.resolve("memory");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onDisk_inAllCommands_isWhatTheFileSystemHasAllocated(boolean isChunked) throws IOException {
        InfiniteArenaBuilder builder = InfiniteArena.builder(base);
        try (InfiniteArena arena = isChunked ? builder.chunked(1 << 30).build() : builder.build()) {
            for (int i = 0; i < 4; i++) {
                // Three allocations share pages of a chunk with other allocations, and no allocation fills its pages.
                arena.names().allocate("a" + i, JAVA_BYTE, 1_000 + i * 3_000_000L).fill((byte) 1);
            }
            arena.names().free("a3");
        }
        long byteSize = 0;
        for (Path file : files()) {
            try (SparseFile sparse = SparseFile.open(file)) {
                byteSize += sparse.storedByteSize().orElseThrow();
            }
        }
        String directory = String.valueOf(base.getParent());
        List<String> printed = new ArrayList<>();
        printed.add(cells(ToolRun.of("ls", directory).out()).get(1).split("\\|", -1)[4]);
        printed.add(onDisk(ToolRun.of("ls", base.toString())));
        printed.add(onDisk(ToolRun.of("purge", "--dry-run", base.toString())));
        printed.add(onDisk(ToolRun.of("purge", "--yes", base.toString())));
        assertThat(printed).hasSize(4).containsOnly(ByteSizes.format(byteSize));
        assertThat(files()).isEmpty();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(base.getParent())) {
            return files.toList();
        }
    }

    private static String onDisk(ToolRun run) {
        Matcher matcher = ON_DISK.matcher(run.out());
        assertThat(matcher.find()).as(run.toString()).isTrue();
        return matcher.group(1);
    }
}
