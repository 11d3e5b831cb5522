package dev.arenakit.dump;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Dumps of the types that occur in binary formats.
class LayoutDumpFormatsTest {
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
