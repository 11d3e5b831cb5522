package dev.arenakit.tool.where.compiler;

import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Optional;

/// The storage of an integer: some bytes, or some bits of these bytes.
///
/// @param byteSize    the number of bytes that contain it
/// @param isBigEndian the byte order
/// @param shift       the number of bits below the integer's bits
/// @param bitSize     the number of the integer's bits
/// @param isSigned    whether the highest bit is the sign
public record WhereInteger(int byteSize, boolean isBigEndian, int shift, int bitSize, boolean isSigned) {
    /// Returns the storage of the values of a type, or empty if they are not integers.
    public static Optional<WhereInteger> of(MemoryType type) {
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

    public static WhereInteger ofBytes(long byteSize, ByteOrder order, boolean isSigned) {
        return new WhereInteger((int) byteSize, order == ByteOrder.BIG_ENDIAN, 0, Byte.SIZE * (int) byteSize, isSigned);
    }

    /// Whether a value from 2^63 on is negative as a `long`.
    boolean isUnsignedLong() {
        return !isSigned && bitSize == Long.SIZE;
    }

    public BigInteger smallest() {
        return isSigned ? BigInteger.ONE.shiftLeft(bitSize - 1).negate() : BigInteger.ZERO;
    }

    public BigInteger largest() {
        return BigInteger.ONE.shiftLeft(isSigned ? bitSize - 1 : bitSize).subtract(BigInteger.ONE);
    }
}
