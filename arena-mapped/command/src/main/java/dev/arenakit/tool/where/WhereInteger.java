package dev.arenakit.tool.where;

import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Optional;

/// The storage of an integer: some bytes, aligned or not, or some bits of these bytes.
///
/// @param byteSize    the number of bytes that contain it
/// @param isBigEndian the byte order
/// @param shift       the number of bits below the integer's bits
/// @param bitSize     the number of the integer's bits
/// @param isSigned    whether the highest bit is the sign
record WhereInteger(int byteSize, boolean isBigEndian, int shift, int bitSize, boolean isSigned) {
    // Only constant layouts are fast. The bytes of a big-endian integer are reversed by one instruction.
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Returns the storage of the values of a type, or empty if they are not integers.
    static Optional<WhereInteger> of(MemoryType type) {
        return switch (type) {
            case ValueType value when value.carrier() == float.class || value.carrier() == double.class ->
                Optional.empty();
            case ValueType value -> Optional.of(ofBytes(value.byteSize(), value.order(),
                    value.carrier() != char.class && value.carrier() != boolean.class));
            case UnsignedType unsigned -> Optional.of(ofBytes(unsigned.byteSize(), unsigned.order(), false));
            case EnumType constants ->
                Optional.of(ofBytes(constants.byteSize(), constants.order(), !constants.isUnsigned()));
            case BitFieldType bits -> Optional.of(new WhereInteger((int) bits.byteSize(),
                    bits.order() == ByteOrder.BIG_ENDIAN, bits.shift(), bits.bitSize(), bits.isSigned()));
            default -> Optional.empty();
        };
    }

    static WhereInteger ofBytes(long byteSize, ByteOrder order, boolean isSigned) {
        return new WhereInteger((int) byteSize, order == ByteOrder.BIG_ENDIAN, 0, Byte.SIZE * (int) byteSize, isSigned);
    }

    /// Reads the integer. A value from 2^63 on is negative: see [#isUnsignedLong].
    long get(MemorySegment bytes, long at) {
        long word = switch (byteSize) {
            case 1 -> bytes.get(ValueLayout.JAVA_BYTE, at);
            case 2 -> bytes.get(SHORT, at);
            case 4 -> bytes.get(INT, at);
            case 8 -> bytes.get(LONG, at);
            default -> littleEndian(bytes, at);
        };
        if (isBigEndian) {
            word = Long.reverseBytes(word) >>> (Long.SIZE - Byte.SIZE * byteSize);
        }
        long highest = word << (Long.SIZE - bitSize - shift);
        return isSigned ? highest >> (Long.SIZE - bitSize) : highest >>> (Long.SIZE - bitSize);
    }

    private long littleEndian(MemorySegment bytes, long at) {
        long value = 0;
        for (int i = byteSize - 1; i >= 0; i--) {
            value = value << Byte.SIZE | (bytes.get(ValueLayout.JAVA_BYTE, at + i) & 0xff);
        }
        return value;
    }

    /// Whether a value from 2^63 on is negative as a `long`.
    boolean isUnsignedLong() {
        return !isSigned && bitSize == Long.SIZE;
    }

    boolean contains(BigInteger value) {
        return isSigned ? value.bitLength() < bitSize : value.signum() >= 0 && value.bitLength() <= bitSize;
    }
}
