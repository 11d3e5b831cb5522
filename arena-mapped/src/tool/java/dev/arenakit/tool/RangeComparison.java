package dev.arenakit.tool;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Compares the bytes of allocations. Where both have a hole nothing is read.
final class RangeComparison {
    /// What is read at once; more than this is no faster.
    private static final int WINDOW = 1 << 17;

    private final MemorySegment ours;
    private final MemorySegment other;

    /// @param arena has the buffers
    RangeComparison(Arena arena) {
        ours = arena.allocate(WINDOW, Long.BYTES);
        other = arena.allocate(WINDOW, Long.BYTES);
    }

    /// Compares a part of two allocations.
    void compare(DataRange one, DataRange two, long from, long to, Differences differences) throws IOException {
        for (long at = from; at < to;) {
            at = Math.min(one.nextData(at), two.nextData(at));
            if (at >= to) {
                break;
            }
            long end = Math.max(dataEnd(one, at), dataEnd(two, at));
            long byteSize = Math.min(WINDOW, Math.min(end, to) - at);
            MemorySegment oneBytes = ours.asSlice(0, byteSize);
            MemorySegment twoBytes = other.asSlice(0, byteSize);
            one.read(at, oneBytes);
            two.read(at, twoBytes);
            at = MemorySegment.mismatch(oneBytes, 0, byteSize, twoBytes, 0, byteSize) < 0
                    ? at + byteSize
                    : differences.take(at, oneBytes, twoBytes);
        }
        differences.finish();
    }

    /// The end of the data at an offset, or that offset where there is none.
    private static long dataEnd(DataRange range, long at) throws IOException {
        return range.nextData(at) > at ? at : range.dataEnd(at);
    }
}
