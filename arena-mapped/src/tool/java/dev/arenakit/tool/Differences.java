package dev.arenakit.tool;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Takes what differs between the bytes of two allocations.
interface Differences {
    /// Takes bytes that were read from both, some of which may differ.
    ///
    /// @param at    their offset
    /// @param ours  those of one
    /// @param other as many of the other
    /// @return from where on bytes are of interest, at their end or behind it
    long take(long at, MemorySegment ours, MemorySegment other) throws IOException;

    /// Comes to the end of the bytes.
    void finish() throws IOException;
}
