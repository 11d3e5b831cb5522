package dev.arenakit.mapped.io;

import dev.arenakit.mapped.SmallDisk;
import dev.arenakit.testing.ChildJvm;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class SegmentTransferTest {
    private static final int PIECE = 1000;
    private final Arena arena = Arena.ofShared();
    private final Path directory;

    SegmentTransferTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @AfterEach
    void close() {
        arena.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, PIECE - 1, PIECE, PIECE + 1, 5 * PIECE, 5 * PIECE + 7})
    void readFully_andWriteFully_anySizeAndKind_transferAllBytes(int byteSize) throws IOException {
        byte[] bytes = random(byteSize, 1);
        for (int kind = 0; kind < 4; kind++) {
            Path file = directory.resolve(byteSize + "-" + kind);
            MemorySegment from = segment(kind, byteSize);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, from, 0, byteSize);
            try (SegmentWriter writer = SegmentWriter.open(file).withPieceByteSize(PIECE)) {
                writer.writeFully(from);
            }
            assertThat(file).hasBinaryContent(bytes);
            MemorySegment to = segment(kind, byteSize);
            try (SegmentReader reader = SegmentReader.open(file).withPieceByteSize(PIECE)) {
                reader.readFully(to);
                assertThat(reader.read(arena.allocate(1))).isEqualTo(-1);
            }
            assertThat(to.mismatch(from)).isEqualTo(-1);
        }
    }

    /// Lists of segments of all kinds and sizes, through channels that transfer some of the bytes at a time.
    @Test
    void transfer_randomSegmentsAndShortTransfers_keepsTheOrder() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<MemorySegment> from = segments(random);
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            for (MemorySegment segment : from) {
                byte[] bytes = random((int) segment.byteSize(), random.nextInt());
                MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, bytes.length);
                expected.write(bytes);
            }
            int piece = 1 + random.nextInt(300);
            ByteArrayOutputStream written = new ByteArrayOutputStream();

            SegmentWriter.of(new ShortWrites(written, random)).withPieceByteSize(piece).writeFully(from);
            assertThat(written.toByteArray()).as("seed=%d", seed).isEqualTo(expected.toByteArray());

            List<MemorySegment> to = segments(new SplittableRandom(seed));
            SegmentReader.of(new ShortReads(expected.toByteArray(), random)).withPieceByteSize(piece).readFully(to);
            for (int i = 0; i < to.size(); i++) {
                assertThat(to.get(i).mismatch(from.get(i))).as("seed=%d, segment=%d", seed, i).isEqualTo(-1);
            }
        }
    }

    @Test
    void read_sourceEnds_returnsTheCountAndFullyThrows() throws IOException {
        byte[] bytes = random(2500, 3);
        MemorySegment to = arena.allocate(4000);
        try (SegmentReader reader = SegmentReader.of(new ByteArrayInputStream(bytes)).withPieceByteSize(PIECE)) {
            assertThat(reader.read(to)).isEqualTo(2500);
            assertThat(reader.read(to)).isEqualTo(-1);
            assertThat(reader.read(MemorySegment.NULL)).isZero();
        }
        assertThat(to.asSlice(0, 2500).mismatch(MemorySegment.ofArray(bytes))).isEqualTo(-1);
        try (SegmentReader reader = SegmentReader.of(new ByteArrayInputStream(bytes))) {
            assertThatThrownBy(() -> reader.readFully(to)).isInstanceOfSatisfying(TransferException.class,
                    e -> assertThat(e.byteCount()).isEqualTo(2500))
                    .hasMessage(
                            "Channel ended: byteCount=2500, byteSize=4000");
        }
    }

    @Test
    void transfer_atAPosition_leavesThePositionOfTheChannel() throws IOException {
        Path file = directory.resolve("file");
        MemorySegment bytes = MemorySegment.ofArray(random(3000, 4));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            SegmentWriter.of(channel).withPieceByteSize(PIECE).writeFully(bytes, 500);
            assertThat(channel.position()).isZero();
            assertThat(channel.size()).isEqualTo(3500);
            MemorySegment to = arena.allocate(3000);
            SegmentReader reader = SegmentReader.of(channel).withPieceByteSize(PIECE);
            reader.readFully(to, 500);
            assertThat(to.mismatch(bytes)).isEqualTo(-1);
            assertThat(reader.read(to, 1000)).isEqualTo(2500);
            assertThat(reader.read(to, 3500)).isEqualTo(-1);
            assertThat(channel.position()).isZero();
            assertThatThrownBy(() -> reader.readFully(to, 1000)).isInstanceOf(TransferException.class);
            assertThatThrownBy(() -> reader.read(to, -1)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Position is negative: position=-1");
        }
        SegmentReader stream = SegmentReader.of(new ByteArrayInputStream(new byte[9]));
        assertThatThrownBy(() -> stream.read(arena.allocate(1), 0)).isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("Channel has no positions");
    }

    @Test
    void write_atAPositionOfAFileOpenedToAppend_isRefused() throws IOException {
        Path file = directory.resolve("file");
        Files.write(file, new byte[]{1, 2, 3});
        MemorySegment bytes = MemorySegment.ofArray(new byte[]{4});
        try (SegmentWriter writer = SegmentWriter.open(file, StandardOpenOption.APPEND)) {
            for (SegmentWriter each : List.of(writer, writer.withPieceByteSize(PIECE),
                    writer.withProgress((_, _) -> true))) {
                assertThatThrownBy(() -> each.write(bytes, 0)).isInstanceOf(UnsupportedOperationException.class)
                        .hasMessage("File was opened to append, and has no positions: position=0; open it with WRITE, "
                                + "or write without a position");
                assertThatThrownBy(() -> each.writeFully(bytes, 0)).isInstanceOf(UnsupportedOperationException.class);
            }
            writer.writeFully(bytes);
        }
        assertThat(file).hasBinaryContent(new byte[]{1, 2, 3, 4});
    }

    @Test
    void transferTo_copiesTheRest() throws IOException {
        byte[] bytes = random(10 * PIECE + 1, 5);
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        SplittableRandom random = new SplittableRandom(5);
        List<Long> progress = new ArrayList<>();
        SegmentReader reader = SegmentReader.of(new ShortReads(bytes, random))
                .withPieceByteSize(PIECE)
                .withProgress((byteCount, byteSize) -> {
                    assertThat(byteSize).isEqualTo(-1);
                    return progress.add(byteCount);
                });

        assertThat(reader.transferTo(SegmentWriter.of(new ShortWrites(copy, random)))).isEqualTo(bytes.length);

        assertThat(copy.toByteArray()).isEqualTo(bytes);
        assertThat(progress).isSorted().last().isEqualTo((long) bytes.length);
    }

    @Test
    void transfer_cancelled_endsAfterThePiece() throws IOException {
        SegmentReader reader = SegmentReader.of(new ByteArrayInputStream(new byte[5 * PIECE]))
                .withPieceByteSize(PIECE)
                .withProgress((byteCount, byteSize) -> {
                    assertThat(byteSize).isEqualTo(4 * PIECE);
                    return byteCount < 2 * PIECE;
                });
        assertThat(reader.read(arena.allocate(4 * PIECE))).isEqualTo(2 * PIECE);
        assertThatThrownBy(() -> reader.readFully(arena.allocate(4 * PIECE)))
                .isInstanceOf(TransferException.class)
                .hasMessage("Transfer was cancelled: byteCount=2000, byteSize=4000");
    }

    @Test
    void read_interrupted_saysHowManyBytesAreGood() throws IOException {
        Path file = Files.write(directory.resolve("file"), random(5 * PIECE, 6));
        try (SegmentReader reader = SegmentReader.open(file).withPieceByteSize(PIECE).withProgress((_, _) -> {
            Thread.currentThread().interrupt();
            return true;
        })) {
            assertThatThrownBy(() -> reader.read(arena.allocate(5 * PIECE)))
                    .isInstanceOfSatisfying(TransferException.class, e -> assertThat(e.byteCount()).isEqualTo(PIECE))
                    .hasCauseInstanceOf(ClosedByInterruptException.class)
                    .hasMessage("Transfer failed: byteCount=1000, byteSize=5000, reason=ClosedByInterruptException; "
                            + "the first 1000 bytes were transferred");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void read_fileIsTruncatedMeanwhile_endsEarly() throws IOException {
        Path file = Files.write(directory.resolve("file"), random(5 * PIECE, 7));
        try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE);
                SegmentReader reader = SegmentReader.open(file).withPieceByteSize(PIECE)) {
            SegmentReader truncating = reader.withProgress((byteCount, _) -> {
                try {
                    other.truncate(PIECE + 10);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                return byteCount > 0;
            });
            assertThat(truncating.read(arena.allocate(5 * PIECE))).isEqualTo(PIECE + 10);
        }
    }

    @Test
    @Tag("full")
    void write_diskFull_saysHowManyBytesAreGood() throws Exception {
        List<String> output = SmallDisk.run(Child.class, "full-disk", directory.resolve("disk"));
        assertThat(output).hasSize(3);
        assertThat(output.getFirst()).matches("Transfer failed: byteCount=\\d+, byteSize=8388608, "
                + "reason=No space left on device; the first \\d+ bytes were transferred");
        assertThat(output).endsWith("true", "-1");
    }

    @Test
    void transfer_anySegment_takesAtMostAPieceOfNativeMemory() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/status")), "needs /proc, which has the resident size");

        List<String> output = ChildJvm
                .run(ChildJvm.denied().command(Child.class, "resident-size", directory.toString()))
                .lines()
                .toList();

        assertThat(output).hasSize(2);
        int ofJdk = Integer.parseInt(output.getLast());
        assertThat(ofJdk).as("MiB of a channel of the JDK").isGreaterThan(6);
        // The JVM itself may take some meanwhile.
        assertThat(Integer.parseInt(output.getFirst())).as("MiB").isLessThan(ofJdk / 2);
    }

    /// The channel does not touch the memory, so that the test takes no disk space.
    @Test
    void transfer_segmentAbove2GiB_transfersAll() throws IOException {
        long byteSize = (3L << 30) + 5;
        try (FileChannel sparse = FileChannel.open(directory.resolve("sparse"), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment large = sparse.map(MapMode.READ_WRITE, 0, byteSize, arena);
            AtomicBoolean last = new AtomicBoolean();
            WritableByteChannel sink = new WritableByteChannel() {
                private long count;

                @Override
                public int write(ByteBuffer from) {
                    int remaining = from.remaining();
                    count += remaining;
                    last.set(count == byteSize);
                    from.position(from.limit());
                    return remaining;
                }

                @Override
                public boolean isOpen() {
                    return true;
                }

                @Override
                public void close() {}
            };
            assertThat(SegmentWriter.of(sink).withPieceByteSize(1 << 20).write(large)).isEqualTo(byteSize);
            assertThat(last).isTrue();
        }
    }

    @Test
    void transfer_nonBlockingChannel_returnsWhatThereIs() throws IOException {
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source(); Pipe.SinkChannel sink = pipe.sink()) {
            source.configureBlocking(false);
            sink.configureBlocking(false);
            MemorySegment memory = arena.allocate(64 << 20);
            SegmentReader reader = SegmentReader.of(source);
            SegmentWriter writer = SegmentWriter.of(sink);
            assertThat(reader.read(memory)).isZero();
            long written = writer.write(memory);
            assertThat(written).isPositive().isLessThan(memory.byteSize());
            assertThat(reader.read(memory)).isEqualTo(written);
            assertThatThrownBy(() -> reader.readFully(memory)).isInstanceOf(IllegalBlockingModeException.class);
            assertThatThrownBy(() -> writer.writeFully(memory)).isInstanceOf(IllegalBlockingModeException.class);
            assertThatThrownBy(() -> reader.transferTo(writer)).isInstanceOf(IllegalBlockingModeException.class);
        }
    }

    @Test
    void transfer_segmentThatCannotBeUsed_isRefusedBeforeTheFirstByte() throws IOException {
        SegmentReader reader = SegmentReader.of(new ByteArrayInputStream(new byte[9]));
        SegmentWriter writer = SegmentWriter.of(new ByteArrayOutputStream());
        MemorySegment good = arena.allocate(3);
        assertThatThrownBy(() -> reader.read(List.of(good, arena.allocate(8).asReadOnly())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Segment is read-only: byteSize=8");
        assertThat(writer.write(arena.allocate(8).asReadOnly())).isEqualTo(8);
        MemorySegment closed;
        try (Arena other = Arena.ofConfined()) {
            closed = other.allocate(8);
            assertThat(CompletableFuture.supplyAsync(() -> {
                try {
                    return reader.read(List.of(good, closed));
                } catch (IOException | WrongThreadException e) {
                    return e;
                }
            }).join()).isInstanceOf(WrongThreadException.class);
        }
        assertThatThrownBy(() -> reader.read(List.of(good, closed))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> writer.write(List.of(good, closed))).isInstanceOf(IllegalStateException.class);
        assertThat(reader.read(arena.allocate(9))).as("nothing was read before").isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, (1 << 20) + 1})
    void withPieceByteSize_outOfRange_isRefused(int byteSize) {
        assertThatThrownBy(() -> SegmentReader.of(new ByteArrayInputStream(new byte[1])).withPieceByteSize(byteSize))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Size of a piece is out of range: pieceByteSize=" + byteSize
                        + ", least=1, largest=1048576");
    }

    /// Native, `byte[]`, `long[]` (which no channel takes), and a mapped file.
    private MemorySegment segment(int kind, int byteSize) throws IOException {
        return switch (kind) {
            case 0 -> arena.allocate(byteSize);
            case 1 -> MemorySegment.ofArray(new byte[byteSize]);
            case 2 -> MemorySegment.ofArray(new long[byteSize / 8 + 1]).asSlice(0, byteSize);
            default -> {
                Path file = Files.createTempFile(directory, "mapped", "");
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    yield channel.map(MapMode.READ_WRITE, 0, byteSize, arena);
                }
            }
        };
    }

    private List<MemorySegment> segments(SplittableRandom random) throws IOException {
        List<MemorySegment> segments = new ArrayList<>();
        for (int i = random.nextInt(8); i >= 0; i--) {
            segments.add(segment(random.nextInt(3), random.nextInt(random.nextBoolean() ? 20 : 1000)));
        }
        return segments;
    }

    private static byte[] random(int byteSize, int seed) {
        byte[] bytes = new byte[byteSize];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /// Reads at most some bytes at a time.
    private record ShortReads(ReadableByteChannel source, SplittableRandom random) implements ReadableByteChannel {
        ShortReads(byte[] bytes, SplittableRandom random) {
            this(Channels.newChannel(new ByteArrayInputStream(bytes)), random);
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            int limit = to.limit();
            to.limit(to.position() + Math.min(to.remaining(), 1 + random.nextInt(200)));
            try {
                return source.read(to);
            } finally {
                to.limit(limit);
            }
        }

        @Override
        public boolean isOpen() {
            return source.isOpen();
        }

        @Override
        public void close() throws IOException {
            source.close();
        }
    }

    /// Writes at most some bytes at a time.
    private record ShortWrites(WritableByteChannel sink, SplittableRandom random) implements WritableByteChannel {
        ShortWrites(ByteArrayOutputStream bytes, SplittableRandom random) {
            this(Channels.newChannel(bytes), random);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int limit = from.limit();
            from.limit(from.position() + Math.min(from.remaining(), 1 + random.nextInt(200)));
            try {
                return sink.write(from);
            } finally {
                from.limit(limit);
            }
        }

        @Override
        public boolean isOpen() {
            return sink.isOpen();
        }

        @Override
        public void close() throws IOException {
            sink.close();
        }
    }

    /// Scenarios of transfers that run in a process of their own.
    static final class Child {
        private static final int BYTE_SIZE = 8 << 20;

        private Child() {}

        public static void main(String[] arguments) throws IOException {
            Path file = Path.of(arguments[1]).resolve("file");
            switch (arguments[0]) {
                case "full-disk" -> fill(file);
                case "resident-size" -> measure(file);
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }

        private static void fill(Path file) throws IOException {
            byte[] bytes = bytes();
            try (SegmentWriter writer = SegmentWriter.open(file)) {
                writer.withPieceByteSize(1 << 14).writeFully(MemorySegment.ofArray(bytes));
            } catch (TransferException e) {
                System.out.println(e.getMessage());
                byte[] written = Files.readAllBytes(file);
                System.out.println(written.length == e.byteCount());
                System.out.println(MemorySegment.ofArray(bytes)
                        .asSlice(0, written.length)
                        .mismatch(MemorySegment.ofArray(written)));
            }
        }

        /// Prints by how much the largest resident size grows while segments are read and written, and then while a channel
        /// of the JDK reads an array, in MiB.
        private static void measure(Path file) throws IOException {
            byte[] bytes = bytes();
            long[] words = new long[BYTE_SIZE / Long.BYTES];
            Arrays.fill(words, 1);
            List<MemorySegment> kinds = List.of(MemorySegment.ofArray(bytes), MemorySegment.ofArray(words));
            transferAll(file, kinds);
            long before = largestResidentSize();
            transferAll(file, kinds);
            System.out.println((largestResidentSize() - before) >> 20);
            try (FileChannel channel = FileChannel.open(file)) {
                channel.read(ByteBuffer.wrap(bytes));
            }
            System.out.println((largestResidentSize() - before) >> 20);
        }

        private static void transferAll(Path file, List<MemorySegment> kinds) throws IOException {
            for (MemorySegment kind : kinds) {
                try (SegmentWriter writer = SegmentWriter.open(file); SegmentReader reader = SegmentReader.open(file)) {
                    writer.writeFully(kind);
                    reader.readFully(kind);
                    writer.writeFully(Collections.nCopies(1000, kind.asSlice(0, BYTE_SIZE / 1000)));
                }
            }
        }

        private static long largestResidentSize() throws IOException {
            return Files.readAllLines(Path.of("/proc/self/status"))
                    .stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElseThrow();
        }

        private static byte[] bytes() {
            byte[] bytes = new byte[BYTE_SIZE];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (i * 31);
            }
            return bytes;
        }
    }
}
