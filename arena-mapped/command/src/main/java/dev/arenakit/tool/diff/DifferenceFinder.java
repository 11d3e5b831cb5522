package dev.arenakit.tool.diff;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

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
