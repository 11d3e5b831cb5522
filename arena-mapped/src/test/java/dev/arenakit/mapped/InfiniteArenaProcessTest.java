package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests arenas in other processes, which are killed, have limits, or are denied native access.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class InfiniteArenaProcessTest extends InDirectory {
    InfiniteArenaProcessTest(TestFileSystem place) throws IOException {
        super(place);
    }

    @Test
    void kill_whileWriting_leavesAllStores() throws Exception {
        Process writer = ChildJvm.denied().command(ChildMain.class, "write", base.toString()).start();
        try (BufferedReader output = writer.inputReader()) {
            assertThat(output.readLine()).isEqualTo("ready");
            // Wait for the first store after the last line.
            try (FileChannel counter = FileChannel.open(directory.resolve("plain-1"))) {
                while (readLong(counter, 0) == 0) {
                    assertThat(writer.isAlive()).isTrue();
                    Thread.onSpinWait();
                }
            }
        } finally {
            writer.destroyForcibly();
        }
        assertThat(writer.waitFor()).isNotZero();

        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("chunked-0", "plain-0", "plain-1");
        long log;
        try (ArenaImage image = ArenaImage.open(base.resolveSibling("chunked"))) {
            log = image.allocations().toList().getLast().byteOffset();
        }
        try (FileChannel pattern = FileChannel.open(directory.resolve("plain-0"));
                FileChannel chunk = FileChannel.open(directory.resolve("chunked-0"));
                FileChannel counter = FileChannel.open(directory.resolve("plain-1"))) {
            assertThat(pattern.size()).isEqualTo(1L << 40);
            for (long i = 0; i < 10_000; i++) {
                assertThat(readLong(pattern, i * 800)).isEqualTo(~i);
            }
            assertThat(readLong(chunk, 0))
                    .isEqualTo(ByteBuffer.wrap("Hello Wo".getBytes(US_ASCII))
                            .order(ByteOrder.nativeOrder())
                            .getLong());
            long last = readLong(counter, 0);
            assertThat(last).isPositive();
            assertThat(readLong(chunk, log + (last & 0xfffff) * 8)).as("logged before it was counted").isEqualTo(last);
        }
    }

    private static long readLong(FileChannel channel, long position) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
        assertThat(channel.read(bytes, position)).isEqualTo(8);
        return bytes.getLong(0);
    }

    @Test
    @Tag("full")
    void use_withNativeAccessDenied_succeedsInEveryMode() throws Exception {
        String output = ChildJvm
                .run(ChildJvm.onModulePath(ChildJvm.DENY, "-Xmx64m").command(ChildMain.class, "use", base.toString()));

        assertThat(output).isEqualTo("native access: false" + System.lineSeparator());
        assertThat(TestFileSystem.names(directory)).isEmpty();
    }

    @Test
    void allocate_aboveTheFileSystemsLimitWithoutNativeAccess_namesTheFlagAndLeavesNoFile() throws Exception {
        TestFileSystem.assumeExt4(directory);
        String output = ChildJvm.run(
                ChildJvm.onModulePath(ChildJvm.DENY, "-Xmx64m").command(ChildMain.class, "colossal", base.toString()));

        assertThat(output)
                .contains("UncheckedIOException: File system refuses a file of this size: path=" + base + "-0")
                .contains("byteSize=" + (16L << 40))
                .contains("16 TiB")
                .contains("--enable-native-access=dev.arenakit");
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        assertThat(Files.size(directory.resolve("memory-0"))).isEqualTo((16L << 40) - 4096);
    }

    @Test
    @Tag("full")
    void allocate_underALimitOnFileSize_halvesTheChunk() throws Exception {
        // This is 4 GiB in blocks of 512 bytes, as POSIX specifies. A shell that counts in KiB allows 8 GiB.
        String output = ChildJvm.run(limited("ulimit -f 8388608", 1L << 40));

        assertThat(output).contains("distance: 100")
                .contains("UncheckedIOException: File system refuses")
                .contains("byteSize=4398046511104");
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        assertThat(Files.size(directory.resolve("memory-0"))).isBetween(1L << 30, 8L << 30);
    }

    @Test
    @Tag("full")
    void allocate_underALimitOnAddresses_halvesTheChunk() throws Exception {
        String output = ChildJvm.run(limited("ulimit -v 16777216", 1L << 36));

        assertThat(output).contains("distance: 100")
                .contains("OutOfMemoryError: Address space is exhausted")
                .contains("byteSize=4398046511104")
                .contains("ulimit -v");
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        assertThat(Files.size(directory.resolve("memory-0"))).isBetween(1L << 30, 16L << 30);
    }

    /// The scenario `limit`, started by a shell that sets a limit. When addresses are scarce, the JDK waits for a tenth
    /// of a second before it refuses a chunk, so that a small chunk takes less time.
    private ProcessBuilder limited(String limit, long chunkByteSize) throws IOException {
        Path shell = Path.of("/bin/sh");
        assumeTrue(Files.isExecutable(shell), "needs a shell");
        Process trial = new ProcessBuilder(shell.toString(), "-c", limit).start();
        assumeTrue(trial.onExit().join().exitValue() == 0, () -> "needs a shell that knows " + limit);
        ProcessBuilder java = ChildJvm.denied()
                .command(ChildMain.class, "limit", base.toString(), Long.toString(chunkByteSize));
        List<String> command = new ArrayList<>(List.of(shell.toString(), "-c", limit + "; exec \"$@\"", "sh"));
        command.addAll(java.command());
        return java.command(command);
    }
}
