package dev.arenakit.layout;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Headers of C against a compiler of C.
class CHeaderTest {
    private static final int STRUCTS = 120;

    @Test
    void toCHeader_ofAnyStruct_hasItsOffsetsInGcc(@TempDir Path directory) throws IOException, InterruptedException {
        Gcc.assumeInstalled();
        Program program = new Program();
        for (int i = 0; i < STRUCTS; i++) {
            StructType struct = RandomTypes.any(new Random(i), "S" + i);
            Files.writeString(directory.resolve("s" + i + ".h"), LayoutText.toCHeader(struct));
            program.include("#include \"s" + i + ".h\"\n#include \"s" + i + ".h\"\n");
            boolean sameAlignment = struct.byteSize() % struct.byteAlignment() == 0;
            program.ask(struct, struct.name(), sameAlignment);
        }
        assertThat(Gcc.run(directory, program.text())).isEqualTo(program.expected);
    }

    @Test
    void builder_byTheRulesOfC_givesTheOffsetsOfGcc(@TempDir Path directory) throws IOException, InterruptedException {
        Gcc.assumeInstalled();
        Program program = new Program();
        for (int i = 0; i < STRUCTS; i++) {
            RandomTypes.OfC generated = RandomTypes.ofC(new Random(i), "P" + i);
            program.include(PlainC.of(generated));
            program.ask(generated.struct(), "struct P" + i, true);
        }
        assertThat(Gcc.run(directory, program.text(), "-Wno-packed-not-aligned")).isEqualTo(program.expected);
    }

    @Test
    void toCHeader_namesThatCHasTaken_areFollowedByAnUnderscore(@TempDir Path directory)
            throws IOException, InterruptedException {
        Gcc.assumeInstalled();
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
                .add("__linux__", value)
                .build();
        String header = LayoutText.toCHeader(struct);
        assertThat(header).contains("int32_t register__; /* register */", "int32_t register_;", "bool bool_;");
        Files.writeString(directory.resolve("s.h"), header);
        Program program = new Program();
        program.include("#include \"s.h\"\n");
        assertThat(Gcc.run(directory, program.text())).isEmpty();
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
        assertThat(LayoutText.toCHeader(struct)).isEqualTo("""
                #ifndef ARENAKIT_ORDER_H
                #define ARENAKIT_ORDER_H

                #include <stddef.h>
                #include <stdint.h>

                typedef int8_t Side;
                enum {
                    Side_BUY = 1,
                    Side_SELL = -2,
                };

                typedef struct Order {
                    int64_t id;
                    int32_t price; /* big-endian */
                    Side side;
                    char symbol[8]; /* UTF-8 */
                    int16_t (*next)[3];
                } Order;
                _Static_assert(sizeof(Order) == 32, "size of Order");
                _Static_assert(_Alignof(Order) == 8, "alignment of Order");
                _Static_assert(offsetof(Order, id) == 0, "offset of Order.id");
                _Static_assert(offsetof(Order, price) == 8, "offset of Order.price");
                _Static_assert(offsetof(Order, side) == 12, "offset of Order.side");
                _Static_assert(offsetof(Order, symbol) == 13, "offset of Order.symbol");
                _Static_assert(offsetof(Order, next) == 24, "offset of Order.next");

                #endif
                """);
    }

    /// A program that prints the sizes, alignments and offsets of structs, and what it should print.
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
