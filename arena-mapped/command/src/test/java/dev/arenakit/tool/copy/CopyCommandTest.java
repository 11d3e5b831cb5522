package dev.arenakit.tool.copy;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.FullDisk;
import dev.arenakit.tool.SharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

class CopyCommandTest {
    private final Path directory;
    private final Path base;
    private final Path copy;

    CopyCommandTest(@TempDir(factory = SharedMemory.class) Path directory) {
        this.directory = directory;
        base = directory.resolve("memory");
        copy = directory.resolve("copy");
    }

    private List<String> files(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void copy_closedImage_hasHolesSealsAndPermissions() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            TestImage.fill(arena);
            arena.names().allocate("sparse", JAVA_BYTE, 1L << 40).set(JAVA_BYTE, 1L << 39, (byte) 1);
            arena.names().seal("sparse");
        }
        assertThat(ToolRun.of("copy", base.toString(), copy.toString()).succeeds().out())
                .matches("\\Q" + copy + "\\E: copied 5 allocations of 1.0 TiB, [\\d.]+ KiB written\n");
        assertThat(ToolRun.of("diff", base.toString(), copy.toString()).exitCode()).isZero();
        ToolRun verify = ToolRun.of("verify", "--data", copy.toString());
        assertThat(verify.out()).contains("no problem", "compared 1 sealed allocation, 3 not sealed");
        assertThat(files("copy")).containsExactly("copy-0", "copy-1", "copy-2", "copy-3", "copy-4", "copy.catalog");
        for (String file : files("copy")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(file))))
                    .isEqualTo("rw-------");
        }
        try (SparseFile sparse = SparseFile.open(directory.resolve("copy-4"))) {
            assertThat(sparse.storedByteSize().orElseThrow()).isLessThanOrEqualTo(1 << 16);
        }
    }

    @Test
    void copy_liveImage_canBeOpened() {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            TestImage.fill(arena);
            assertThat(ToolRun.of("copy", base.toString(), copy.toString()).exitCode()).isZero();
            assertThat(ToolRun.of("verify", copy.toString()).out()).contains("no problem in 4 allocations");
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).reopen()) {
            MemorySegment trades = arena.names().get("trades");
            assertThat(trades.byteSize()).isEqualTo(32_000);
        }
    }

    @Test
    void copy_intoADirectory_keepsTheName() throws IOException {
        TestImage.closed(base);
        Path other = Files.createDirectory(directory.resolve("other"));
        assertThat(ToolRun.of("copy", base + ".catalog", other.toString()).out())
                .startsWith(other.resolve("memory") + ": ");
        assertThat(other.resolve("memory.catalog")).exists();
    }

    @Test
    void copy_refused_saysWhyAndLeavesNothing() throws IOException {
        TestImage.closed(base);
        Files.writeString(directory.resolve("copy-2"), "mine");
        ToolRun exists = ToolRun.of("copy", base.toString(), copy.toString()).exits(1);
        assertThat(exists.err()).isEqualTo(
                "arena: " + base + ": a file of the copy exists: path=" + copy + "-2; choose another base\n");
        assertThat(files("copy")).containsExactly("copy-2");
        assertThat(ToolRun.of("copy", base.toString(), base.toString()).err()).contains("a file of the copy exists");
        assertThat(ToolRun.of("copy", base.toString(), directory.resolve("no/such").toString()).err())
                .contains("no such directory");
        Files.delete(base.resolveSibling("memory-3"));
        ToolRun missing = ToolRun.of("copy", base.toString(), directory.resolve("b").toString()).exits(1);
        assertThat(missing.err()).hasLineCount(1).contains("data file is missing: path=" + base + "-3; arena repair");
        assertThat(files("b")).isEmpty();
        assertThat(ToolRun.of("copy", copy.toString(), directory.resolve("c").toString()).err()).contains("no catalog");
        assertThat(ToolRun.of("copy", base.toString()).exitCode()).isEqualTo(2);
    }

    @Test
    @Tag("full")
    void copy_toAFullDisk_leavesNothing() throws IOException, InterruptedException {
        TestImage.closed(base);
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assertThat(FullDisk.run(disk, "copy", base.toString(), disk.resolve("copy").toString()))
                .matches("arena: \\Q" + base + "\\E: No space left on device: path=\\Q" + disk + "\\E/copy[^\n]*\n1\n");
    }
}
