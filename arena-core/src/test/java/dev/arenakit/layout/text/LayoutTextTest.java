package dev.arenakit.layout.text;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RandomTypes;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/// Printing and parsing of structs.
class LayoutTextTest {
    private static final ValueType INT = ValueType.of(int.class, ByteOrder.LITTLE_ENDIAN);

    @Test
    @SuppressWarnings("NullAway") // The test passes null on purpose.
    void parse_null_isNamed() {
        assertThatNullPointerException().isThrownBy(() -> LayoutText.parse(null)).withMessage("text");
    }

    @Test
    void parse_ofWhatWasPrinted_isEqual() {
        goThroughText(300);
    }

    @Test
    @Tag("slow")
    void parse_ofManyPrinted_isEqual() {
        goThroughText(20_000);
    }

    private static void goThroughText(int count) {
        for (int seed = 0; seed < count; seed++) {
            StructType struct = RandomTypes.any(new Random(seed), "S");
            String text = LayoutText.print(struct);
            assertThat(LayoutText.parse(text)).as("seed %s%n%s", seed, text).isEqualTo(struct);
        }
    }

    @Test
    void print_deviations_areAnnotated() {
        StructType point = StructType.builder("Point")
                .add("x", INT)
                .add("y", INT.withOrder(ByteOrder.BIG_ENDIAN))
                .build();
        StructType other = StructType.builder("Point").add("z", ValueType.of(byte.class)).build();
        StructType packed = StructType.builder("Packed")
                .packed()
                .add("n", ValueType.of(byte.class))
                .add("p", point)
                .add("a", ArrayType.of(AddressType.of(Optional.empty()).withByteAlignment(8), 2))
                .build();
        StructType struct = new StructType("S", List.of(new Member("packed", 0, packed),
                new Member("p", 32, point.withByteAlignment(16)), new Member("other", 40, other),
                new Member("s", 41, StringType.of(3, StandardCharsets.US_ASCII)),
                new Member("a", 48, new ArrayType(INT.withByteAlignment(1), 2, 4))), 61, 32);
        String text = LayoutText.print(struct);
        assertThat(text).isEqualTo("""
                #pragma layout 2

                struct Point {
                    int32_t x;
                    int32_t @big y;
                };

                struct Packed @packed {
                    int8_t n;
                    struct Point p;
                    void *a[2];
                };

                struct S @align(32) @size(61) {
                    struct Packed packed;
                    struct Point @align(16) p;
                    struct Point {
                        int8_t z;
                    } other;
                    char @ascii s[3];
                    int32_t @align(1) a[2] @align(4) @offset(48);
                };
                """);
        assertThat(LayoutText.parse(text)).isEqualTo(struct);
    }

    @Test
    void parse_writtenByHand_takesComments() {
        StructType struct = LayoutText.parse("""
                #pragma layout 1 // the version
                /* What is
                   below */
                enum Kind { A, B = 0x10, C };
                struct struct {\r
                    enum Kind enum, // no more than one
                };
                """.replace("enum,", "enum;"));
        EnumType kind = new EnumType("Kind", INT, List.of(new EnumType.Constant("A", 0),
                new EnumType.Constant("B", 16), new EnumType.Constant("C", 17)));
        assertThat(struct).isEqualTo(StructType.builder("struct").add("enum", kind).build());
    }

    @Test
    void parse_wordsOfTheGrammarAsNames_areNames() {
        StructType struct = StructType.builder("int32_t")
                .add("struct", INT)
                .add("void", INT)
                .add("pragma", INT)
                .add("char", StringType.of(2, StandardCharsets.UTF_8))
                .build();
        assertThat(LayoutText.parse(LayoutText.print(struct))).isEqualTo(struct);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            1 ~ 1 ~ '#pragma layout 2' in the first line ~ 'struct' ~ struct S { };
            1 ~ 16 ~ version 3 of the grammar, the latest ~ '4' ~ #pragma layout 4\\n%$
            1 ~ 16 ~ version 3 of the grammar ~ '99999999999999999999' ~ #pragma layout 99999999999999999999
            1 ~ 16 ~ the number of a version ~ '0' ~ #pragma layout 0
            2 ~ 1 ~ 'struct', 'union' or 'enum' ~ the end of the text ~ #pragma layout 1\\n
            2 ~ 1 ~ 'struct' in the last definition ~ 'union' ~ #pragma layout 1\\nunion U { };
            3 ~ 3 ~ a type: ~ 'uint8_t' ~ #pragma layout 1\\nstruct S {\\n  uint8_t x;\\n};
            2 ~ 20 ~ ';' ~ '}' ~ #pragma layout 1\\nstruct S { int8_t x};
            2 ~ 21 ~ the name of a member ~ '7' ~ #pragma layout 1\\nstruct S { int8_t * 7; };
            2 ~ 12 ~ a length in brackets ~ 'char' ~ #pragma layout 1\\nstruct S { char c; };
            2 ~ 12 ~ '*' after 'void' ~ 'void' ~ #pragma layout 1\\nstruct S { void v; };
            2 ~ 19 ~ the name of a struct that is already defined ~ 'T' ~ #pragma layout 1\\nstruct S { struct T t; };
            3 ~ 7 ~ a name that is not defined yet ~ 'S' ~ #pragma layout 1\\nstruct S { };\\nunion S { };
            2 ~ 21 ~ a number of 64 bits ~ '010' ~ #pragma layout 1\\nstruct S { int8_t x[010]; };
            2 ~ 21 ~ a number of 64 bits ~ '9223372036854775808' ~ #pragma layout 1\\nstruct S { int8_t x[9223372036854775808]; };
            2 ~ 24 ~ each annotation once ~ '@little' ~ #pragma layout 1\\nstruct S { int32_t @big@little x; };
            2 ~ 12 ~ a declaration ~ U+00E9 ~ #pragma layout 1\\nstruct S { é };
            2 ~ 12 ~ '*/' after '/*' ~ the end of the text ~ #pragma layout 1\\nstruct S { /* };
            2 ~ 17 ~ a power of two ~ '3' ~ #pragma layout 1\\nstruct S @align(3) { };
            2 ~ 27 ~ a power of two ~ '0' ~ #pragma layout 1\\nstruct S { int32_t @align(0) i; };
            2 ~ 27 ~ a power of two ~ '-' ~ #pragma layout 1\\nstruct S { int32_t @align(-4) i; };
            2 ~ 12 ~ a valid type ~ byteSize=-5 ~ #pragma layout 1\\nstruct S { struct @size(-5) { } e; };
            2 ~ 47 ~ '=' ~ '}' ~ #pragma layout 1\\nenum E : int64_t { A = 9223372036854775807, B };
            2 ~ 1 ~ a valid type ~ Two members have the same name ~ #pragma layout 1\\nstruct S { bool a; bool a; };
            2 ~ 20 ~ a valid type ~ Member is misaligned ~ #pragma layout 1\\nstruct S { int32_t i @offset(2); };
            2 ~ 22 ~ ';' ~ ':' ~ #pragma layout 1\\nstruct S { int32_t i : 2; };
            2 ~ 22 ~ the name of a member ~ '@char' ~ #pragma layout 1\\nstruct S { uint16_t  @char c; };
            2 ~ 12 ~ uint16_t before '@char' ~ 'uint8_t' ~ #pragma layout 2\\nstruct S { uint8_t @char c; };
            2 ~ 12 ~ uint8_t ~ 'uint65_t' ~ #pragma layout 2\\nstruct S { uint65_t n; };
            2 ~ 24 ~ a valid type ~ largest bitSize=8 ~ #pragma layout 2\\nstruct S { uint8_t a : 9; };
            2 ~ 24 ~ a valid type ~ bitSize=0 ~ #pragma layout 2\\nstruct S { uint8_t a : 0; };
            2 ~ 23 ~ a valid type ~ is not that of a bit field ~ #pragma layout 2\\nstruct S { double a : 3; };
            2 ~ 23 ~ neither an array nor a pointer ~ ':' ~ #pragma layout 2\\nstruct S { bool a[2]  : 1; };
            2 ~ 1 ~ a valid type ~ Members overlap ~ #pragma layout 2\\nstruct S { uint8_t a : 3; uint8_t b : 3 @bit(2); };
            2 ~ 1 ~ a valid type ~ Count of an array ~ #pragma layout 2\\nstruct S { bool a[2] @count(n); };
            2 ~ 25 ~ 1, 2 or 4 ~ '3' ~ #pragma layout 2\\nstruct S { char @prefix(3) s[4]; };
            2 ~ 25 ~ either '@spaces' or '@prefix' ~ '@prefix' ~ #pragma layout 2\\nstruct S { char @spaces @prefix(2) s[4]; };
            2 ~ 30 ~ '@otherwise' once ~ '@otherwise' ~ #pragma layout 2\\nenum E { A = @otherwise, B = @otherwise };
            2 ~ 28 ~ an unsigned number ~ '-' ~ #pragma layout 2\\nenum E : uint8_t { A     = -1 };
            2 ~ 56 ~ '@otherwise' after the last member only ~ '@case' ~ #pragma layout 2\\nunion U @switch(k) { bool a @otherwise; bool b         @case(1); };
            """)
    void parse_wrongText_saysWhere(int line, int column, String expected, String found, String text) {
        LayoutParseException e = catchThrowableOfType(LayoutParseException.class,
                () -> LayoutText.parse(text.replace("\\n", "\n")));
        assertThat(e).isNotNull().hasMessageContaining("line=" + line + ", column=" + column);
        assertThat(e.line()).isEqualTo(line);
        assertThat(e.column()).isEqualTo(column);
        assertThat(e.expected()).contains(expected);
        assertThat(e.found()).contains(found);
    }

    @Test
    void parse_deepText_isRefused() {
        String head = "#pragma layout 1\nstruct S { ";
        for (String deep : List.of("struct { ".repeat(30_000), "bool " + "(".repeat(30_000),
                "bool " + "*".repeat(30_000) + "p; };", "bool x" + "[1]".repeat(30_000) + "; };")) {
            assertThatExceptionOfType(LayoutParseException.class).isThrownBy(() -> LayoutText.parse(head + deep));
        }
    }

    @Test
    void parse_copiesAtOtherAlignments_areShared() {
        StringBuilder text = new StringBuilder("#pragma layout 1\nstruct A0 { int64_t a; };\n");
        for (int i = 1; i <= 10; i++) {
            text.append("struct A%d { struct A%d a; struct A%d b; };%n".formatted(i, i - 1, i - 1));
        }
        text.append("struct S @packed { struct A10 a; struct A10 b; struct A9 c; struct A10 @align(8) d; };");
        Set<MemoryType> types = Collections.newSetFromMap(new IdentityHashMap<>());
        collect(LayoutText.parse(text.toString()), types);
        assertThat(types).hasSize(1 + 2 * 12);
    }

    @Test
    void parse_copiesOfCopies_areShared() {
        StructType struct = LayoutText.parse("""
                #pragma layout 1
                struct A { int64_t a; };
                struct A4 { struct A @align(4) a; };
                struct A2 { struct A4 @align(2) a; };
                struct S { struct A2 @align(1) p; struct A4 @align(1) q; struct A @align(1) r; };
                """);
        MemoryType last = struct.members().getLast().type();
        assertThat(inside(struct.members().get(0).type(), 2)).isSameAs(last);
        assertThat(inside(struct.members().get(1).type(), 1)).isSameAs(last);
    }

    private static MemoryType inside(MemoryType type, int times) {
        return times == 0 ? type : inside(((StructType) type).members().getFirst().type(), times - 1);
    }

    @Test
    void parse_referencesToAnEnum_areShared() {
        StructType struct = LayoutText.parse("""
                #pragma layout 1
                enum E { A };
                struct S { enum E a; enum E b; enum E @big c; enum E @big d; enum E @align(1) e; enum E @align(1) f; };
                """);
        Set<MemoryType> types = Collections.newSetFromMap(new IdentityHashMap<>());
        collect(struct, types);
        assertThat(types).hasSize(4);
    }

    private static void collect(MemoryType type, Set<MemoryType> types) {
        types.add(type);
        if (type instanceof StructType struct) {
            struct.members().forEach(member -> collect(member.type(), types));
        }
    }

    /// A search for each reference would take minutes.
    @Test
    @Timeout(120)
    void parse_manyReferencesBehindManyMembers_takesTimeInProportion() {
        int count = 20_000;
        StringBuilder text = new StringBuilder("#pragma layout 2\nstruct Many {\n");
        for (int i = 0; i < count; i++) {
            text.append("int8_t a").append(i).append("[1] @count(last);\n");
        }
        text.append("int32_t last;\n};\n");

        assertThat(LayoutText.parse(text.toString()).members()).hasSize(count + 1);
    }

    @Test
    void parse_structsThatDouble_areRefused() {
        StringBuilder text = new StringBuilder("#pragma layout 1\nstruct S0 { bool b; };\n");
        for (int i = 1; i < 60; i++) {
            text.append("struct S%d { struct S%d a; struct S%d b; };%n".formatted(i, i - 1, i - 1));
        }
        assertThatExceptionOfType(LayoutParseException.class).isThrownBy(() -> LayoutText.parse(text.toString()))
                .withMessageContaining("262144 types and constants in all");
    }

    private static final List<String> TOKENS = List.of("struct", "union", "enum", "S", "T", "x", "{", "}", "(", ")",
            "[",
            "]", ";", ",", ":", "=", "*", "-", "0", "1", "3", "8", "0x10", "9223372036854775807", "void", "char",
            "char16_t", "bool", "int8_t", "int16_t", "uint16_t", "int32_t", "int64_t", "float", "double", "@big",
            "@little", "@ascii", "@packed", "@align(1)", "@align(16)", "@size(64)", "@offset(8)", "@switch(x)",
            "@case(1)", "@case(1, -2)",
            "@align", "@", "\n", "//", "/*", "*/", "#pragma layout 1", "#pragma layout 2", "#pragma layout 3",
            "@bit(3)", ": 3", "uint16_t",
            "uint24_t", "@char",
            "@otherwise", "@count(n)", "@prefix(2, big)", "@spaces", "a.b", "\u00e9", "\ud83d\ude00", "\0",
            "struct T {",
            "struct T t;", "int32_t x;", "};");

    @Test
    void parse_mutations_throwsNothingElse() {
        assertThat(mutate(new Random(11), 1_500)).isBetween(30, 1_470);
    }

    @Test
    @Tag("slow")
    void parse_manyMutations_throwsNothingElse() {
        assertThat(mutate(new Random(12), 100_000)).isBetween(2_000, 98_000);
    }

    @Test
    void parse_tokenSoup_throwsNothingElse() {
        Random random = new Random(13);
        for (int i = 0; i < 1_500; i++) {
            StringBuilder text = new StringBuilder("#pragma layout " + (1 + i % 3) + "\nstruct S {");
            int count = random.nextInt(60);
            for (int token = 0; token < count; token++) {
                text.append(' ').append(TOKENS.get(random.nextInt(TOKENS.size())));
            }
            parses(text.toString());
        }
    }

    /// Returns the number of mutations that are valid. The printed form of a valid text must be valid too.
    private static int mutate(Random random, int count) {
        int texts = 0;
        String text = "";
        for (int i = 0; i < count; i++) {
            if (i % 20 == 0) {
                text = LayoutText.print(RandomTypes.any(random, "S"));
            }
            String mutated = text;
            for (int times = random.nextInt(1, 4); times > 0; times--) {
                mutated = mutate(mutated, random);
            }
            texts += parses(mutated) ? 1 : 0;
        }
        return texts;
    }

    private static String mutate(String text, Random random) {
        int from = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + random.nextInt(12));
        String middle = switch (random.nextInt(5)) {
            case 0 -> "";
            case 1 -> " " + TOKENS.get(random.nextInt(TOKENS.size())) + " ";
            case 2 -> text.substring(from, to).repeat(2);
            case 3 -> String.valueOf((char) random.nextInt(random.nextBoolean() ? 128 : 65536));
            default -> Integer.toString(random.nextInt(100));
        };
        return text.substring(0, from) + middle + text.substring(to);
    }

    private static boolean parses(String text) {
        StructType struct;
        try {
            struct = LayoutText.parse(text);
        } catch (LayoutParseException e) {
            assertThat(e.line()).isBetween(1, (int) text.lines().count() + 1);
            assertThat(e.column()).isPositive();
            return false;
        }
        assertThat(LayoutText.parse(LayoutText.print(struct))).as(text).isEqualTo(struct);
        assertThat(LayoutText.toCHeader(struct)).isNotEmpty();
        assertThat(LayoutText.describe(struct)).isNotEmpty();
        return true;
    }
}
