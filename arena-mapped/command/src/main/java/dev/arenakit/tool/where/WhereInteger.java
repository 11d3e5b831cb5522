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
            case 2 -> {
                short stored = bytes.get(SHORT, at);
                yield isBigEndian ? Short.reverseBytes(stored) : stored;
            }
            case 4 -> {
                int stored = bytes.get(INT, at);
                yield isBigEndian ? Integer.reverseBytes(stored) : stored;
            }
            case 8 -> {
                long stored = bytes.get(LONG, at);
                yield isBigEndian ? Long.reverseBytes(stored) : stored;
            }
            default -> unsigned(bytes, at, byteSize, isBigEndian);
        };
        long highest = word << (Long.SIZE - bitSize - shift);
        return isSigned ? highest >> (Long.SIZE - bitSize) : highest >>> (Long.SIZE - bitSize);
    }

    /// Reads 1 to 8 bytes without a sign.
    static long unsigned(MemorySegment bytes, long at, int byteSize, boolean isBigEndian) {
        long value = 0;
        for (int i = 0; i < byteSize; i++) {
            int index = isBigEndian ? i : byteSize - 1 - i;
            value = value << Byte.SIZE | (bytes.get(ValueLayout.JAVA_BYTE, at + index) & 0xff);
        }
        return value;
    }

    /// Whether a value from 2^63 on is negative as a `long`.
    boolean isUnsignedLong() {
        return !isSigned && bitSize == Long.SIZE;
    }

    BigInteger smallest() {
        return isSigned ? BigInteger.ONE.shiftLeft(bitSize - 1).negate() : BigInteger.ZERO;
    }

    BigInteger largest() {
        return BigInteger.ONE.shiftLeft(isSigned ? bitSize - 1 : bitSize).subtract(BigInteger.ONE);
    }
}
