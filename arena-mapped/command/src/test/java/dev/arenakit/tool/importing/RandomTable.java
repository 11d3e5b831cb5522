package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.tool.structs.StructColumns;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// A random type, and a table of random values of this type.
final class RandomTable {
    private static final List<Class<?>> CARRIERS = List.of(boolean.class, byte.class, short.class, char.class,
            int.class, long.class, float.class, double.class);
    private static final List<String> TEXTS = List.of("", "a", "b,c", "\"", "\r\n", "é", "x y", "1..2");

    private final Random random;

    RandomTable(Random random) {
        this.random = random;
    }

    StructType struct(int depth) {
        StructType.Builder builder = StructType.builder(depth == 0 ? "Row" : "");
        int members = 1 + random.nextInt(6);
        for (int i = 0; i < members; i++) {
            String name = "m" + i;
            if (random.nextInt(6) == 0) {
                builder.addBits(name, UnsignedType.of(4, order()), 1 + random.nextInt(32));
                builder.addBits(name + "b", enumOf(), 4);
            } else {
                builder.add(name, type(depth));
            }
        }
        return builder.build();
    }

    private ByteOrder order() {
        return random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    private EnumType enumOf() {
        return new EnumType("", ValueType.of(int.class, order()),
                List.of(new EnumType.Constant("LOW", -3), new EnumType.Constant("HIGH", 7)));
    }

    private MemoryType type(int depth) {
        return switch (random.nextInt(depth > 2 ? 7 : 10)) {
            case 0 -> UnsignedType.of(1 + random.nextInt(8), order());
            case 1 -> enumOf();
            case 2 -> random.nextBoolean()
                    ? AddressType.of(Optional.empty())
                    : new RefType("Node", 24, 8, random.nextBoolean() ? Optional.empty() : Optional.of("a+0x1[2]"),
                            4 << random.nextInt(2), order(), 4);
            case 3 -> StringType.of(4 + random.nextInt(9), StandardCharsets.UTF_8);
            case 4 -> StringType.of(4, StandardCharsets.UTF_16LE).withPrefix(1 + random.nextInt(2), order());
            case 5, 6 -> ValueType.of(CARRIERS.get(random.nextInt(CARRIERS.size())), order());
            case 7 -> ArrayType.of(type(depth + 1), random.nextInt(4));
            case 8 -> new UnionType("", List.of(new Member("number", 0, UnsignedType.of(8)),
                    new Member("part", 0, ValueType.of(short.class))), 8, 8, Optional.empty());
            default -> struct(depth + 1);
        };
    }

    /// A table with an index, runs of zeros and fields without a value.
    String csv(StructType type, int rows) {
        StringBuilder csv = new StringBuilder("index");
        StructColumns.forEach(type, (path, _, _) -> csv.append(',').append(path));
        csv.append('\n');
        long index = 0;
        for (int i = 0; i < rows; i++) {
            index += random.nextInt(3) == 0 ? random.nextInt(5_000) : 0;
            csv.append(index++);
            StructColumns.forEach(type, (_, leaf, _) -> csv.append(',')
                    .append(random.nextInt(4) == 0 ? "" : '"' + value(leaf).replace("\"", "\"\"") + '"'));
            csv.append('\n');
        }
        return csv.append(index)
                .append("..")
                .append(index + 99)
                .append(",".repeat((int) new StructColumns().count(type)))
                .append('\n')
                .toString();
    }

    private String value(MemoryType type) {
        return switch (type) {
            case ValueType value -> switch (value.carrier().descriptorString().charAt(0)) {
                case 'Z' -> Boolean.toString(random.nextBoolean());
                case 'C' -> random.nextBoolean() ? "" : String.valueOf((char) (32 + random.nextInt(1_000)));
                case 'F' -> Float.toString(random.nextInt(5) == 0 ? Float.NaN : random.nextFloat() * 1e20f);
                case 'D' -> Double.toString(random.nextInt(5) == 0 ? Double.NEGATIVE_INFINITY : random.nextGaussian());
                default -> number(8 * (int) value.byteSize(), true);
            };
            case UnsignedType unsigned -> number(8 * (int) unsigned.byteSize(), false);
            case BitFieldType bits -> bits.declared() instanceof EnumType ? constant() : number(bits.bitSize(), false);
            case EnumType _ -> constant();
            case AddressType _ -> "0x" + Long.toHexString(random.nextLong());
            case RefType reference -> reference(reference);
            case StringType _ -> TEXTS.get(random.nextInt(TEXTS.size()));
            default -> throw new AssertionError(type);
        };
    }

    private String reference(RefType type) {
        long stored = type.byteSize() == Integer.BYTES ? random.nextInt() & 0xffff_ffffL : random.nextLong();
        return type.text(random.nextBoolean() ? stored : 0, type.allocation().isPresent(), 1000);
    }

    private String constant() {
        return List.of("LOW", "HIGH", "5", "-8").get(random.nextInt(4));
    }

    private String number(int bits, boolean isSigned) {
        BigInteger value = new BigInteger(bits, random);
        return (isSigned ? value.subtract(BigInteger.TWO.pow(bits - 1)) : value).toString();
    }
}
