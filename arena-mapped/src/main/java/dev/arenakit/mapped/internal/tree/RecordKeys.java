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
     * numbers. A negative floating-point number has all of its bits flipped. All NaNs are one NaN, as in Double.compare.
     */

    private enum Order {
        UNSIGNED, SIGNED, FLOATING
    }

    /// A number of at most 8 bytes, whose first byte has the highest bits of a long.
    private record Part(long byteOffset, int byteSize, ByteOrder byteOrder, Order order) {
        void encode(MemorySegment struct, ByteBuffer key) {
            ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
            MemorySegment.copy(struct, ValueLayout.JAVA_BYTE, byteOffset, word.array(), start(), byteSize);
            long bits = word.order(byteOrder).getLong(0);
            if (order == Order.FLOATING) {
                bits = byteSize == Double.BYTES
                        ? Double.doubleToLongBits(Double.longBitsToDouble(bits))
                        : (long) Float.floatToIntBits(Float.intBitsToFloat((int) (bits >>> 32))) << 32;
            }
            word.order(ByteOrder.BIG_ENDIAN).putLong(0, bits ^ flipped(bits < 0));
            key.put(word.array(), 0, byteSize);
        }

        void decode(ByteBuffer key, MemorySegment struct, long base) {
            ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
            key.get(word.array(), 0, byteSize);
            long bits = word.getLong(0);
            word.order(byteOrder).putLong(0, bits ^ flipped(bits >= 0));
            MemorySegment.copy(word.array(), start(), struct, ValueLayout.JAVA_BYTE, base + byteOffset, byteSize);
        }

        /// The index of the first byte in a word whose other bytes are its lowest ones.
        private int start() {
            return byteOrder == ByteOrder.LITTLE_ENDIAN ? Long.BYTES - byteSize : 0;
        }

        private long flipped(boolean isNegative) {
            return order == Order.UNSIGNED ? 0 : order == Order.FLOATING && isNegative ? -1 : Long.MIN_VALUE;
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
        // The bytes of a text are numbers, too.
        for (long at = 0; at < type.byteSize() && at <= TreeFormat.LARGEST_KEY; at += Long.BYTES) {
            parts.add(new Part(byteOffset + at, (int) Math.min(type.byteSize() - at, Long.BYTES),
                    byteOrder, order));
        }
    }

    /// Makes a key of a struct.
    public TreeKey encode(MemorySegment struct) {
        ByteBuffer key = ByteBuffer.allocate(byteSize);
        parts.forEach(part -> part.encode(struct, key));
        return TreeKey.OfBytes.of(key.array());
    }

    /// Writes the struct of a key, except for its padding.
    ///
    /// @return false if the key is no struct
    public boolean decode(TreeKey.OfBytes key, MemorySegment into, long byteOffset) {
        ByteBuffer bytes = ByteBuffer.wrap(key.toBytes());
        if (bytes.remaining() != byteSize) {
            return false;
        }
        parts.forEach(part -> part.decode(bytes, into, byteOffset));
        return true;
    }
}
