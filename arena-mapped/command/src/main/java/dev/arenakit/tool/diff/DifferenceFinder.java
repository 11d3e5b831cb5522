package dev.arenakit.tool.diff;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Finds and reports the differences between the bytes of two allocations, which it gets in order and piece by piece.
interface DifferenceFinder {
    /// Accepts a piece of both allocations, some bytes of which differ.
    ///
    /// @param at    the offset of the piece
    /// @param ours  the bytes of the first allocation
    /// @param other as many bytes of the second allocation
    /// @return the offset of the next piece, which is not before the end of this one
    long accept(long at, MemorySegment ours, MemorySegment other) throws IOException;

    /// Ends the bytes.
    void finish() throws IOException;
}
