package dev.arenakit.arrow.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory of a batch, which later batches reuse.
final class GrowingSegment {
    /// The alignment that the format recommends.
    static final long BYTE_ALIGNMENT = 64;

    private final Arena arena;
    private MemorySegment segment = MemorySegment.NULL;

    GrowingSegment(Arena arena) {
        this.arena = arena;
    }

    /// Returns the memory, with at least the given size. Growth copies what is in the memory.
    MemorySegment atLeast(long byteSize) {
        if (byteSize > segment.byteSize()) {
            grow(byteSize);
        }
        return segment;
    }

    MemorySegment get() {
        return segment;
    }

    private void grow(long byteSize) {
        // The arena frees the old memory at its end: all sizes before the last one make less than the last one.
        MemorySegment larger = arena.allocate(Math.max(byteSize, 2 * segment.byteSize()), BYTE_ALIGNMENT);
        MemorySegment.copy(segment, 0, larger, 0, segment.byteSize());
        segment = larger;
    }
}
