package dev.arenakit.tool.diff;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Compares the bytes of two allocations. Holes that are in both allocations are not read.
final class RangeComparison {
    /// The number of bytes that are read at once. Larger reads are not faster.
    private static final int WINDOW = 1 << 17;

    private final MemorySegment ours;
    private final MemorySegment other;

    /// @param arena allocates the buffers
    RangeComparison(Arena arena) {
        ours = arena.allocate(WINDOW, Long.BYTES);
        other = arena.allocate(WINDOW, Long.BYTES);
    }

    /// Compares a range of two allocations.
    void compare(ComparedRange one, ComparedRange two, long from, long to, DifferenceFinder finder)
            throws IOException {
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
                    : finder.accept(at, oneBytes, twoBytes);
        }
        finder.finish();
    }

    /// The end of the extent that contains an offset, or the offset itself if it is in a hole.
    private static long dataEnd(ComparedRange range, long at) throws IOException {
        return range.nextData(at) > at ? at : range.dataEnd(at);
    }

    /// Finds and reports the differences between the bytes of two allocations. It accepts the bytes piece by piece, in
    /// order.
    interface DifferenceFinder {
        /// Accepts a piece of both allocations. Some of its bytes differ.
        ///
        /// @param at    the offset of the piece
        /// @param ours  the bytes of the first allocation
        /// @param other as many bytes of the second allocation
        /// @return the offset of the next piece, at or after the end of this piece
        long accept(long at, MemorySegment ours, MemorySegment other) throws IOException;

        /// Accepts the end of the allocations.
        void finish() throws IOException;
    }
}
