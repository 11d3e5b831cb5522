package dev.arenakit.examples.calls;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Compares the blocks with the content of the file.
@Tag("full")
class UringReaderTest {
    private static final int FILE_BYTE_SIZE = 1 << 20;
    private static final byte UNTOUCHED = 0x55;

    @TempDir
    private Path directory;

    @AutoClose
    private final Arena arena = Arena.ofConfined();
    private final byte[] content = new byte[FILE_BYTE_SIZE];

    UringReaderTest() {
        new Random(42).nextBytes(content);
        Arrays.fill(content, 100_000, 300_000, (byte) 0);
    }

    private Path file() throws IOException {
        return Files.write(directory.resolve("file"), content);
    }

    private static UringReader open(Path file) throws IOException {
        try {
            return new UringReader(file);
        } catch (UnsupportedOperationException e) {
            throw new TestAbortedException(e.getMessage(), e);
        }
    }

    private MemorySegment blocks(long byteSize) {
        return arena.allocate(byteSize, 4096).fill(UNTOUCHED);
    }

    private void assertReads(UringReader reader, long[] positions, int blockByteSize) throws IOException {
        MemorySegment guarded = blocks((positions.length + 1L) * blockByteSize);
        MemorySegment blocks = guarded.asSlice(0, (long) positions.length * blockByteSize);
        reader.read(arena.allocateFrom(JAVA_LONG, positions), blocks);
        for (int i = 0; i < positions.length; i++) {
            assertThat(blocks.asSlice((long) i * blockByteSize, blockByteSize).toArray(JAVA_BYTE)).as("block %d", i)
                    .isEqualTo(Arrays.copyOfRange(content, (int) positions[i], (int) positions[i] + blockByteSize));
        }
        assertThat(guarded.asSlice(blocks.byteSize()).toArray(JAVA_BYTE)).containsOnly(UNTOUCHED);
    }

    @Test
    void read_ofRandomBlocks_givesTheirContent() throws Exception {
        Random random = new Random(1);
        try (UringReader reader = open(file())) {
            for (int blockByteSize : new int[]{1, 64, 1000, 4096}) {
                long[] positions = random.longs(1500, 0, FILE_BYTE_SIZE - blockByteSize + 1L).toArray();
                assertReads(reader, positions, blockByteSize);
            }
        }
    }

    @Test
    void read_ofNeighbours_givesTheirContent() throws Exception {
        try (UringReader reader = open(file())) {
            assertReads(reader, LongStream.range(0, 3000).map(i -> i * 100).toArray(), 100);
            assertReads(reader, LongStream.range(0, 30).map(i -> i % 10 * 500).toArray(), 500);
            assertReads(reader, new long[]{0}, FILE_BYTE_SIZE);
        }
    }

    @Test
    void read_beyondTheEnd_throwsAndTheReaderStaysUsable() throws Exception {
        try (UringReader reader = open(file())) {
            long[] positions = LongStream.range(0, 300).map(i -> i * 4096 % FILE_BYTE_SIZE).toArray();
            positions[150] = FILE_BYTE_SIZE - 4095;
            MemorySegment tooFar = arena.allocateFrom(JAVA_LONG, positions);
            MemorySegment blocks = blocks(300 * 4096);
            assertThatThrownBy(() -> reader.read(tooFar, blocks)).isInstanceOf(EOFException.class);
            positions[150] = 0;
            assertReads(reader, positions, 4096);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -8192, Long.MIN_VALUE})
    void read_atANegativePosition_throws(long position) throws Exception {
        try (UringReader reader = open(file())) {
            MemorySegment positions = arena.allocateFrom(JAVA_LONG, 0, position);
            assertThatThrownBy(() -> reader.read(positions, blocks(8192)))
                    .isInstanceOfAny(IOException.class, IllegalArgumentException.class);
        }
    }

    @Test
    void read_intoMemoryThatNativeCodeCannotUse_isRefused() throws Exception {
        MemorySegment closed;
        try (Arena other = Arena.ofConfined()) {
            closed = other.allocate(8192);
        }
        MemorySegment foreign = CompletableFuture.supplyAsync(() -> Arena.ofConfined().allocate(8192)).join();
        try (UringReader reader = open(file())) {
            MemorySegment positions = arena.allocateFrom(JAVA_LONG, 0, 4096);
            assertThatThrownBy(() -> reader.read(positions, MemorySegment.ofArray(new byte[8192])))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatIllegalArgumentException().isThrownBy(() -> reader.read(positions, blocks(8192).asReadOnly()));
            assertThatIllegalArgumentException().isThrownBy(() -> reader.read(positions, blocks(8191)));
            assertThatThrownBy(() -> reader.read(positions, closed)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> reader.read(positions, foreign)).isInstanceOf(WrongThreadException.class);
        }
    }

    @Test
    void close_ofManyReaders_leavesNoDescriptorAndNoMapping() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "needs the /proc of Linux");
        Path file = file();
        Path missing = directory.resolve("missing");
        try (UringReader reader = open(file)) {
            assertReads(reader, new long[]{4096}, 4096);
        }
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> open(missing)).isInstanceOf(NoSuchFileException.class);
            try (UringReader reader = open(file)) {
                assertReads(reader, new long[]{i}, 4096);
            }
        }
        assertThat(descriptors()).noneMatch(name -> name.startsWith(directory.toString()) || name.contains("io_uring"));
        assertThat(Files.readAllLines(Path.of("/proc/self/maps")))
                .noneMatch(line -> line.contains(directory.toString()) || line.contains("io_uring"));
    }

    private static String[] descriptors() throws IOException {
        try (var links = Files.list(Path.of("/proc/self/fd"))) {
            return links.map(UringReaderTest::target).toArray(String[]::new);
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return ""; // Another thread has closed it.
        }
    }
}
