package dev.arenakit.internal;

/// A position in a struct at which a bit field can begin: a byte, and a bit of the byte.
///
/// @param byteOffset the offset of the byte
/// @param bitOffset  the number of bits before the position in its byte, from 0 to 7
/// @param big        whether the bits of a byte are counted from the most significant one; no matter if `bitOffset` is
///                   0
public record BitPosition(long byteOffset, int bitOffset, boolean big) {
    /// The position before a byte.
    public static BitPosition of(long byteOffset) {
        return new BitPosition(byteOffset, 0, false);
    }

    /// Returns where C begins a bit field that follows this position: gcc does so on x86-64 and aarch64. A field does
    /// not extend over the end of a unit of its declared type, unless it is packed.
    ///
    /// @param bitSize  the size of the field
    /// @param byteSize the size of its declared type, which is aligned to `byteAlignment`
    /// @param packed   whether the field is a member of a packed struct
    /// @param big      whether the bits of a byte are counted from the most significant one
    /// @throws IllegalArgumentException if the result would overflow
    public BitPosition next(int bitSize, long byteSize, long byteAlignment, boolean packed, boolean big) {
        BitPosition start = this.big == big || bitOffset == 0
                ? new BitPosition(byteOffset, bitOffset, big)
                : new BitPosition(limit(), 0, big);
        if (packed) {
            return start;
        }
        boolean crosses = byteAlignment > byteSize;
        if (!crosses) {
            long bits = Byte.SIZE * byteAlignment;
            long end = Byte.SIZE * (start.byteOffset % byteAlignment) + start.bitOffset + bitSize;
            crosses = Math.ceilDiv(end, bits) > byteSize / byteAlignment;
        }
        return crosses ? new BitPosition(Sizes.alignUpExact(start.limit(), byteAlignment), 0, big) : start;
    }

    /// The position that follows this one after up to 64 bits.
    ///
    /// @throws IllegalArgumentException if the result would overflow
    public BitPosition plus(int bitSize) {
        int bits = bitOffset + bitSize;
        if (bits / Byte.SIZE > Long.MAX_VALUE - byteOffset - 1) {
            throw new IllegalArgumentException("Bit field is too far away: byteOffset=" + byteOffset + ", bitSize="
                    + bitSize);
        }
        return new BitPosition(byteOffset + bits / Byte.SIZE, bits % Byte.SIZE, big);
    }

    /// The offset of the first byte that begins at this position or after it.
    public long limit() {
        return bitOffset == 0 ? byteOffset : byteOffset + 1;
    }

    /// Returns the number of bits before a field in its first byte, as its type counts them: in declared types of one
    /// byte from the least significant bit.
    ///
    /// @param byteSize the size of the declared type
    /// @return the number, which is negative if a field of a type of one byte extends into the next byte
    public int typeBitOffset(int bitSize, long byteSize) {
        return byteSize == 1 && big ? Byte.SIZE - bitOffset - bitSize : bitOffset;
    }
}
