package dev.arenakit.internal.dump;

import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.Optional;

/// Reads the integers of one type. An integer occupies whole bytes, or the bits of a bit field.
///
/// @param byteSize the number of bytes that contain the integer
/// @param shift    the number of bits below the integer
/// @param signed   whether the highest bit is the sign
record IntegerReader(int byteSize, ByteOrder order, int shift, int bitSize, boolean signed) {
    /// Returns the reader of a type, or empty if its values are not integers.
    static Optional<IntegerReader> of(MemoryType type) {
        return switch (type) {
            case ValueType value when value.carrier() == float.class || value.carrier() == double.class ->
                Optional.empty();
            case ValueType value -> Optional.of(ofBytes(value.byteSize(), value.order(),
                    value.carrier() != char.class && value.carrier() != boolean.class));
            case UnsignedType unsigned -> Optional.of(ofBytes(unsigned.byteSize(), unsigned.order(), false));
            case EnumType constants ->
                Optional.of(ofBytes(constants.byteSize(), constants.order(), !constants.isUnsigned()));
            case BitFieldType bits -> Optional.of(new IntegerReader((int) bits.byteSize(), bits.order(), bits.shift(),
                    bits.bitSize(), bits.isSigned()));
            default -> Optional.empty();
        };
    }

    private static IntegerReader ofBytes(long byteSize, ByteOrder order, boolean signed) {
        return new IntegerReader((int) byteSize, order, 0, Byte.SIZE * (int) byteSize, signed);
    }

    /// Reads an integer. All its bytes must exist.
    long read(DecoderContext context, long at) {
        int unused = Long.SIZE - bitSize;
        long highest = context.integer(byteSize, order, at) << (unused - shift);
        return signed ? highest >> unused : highest >>> unused;
    }
}
