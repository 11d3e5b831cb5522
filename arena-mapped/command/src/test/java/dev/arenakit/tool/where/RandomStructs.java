package dev.arenakit.tool.where;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StringType.Padding;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Random structs of all types of the layout API, and their bytes.
final class RandomStructs {
    private static final List<Class<?>> CARRIERS = List.of(byte.class, short.class, int.class, long.class, char.class,
            float.class, double.class, boolean.class);
    private static final List<Charset> CHARSETS = List.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII,
            StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE);
    private static final byte[] USUAL = {0, 0, 0, 1, 2, 'a', 'b', ' ', ' ', (byte) 0x80, (byte) 0xff, (byte) 0xc3, 127};

    private final RandomGenerator random;

    RandomStructs(RandomGenerator random) {
        this.random = random;
    }

    /// A struct with fields of several kinds. The names of its fields are `a`, `b` and so on.
    StructType struct(String name, int depth) {
        StructType.Builder builder = StructType.builder(name);
        if (random.nextInt(4) == 0) {
            builder.packed();
        }
        builder.add("n", UnsignedType.of(1));
        int members = 1 + random.nextInt(4);
        for (int i = 0; i < members; i++) {
            String member = String.valueOf((char) ('a' + i));
            if (random.nextInt(6) == 0) {
                builder.addBits(member, bits(), 1 + random.nextInt(random.nextBoolean() ? 1 : 8));
            } else {
                builder.add(member, type(name + member, depth));
            }
        }
        return builder.build();
    }

    /// Bytes of several structs. Many bytes have usual values.
    byte[] bytes(long byteSize) {
        byte[] bytes = new byte[(int) byteSize];
        random.nextBytes(bytes);
        for (int i = 0; i < bytes.length; i++) {
            if (random.nextInt(4) > 0) {
                bytes[i] = USUAL[random.nextInt(USUAL.length)];
            }
        }
        return bytes;
    }

    private MemoryType bits() {
        return switch (random.nextInt(3)) {
            case 0 -> UnsignedType.of(2, order());
            case 1 -> ValueType.of(int.class, order());
            default -> UnsignedType.of(8, order());
        };
    }

    private MemoryType type(String name, int depth) {
        return switch (random.nextInt(depth > 0 ? 10 : 6)) {
            case 0, 1 -> ValueType.of(CARRIERS.get(random.nextInt(CARRIERS.size())), order());
            case 2 -> UnsignedType.of(1 + random.nextInt(8), order());
            case 3 -> text();
            case 4 -> constants(name);
            case 5 -> AddressType.of(Optional.empty());
            case 6, 7 -> array(name, depth);
            case 8 -> struct(name, depth - 1);
            default -> union(name, depth);
        };
    }

    private MemoryType array(String name, int depth) {
        ArrayType array = ArrayType.of(type(name, depth - 1), 1 + random.nextInt(4));
        return random.nextBoolean() ? array : array.withCount("n");
    }

    private UnionType union(String name, int depth) {
        LinkedHashMap<String, MemoryType> members = new LinkedHashMap<>();
        members.put("x", type(name + "x", depth - 1));
        members.put("y", type(name + "y", depth - 1));
        Optional<UnionType.Discriminator> discriminator = switch (random.nextInt(3)) {
            case 0 -> Optional.of(new UnionType.Discriminator("n", List.of(0L, 1L)));
            case 1 -> Optional.of(new UnionType.Discriminator("n", List.of(List.of(0L, 2L)), Optional.of("y")));
            default -> Optional.empty();
        };
        return UnionType.of(name, members, discriminator);
    }

    private MemoryType constants(String name) {
        MemoryType value = random.nextBoolean() ? ValueType.of(short.class, order()) : UnsignedType.of(1);
        return new EnumType(name, value, List.of(new EnumType.Constant("ZERO", 0), new EnumType.Constant("ONE", 1)),
                random.nextBoolean() ? Optional.of("OTHER") : Optional.empty());
    }

    private MemoryType text() {
        StringType text = StringType.of(1 + random.nextInt(6), CHARSETS.get(random.nextInt(CHARSETS.size())));
        return switch (random.nextInt(3)) {
            case 0 -> text.withPadding(Padding.SPACE);
            case 1 -> text.withPrefix(1 << random.nextInt(3), order());
            default -> text;
        };
    }

    private ByteOrder order() {
        return random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }
}
