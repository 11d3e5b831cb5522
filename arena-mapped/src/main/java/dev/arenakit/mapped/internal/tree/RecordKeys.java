package dev.arenakit.mapped.internal.tree;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// Structs as keys of bytes, in the order of their components. The bytes have no padding.
public final class RecordKeys {
    /* A number is stored as a big-endian number. The sign bit is flipped, so that unsigned bytes have the order of signed
     * numbers. A negative floating-point number has all of its bits flipped. NaNs are one NaN, as Double.compare has it.
     */

    private enum Order {
        UNSIGNED, SIGNED, FLOATING
    }

    /// A component: consecutive bytes of the struct.
    private record Part(long byteOffset, int byteSize, boolean isLittleEndian, Order order) {
        void encode(MemorySegment struct, byte[] key, int at) {
            for (int i = 0; i < byteSize; i++) {
                key[at + i] = struct.get(ValueLayout.JAVA_BYTE, byteOffset + (isLittleEndian ? byteSize - 1 - i : i));
            }
            if (order == Order.FLOATING) {
                canonicalize(key, at);
            }
            flip(key, at, key[at] < 0);
        }

        void decode(byte[] key, int at, MemorySegment struct, long base) {
            flip(key, at, key[at] >= 0);
            for (int i = 0; i < byteSize; i++) {
                struct.set(ValueLayout.JAVA_BYTE, base + byteOffset + (isLittleEndian ? byteSize - 1 - i : i),
                        key[at + i]);
            }
        }

        private void flip(byte[] key, int at, boolean isNegative) {
            int flipped = order == Order.UNSIGNED ? 0 : order == Order.FLOATING && isNegative ? byteSize : 1;
            for (int i = 0; i < flipped; i++) {
                key[at + i] ^= flipped > 1 ? -1 : Byte.MIN_VALUE;
            }
        }

        private void canonicalize(byte[] key, int at) {
            ByteBuffer number = ByteBuffer.wrap(key, at, byteSize).slice();
            if (byteSize == Double.BYTES && Double.isNaN(number.getDouble(0))) {
                number.putDouble(0, Double.NaN);
            } else if (byteSize == Float.BYTES && Float.isNaN(number.getFloat(0))) {
                number.putFloat(0, Float.NaN);
            }
        }
    }

    private final List<Part> parts = new ArrayList<>();
    private final int byteSize;

    private RecordKeys(StructType type) {
        add(type, 0, type.name());
        byteSize = parts.stream().mapToInt(Part::byteSize).sum();
    }

    /// The keys of a struct type.
    ///
    /// @throws IllegalArgumentException if a component has no order, or keys are too long
    public static RecordKeys of(StructType type) {
        RecordKeys keys = new RecordKeys(type);
        if (keys.byteSize == 0 || keys.byteSize > TreeFormat.LARGEST_KEY || type.name().isEmpty()) {
            throw new IllegalArgumentException("Records cannot be keys of a tree: type=" + type.name() + ", byteSize="
                    + keys.byteSize + ", largest=" + TreeFormat.LARGEST_KEY
                    + "; use a record with a name and with fewer or shorter components");
        }
        return keys;
    }

    private void add(MemoryType type, long byteOffset, String path) {
        switch (type) {
            case StructType struct -> {
                for (Member member : struct.members()) {
                    add(member.type(), byteOffset + member.byteOffset(), path + "." + member.name());
                }
            }
            case ArrayType array when array.count().isEmpty() -> {
                for (long i = 0; i < array.length() && i <= TreeFormat.LARGEST_KEY; i++) {
                    add(array.element(), byteOffset + i * array.element().byteSize(), path + "[" + i + "]");
                }
            }
            case EnumType constants -> add(constants.value(), byteOffset, path);
            case UnsignedType number -> add(number, byteOffset, number.order(), Order.UNSIGNED);
            case StringType text when text.prefixByteSize() == 0 && text.unitByteSize() == 1 ->
                add(text, byteOffset, ByteOrder.BIG_ENDIAN, Order.UNSIGNED);
            case ValueType value when value.carrier() == float.class || value.carrier() == double.class ->
                add(value, byteOffset, value.order(), Order.FLOATING);
            case ValueType value when value.carrier() == char.class || value.carrier() == boolean.class ->
                add(value, byteOffset, value.order(), Order.UNSIGNED);
            case ValueType value when value.carrier().isPrimitive() ->
                add(value, byteOffset, value.order(), Order.SIGNED);
            default -> throw new IllegalArgumentException("Component of a key has no order: component=" + path
                    + ", type=" + type
                    + "; use numbers, booleans, enums, arrays and texts of fixed lengths, and records"
                    + " of them");
        }
    }

    private void add(MemoryType type, long byteOffset, ByteOrder byteOrder, Order order) {
        parts.add(new Part(byteOffset, (int) Math.min(type.byteSize(), TreeFormat.LARGEST_KEY + 1),
                byteOrder == ByteOrder.LITTLE_ENDIAN, order));
    }

    /// Makes a key of a struct.
    public TreeKey encode(MemorySegment struct) {
        byte[] key = new byte[byteSize];
        int at = 0;
        for (Part part : parts) {
            part.encode(struct, key, at);
            at += part.byteSize;
        }
        return TreeKey.OfBytes.of(key);
    }

    /// Writes the struct of a key, except for its padding.
    ///
    /// @return false if the key is no struct
    public boolean decode(TreeKey.OfBytes key, MemorySegment into, long byteOffset) {
        byte[] bytes = key.toBytes();
        if (bytes.length != byteSize) {
            return false;
        }
        int at = 0;
        for (Part part : parts) {
            part.decode(bytes, at, into, byteOffset);
            at += part.byteSize;
        }
        return true;
    }
}
