package dev.arenakit.layout.text;

import dev.arenakit.layout.Programs;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RandomTypes;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// C headers, checked by a C compiler.
class CHeaderTest {
    private static final int STRUCTS = 60;

    /// gcc needs an integer larger than the nested struct around a field to evaluate the field.
    @Test
    void toCHeader_wideBitFieldsInFewBytes_compile(@TempDir Path directory) throws IOException, InterruptedException {
        StructType struct = new StructType("S", List.of(
                new Member("wide", 374, new BitFieldType(ValueType.of(long.class), 0, 52)),
                new Member("narrow", 382, new BitFieldType(UnsignedType.of(8), 0, 33)),
                new Member("small", 400, new BitFieldType(UnsignedType.of(4), 0, 23))), 408, 8);
        assertThat(Programs.gcc(directory, LayoutText.toCHeader(struct) + "int main(void) { return 0; }\n")).isEmpty();
    }

    @Test
    void toCHeader_pointerToBitFieldsWithoutAnotherOrder_isDeclared() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                struct S { struct P @packed { uint8_t a : 7; uint8_t b : 5; } *p; };
                """);
        assertThat(LayoutText.toCHeader(struct)).contains("P *p;");
    }

    /// The assertions of a header hold when a compiler reads it.
    @Test
    @Tag("slow")
    void toCHeader_ofManyStructs_compiles(@TempDir Path directory) throws IOException, InterruptedException {
        for (int i = 0; i < 20_000; i += 200) {
            StringBuilder program = new StringBuilder();
            for (int seed = i; seed < i + 200; seed++) {
                program.append(LayoutText.toCHeader(RandomTypes.any(new Random(seed), "S" + seed)));
            }
            assertThat(Programs.gcc(directory, program + "int main(void) { return 0; }\n")).isEmpty();
        }
    }

    @Test
    void toCHeader_namesThatCHasTaken_areFollowedByAnUnderscore(@TempDir Path directory)
            throws IOException, InterruptedException {
        ValueType value = ValueType.of(int.class);
        EnumType constants = new EnumType("size_t", value, List.of(new EnumType.Constant("int", 0)));
        StructType struct = StructType.builder("union")
                .add("register", value)
                .add("register_", value)
                .add("bool", ValueType.of(boolean.class))
                .add("INT32_MAX", value)
                .add("_LP64", value)
                .add("int32_t", value)
                .add("NULL", value)
                .add("size", constants)
                .add("pad0", value)
                .add("wide", StringType.of(2, StandardCharsets.UTF_16LE))
                .build();
        for (String name : List.of("unix", "linux", "i386", "__linux__", "__linux_", "__const", "__inline", "__thread",
                "__int128", "__THROW", "__asm", "_Bool")) {
            struct = with(struct, name, StructType.builder(name).add("x", value).build());
        }
        for (String name : List.of("char16_t", "char32_t", "mbstate_t", "mbrtoc16", "c32rtomb")) {
            struct = with(struct, name, StructType.builder(name).add("x", value).build());
        }
        String header = LayoutText.toCHeader(struct);
        assertThat(header).contains("int32_t register__; /* register */", "int32_t register_;", "bool bool_;",
                "x__const; /* __const */", "unix_; /* unix */");
        Files.writeString(directory.resolve("s.h"), header);
        Program program = new Program();
        program.include("#include \"s.h\"\n");
        assertThat(Programs.gcc(directory, program.text())).isEmpty();
    }

    private static StructType with(StructType struct, String name, MemoryType type) {
        StructType.Builder builder = StructType.builder(struct.name());
        struct.members().forEach(member -> builder.add(member.name(), member.type()));
        return builder.add(name, type).build();
    }

    @Test
    void toCHeader_constantsBeyondInt_hideNoMember(@TempDir Path directory) throws IOException, InterruptedException {
        EnumType constants = new EnumType("E", ValueType.of(long.class), List.of(
                new EnumType.Constant("A", 1L << 40), new EnumType.Constant("B", Long.MIN_VALUE),
                new EnumType.Constant("C", -1)));
        StructType struct = StructType.builder("R").add("e", constants).add("E_A", ValueType.of(int.class)).build();
        Files.writeString(directory.resolve("r.h"), LayoutText.toCHeader(struct));
        Program program = new Program();
        program.include("#include \"r.h\"\n");
        program.ask(struct, "R", true);
        program.print("A", "(size_t) (E_A >> 32)", 1L << 8);
        program.print("B", "(size_t) -(E_B + 1)", Long.MAX_VALUE);
        program.print("C", "(size_t) -E_C", 1);
        assertThat(Programs.gcc(directory, program.text(), "-pedantic")).isEqualTo(program.expected);
    }

    @Test
    void toCHeader_membersOfAUnion_nameTheirValues() {
        StructType struct = LayoutText.parse("""
                #pragma layout 3
                struct S {
                    int8_t kind;
                    union @switch(kind) { int8_t a @case(1, 2, 5); int8_t b @case(3); int8_t c @otherwise; } body;
                };
                """);
        assertThat(LayoutText.toCHeader(struct)).contains("int8_t a; /* where kind is 1 or 2 or 5 */",
                "int8_t b; /* where kind is 3 */", "int8_t c; /* where kind is none of these */");
    }

    @Test
    void toCHeader_severalHeaders_goTogether(@TempDir Path directory) throws IOException, InterruptedException {
        EnumType side = new EnumType("Side", ValueType.of(int.class), List.of(new EnumType.Constant("BUY", 1)));
        StructType point = StructType.builder("Point").add("x", ValueType.of(int.class)).add("side", side).build();
        StructType lower = StructType.builder("Foo").add("p", point).build();
        StructType upper = StructType.builder("FOO").add("n", ValueType.of(long.class)).add("p", point).build();
        Program program = new Program();
        for (StructType struct : List.of(lower, upper, point, lower)) {
            program.include(LayoutText.toCHeader(struct));
            program.ask(struct, struct.name(), true);
        }
        assertThat(Programs.gcc(directory, program.text())).isEqualTo(program.expected);
    }

    @Test
    void toCHeader_severalStructs_doNotClash(@TempDir Path directory) throws IOException, InterruptedException {
        StructType inner = StructType.builder("Point").add("x", ValueType.of(int.class)).build();
        StructType unnamed = StructType.builder("").add("x", ValueType.of(short.class)).build();
        List<StructType> structs = List.of(StructType.builder("Line").add("a", inner).add("b", unnamed).build(),
                StructType.builder("Point").add("y", ValueType.of(double.class)).build(), inner,
                StructType.builder("Line_b").add("z", ValueType.of(byte.class)).build(), unnamed,
                StructType.builder("").add("w", ValueType.of(byte.class)).build(),
                StructType.builder("Point").packed().add("q", inner).add("y", ValueType.of(double.class)).build(),
                StructType.builder("register").add("x", ValueType.of(int.class)).build());
        CHeader header = LayoutText.toCHeader(structs);
        assertThat(header.names())
                .containsExactly("Line", "Point", "Point_2", "Line_b", "Anonymous", "Anonymous_2", "Point_3",
                        "register_");
        Program program = new Program();
        program.include(header.text());
        for (int i = 0; i < structs.size(); i++) {
            program.ask(structs.get(i), header.names().get(i), true);
        }
        assertThat(Programs.gcc(directory, program.text())).isEqualTo(program.expected);
    }

    @Test
    void toCHeader_anyStructsTogether_haveTheirOffsetsInGcc(@TempDir Path directory)
            throws IOException, InterruptedException {
        List<StructType> structs = IntStream.range(0, STRUCTS)
                .mapToObj(seed -> RandomTypes.any(new Random(seed), "S"))
                .distinct()
                .toList();
        CHeader header = LayoutText.toCHeader(structs);
        assertThat(header.names()).doesNotHaveDuplicates();
        Program program = new Program();
        program.include(header.text());
        for (int i = 0; i < structs.size(); i++) {
            boolean sameAlignment = structs.get(i).byteSize() % structs.get(i).byteAlignment() == 0;
            program.ask(structs.get(i), header.names().get(i), sameAlignment);
        }
        assertThat(Programs.gcc(directory, program.text())).isEqualTo(program.expected);
    }

    @Test
    void toCHeader_plainStruct_isPlainC() {
        EnumType side = new EnumType("Side", ValueType.of(byte.class), List.of(new EnumType.Constant("BUY", 1),
                new EnumType.Constant("SELL", -2)));
        StructType struct = StructType.builder("Order")
                .add("id", ValueType.of(long.class))
                .add("price", ValueType.of(int.class, ByteOrder.BIG_ENDIAN))
                .add("side", side)
                .add("symbol", StringType.of(8, StandardCharsets.UTF_8))
                .add("next", new AddressType(Optional.of(ArrayType.of(ValueType.of(short.class), 3)),
                        ByteOrder.LITTLE_ENDIAN, 8))
                .build();
        String header = LayoutText.toCHeader(struct);
        assertThat(header).startsWith("""
                #include <stddef.h>
                #include <stdint.h>

                #ifndef arenakit_assert
                """);
        assertThat(header).endsWith("""
                #endif

                #ifndef ARENAKIT_Side
                #define ARENAKIT_Side
                typedef int8_t Side;
                enum {
                    Side_BUY = 1,
                    Side_SELL = -2,
                };
                #define arenakit_declares_Side
                #endif
                #ifdef arenakit_declares_Side
                _Static_assert(Side_BUY == 1, "value of Side_BUY");
                _Static_assert(Side_SELL == -2, "value of Side_SELL");
                #else
                _Static_assert(BUY == 1, "value of BUY");
                _Static_assert(SELL == -2, "value of SELL");
                #endif

                #ifndef ARENAKIT_Order
                #define ARENAKIT_Order
                typedef struct Order {
                    int64_t id;
                    int32_t price; /* big-endian */
                    Side side;
                    char symbol[8]; /* UTF-8 */
                    int16_t (*next)[3];
                } Order;
                #endif
                _Static_assert(sizeof(Order) == 32, "size of Order");
                _Static_assert(_Alignof(Order) == 8, "alignment of Order");
                arenakit_assert(Order, id, 0, 8, signed);
                arenakit_assert(Order, price, 8, 4, signed);
                arenakit_assert(Order, side, 12, 1, signed);
                arenakit_assert(Order, symbol, 13, 8, array);
                arenakit_assert(Order, symbol[0], 13, 1, integer);
                arenakit_assert(Order, next, 24, 8, pointer);
                """);
    }

    /// A program that prints the sizes, alignments and offsets of structs, and the expected output.
    private static final class Program {
        private final List<String> expected = new ArrayList<>();
        private final StringBuilder head = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n");
        private final StringBuilder main = new StringBuilder();

        void include(String declarations) {
            head.append(declarations);
        }

        void ask(StructType struct, String name, boolean withAlignment) {
            print(name + " size", "sizeof(" + name + ")", struct.byteSize());
            if (withAlignment) {
                print(name + " alignment", "_Alignof(" + name + ")", struct.byteAlignment());
            }
            struct.members()
                    .stream()
                    .filter(member -> !(member.type() instanceof BitFieldType))
                    .forEach(member -> print(name + "." + member.name(),
                            "offsetof(" + name + ", " + member.name() + ")", member.byteOffset()));
        }

        private void print(String label, String expression, long value) {
            main.append("    printf(\"").append(label).append(" %zu\\n\", ").append(expression).append(");\n");
            expected.add(label + " " + value);
        }

        String text() {
            return head + "int main(void) {\n" + main + "    return 0;\n}\n";
        }
    }
}
