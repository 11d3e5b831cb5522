package dev.arenakit.dump;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

/// Dumps of structs that span several extents of a source, and of structs that are zero.
class LayoutDumpSourceTest {
    private static final StructType POINT = StructType.builder("Point")
            .add("x", ValueType.of(int.class, LITTLE_ENDIAN))
            .add("y", ValueType.of(int.class, LITTLE_ENDIAN))
            .build();
    private static final LayoutDump DUMP = LayoutDump.of(POINT).withZeroRuns();

    @Test
    void print_sourceInRandomPieces_isWhatTheSegmentPrints() throws IOException {
        Random random = new Random(11);
        RandomStructs structs = new RandomStructs(random);
        for (int round = 0; round < 600; round++) {
            StructType struct = structs.struct();
            byte[] bytes = structs.bytes(struct.byteSize());
            LayoutDump dump = randomOptions(LayoutDump.of(struct), random);
            assertThat(dump(dump, structs.source(bytes)))
                    .as("round %d", round)
                    .isEqualTo(dump(dump, MemorySegment.ofArray(bytes)));
        }
    }

    @Test
    void print_randomZeros_areTheLinesOfTheirStructsInOne() throws IOException {
        Random random = new Random(12);
        RandomStructs structs = new RandomStructs(random);
        for (int round = 0; round < 250; round++) {
            StructType struct = structs.struct();
            byte[] bytes = structs.bytes(struct.byteSize());
            LayoutDump dump = LayoutDump.of(struct).withFirst(random.nextInt(3)).withCount(random.nextInt(12));
            String expected = inRuns(dump(dump, MemorySegment.ofArray(bytes)), bytes, (int) struct.byteSize());
            assertThat(dump(dump.withZeroRuns(), MemorySegment.ofArray(bytes))).isEqualTo(expected);
            assertThat(dump(dump.withZeroRuns(), structs.source(bytes))).isEqualTo(expected);
        }
    }

    @Test
    void print_tebibytesOfZeros_areALine() throws IOException {
        ExtentSource source = (sink, skip, limit) -> {
            sink.zeros(1L << 40);
            sink.data(MemorySegment.ofArray(new byte[]{1, 0, 0, 0, 2, 0, 0, 0, 0}));
            sink.zeros((1L << 62) - 1);
            return skip;
        };
        assertThat(dump(DUMP, source)).isEqualTo("""
                [0..137438953471] zeros
                [137438953472] Point { x = 1, y = 2 }
                [137438953473..576460889742376960] zeros
                """);
        assertThat(dump(DUMP.withOffsets(), source)).startsWith("""
                00000000  [0..137438953471] zeros
                0000010000000000  [137438953472] Point {
                0000010000000000      x = 1,
                """);
    }

    @Test
    void example_streamOfZeros_isALine() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        LayoutDumpExample.print(POINT, new ByteArrayInputStream(new byte[1 << 20]), text);
        assertThat(text.toString(StandardCharsets.UTF_8)).isEqualTo("[0..131071] zeros\n");
    }

    @Test
    void print_zerosWithBytes_haveEmptyColumns() throws IOException {
        assertThat(dump(DUMP.withOffsets().withBytes().withFirst(1), MemorySegment.ofArray(new byte[24])))
                .isEqualTo("00000008                             [1..2] zeros\n");
    }

    @Test
    void print_largeStructInPieces_isPutTogether() throws IOException {
        StructType struct = StructType.builder("Large")
                .add("first", ValueType.of(byte.class))
                .add("data", ArrayType.of(ValueType.of(byte.class), (1 << 20) - 2))
                .add("last", ValueType.of(byte.class))
                .build();
        byte[] bytes = new byte[3 << 20];
        bytes[0] = 1;
        bytes[(1 << 20) - 1] = 2;
        bytes[(3 << 20) - 1] = 3;
        String text = dump(LayoutDump.of(struct).withZeroRuns(), ExtentSource.of(new ByteArrayInputStream(bytes)));
        assertThat(text.lines().map(line -> line.replaceFirst("data = .*], ", ""))).containsExactly(
                "[0] Large { first = 1, last = 2 }", "[1] Large { first = 0, last = 0 }",
                "[2] Large { first = 0, last = 3 }");
    }

    @Test
    void print_structBeyond64MiB_isRefusedForSources() throws IOException {
        StructType struct = StructType.builder("Huge")
                .add("data", ArrayType.of(ValueType.of(byte.class), (1L << 26) + 1))
                .build();
        assertRefused(() -> dump(LayoutDump.of(struct), zeros(1)),
                "struct=Huge", "byteSize=67108865", "limit=67108864");
        assertThat(dump(LayoutDump.of(struct).withZeroRuns(), MemorySegment.ofArray(new byte[(1 << 26) + 2])))
                .startsWith("[0] Huge { data = [0, 0,")
                .endsWith("[1] Huge { data = [0, ... 67108864 cut off] }\n");
    }

    @Test
    void print_structsWithoutASize_areOne() throws IOException {
        LayoutDump dump = LayoutDump.of(StructType.builder("E").build());
        assertThat(dump(dump, zeros(100))).isEqualTo("[0] E { }\n");
        assertThat(dump(dump.withFirst(1), zeros(100))).isEmpty();
        assertThat(dump(dump.withCount(0), MemorySegment.NULL)).isEmpty();
    }

    @Test
    void print_firstBehindTheEnd_isNothing() throws IOException {
        ExtentSource stream = ExtentSource.of(new ByteArrayInputStream(new byte[100]));
        assertThat(dump(DUMP.withFirst(13), stream)).isEmpty();
        assertThat(dump(DUMP.withFirst(Long.MAX_VALUE).withCount(Long.MAX_VALUE), zeros(100))).isEmpty();
    }

    @Test
    void append_longTextOutsideAscii_isWholeCharacters() throws IOException {
        StructType struct = StructType.builder("").add("s", StringType.of(64, StandardCharsets.UTF_8)).build();
        byte[] bytes = "x\u20ac\ud83d\ude00".repeat(8_000).getBytes(StandardCharsets.UTF_8);
        StringBuilder text = new StringBuilder();
        LayoutDump.of(struct).append(ExtentSource.of(MemorySegment.ofArray(bytes)), text);
        assertThat(text).hasToString(dump(LayoutDump.of(struct), MemorySegment.ofArray(bytes)))
                .doesNotContain("\ufffd", "\\x");
    }

    @Test
    void print_numbers_areThoseOfJava() throws IOException {
        StructType struct = StructType.builder("").add("n", ValueType.of(long.class)).build();
        Random random = new Random(5);
        long[] numbers = new long[200];
        for (int i = 0, power = 0; i < 38; i += 2, power++) {
            numbers[i] = (long) Math.pow(10, power) * (i % 4 - 1);
            numbers[i + 1] = numbers[i] - 1;
        }
        for (int i = 38; i < numbers.length; i++) {
            numbers[i] = random.nextLong() >> random.nextInt(64);
        }
        numbers[100] = Long.MIN_VALUE;
        numbers[101] = Long.MAX_VALUE;
        assertThat(dump(LayoutDump.of(struct), MemorySegment.ofArray(numbers)).lines()
                .map(line -> line.replaceFirst(".*= (.*) }", "$1")))
                .containsExactlyElementsOf(Arrays.stream(numbers).mapToObj(Long::toString).toList());
    }

    private static LayoutDump randomOptions(LayoutDump dump, Random random) {
        LayoutDump result = dump;
        for (UnaryOperator<LayoutDump> option : Arrays.<UnaryOperator<LayoutDump>>asList(LayoutDump::withBytes,
                LayoutDump::withOffsets, LayoutDump::withEveryElement, LayoutDump::withZeroRuns,
                with -> with.withFirst(random.nextInt(5)), with -> with.withCount(random.nextInt(8)))) {
            result = random.nextInt(3) == 0 ? option.apply(result) : result;
        }
        return result;
    }

    /// The lines of a dump, in which consecutive structs that are zero are one line.
    private static String inRuns(String lines, byte[] bytes, int structByteSize) {
        StringBuilder text = new StringBuilder();
        List<String> each = lines.lines().toList();
        for (int i = 0; i < each.size();) {
            int end = i;
            while (end < each.size() && isZero(each.get(end), bytes, structByteSize)) {
                end++;
            }
            if (end - i > 1) {
                text.append('[')
                        .append(index(each.get(i)))
                        .append("..")
                        .append(index(each.get(end - 1)))
                        .append("] zeros\n");
                i = end;
            } else {
                text.append(each.get(i++)).append('\n');
            }
        }
        return text.toString();
    }

    private static boolean isZero(String line, byte[] bytes, int structByteSize) {
        int from = index(line) * structByteSize;
        return from + structByteSize <= bytes.length
                && Arrays.equals(new byte[structByteSize], Arrays.copyOfRange(bytes, from, from + structByteSize));
    }

    private static int index(String line) {
        return Integer.parseInt(line.substring(1, line.indexOf(']')));
    }

    private static ExtentSource zeros(long byteSize) {
        return (sink, skip, limit) -> {
            long skipped = Math.min(skip, byteSize);
            if (Math.min(limit, byteSize - skipped) > 0) {
                sink.zeros(Math.min(limit, byteSize - skipped));
            }
            return skipped;
        };
    }

    private static String dump(LayoutDump dump, ExtentSource source) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        dump.print(source, text);
        return text.toString(StandardCharsets.UTF_8);
    }

    private static String dump(LayoutDump dump, MemorySegment segment) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        dump.print(segment, text);
        return text.toString(StandardCharsets.UTF_8);
    }
}
