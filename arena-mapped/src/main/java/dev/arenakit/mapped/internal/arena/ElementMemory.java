package dev.arenakit.mapped.internal.arena;

import java.lang.foreign.MemorySegment;

/// Memory that grows and whose elements are counted, as its owner or another process sees it.
public interface ElementMemory {
    /// The number of elements now. They are stored before they are counted, so that the caller sees them.
    ///
    /// @throws IllegalStateException if the arena is closed, or the number is damaged
    long elementCount();

    /// The memory, which contains at least the elements that [#elementCount] has returned.
    MemorySegment segment();
}
