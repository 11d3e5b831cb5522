package dev.arenakit.mapped.internal.column;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Memory of a batch, which later batches reuse.
public final class GrowingSegment {
    /// The alignment that Arrow recommends.
    private static final long BYTE_ALIGNMENT = 64;

    private final SegmentAllocator memory;
    private MemorySegment segment = MemorySegment.NULL;

    public GrowingSegment(SegmentAllocator memory) {
        this.memory = memory;
    }

    /// Returns the memory, with at least the given size. Growth copies what is in the memory.
    public MemorySegment atLeast(long byteSize) {
        if (byteSize > segment.byteSize()) {
            grow(byteSize);
        }
        return segment;
    }

    public MemorySegment get() {
        return segment;
    }

    /// Uses other memory, until more is needed.
    public void use(MemorySegment other) {
        segment = other;
    }

    public MemorySegment first(long byteSize) {
        return segment.asSlice(0, byteSize);
    }

    private void grow(long byteSize) {
        // The old memory remains until the end of its lifetime: all sizes before the last one make less than the last one.
        MemorySegment larger = memory.allocate(Math.max(byteSize, 2 * segment.byteSize()), BYTE_ALIGNMENT);
        MemorySegment.copy(segment, 0, larger, 0, segment.byteSize());
        segment = larger;
    }
}
