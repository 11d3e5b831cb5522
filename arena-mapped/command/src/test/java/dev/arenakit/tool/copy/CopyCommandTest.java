package dev.arenakit.tool.copy;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.FullDisk;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

class CopyCommandTest extends InSharedMemory {
    /// Of a record of the catalog: its kind, and the state of a data file.
    private static final byte FILE_RECORD = 2;
    private static final byte ALLOCATION_RECORD = 7;
    private static final int PLANNED = 3;

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
        assertThat(ToolRun.of("copy", base.toString(), other.toString()).succeeds().out())
                .matches("\\Q" + other + "\\E: copied 5 allocations of 1.0 TiB, [\\d.]+ KiB written\n");
        assertThat(ToolRun.of("diff", base.toString(), other.toString()).exitCode()).isZero();
        ToolRun verify = ToolRun.of("verify", "--data", other.toString());
        assertThat(verify.out()).contains("no problem", "compared 1 sealed allocation, 3 not sealed");
        assertThat(files("other")).containsExactly("other-0", "other-1", "other-2", "other-3", "other-4",
                "other.catalog");
        for (String file : files("other")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(file))))
                    .isEqualTo("rw-------");
        }
        try (SparseFile sparse = SparseFile.open(directory.resolve("other-4"))) {
            assertThat(sparse.storedByteSize().orElseThrow()).isLessThanOrEqualTo(1 << 16);
        }
    }

    @Test
    void copy_liveImage_canBeOpened() {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            TestImage.fill(arena);
            assertThat(ToolRun.of("copy", base.toString(), other.toString()).exitCode()).isZero();
            assertThat(ToolRun.of("verify", other.toString()).out()).contains("no problem in 4 allocations");
        }
        try (InfiniteArena arena = InfiniteArena.builder(other).reopen()) {
            MemorySegment trades = arena.names().get("trades");
            assertThat(trades.byteSize()).isEqualTo(32_000);
        }
    }

    /// The owner was killed after it had recorded a data file, and before it created the file.
    @Test
    void copy_ofAnImageWithAPlannedFile_isMadeWithoutIt() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("kept", JAVA_BYTE, 100).fill((byte) 7);
            arena.allocate(100);
        }
        Path catalog = directory.resolve("memory.catalog");
        ByteBuffer lines = ByteBuffer.wrap(Files.readAllBytes(catalog)).order(ByteOrder.LITTLE_ENDIAN);
        for (int line = 0; line < lines.capacity(); line += 64) {
            boolean isOfTheSecond = lines.getInt(line) == line / 64 && lines.getInt(line + 12) == 1;
            if (isOfTheSecond && lines.get(line + 8) == FILE_RECORD) {
                lines.putInt(line + 4, PLANNED).putLong(line + 16, 0);
            } else if (isOfTheSecond && lines.get(line + 8) == ALLOCATION_RECORD) {
                lines.put(line, new byte[64]);
            }
        }
        Files.write(catalog, lines.array());
        Files.delete(directory.resolve("memory-1"));
        assertThat(files("memory-")).containsExactly("memory-0");
        assertThat(ToolRun.of("copy", base.toString(), other.toString()).succeeds().out())
                .startsWith(other + ": copied ");
        assertThat(files("other-")).containsExactly("other-0");
    }

    @Test
    void copy_intoADirectory_keepsTheName() throws IOException {
        TestImage.closed(base);
        Path into = Files.createDirectory(directory.resolve("into"));
        assertThat(ToolRun.of("copy", base + ".catalog", into.toString()).out())
                .startsWith(into.resolve("memory") + ": ");
        assertThat(into.resolve("memory.catalog")).exists();
    }

    @Test
    void copy_refused_saysWhyAndLeavesNothing() throws IOException {
        TestImage.closed(base);
        Files.writeString(directory.resolve("other-2"), "mine");
        ToolRun exists = ToolRun.of("copy", base.toString(), other.toString()).exits(1);
        assertThat(exists.err()).isEqualTo(
                "arena: " + base + ": a file of the copy exists: path=" + other + "-2; choose another base\n");
        assertThat(files("other")).containsExactly("other-2");
        assertThat(ToolRun.of("copy", base.toString(), base.toString()).err()).contains("a file of the copy exists");
        assertThat(ToolRun.of("copy", base.toString(), directory.resolve("no/such").toString()).err())
                .contains("no such directory");
        Files.delete(base.resolveSibling("memory-3"));
        ToolRun missing = ToolRun.of("copy", base.toString(), directory.resolve("b").toString()).exits(1);
        assertThat(missing.err()).hasLineCount(1).contains("data file is missing: path=" + base + "-3; arena repair");
        assertThat(files("b")).isEmpty();
        assertThat(ToolRun.of("copy", other.toString(), directory.resolve("c").toString()).err())
                .contains("no catalog");
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
