package dev.arenakit.mapped.internal.column;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

/// The ends of values of different sizes, after a 0. A value begins at the end of the value before it.
public final class Offsets {
    private final GrowingSegment offsets;

    public Offsets(SegmentAllocator memory) {
        offsets = new GrowingSegment(memory);
    }

    public void begin() {
        offsets.atLeast(Integer.BYTES).set(JAVA_INT_UNALIGNED, 0, 0);
    }

    /// Returns memory for the ends of a number of values.
    public MemorySegment reserve(long length) {
        return offsets.atLeast((length + 1) * Integer.BYTES);
    }

    public int start(long index) {
        return offsets.get().get(JAVA_INT_UNALIGNED, index * Integer.BYTES);
    }

    /// Sets the end of a value.
    ///
    /// @param ends the result of [#reserve]
    /// @throws IllegalArgumentException if an offset cannot be so large
    public static void setEnd(MemorySegment ends, long index, long end) {
        if (end > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Values of a batch are too large together: end=" + end + ", limit="
                    + Integer.MAX_VALUE + "; use several batches, such as those of a stream");
        }
        ends.set(JAVA_INT_UNALIGNED, (index + 1) * Integer.BYTES, (int) end);
    }

    public void setEmpty(long index) {
        setEnd(reserve(index + 1), index, start(index));
    }

    /// The offsets of a number of values, one more than the number.
    public MemorySegment first(long length) {
        return offsets.first((length + 1) * Integer.BYTES);
    }
}
