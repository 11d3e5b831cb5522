package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.GrowingSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The bits that tell values from nulls, which Arrow calls the validity bitmap. A batch without nulls has none.
final class NullBits {
    private static final byte ALL_VALID = -1;

    private final GrowingSegment bits;
    private boolean hasNulls;

    NullBits(SegmentAllocator memory) {
        bits = new GrowingSegment(memory);
    }

    void begin() {
        hasNulls = false;
    }

    void setNull(long index) {
        if (!hasNulls) {
            hasNulls = true;
            bits.get().fill(ALL_VALID);
        }
        MemorySegment known = reserve(index + 1);
        long at = index >>> 3;
        known.set(JAVA_BYTE, at, (byte) (known.get(JAVA_BYTE, at) & ~(1 << (index & 7))));
    }

    /// Sets values that may have been null before they were written anew.
    void setValid(long index, int count) {
        if (!hasNulls) {
            return;
        }
        MemorySegment known = reserve(index + count);
        for (long i = index; i < index + count; i++) {
            long at = i >>> 3;
            known.set(JAVA_BYTE, at, (byte) (known.get(JAVA_BYTE, at) | (1 << (i & 7))));
        }
    }

    private MemorySegment reserve(long count) {
        long before = bits.get().byteSize();
        MemorySegment known = bits.atLeast(byteSize(count));
        known.asSlice(before).fill(ALL_VALID);
        return known;
    }

    long count(long length) {
        if (!hasNulls) {
            return 0;
        }
        MemorySegment known = reserve(length);
        long nulls = 0;
        for (long i = 0; i < length; i++) {
            nulls += ~(known.get(JAVA_BYTE, i >>> 3) >>> (i & 7)) & 1;
        }
        return nulls;
    }

    /// The bits, 1 for a value and 0 for a null. Empty if no value is null.
    MemorySegment bits(long length) {
        return hasNulls ? reserve(length).asSlice(0, byteSize(length)) : MemorySegment.NULL;
    }

    static long byteSize(long bitSize) {
        return Math.ceilDiv(bitSize, Byte.SIZE);
    }
}
