package dev.arenakit.tool.export;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.console.Output;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

class BytesExportTest extends InSharedMemory {
    /// The largest page size that Linux has on the supported machines.
    private static final int PAGE = 1 << 16;

    @Test
    void bytes_ofAnyAllocation_areThoseInMemory() throws IOException {
        byte[] bytes = new byte[3 * PAGE + 5];
        new Random(1).nextBytes(bytes);
        Arrays.fill(bytes, PAGE, 2 * PAGE, (byte) 0);
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 26).build()) {
            arena.allocate(100, 1);
            arena.names()
                    .allocate("some", MemoryLayout.sequenceLayout(bytes.length, JAVA_BYTE), 1)
                    .copyFrom(MemorySegment.ofArray(bytes));
        }
        Path file = directory.resolve("out");
        assertThat(ExportCommandTest.export(base, "some", "--bytes", "-o", file.toString()).exitCode()).isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        assertThat(standardOutput("some")).isEqualTo(bytes);
    }

    @Test
    void bytes_holes_remainHolesInAFile() throws IOException {
        long byteSize = 1L << 40;
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment sparse = arena.names().allocate("sparse", JAVA_BYTE, byteSize);
            sparse.set(JAVA_BYTE, 5L * PAGE, (byte) 1);
            sparse.set(JAVA_BYTE, byteSize / 2 + 1, (byte) 2);
        }
        Path file = directory.resolve("out");
        assertThat(ExportCommandTest.export(base, "sparse", "--bytes", "-o", file.toString()).err()).isEmpty();
        try (SparseFile sparse = SparseFile.open(file); FileChannel channel = FileChannel.open(file)) {
            assertThat(sparse.byteSize()).isEqualTo(byteSize);
            // Two pages contain data, and a further page contains the end.
            assertThat(sparse.storedByteSize().orElseThrow()).isBetween(2L, 3L * PAGE);
            ByteBuffer two = ByteBuffer.allocate(2);
            channel.read(two, byteSize / 2);
            assertThat(two.array()).containsExactly(0, 2);
        }
    }

    @Test
    void bytes_holes_areZerosOnAPipe() throws IOException {
        using(InfiniteArena.ofShared(base),
                arena -> arena.names()
                        .allocate("sparse", JAVA_BYTE, 10L * PAGE + 3)
                        .set(JAVA_BYTE, 5L * PAGE, (byte) 1));
        byte[] expected = new byte[10 * PAGE + 3];
        expected[5 * PAGE] = 1;
        assertThat(standardOutput("sparse")).isEqualTo(expected);
    }

    @Test
    void bytes_truncatedFile_areThoseThatAreLeft() throws IOException {
        TestImage.closed(base);
        TestImage.truncate(base.resolveSibling("memory-0"), 40);
        Path file = directory.resolve("out");
        assertThat(ExportCommandTest.export(base, "trades", "--bytes", "-o", file.toString()).exits(1).err())
                .isEqualTo("arena: trades: file " + base + "-0 is truncated: 40 of 32000 bytes are left\n");
        assertThat(file).hasSize(40);
    }

    @Test
    void bytes_none_isAnEmptyFile() {
        ExportImage.write(base);
        Path file = directory.resolve("out");
        assertThat(ExportCommandTest.export(base, "empty", "--bytes", "-o", file.toString()).exitCode()).isZero();
        assertThat(file).isEmptyFile();
    }

    private byte[] standardOutput(String name) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ToolRun run = ToolRun.withOutput(new Output(out, true), "export", base.toString(), name, "--bytes");
        assertThat(run.err()).isEmpty();
        return out.toByteArray();
    }
}
