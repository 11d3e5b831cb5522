package dev.arenakit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Checks and fills the bytes of segments.
public final class Bytes {
    /// The bytes repeat after this number of bytes.
    private static final long PERIOD = 256;

    private Bytes() {}

    /// Whether all bytes of the segment have the given value.
    public static boolean allAre(MemorySegment segment, byte value) {
        if (segment.byteSize() == 0) {
            return true;
        }
        // All bytes are equal if the segment without its last byte equals the segment without its first.
        long last = segment.byteSize() - 1;
        return segment.get(ValueLayout.JAVA_BYTE, 0) == value
                && segment.asSlice(0, last).mismatch(segment.asSlice(1, last)) < 0;
    }

    /// Writes bytes that are derived from the seed and differ from their neighbours.
    static void fill(MemorySegment segment, int seed) {
        long byteSize = segment.byteSize();
        for (long i = 0; i < Math.min(PERIOD, byteSize); i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, at(seed, i));
        }
        for (long filled = PERIOD; filled < byteSize; filled *= 2) {
            MemorySegment.copy(segment, 0, segment, filled, Math.min(filled, byteSize - filled));
        }
    }

    /// Whether the first bytes are equal to the bytes that [#fill] writes with this seed.
    static boolean areFilled(MemorySegment segment, int seed, long count) {
        for (long i = 0; i < Math.min(PERIOD, count); i++) {
            if (segment.get(ValueLayout.JAVA_BYTE, i) != at(seed, i)) {
                return false;
            }
        }
        long rest = Math.max(0, count - PERIOD);
        return segment.asSlice(0, rest).mismatch(segment.asSlice(count - rest, rest)) < 0;
    }

    private static byte at(int seed, long index) {
        return (byte) (seed * 31L + index * 7);
    }
}
