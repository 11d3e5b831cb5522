package dev.arenakit.dump;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;

/// Random structs of all types, bytes for them with ranges of zeros, and sources that divide these bytes into extents.
record RandomStructs(Random random) {
    private static final List<Class<?>> CARRIERS = List.of(boolean.class, byte.class, short.class, char.class,
            int.class, long.class, float.class, double.class);

    /// A struct of at least one byte.
    StructType struct() {
        StructType struct = struct(3);
        while (struct.byteSize() == 0) {
            struct = struct(3);
        }
        return struct;
    }

    private StructType struct(int depth) {
        StructType.Builder builder = StructType.builder(random.nextInt(4) == 0 ? "" : "S" + depth);
        if (random.nextBoolean()) {
            builder.packed();
        }
        builder.add("kind", ValueType.of(pick(List.of(byte.class, char.class, int.class)), order()));
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            builder.add("m" + i, type(depth - 1));
            if (random.nextInt(4) == 0) {
                addBits(builder, "b" + i);
            }
        }
        return builder.build();
    }

    private void addBits(StructType.Builder builder, String prefix) {
        ByteOrder order = order();
        for (int i = 0; i < 3; i++) {
            builder.addBits(prefix + "_" + i, random.nextBoolean()
                    ? UnsignedType.of(4, order)
                    : ValueType.of(short.class, order), 1 + random.nextInt(16));
        }
    }

    private StringType text() {
        StringType text = StringType.of(1 + random.nextInt(20), pick(List.of(StandardCharsets.UTF_8,
                StandardCharsets.US_ASCII, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE)));
        return switch (random.nextInt(3)) {
            case 0 -> text.withPadding(StringType.Padding.SPACE);
            case 1 -> text.withPrefix(1 << random.nextInt(3), order());
            default -> text;
        };
    }

    private MemoryType type(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 5)) {
            case 0 -> ValueType.of(pick(CARRIERS), order());
            case 1 -> UnsignedType.of(1 + random.nextInt(8), order());
            case 2 -> text();
            case 3 -> new EnumType("Kind", ValueType.of(byte.class), List.of(new EnumType.Constant("NONE", 0),
                    new EnumType.Constant("ONE", 1)), random.nextBoolean() ? Optional.of("OTHER") : Optional.empty());
            case 4 -> new AddressType(Optional.empty(), order(), 8);
            case 5, 6 -> ArrayType.of(type(depth - 1), random.nextInt(20));
            case 7 -> union(depth);
            default -> struct(depth);
        };
    }

    private UnionType union(int depth) {
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        members.put("u0", type(depth - 1));
        members.put("u1", type(depth - 1));
        return UnionType.of("Any", members, random.nextBoolean()
                ? Optional.of(new UnionType.Discriminator("kind", List.of(0L, 1L)))
                : Optional.empty());
    }

    /// Bytes of structs that are zero, hold small numbers, or are noise.
    byte[] bytes(long structByteSize) {
        byte[] bytes = new byte[random.nextInt((int) structByteSize * 12 + 1)];
        for (int at = 0; at < bytes.length;) {
            int end = (int) Math.min(bytes.length, at + structByteSize * random.nextInt(4) + random.nextInt(3));
            int kind = random.nextInt(4);
            for (; at < end; at++) {
                bytes[at] = (byte) (kind < 2 ? 0 : kind == 2 ? random.nextInt(2) : random.nextInt());
            }
        }
        return bytes;
    }

    /// A source of the bytes in several extents, which are overwritten after they have been passed; some zeros are
    /// extents of zeros.
    ExtentSource source(byte[] bytes) {
        return (sink, skip, limit) -> {
            int at = (int) Math.min(skip, bytes.length);
            int end = (int) (limit < bytes.length - at ? at + limit : bytes.length);
            int longest = 1 + random.nextInt(100);
            while (at < end) {
                int next = Math.min(end, at + 1 + random.nextInt(longest));
                byte[] piece = Arrays.copyOfRange(bytes, at, next);
                if (random.nextInt(4) > 0 && Arrays.equals(piece, new byte[piece.length])) {
                    sink.zeros(piece.length);
                } else {
                    sink.data(MemorySegment.ofArray(piece));
                    Arrays.fill(piece, (byte) 0x55);
                }
                at = next;
            }
            return Math.min(skip, bytes.length);
        };
    }

    ByteOrder order() {
        return random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
