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
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
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

    @Test
    void toString_unsigned_hasNoSign() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                struct S @packed {
                    uint8_t a; uint16_t @big b; uint24_t c; uint32_t d; uint48_t @big e; uint64_t f; int8_t g;
                };
                """);
        assertThat(dump(struct, "ff fffe 010203 ffffffff 800000000000 ffffffffffffffff ff")).isEqualTo(
                "[0] S { a = 255, b = 65534, c = 197121, d = 4294967295, e = 140737488355328,"
                        + " f = 18446744073709551615, g = -1 }\n");
    }

    @Test
    void toString_bitFields_haveTheirValues() {
        StructType little = LayoutText.parse("""
                #pragma layout 2
                enum Kind : uint8_t { NONE, DATA, OTHER = @otherwise };
                struct S { uint16_t a : 3; int16_t b : 4; uint16_t c : 9; bool d : 1; enum Kind e : 2; uint8_t f : 5; };
                """);
        // 1010_1010_1 1110 101 and 11101 01 1
        assertThat(dump(little, "f5 aa eb 00")).isEqualTo(
                "[0] S { a = 5, b = -2, c = 341, d = true, e = DATA, f = 29 }\n");
        assertThat(dump(little, "00 00 04 00")).contains("e = OTHER(2), f = 0 }");
        StructType big = LayoutText.parse("""
                #pragma layout 2
                struct Ip {
                    uint8_t @big version : 4; uint8_t @big length : 4; uint8_t service; uint16_t @big size;
                    uint16_t id; uint16_t @big flags : 3; uint16_t @big place : 13;
                };
                """);
        assertThat(dump(big, "45 00 0054 0000 4001")).isEqualTo(
                "[0] Ip { version = 4, length = 5, service = 0, size = 84, id = 0, flags = 2, place = 1 }\n");
        assertThat(dump(big, "45 00 00")).endsWith(
                "size = <cut off>, id = <cut off>, flags = <cut off>, place = <cut off> }\n");
    }

    @Test
    void toString_bitFieldsWithOffsets_haveTheirBytes() {
        StructType struct = LayoutText
                .parse("#pragma layout 2\nstruct S { uint8_t a : 3; uint8_t b : 5; uint8_t c; };");
        assertThat(LayoutDump.of(struct).withOffsets().withBytes().toString(bytes("2b 01"))).isEqualTo("""
                00000000                             [0] S {
                00000000  2b                             a = 3,
                00000000  2b                             b = 5,
                00000001  01                             c = 1
                00000002                             }
                """);
    }

    @Test
    void toString_unknownValues_areShown() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                enum Plain : uint8_t { ZERO };
                enum Known : int16_t { ONE = 1, REST = @otherwise };
                struct S { enum Plain plain; enum Known known; };
                """);
        assertThat(dump(struct, "ff 00 feff")).isEqualTo("[0] S { plain = 255, known = REST(-2) }\n");
        assertThat(dump(struct, "00 00 0100")).isEqualTo("[0] S { plain = ZERO, known = ONE }\n");
    }

    @Test
    void toString_unionWithAMemberForOtherValues_showsIt() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                struct Header { uint16_t length; uint8_t type : 4; uint8_t flags : 4; };
                struct Message {
                    struct Header header;
                    union @switch(header.type) {
                        uint32_t number @case(1);
                        struct { } nothing @case(2);
                        uint8_t raw[4] @otherwise;
                    } body;
                };
                """);
        assertThat(dump(struct, "0000 f1 00 ffffffff")).contains("body = { number = 4294967295 }");
        assertThat(dump(struct, "0000 f2 00 ffffffff")).contains("body = { nothing = { } }");
        assertThat(dump(struct, "0000 f3 00 01020304")).contains("body = { raw = [1, 2, 3, 4] }");
        // All members are shown if the bytes end before the discriminator.
        assertThat(dump(struct, "0000")).contains("number = ", "nothing = ", "raw = ");
    }

    @Test
    void toString_arraysWithACount_showTheValidElements() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                struct S { int8_t n; uint8_t a[4] @count(n); char @ascii names[2] @count(n)[3]; };
                """);
        assertThat(dump(struct, "02 0102ffff 616200 636400")).isEqualTo(
                "[0] S { n = 2, a = [1, 2], names = [\"ab\", \"cd\"] }\n");
        assertThat(dump(struct, "00 0102ffff 616200 636400")).isEqualTo("[0] S { n = 0, a = [], names = [] }\n");
        // No count: all elements are shown.
        assertThat(dump(struct, "ff 0102ffff 616200 636400")).contains("a = [1, 2, 255, 255]");
        assertThat(dump(struct, "03 0102ffff 616200 636400")).contains("a = [1, 2, 255], names = [\"ab\", \"cd\"]");
        assertThat(dump(struct, "04 0102")).contains("a = [1, 2, ... 2 cut off]");
    }

    @Test
    void toString_paddedText_endsBeforeTheSpaces() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                struct S { char @ascii @spaces a[6]; char16_t @big @spaces b[3]; };
                """);
        assertThat(dump(struct, "412042202020 0041 0020 0020")).isEqualTo("[0] S { a = \"A B\", b = \"A\" }\n");
        assertThat(dump(struct, "202020202020 0020 0020 0020")).isEqualTo("[0] S { a = \"\", b = \"\" }\n");
        assertThat(dump(struct, "4142")).contains("a = \"AB\"<cut off>");
    }

    @Test
    void toString_textAfterItsLength_hasThatLength() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                struct S { char @prefix(1) a[4]; char16_t @prefix(2, big) b[2]; };
                """);
        assertThat(dump(struct, "02 41424344 0001 4100 4200")).isEqualTo("[0] S { a = \"AB\", b = \"A\" }\n");
        assertThat(dump(struct, "00 41424344 0000 4100 4200")).isEqualTo("[0] S { a = \"\", b = \"\" }\n");
        assertThat(dump(struct, "03 41004344 0000 4100 4200")).contains("a = \"A\\u0000C\"");
        // A length larger than the array is reduced to the length of the array.
        assertThat(dump(struct, "ff 41424344 ffff 4100 4200")).isEqualTo("[0] S { a = \"ABCD\", b = \"AB\" }\n");
        assertThat(dump(struct, "03 41")).contains("a = \"A\"<cut off>, b = \"\"<cut off>");
    }

    @Test
    void toString_longTexts_areShortened() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                struct S { char @prefix(4) a[100000]; char @spaces b[300]; };
                """);
        byte[] bytes = new byte[(int) struct.byteSize()];
        Arrays.fill(bytes, (byte) ' ');
        bytes[0] = (byte) 0xa0;
        bytes[1] = (byte) 0x86;
        bytes[2] = 1;
        bytes[3] = 0;
        String text = LayoutDump.of(struct).toString(MemorySegment.ofArray(bytes));
        assertThat(text).contains("\"... at least 65280 more, b = \"\"");
        assertThat(LayoutDump.of(struct).withEveryElement().toString(MemorySegment.ofArray(bytes)))
                .contains(" ".repeat(100_000) + "\", b");
    }

    private static String dump(StructType struct, String hex) {
        return LayoutDump.of(struct).toString(bytes(hex));
    }

    private static MemorySegment bytes(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return MemorySegment.ofArray(bytes);
    }
}
