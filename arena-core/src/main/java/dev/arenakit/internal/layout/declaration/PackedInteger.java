package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// An integer of any size, or a bit field. Most sizes have no VarHandle.
///
/// The compiler treats the components of this record as constants if the record itself is a constant.
///
/// @param byteSize the number of bytes that contain its bits, from 1 to 8
/// @param big      whether the order of the bytes is big-endian
/// @param shift    the number of bits below it in the integer of these bytes
/// @param bitSize  the number of its bits
/// @param signed   whether its highest bit is the sign
public record PackedInteger(int byteSize, boolean big, int shift, int bitSize, boolean signed) {
    private static final ValueLayout.OfShort LITTLE_SHORT = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt LITTLE_INT = ValueLayout.JAVA_INT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LITTLE_LONG = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);

    public static PackedInteger of(BitFieldType bits) {
        return new PackedInteger((int) bits.byteSize(), bits.order() == ByteOrder.BIG_ENDIAN, bits.shift(),
                bits.bitSize(), bits.isSigned());
    }

    /// Returns the access to any integer.
    ///
    /// @throws IllegalArgumentException if the type is not an integer
    public static PackedInteger of(MemoryType type) {
        return switch (type) {
            case BitFieldType bits -> of(bits);
            case UnsignedType unsigned -> of(unsigned);
            case EnumType memory -> of(memory.value());
            case ValueType value when value.carrier() != float.class && value.carrier() != double.class ->
                new PackedInteger((int) value.byteSize(), value.order() == ByteOrder.BIG_ENDIAN, 0,
                        Byte.SIZE * (int) value.byteSize(), value.carrier() != char.class);
            default -> throw new IllegalArgumentException("Type is not that of an integer: type=" + type);
        };
    }

    public static PackedInteger of(UnsignedType unsigned) {
        int byteSize = (int) unsigned.byteSize();
        return new PackedInteger(byteSize, unsigned.order() == ByteOrder.BIG_ENDIAN, 0, byteSize * Byte.SIZE, false);
    }

    /// Returns the smallest value.
    public long min() {
        return signed ? -1L << (bitSize - 1) : 0;
    }

    /// Returns the largest value, or -1 for 64 unsigned bits.
    public long max() {
        return signed ? ~min() : -1L >>> (Long.SIZE - bitSize);
    }

    /// Reads the integer.
    ///
    /// @param byteOffset the offset of the first byte
    /// @return the value, extended with its sign or with zeros
    public long get(MemorySegment segment, long byteOffset) {
        long top = bytes(segment, byteOffset) << (Long.SIZE - shift - bitSize);
        return signed ? top >> (Long.SIZE - bitSize) : top >>> (Long.SIZE - bitSize);
    }

    /// Writes the integer. The other bits of these bytes are read and written back.
    ///
    /// @param byteOffset the offset of the first byte
    /// @param value      the value; only its lower bits are used
    public void set(MemorySegment segment, long byteOffset, long value) {
        if (bitSize == byteSize * Byte.SIZE) {
            setBytes(segment, byteOffset, value);
        } else {
            long mask = (-1L >>> (Long.SIZE - bitSize)) << shift;
            setBytes(segment, byteOffset, (bytes(segment, byteOffset) & ~mask) | ((value << shift) & mask));
        }
    }

    /// Writes consecutive integers.
    ///
    /// @param byteOffset the offset of the first byte of the first integer
    public void setAll(MemorySegment segment, long byteOffset, long[] values) {
        for (int i = 0; i < values.length; i++) {
            set(segment, byteOffset + (long) i * byteSize, values[i]);
        }
    }

    /// Returns the bytes as one integer, extended with zeros.
    private long bytes(MemorySegment segment, long byteOffset) {
        long value = switch (byteSize) {
            case 1 -> byteAt(segment, byteOffset);
            case 2 -> shortAt(segment, byteOffset);
            case 3 -> shortAt(segment, byteOffset) | (byteAt(segment, byteOffset + 2) << 16);
            case 4 -> intAt(segment, byteOffset);
            case 5 -> intAt(segment, byteOffset) | (byteAt(segment, byteOffset + 4) << 32);
            case 6 -> intAt(segment, byteOffset) | (shortAt(segment, byteOffset + 4) << 32);
            case 7 -> intAt(segment, byteOffset) | (shortAt(segment, byteOffset + 4) << 32)
                    | (byteAt(segment, byteOffset + 6) << 48);
            default -> segment.get(LITTLE_LONG, byteOffset);
        };
        return big ? Long.reverseBytes(value) >>> (Long.SIZE - byteSize * Byte.SIZE) : value;
    }

    private void setBytes(MemorySegment segment, long byteOffset, long value) {
        long little = big ? Long.reverseBytes(value) >>> (Long.SIZE - byteSize * Byte.SIZE) : value;
        switch (byteSize) {
            case 1 -> segment.set(ValueLayout.JAVA_BYTE, byteOffset, (byte) little);
            case 2 -> segment.set(LITTLE_SHORT, byteOffset, (short) little);
            case 3 -> {
                segment.set(LITTLE_SHORT, byteOffset, (short) little);
                segment.set(ValueLayout.JAVA_BYTE, byteOffset + 2, (byte) (little >> 16));
            }
            case 4 -> segment.set(LITTLE_INT, byteOffset, (int) little);
            case 5 -> {
                segment.set(LITTLE_INT, byteOffset, (int) little);
                segment.set(ValueLayout.JAVA_BYTE, byteOffset + 4, (byte) (little >> 32));
            }
            case 6 -> {
                segment.set(LITTLE_INT, byteOffset, (int) little);
                segment.set(LITTLE_SHORT, byteOffset + 4, (short) (little >> 32));
            }
            case 7 -> {
                segment.set(LITTLE_INT, byteOffset, (int) little);
                segment.set(LITTLE_SHORT, byteOffset + 4, (short) (little >> 32));
                segment.set(ValueLayout.JAVA_BYTE, byteOffset + 6, (byte) (little >> 48));
            }
            default -> segment.set(LITTLE_LONG, byteOffset, little);
        }
    }

    private static long byteAt(MemorySegment segment, long byteOffset) {
        return segment.get(ValueLayout.JAVA_BYTE, byteOffset) & 0xffL;
    }

    private static long shortAt(MemorySegment segment, long byteOffset) {
        return segment.get(LITTLE_SHORT, byteOffset) & 0xffffL;
    }

    private static long intAt(MemorySegment segment, long byteOffset) {
        return segment.get(LITTLE_INT, byteOffset) & 0xffffffffL;
    }
}
