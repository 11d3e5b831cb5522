package dev.arenakit.layout.text;

import dev.arenakit.layout.Programs;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Bit fields and unsigned integers, compared with the bytes that a program in C writes.
class BitFieldsInCTest {
    private static final List<Class<?>> SIGNED = List.of(byte.class, short.class, int.class, long.class);
    private static final EnumType KIND = new EnumType("Kind", UnsignedType.of(1),
            List.of(new EnumType.Constant("NONE", 0), new EnumType.Constant("ONE", 1)), Optional.of("OTHER"));

    @TempDir
    Path directory;

    @Test
    void addBits_ofAnyFields_placesThemAsGcc() throws IOException, InterruptedException {
        compare(0, 60, false);
    }

    @Test
    void toCHeader_ofAnyFields_hasTheirBits() throws IOException, InterruptedException {
        compare(1_000, 60, true);
    }

    @Test
    @Tag("slow")
    void addBits_ofManyFields_placesThemAsGcc() throws IOException, InterruptedException {
        for (int i = 1; i <= 30; i++) {
            compare(10_000 * i, 100, i % 2 == 0);
        }
    }

    @SuppressWarnings("OrphanedFormatString") // It is C.
    private void compare(int firstSeed, int count, boolean byHeader) throws IOException, InterruptedException {
        StringBuilder declarations = new StringBuilder("""
                #include <stdbool.h>
                #include <stddef.h>
                #include <stdint.h>
                #include <stdio.h>
                #include <string.h>
                static void show(const char *name, const void *at, size_t size) {
                    printf("%s ", name);
                    for (size_t i = 0; i < size; i++) {
                        printf("%02x", ((const unsigned char *) at)[i]);
                    }
                    printf("\\n");
                }
                """);
        StringBuilder main = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int seed = firstSeed; seed < firstSeed + count; seed++) {
            Random random = new Random(seed);
            ByteOrder order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            boolean packed = random.nextInt(3) == 0;
            StructType struct = struct("S" + seed, random, order, packed);
            declarations.append(byHeader ? LayoutText.toCHeader(struct) : plain(struct, order, packed));
            String type = (byHeader ? "" : "struct ") + struct.name();
            main.append("    { ").append(type).append(" s; memset(&s, 0, sizeof s);\n");
            for (Member member : struct.members()) {
                if (byHeader && !(member.type() instanceof BitFieldType)) {
                    continue; // the header has no byte order of other members
                }
                long value = value(member.type(), random);
                String name = struct.name() + "." + member.name();
                main.append("    memset(&s, 0, sizeof s); s.%s = (%s) UINT64_C(%s); show(\"%s\", &s, sizeof s);%n"
                        .formatted(member.name(), cType(member.type()), Long.toUnsignedString(value), name));
                expected.add(name + " " + HexFormat.of().formatHex(bytes(struct, member, value)));
            }
            main.append("    }\n");
        }
        String program = declarations + "int main(void) {\n" + main + "    return 0;\n}\n";
        List<String> output = byHeader
                ? Programs.gcc(directory, program)
                : Programs.gcc(directory, program, "-Wno-packed-bitfield-compat", "-Wno-scalar-storage-order");
        assertThat(output).isEqualTo(expected);
    }

    private static StructType struct(String name, Random random, ByteOrder order, boolean packed) {
        StructType.Builder builder = StructType.builder(name);
        if (packed) {
            builder.packed();
        }
        int count = random.nextInt(1, 12);
        for (int i = 0; i < count; i++) {
            if (random.nextInt(4) == 0) {
                builder.add("m" + i, UnsignedType.of(1L << random.nextInt(4), order));
                continue;
            }
            MemoryType declared = switch (random.nextInt(5)) {
                case 0 -> ValueType.of(boolean.class);
                case 1, 2 -> ValueType.of(SIGNED.get(random.nextInt(4)), order);
                case 3 -> KIND;
                default -> UnsignedType.of(1L << random.nextInt(4), order);
            };
            boolean isBoolean = declared instanceof ValueType value && value.carrier() == boolean.class;
            int largest = isBoolean ? 1 : Math.min(57, 8 * (int) declared.byteSize());
            int bitSize = 1 + random.nextInt(random.nextBoolean() ? Math.min(7, largest) : largest);
            try {
                builder.addBits("m" + i, declared, bitSize, order);
            } catch (IllegalArgumentException e) {
                // The types have no such field.
                assertThat(packed && order == ByteOrder.BIG_ENDIAN && declared.byteSize() == 1).isTrue();
                assertThat(e).hasMessageContaining("crosses a byte in big-endian order");
                builder.add("m" + i, UnsignedType.of(1));
            }
        }
        return builder.build();
    }

    /// The declaration as a programmer writes it.
    private static String plain(StructType struct, ByteOrder order, boolean packed) {
        StringBuilder text = new StringBuilder("struct __attribute__((");
        text.append(order == ByteOrder.BIG_ENDIAN ? "scalar_storage_order(\"big-endian\")" : "")
                .append(packed ? (order == ByteOrder.BIG_ENDIAN ? ", " : "") + "packed" : "")
                .append(")) ")
                .append(struct.name())
                .append(" {\n");
        for (Member member : struct.members()) {
            text.append("    ").append(cType(member.type())).append(' ').append(member.name());
            text.append(member.type() instanceof BitFieldType bits ? " : " + bits.bitSize() + ";\n" : ";\n");
        }
        return text.append("};\n").toString();
    }

    private static String cType(MemoryType type) {
        return switch (type) {
            case BitFieldType bits -> cType(bits.declared());
            case EnumType _ -> "uint8_t";
            case UnsignedType unsigned -> unsigned.cName();
            case ValueType value -> value.cName();
            default -> throw new AssertionError(type);
        };
    }

    private static int bitSize(MemoryType type) {
        return type instanceof BitFieldType bits ? bits.bitSize() : 8 * (int) type.byteSize();
    }

    /// A value that fits. The value of a signed field may be negative.
    private static long value(MemoryType type, Random random) {
        int unused = Long.SIZE - bitSize(type);
        long bits = random.nextLong() << unused;
        return type instanceof BitFieldType field && field.isSigned() ? bits >> unused : bits >>> unused;
    }

    /// The bytes of a struct of zeros with the value in one member.
    private static byte[] bytes(StructType struct, Member member, long value) {
        BigInteger bits = new BigInteger(Long.toUnsignedString(value))
                .and(BigInteger.ONE.shiftLeft(bitSize(member.type())).subtract(BigInteger.ONE))
                .shiftLeft(member.type() instanceof BitFieldType field ? field.shift() : 0);
        boolean big = member.type() instanceof BitFieldType field
                ? field.order() == ByteOrder.BIG_ENDIAN
                : ((UnsignedType) member.type()).order() == ByteOrder.BIG_ENDIAN;
        byte[] bytes = new byte[(int) struct.byteSize()];
        int byteSize = (int) member.type().byteSize();
        for (int i = 0; i < byteSize; i++) {
            int at = (int) member.byteOffset() + (big ? byteSize - 1 - i : i);
            bytes[at] = bits.shiftRight(8 * i).byteValue();
        }
        return bytes;
    }
}
