package dev.arenakit.layout.type;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The storage of an integer: some bytes, aligned or not, or some bits of these bytes.
///
/// [MemoryType#integer] returns the storage of the values of a type.
///
/// ```java
/// StoredInteger version = packet.member("version").orElseThrow().type().integer().orElseThrow();
/// long value = version.get(segment, byteOffset);
/// ```
///
/// @param byteSize the number of bytes that contain the integer, from 1 to 8
/// @param order    the order of these bytes
/// @param shift    the number of bits below the integer, in the integer of these bytes
/// @param bitSize  the number of bits of the integer
/// @param isSigned whether the highest bit is the sign
public record StoredInteger(int byteSize, ByteOrder order, int shift, int bitSize, boolean isSigned) {
    // The compiler treats the components of this record as constants if the record itself is a constant.
    private static final ValueLayout.OfShort LITTLE_SHORT = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt LITTLE_INT = ValueLayout.JAVA_INT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LITTLE_LONG = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Returns the storage of an integer that consists of all bits of some bytes.
    ///
    /// @param byteSize the number of bytes, from 1 to 8
    /// @param order    the order of the bytes
    /// @param isSigned whether the highest bit is the sign
    /// @return the storage
    public static StoredInteger ofBytes(long byteSize, ByteOrder order, boolean isSigned) {
        return new StoredInteger((int) byteSize, order, 0, Byte.SIZE * (int) byteSize, isSigned);
    }

    /// Returns the storage of the bits of a number, an address or a reference.
    ///
    /// @param scalar a scalar type ([MemoryType#isScalar])
    /// @return the storage of the integer, of the address or the reference as an unsigned number, or of the bits of a
    ///         floating-point number as a signed number
    public static StoredInteger ofBits(MemoryType scalar) {
        return scalar.integer()
                .orElseGet(() -> scalar instanceof AddressType address
                        ? ofBytes(address.byteSize(), address.order(), false)
                        : scalar instanceof RefType reference
                                ? ofBytes(reference.byteSize(), reference.order(), false)
                                : ofBytes(scalar.byteSize(), ((ValueType) scalar).order(), true));
    }

    /// Returns the smallest value.
    ///
    /// @return the value
    public long min() {
        return isSigned ? -1L << (bitSize - 1) : 0;
    }

    /// Returns the largest value.
    ///
    /// @return the value, which is -1 for 64 unsigned bits
    public long max() {
        return isSigned ? ~min() : -1L >>> (Long.SIZE - bitSize);
    }

    /// Reads the integer.
    ///
    /// @param segment    the memory
    /// @param byteOffset the offset of the first byte
    /// @return the value, extended with its sign or with zeros; an unsigned integer of 64 bits is a bit pattern
    public long get(MemorySegment segment, long byteOffset) {
        long top = bytes(segment, byteOffset) << (Long.SIZE - shift - bitSize);
        return isSigned ? top >> (Long.SIZE - bitSize) : top >>> (Long.SIZE - bitSize);
    }

    /// Writes the integer. The other bits of these bytes are read and written back.
    ///
    /// @param segment    the memory
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
        return order == ByteOrder.BIG_ENDIAN ? Long.reverseBytes(value) >>> (Long.SIZE - byteSize * Byte.SIZE) : value;
    }

    private void setBytes(MemorySegment segment, long byteOffset, long value) {
        long little = order == ByteOrder.BIG_ENDIAN
                ? Long.reverseBytes(value) >>> (Long.SIZE - byteSize * Byte.SIZE)
                : value;
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
