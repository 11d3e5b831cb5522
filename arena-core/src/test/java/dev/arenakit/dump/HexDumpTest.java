package dev.arenakit.dump;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HexDumpTest {
    private static final HexDump DUMP = HexDump.of();

    @Test
    void print_text_isTheKnownDump() throws IOException {
        MemorySegment segment = MemorySegment
                .ofArray("Hello World\n~\177\u0080\u00ff 16".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(dump(DUMP, segment)).isEqualTo("""
                00000000  48 65 6c 6c 6f 20 57 6f  72 6c 64 0a 7e 7f 80 ff  |Hello World.~...|
                00000010  20 31 36                                          | 16|
                00000013
                """);
    }

    @Test
    void print_nothing_isNothing() throws IOException {
        assertThat(dump(DUMP, MemorySegment.NULL)).isEmpty();
        assertThat(dump(DUMP.withSkip(5), MemorySegment.NULL)).isEmpty();
        assertThat(dump(DUMP.withSkip(5).withLength(0), MemorySegment.ofArray(new byte[10]))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 255, 16_383, 16_384, 16_385, 32_768, 40_000})
    void print_randomBytes_isWhatTheReferencePrints(int byteSize) throws IOException {
        Random random = new Random(byteSize);
        for (int round = 0; round < 5; round++) {
            byte[] bytes = repetitive(random, byteSize);
            long skip = random.nextInt(20);
            long length = random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(byteSize + 20L);
            HexDump dump = DUMP.withSkip(skip).withLength(length);
            assertThat(dump(dump, MemorySegment.ofArray(bytes)))
                    .isEqualTo(ReferenceDump.of(bytes, skip, length, false));
            assertThat(dump(dump.withEveryLine(), MemorySegment.ofArray(bytes)))
                    .isEqualTo(ReferenceDump.of(bytes, skip, length, true));
        }
    }

    @Test
    void print_sourceInRandomRuns_isTheSameAsInOne() throws IOException {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            byte[] bytes = repetitive(random, random.nextInt(3_000));
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            DUMP.print(new RandomStructs(random).source(bytes), text);
            assertThat(text.toString(StandardCharsets.US_ASCII))
                    .isEqualTo(ReferenceDump.of(bytes, 0, Long.MAX_VALUE, false));
        }
    }

    @Test
    void print_stream_isReadUpToTheLimit() throws IOException {
        byte[] bytes = repetitive(new Random(3), 100_000);
        ByteArrayInputStream stream = new ByteArrayInputStream(bytes);
        assertThat(dump(DUMP.withSkip(70_001).withLength(5_000), ExtentSource.of(stream)))
                .isEqualTo(ReferenceDump.of(bytes, 70_001, 5_000, false));
        assertThat(dump(DUMP.withSkip(200_000), ExtentSource.of(new ByteArrayInputStream(bytes))))
                .isEqualTo("000186a0\n");
    }

    @Test
    void print_terabytesOfHoles_isAFewLines() throws IOException {
        ExtentSource source = (sink, skip, limit) -> {
            sink.zeros(1L << 40);
            sink.data(MemorySegment.ofArray(new byte[]{'x'}));
            sink.zeros((1L << 62) - 1);
            return skip;
        };
        assertThat(dump(DUMP, source)).isEqualTo("""
                00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
                *
                10000000000  78 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |x...............|
                10000000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
                *
                4000010000000000
                """);
    }

    @Test
    void print_holeWithEveryLine_hasEveryLine() throws IOException {
        ExtentSource source = (sink, skip, limit) -> {
            sink.zeros(100_000);
            return skip;
        };
        assertThat(dump(DUMP.withEveryLine(), source)).hasLineCount(100_000 / 16 + 1);
    }

    @Test
    void print_closedSegment_throwsAndPrintsNothing() {
        MemorySegment segment;
        try (Arena arena = Arena.ofConfined()) {
            segment = arena.allocate(16);
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        assertThatThrownBy(() -> DUMP.print(segment, text)).isInstanceOf(IllegalStateException.class);
        assertThat(text.size()).isZero();
    }

    @Test
    void print_notes_standBehindTheLines() throws IOException {
        byte[] bytes = new byte[67];
        bytes[0] = 'x';
        assertThat(dump(DUMP.withNotes((offset, count) -> offset == 16 ? "" : offset + ": \u001b[1m" + count),
                MemorySegment.ofArray(bytes))).isEqualTo("""
                        00000000  78 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |x...............|  0: \u001b[1m16
                        00000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
                        *
                        00000040  00 00 00                                          |...|  64: \u001b[1m3
                        00000043
                        """);
        assertThat(dump(DUMP.withNotes((offset, count) -> "\u20ac").withSkip(66), MemorySegment.ofArray(bytes)))
                .startsWith("00000042  00  ")
                .contains("|.|  \u20ac\n");
    }

    @Test
    void print_notesOfAnyLength_leaveTheLinesAsTheyAre() throws IOException {
        byte[] bytes = repetitive(new Random(9), 60_000);
        for (int most : new int[]{1, 40, 2_000, 150_000}) {
            Random random = new Random(most);
            HexDump dump = DUMP.withSkip(3).withNotes((offset, count) -> "n".repeat(random.nextInt(most)));
            String text = dump(dump, MemorySegment.ofArray(bytes).asSlice(0, Math.min(60_000, 10_000_000 / most)));
            assertThat(text.replaceAll("  n+\n", "\n")).isEqualTo(dump(DUMP.withSkip(3),
                    MemorySegment.ofArray(bytes).asSlice(0, Math.min(60_000, 10_000_000 / most))));
        }
    }

    @Test
    void with_negativeSize_isRefused() {
        assertRefused(() -> DUMP.withSkip(-1), "byteSize=-1");
        assertRefused(() -> DUMP.withLength(-2), "byteSize=-2");
    }

    @Test
    void toString_beyond4KiB_saysWhatIsLeftOut() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(1 << 20);
            assertThat(HexDump.toString(segment))
                    .isEqualTo(dump(DUMP.withLength(4096), segment) + "(left out: 1044480 of 1048576 bytes)\n");
        }
    }

    @Test
    void example_segment_printsThreeDumps() throws IOException {
        MemorySegment segment = MemorySegment.ofArray(new byte[2000]);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        HexDumpExample.print(segment, new PrintStream(text, true, StandardCharsets.US_ASCII));
        String whole = dump(DUMP, segment);
        assertThat(text.toString(StandardCharsets.US_ASCII)).isEqualTo(whole
                + dump(DUMP.withSkip(1024).withLength(256), segment) + "The segment holds\n" + whole
                + System.lineSeparator());
    }

    @Test
    void example_points_haveTheirFieldsBehindTheLines() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        HexDumpExample.printPoints(MemorySegment.ofArray(new byte[16]),
                new PrintStream(text, true, StandardCharsets.US_ASCII));
        assertThat(text.toString(StandardCharsets.US_ASCII)).isEqualTo("""
                00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|  [0].x, [0].y
                00000010
                """);
    }

    /// Bytes with repeated lines: zeros, another pattern, and noise, in ranges of random lengths.
    private static byte[] repetitive(Random random, int byteSize) {
        byte[] bytes = new byte[byteSize];
        for (int at = 0; at < byteSize;) {
            int end = (int) Math.min(byteSize, at + 1L + random.nextInt(random.nextBoolean() ? 100 : 20_000));
            int kind = random.nextInt(3);
            for (int i = at; i < end; i++) {
                bytes[i] = (byte) (kind == 0 ? 0 : kind == 1 ? i % 16 + 'a' : random.nextInt());
            }
            at = end;
        }
        return bytes;
    }

    private static String dump(HexDump dump, MemorySegment segment) throws IOException {
        return dump(dump, ExtentSource.of(segment));
    }

    private static String dump(HexDump dump, ExtentSource source) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        dump.print(source, text);
        return text.toString(StandardCharsets.UTF_8);
    }
}
