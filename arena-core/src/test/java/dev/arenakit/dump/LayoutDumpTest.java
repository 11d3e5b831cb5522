package dev.arenakit.dump;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

import static dev.arenakit.Refusals.assertRefused;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Dumps of structs.
class LayoutDumpTest {
    private static final StructType POINT = StructType.builder("Point")
            .add("x", ValueType.of(int.class, LITTLE_ENDIAN))
            .add("y", ValueType.of(int.class, LITTLE_ENDIAN))
            .build();
    private static final EnumType KIND = new EnumType("Kind", ValueType.of(short.class, BIG_ENDIAN),
            List.of(new EnumType.Constant("CIRCLE", 1), new EnumType.Constant("SQUARE", 2)));

    @Test
    void append_points_isALineForEach() throws IOException {
        assertThat(dump(LayoutDump.of(POINT), points(3))).isEqualTo("""
                [0] Point { x = 0, y = 0 }
                [1] Point { x = 1, y = -1 }
                [2] Point { x = 2, y = -2 }
                """);
    }

    @Test
    void append_range_isThoseStructs() throws IOException {
        LayoutDump dump = LayoutDump.of(POINT).withFirst(1);
        assertThat(dump(dump.withCount(1), points(3))).isEqualTo("[1] Point { x = 1, y = -1 }\n");
        assertThat(dump(dump, points(3))).hasLineCount(2);
        assertThat(dump(LayoutDump.of(POINT).withFirst(Long.MAX_VALUE), points(3))).isEmpty();
        assertThat(dump(dump.withCount(0), points(3))).isEmpty();
    }

    @Test
    void withLines_nestedStructs_areIndented() throws IOException {
        StructType line = StructType.builder("Line")
                .add("ends", ArrayType.of(POINT, 2))
                .add("widths", ArrayType.of(ValueType.of(byte.class), 3))
                .build();
        assertThat(dump(LayoutDump.of(line).withLines().withZeroRuns(),
                MemorySegment.ofArray(new byte[60]).fill((byte) 0)))
                .isEqualTo("[0..2] zeros\n");
        assertThat(dump(LayoutDump.of(line).withLines(), MemorySegment.ofArray(new byte[20]))).isEqualTo("""
                [0] Line {
                    ends = [
                        Point {
                            x = 0,
                            y = 0
                        },
                        Point {
                            x = 0,
                            y = 0
                        }
                    ],
                    widths = [0, 0, 0]
                }
                """);
    }

    @Test
    void append_wrapper_isTheValueAlone() throws IOException {
        StructType number = StructType.wrapperOf(UnsignedType.of(4, LITTLE_ENDIAN));
        MemorySegment bytes = MemorySegment.ofArray(new byte[]{7, 0, 0, 0, -1, -1, -1, -1, 1});
        assertThat(dump(LayoutDump.of(number), bytes)).isEqualTo("""
                [0] 7
                [1] 4294967295
                [2] <cut off>
                """);
        assertThat(dump(LayoutDump.of(number).withOffsets().withBytes().withCount(1), bytes))
                .isEqualTo("00000000  07 00 00 00                [0] 7\n");
        StructType points = StructType.wrapperOf(ArrayType.of(POINT, 2));
        assertThat(dump(LayoutDump.of(points), points(2)))
                .isEqualTo("[0] [Point { x = 0, y = 0 }, Point { x = 1, y = -1 }]\n");
    }

    @Test
    void example_points_printsBoth() throws IOException {
        StringBuilder text = new StringBuilder();
        LayoutDumpExample.print(points(20), text);
        assertThat(text).hasToString("""
                [7] Point { x = 7, y = -7 }
                [8] Point { x = 8, y = -8 }
                00000038                             [7] Point {
                00000038  07 00 00 00                    x = 7,
                0000003c  f9 ff ff ff                    y = -7
                00000040                             }
                """);
    }

    @Test
    void append_values_areReadAsTheTypeSays() throws IOException {
        StructType struct = StructType.builder("")
                .packed()
                .add("flag", ValueType.of(boolean.class))
                .add("i", ValueType.of(int.class, BIG_ENDIAN))
                .add("c", ValueType.of(char.class, BIG_ENDIAN))
                .add("f", ValueType.of(float.class, LITTLE_ENDIAN))
                .add("d", ValueType.of(double.class, BIG_ENDIAN))
                .add("next", new AddressType(Optional.of(POINT), LITTLE_ENDIAN, 8))
                .build();
        ByteBuffer bytes = ByteBuffer.allocate((int) struct.byteSize() + 1).position(1);
        bytes.put((byte) 42)
                .putInt(7)
                .putChar('\n')
                .order(LITTLE_ENDIAN)
                .putFloat(1.5f)
                .order(BIG_ENDIAN)
                .putDouble(-2)
                .order(LITTLE_ENDIAN)
                .putLong(0x7f00);
        assertThat(dump(LayoutDump.of(struct), MemorySegment.ofArray(bytes.array()).asSlice(1)))
                .isEqualTo("[0] { flag = true (42), i = 7, c = '\\n', f = 1.5, d = -2.0, next = 0x7f00 }\n");
    }

    @Test
    void append_texts_areQuotedAndEscaped() throws IOException {
        assertThat(text("a\"b\\\n\u001b[0m\0rest", StandardCharsets.UTF_8)).isEqualTo("\"a\\\"b\\\\\\n\\u001b[0m\"");
        assertThat(text("Zürich \ud83d\ude00\u202e", StandardCharsets.UTF_8))
                .isEqualTo("\"Zürich \ud83d\ude00\\u202e\"");
        assertThat(text("\u00ffa\u00e2\u0082", StandardCharsets.ISO_8859_1)).isEqualTo("\"\\xffa\\xe2\\x82\"");
        assertThat(utf16(StandardCharsets.UTF_16LE, 'a', 0xd800, 'b', 0, 'c')).isEqualTo("\"a\\x00\\xd8b\"");
        assertThat(utf16(StandardCharsets.UTF_16BE, 0x100, 'b')).isEqualTo("\"\u0100b\"");
        assertThat(text("x".repeat(300), StandardCharsets.UTF_8)).isEqualTo("\"" + "x".repeat(256) + "\"... 44 more");
    }

    @Test
    void append_longText_isCountedUpToItsNul() throws IOException {
        assertThat(text("x".repeat(256) + "\0".repeat(3840), StandardCharsets.UTF_8))
                .isEqualTo("\"" + "x".repeat(256) + "\"");
        assertThat(text("x".repeat(300) + "\0".repeat(3796), StandardCharsets.UTF_8))
                .isEqualTo("\"" + "x".repeat(256) + "\"... 44 more");
        assertThat(text("x".repeat(100_000), StandardCharsets.UTF_8))
                .isEqualTo("\"" + "x".repeat(256) + "\"... at least 65280 more");
    }

    @Test
    void append_longText_isCutBetweenCharacters() throws IOException {
        for (int before : new int[]{253, 254, 255, 256}) {
            String euro = text("x".repeat(before) + "\u20ac\u20acabc", StandardCharsets.UTF_8);
            assertThat(euro).startsWith("\"" + "x".repeat(before) + (before == 253 ? "\u20ac" : "") + "\"... ")
                    .endsWith(before == 253 ? "... 6 more" : "... 9 more");
        }
        assertThat(text("x".repeat(254) + "\ud83d\ude00", StandardCharsets.UTF_8))
                .isEqualTo("\"" + "x".repeat(254) + "\"... 4 more");
        assertThat(text("\u0080".repeat(300), StandardCharsets.ISO_8859_1))
                .isEqualTo("\"" + "\\x80".repeat(256) + "\"... 44 more");
        int[] units = new int[300];
        Arrays.fill(units, 'y');
        units[255] = 0xd83d;
        units[256] = 0xde00;
        assertThat(utf16(StandardCharsets.UTF_16BE, units)).isEqualTo("\"" + "y".repeat(255) + "\"... 45 more");
    }

    @Test
    void append_elementsWithoutSize_areShownOnce() throws IOException {
        MemoryType type = StructType.builder("E").build();
        for (int i = 0; i < 5; i++) {
            type = ArrayType.of(type, 16);
        }
        StructType struct = StructType.builder("R").add("a", type).build();
        for (LayoutDump dump : List.of(LayoutDump.of(struct), LayoutDump.of(struct).withEveryElement())) {
            assertThat(dump(dump, MemorySegment.ofArray(new byte[0]))).isEqualTo("[0] R { a = [[[[[E { }"
                    + ", ... 15 more]".repeat(5) + " }\n");
        }
    }

    @Test
    void append_enum_isItsConstantOrANumber() throws IOException {
        StructType struct = StructType.builder("S").add("kind", KIND).build();
        assertThat(dump(LayoutDump.of(struct), MemorySegment.ofArray(new byte[]{0, 2, 1, 0})))
                .isEqualTo("[0] S { kind = SQUARE }\n[1] S { kind = 256 }\n");
    }

    @Test
    void append_union_isTheMemberThatIsValid() throws IOException {
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        members.put("radius", ValueType.of(short.class, BIG_ENDIAN));
        members.put("sides", ArrayType.of(ValueType.of(byte.class), 2));
        UnionType union = UnionType.of("Shape", members,
                Optional.of(new UnionType.Discriminator("kind", List.of(1L, 2L))));
        StructType struct = StructType.builder("S").add("shapes", ArrayType.of(union, 1)).add("kind", KIND).build();
        assertThat(dump(LayoutDump.of(struct), MemorySegment.ofArray(new byte[]{0, 5, 0, 1, 3, 4, 0, 2, 1, 1, 0, 9})))
                .isEqualTo("""
                        [0] S { shapes = [Shape { radius = 5 }], kind = CIRCLE }
                        [1] S { shapes = [Shape { sides = [3, 4] }], kind = SQUARE }
                        [2] S { shapes = [Shape { radius = 257, sides = [1, 1] }], kind = 9 }
                        """);
    }

    @Test
    void append_unionMemberForSeveralValues_isValidForEach() throws IOException {
        StructType struct = LayoutText.parse("""
                #pragma layout 3
                struct S { int8_t kind; union @switch(kind) { int8_t a @case(1, 3); uint8_t b @case(2); } body; };
                """);
        assertThat(dump(LayoutDump.of(struct), MemorySegment.ofArray(new byte[]{1, -1, 2, -1, 3, -1})))
                .isEqualTo("""
                        [0] S { kind = 1, body = { a = -1 } }
                        [1] S { kind = 2, body = { b = 255 } }
                        [2] S { kind = 3, body = { a = -1 } }
                        """);
    }

    @Test
    void append_longArray_isShortened() throws IOException {
        StructType struct = StructType.builder("S").add("a", ArrayType.of(ValueType.of(byte.class), 20)).build();
        MemorySegment segment = MemorySegment.ofArray(new byte[20]);
        assertThat(dump(LayoutDump.of(struct), segment))
                .isEqualTo("[0] S { a = [" + "0, ".repeat(16) + "... 4 more] }\n");
        assertThat(dump(LayoutDump.of(struct).withEveryElement(), segment))
                .isEqualTo("[0] S { a = [" + "0, ".repeat(19) + "0] }\n");
    }

    @Test
    void append_segmentThatEndsInAStruct_saysSo() throws IOException {
        StructType struct = StructType.builder("S")
                .add("p", POINT)
                .add("text", StringType.of(4, StandardCharsets.UTF_8))
                .add("a", ArrayType.of(ValueType.of(short.class), 3))
                .build();
        byte[] bytes = "abcdefghijklmnopqrst".getBytes(StandardCharsets.US_ASCII);
        LayoutDump dump = LayoutDump.of(struct);
        assertThat(dump(dump, MemorySegment.ofArray(bytes).asSlice(0, 6)))
                .isEqualTo("[0] S { p = Point { x = 1684234849, y = <cut off> }, text = \"\"<cut off>,"
                        + " a = [... 3 cut off] }\n");
        assertThat(dump(dump, MemorySegment.ofArray(bytes).asSlice(0, 10))).contains("text = \"ij\"<cut off>");
        assertThat(dump(dump, MemorySegment.ofArray(bytes).asSlice(0, 15)))
                .contains("a = [28269, <cut off>, ... 1 cut off]");
    }

    @Test
    void append_nestedWithOffsetsAndBytes_hasALineForEachField() throws IOException {
        StructType struct = StructType.builder("Line")
                .add("id", ValueType.of(long.class, LITTLE_ENDIAN))
                .add("points", ArrayType.of(POINT, 2))
                .add("n", ArrayType.of(ValueType.of(byte.class), 12))
                .build();
        byte[] bytes = new byte[(int) struct.byteSize()];
        bytes[8] = 1;
        assertThat(dump(LayoutDump.of(struct).withOffsets().withBytes(), MemorySegment.ofArray(bytes))).isEqualTo("""
                00000000                             [0] Line {
                00000000  00 00 00 00 00 00 00 00        id = 0,
                00000008  01 00 00 00 00 00 00 00 ..     points = [
                00000008                                     Point {
                00000008  01 00 00 00                            x = 1,
                0000000c  00 00 00 00                            y = 0
                00000010                                     },
                00000010                                     Point {
                00000010  00 00 00 00                            x = 0,
                00000014  00 00 00 00                            y = 0
                00000018                                     }
                00000018                                 ],
                00000018  00 00 00 00 00 00 00 00 ..     n = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
                00000028                             }
                """);
    }

    @Test
    void append_noise_neverThrows() throws IOException {
        Random random = new Random(3);
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        members.put("p", POINT);
        members.put("s", StringType.of(9, StandardCharsets.UTF_16LE));
        members.put("empty", ArrayType.of(StructType.builder("").build(), Long.MAX_VALUE));
        UnionType union = UnionType.of("", members, Optional.of(new UnionType.Discriminator("b", List.of(0L, 1L, 2L))));
        StructType struct = StructType.builder("Noise")
                .packed()
                .add("s", StringType.of(7, StandardCharsets.UTF_8))
                .add("u", ArrayType.of(union, 3))
                .add("b", ValueType.of(byte.class))
                .add("k", KIND)
                .add("f", ValueType.of(float.class, BIG_ENDIAN))
                .build();
        for (int i = 0; i < 600; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            LayoutDump dump = LayoutDump.of(struct);
            dump = random.nextBoolean() ? dump.withBytes() : dump;
            dump = random.nextBoolean() ? dump.withEveryElement() : dump;
            String text = dump(dump, MemorySegment.ofArray(bytes));
            assertThat(text.codePoints().filter(unit -> unit != '\n')).noneMatch(Character::isISOControl);
        }
    }

    @Test
    void append_largeTypeOverASmallSegment_isShort() throws IOException {
        StructType struct = StructType.builder("Large")
                .add("a", ArrayType.of(ArrayType.of(ValueType.of(long.class), 1L << 30), 1L << 28))
                .add("t", StringType.of(1L << 60, StandardCharsets.UTF_8))
                .build();
        assertThat(dump(LayoutDump.of(struct).withEveryElement(), MemorySegment.ofArray(new byte[8])))
                .isEqualTo(
                        "[0] Large { a = [[0, ... 1073741823 cut off], ... 268435455 cut off], t = \"\"<cut off> }\n");
    }

    @Test
    void toString_manyStructs_saysHowManyAreLeftOut() {
        assertThat(LayoutDump.of(POINT).toString(points(100))).hasLineCount(65)
                .endsWith("[63] Point { x = 63, y = -63 }\n(left out: 36 of 100 structs)\n");
        assertThat(LayoutDump.of(POINT).withFirst(90).toString(points(100))).hasLineCount(10);
    }

    @Test
    void append_closedSegment_isTheCallersException() {
        MemorySegment segment;
        try (Arena arena = Arena.ofConfined()) {
            segment = arena.allocate(8);
        }
        assertThatIllegalStateException().isThrownBy(() -> dump(LayoutDump.of(POINT), segment));
    }

    @Test
    void with_negative_isRefused() {
        assertRefused(() -> LayoutDump.of(POINT).withFirst(-1), "index=-1");
        assertRefused(() -> LayoutDump.of(POINT).withCount(-2), "count=-2");
    }

    private static MemorySegment points(int count) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * count).order(LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putInt(i).putInt(-i);
        }
        return MemorySegment.ofArray(bytes.array());
    }

    /// A text of the given bytes, decoded as UTF-8.
    private static String text(String text, Charset written) throws IOException {
        byte[] bytes = text.getBytes(written);
        return field(StringType.of(bytes.length, StandardCharsets.UTF_8), bytes);
    }

    private static String utf16(Charset charset, int... units) throws IOException {
        ByteOrder order = charset.equals(StandardCharsets.UTF_16BE) ? BIG_ENDIAN : LITTLE_ENDIAN;
        ByteBuffer bytes = ByteBuffer.allocate(2 * units.length).order(order);
        for (int unit : units) {
            bytes.putChar((char) unit);
        }
        return field(StringType.of(units.length, charset), bytes.array());
    }

    private static String field(StringType type, byte[] bytes) throws IOException {
        String line = dump(LayoutDump.of(StructType.builder("").add("s", type).build()), MemorySegment.ofArray(bytes));
        return line.substring("[0] { s = ".length(), line.length() - " }\n".length());
    }

    private static String dump(LayoutDump dump, MemorySegment segment) throws IOException {
        StringBuilder text = new StringBuilder();
        dump.append(segment, text);
        return text.toString();
    }
}
