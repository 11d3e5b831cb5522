package dev.arenakit.layout.text;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/// The two versions of the grammar of structs as text.
class LayoutTextVersionTest {
    private static final ValueType INT = ValueType.of(int.class, ByteOrder.LITTLE_ENDIAN);

    @Test
    void print_ofVersion2_hasAllThatIsNew() {
        EnumType kind = new EnumType("Kind", UnsignedType.of(1), List.of(new EnumType.Constant("DATA", 1)),
                Optional.of("OTHER"));
        UnsignedType word = UnsignedType.of(4, ByteOrder.LITTLE_ENDIAN);
        StructType data = StructType.builder("Data")
                .add("n", UnsignedType.of(2, ByteOrder.BIG_ENDIAN))
                .add("a", ArrayType.of(INT, 8).withCount("n"))
                .build();
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        members.put("data", data);
        members.put("raw", ArrayType.of(UnsignedType.of(1), 36));
        StructType header = StructType.builder("Header")
                .addBits("version", UnsignedType.of(1), 4, ByteOrder.BIG_ENDIAN)
                .addBits("ihl", UnsignedType.of(1), 4, ByteOrder.BIG_ENDIAN)
                .add("kind", kind)
                .addBits("flags", UnsignedType.of(2, ByteOrder.BIG_ENDIAN), 3)
                .addBits("place", UnsignedType.of(2, ByteOrder.BIG_ENDIAN), 13)
                .build();
        StructType struct = StructType.builder("Packet")
                .add("header", header)
                .add("nanos", UnsignedType.of(6, ByteOrder.LITTLE_ENDIAN))
                .add("letter", ValueType.of(char.class, ByteOrder.LITTLE_ENDIAN))
                .addBits("a", word, 20)
                .addBits("b", word, 20)
                .addBits("signed", INT, 3)
                .addBits("known", new EnumType("Kind", UnsignedType.of(1), kind.constants(), kind.otherwise()), 2)
                .add("name", StringType.of(8, StandardCharsets.US_ASCII).withPadding(StringType.Padding.SPACE))
                .add("text", StringType.of(16, StandardCharsets.UTF_8).withPrefix(2, ByteOrder.BIG_ENDIAN))
                .add("body", UnionType.of("Body", members,
                        Optional.of(
                                new UnionType.Discriminator("header.kind", List.of(List.of(1L)), Optional.of("raw")))))
                .build();
        String text = LayoutText.print(struct);
        assertThat(text).isEqualTo("""
                #pragma layout 2

                enum Kind : uint8_t {
                    DATA = 1,
                    OTHER = @otherwise,
                };

                struct Header {
                    uint8_t @big version : 4;
                    uint8_t @big ihl : 4;
                    enum Kind kind;
                    uint16_t @big flags : 3;
                    uint16_t @big place : 13;
                };

                struct Data {
                    uint16_t @big n;
                    int32_t a[8] @count(n);
                };

                union Body @switch(header.kind) {
                    struct Data data @case(1);
                    uint8_t raw[36] @otherwise;
                };

                struct Packet {
                    struct Header header;
                    uint48_t nanos;
                    uint16_t @char letter;
                    uint32_t a : 20;
                    uint32_t b : 20;
                    int32_t signed : 3;
                    enum Kind known : 2;
                    char @ascii @spaces name[8];
                    char @prefix(2, big) text[16];
                    union Body body;
                };
                """);
        assertThat(LayoutText.parse(text)).isEqualTo(struct);
    }

    @Test
    void print_bitFieldsThatCPlacesElsewhere_haveTheirBits() {
        UnsignedType word = UnsignedType.of(2, ByteOrder.LITTLE_ENDIAN);
        StructType struct = new StructType("S", List.of(new Member("a", 0, new BitFieldType(word, 3, 4)),
                new Member("b", 1, new BitFieldType(word, 0, 1)), new Member("c", 1, new BitFieldType(word, 7, 2)),
                new Member("d", 4, new BitFieldType(word, 6, 1))), 6, 2);
        String text = LayoutText.print(struct);
        assertThat(text).contains("""
                struct S {
                    uint16_t a : 4 @bit(3);
                    uint16_t b : 1 @offset(1);
                    uint16_t c : 2 @bit(7);
                    uint16_t d : 1 @offset(4) @bit(6);
                };
                """);
        assertThat(LayoutText.parse(text)).isEqualTo(struct);
    }

    @Test
    void print_memberForSeveralValues_isOfVersion3() {
        String text = """
                #pragma layout 3

                struct S {
                    int16_t kind;
                    union @switch(kind) {
                        int32_t a @case(-1, 2, 30);
                        float b @case(4);
                        int8_t c @otherwise;
                    } body;
                };
                """;
        StructType struct = LayoutText.parse(text);
        assertThat(LayoutText.print(struct)).isEqualTo(text);
        assertThat(LayoutText.parse(text.replace("-1, 2, 30", "30,2 , -1"))).isEqualTo(struct);
        UnionType union = (UnionType) struct.members().getLast().type();
        assertThat(union.discriminator().orElseThrow().values()).containsExactly(List.of(-1L, 2L, 30L), List.of(4L));
    }

    @Test
    void parse_textOfVersion3WithoutItsFeatures_isPrintedInVersion2() {
        String text = """
                #pragma layout 3

                struct S {
                    uint8_t kind : 4;
                    union @switch(kind) {
                        int8_t a @case(1);
                        int8_t b @otherwise;
                    } body;
                };
                """;
        assertThat(LayoutText.print(LayoutText.parse(text))).isEqualTo(text.replace("layout 3", "layout 2"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | @case(1, 2) @case(3) | one value of '@case', since several need version 3
            1 | @case(1, 2) @case(3) | one value of '@case', since several need version 3
            3 | @case(1, 1) @case(3) | a valid type
            3 | @case(1, 2) @case(2) | a valid type
            3 | @case(1,) @case(2)   | a number of 64 bits, decimal or after 0x
            3 | @case() @case(2)     | a number of 64 bits, decimal or after 0x
            4 | @case(1) @case(2)    | version 3 of the grammar, the latest that is supported
            """)
    void parse_casesThatAreNotOfTheVersion_isRefused(int version, String cases, String expected) {
        String[] each = cases.split(" (?=@)", -1);
        String text = "#pragma layout " + version + "\nstruct S { int8_t kind; union @switch(kind) { int8_t a "
                + each[0]
                + "; int8_t b " + each[1] + "; } body; };";
        assertThatExceptionOfType(LayoutParseException.class).isThrownBy(() -> LayoutText.parse(text))
                .satisfies(e -> assertThat(e.expected()).isEqualTo(expected));
    }

    @Test
    void parse_textOfVersion1_hasItsMeaning() {
        StructType struct = LayoutText.parse("""
                #pragma layout 1

                enum Side : int16_t {
                    BUY = 0,
                    SELL = -1,
                };

                union Either @switch(side) {
                    int64_t number @case(0);
                    char text[8] @case(-1);
                };

                struct Old {
                    uint16_t letter;
                    uint16_t @big letters[3];
                    enum Side @big side;
                    char @ascii code[6];
                    union Either either;
                    void *next @offset(64);
                };
                """);
        assertThat(struct.members().getFirst().type())
                .isEqualTo(ValueType.of(char.class, ByteOrder.LITTLE_ENDIAN));
        String printed = LayoutText.print(struct);
        assertThat(printed).startsWith("#pragma layout 2\n")
                .contains("    uint16_t @char letter;\n",
                        "    uint16_t @char @big letters[3];\n");
        assertThat(LayoutText.parse(printed)).isEqualTo(struct);
    }

    @Test
    void parse_unsignedConstants_countUpToTheLargest() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                enum E : uint64_t { A = 18446744073709551614, B, C = 0, D, };
                struct S { enum E e; };
                """);
        assertThat(struct.members().getFirst().type()).isEqualTo(new EnumType("E", UnsignedType.of(8),
                List.of(new EnumType.Constant("A", -2), new EnumType.Constant("B", -1),
                        new EnumType.Constant("C", 0), new EnumType.Constant("D", 1))));
        assertThat(LayoutText.print(struct)).contains("B = 18446744073709551615,");
        assertThatExceptionOfType(LayoutParseException.class).isThrownBy(() -> LayoutText.parse("""
                #pragma layout 2
                enum E : uint64_t { A = 18446744073709551615, B };
                """)).withMessageContaining("no value after");
    }
}
