package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StoredInteger;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/// Reads the integers of one type in a segment: all of their bytes, or the bits of a bit field.
///
/// @param byteOffset the offset that is added to the offset of each read
/// @param byteSize   the number of bytes that contain the integer
/// @param shift      the number of bits below the integer
/// @param signed     whether the highest bit is the sign
public record IntegerColumnReader(long byteOffset, int byteSize, ByteOrder order, int shift, int bitSize,
        boolean signed) {
    /// Returns the reader of the integers of a type.
    ///
    /// @throws IllegalArgumentException if the values of the type are no integers
    public static IntegerColumnReader of(MemoryType type, long byteOffset) {
        if (!type.isScalar()) {
            throw new IllegalArgumentException("Not an integer: type=" + type);
        }
        StoredInteger stored = StoredInteger.ofBits(type);
        return new IntegerColumnReader(byteOffset, stored.byteSize(), stored.order(), stored.shift(), stored.bitSize(),
                stored.isSigned());
    }

    /// Whether all bits of 1, 2, 4 or 8 bytes are read.
    public boolean isWhole() {
        return shift == 0 && bitSize == Byte.SIZE * byteSize && Integer.bitCount(byteSize) == 1;
    }

    public long read(MemorySegment segment, long from) {
        long at = from + byteOffset;
        boolean isSwapped = order != ByteOrder.nativeOrder();
        long value = switch (byteSize) {
            case Byte.BYTES -> segment.get(JAVA_BYTE, at);
            case Short.BYTES -> {
                short stored = segment.get(JAVA_SHORT_UNALIGNED, at);
                yield isSwapped ? Short.reverseBytes(stored) : stored;
            }
            case Integer.BYTES -> {
                int stored = segment.get(JAVA_INT_UNALIGNED, at);
                yield isSwapped ? Integer.reverseBytes(stored) : stored;
            }
            case Long.BYTES -> {
                long stored = segment.get(JAVA_LONG_UNALIGNED, at);
                yield isSwapped ? Long.reverseBytes(stored) : stored;
            }
            default -> readBytes(segment, at);
        };
        // The shift to the left removes the bits above the integer.
        int unused = Long.SIZE - bitSize;
        long highest = value << (unused - shift);
        return signed ? highest >> unused : highest >>> unused;
    }

    private long readBytes(MemorySegment segment, long at) {
        long value = 0;
        for (int i = 0; i < byteSize; i++) {
            int index = order == ByteOrder.BIG_ENDIAN ? i : byteSize - 1 - i;
            value = value << Byte.SIZE | (segment.get(JAVA_BYTE, at + index) & 0xff);
        }
        return value;
    }
}
