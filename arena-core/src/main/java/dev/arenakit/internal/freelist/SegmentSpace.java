package dev.arenakit.internal.freelist;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.internal.freelist.SizeClasses.SLAB_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SizeClasses.SLAB_SHIFT;

/// The slabs of one segment. They are used from the lowest on, a few at a time.
///
/// Slabs are aligned to their size. The slab before the first one has the position and the number 0, and no blocks.
final class SegmentSpace implements Space {
    /// How many slabs are added at least.
    private static final int STEP = 16;

    /// The address of position 0.
    final long origin;
    final Tables tables;
    final Runs runs;
    private final int end;
    private final MemorySegment data;

    SegmentSpace(MemorySegment segment, boolean atomic) {
        long first = Sizes.alignUp(segment.address() + 1, SLAB_BYTE_SIZE);
        origin = first - SLAB_BYTE_SIZE;
        long slabs = (segment.byteSize() - (first - segment.address())) >> SLAB_SHIFT;
        if (slabs < 1) {
            throw new IllegalArgumentException("Segment is too small: byteSize=" + segment.byteSize()
                    + ", smallest=" + 2 * SLAB_BYTE_SIZE);
        }
        end = (int) Math.min(slabs + 1, Integer.MAX_VALUE - 63);
        data = CollectedMemory.allocate(AllocatorFunctions.ofPools(), Tables.byteSizeFor(end), 1);
        tables = Tables.ofSegment(data.address(), end, atomic);
        runs = new Runs(origin >>> SLAB_SHIFT);
        runs.add(1, 0);
    }

    @Override
    public long positionOf(int slab) {
        return (long) slab << SLAB_SHIFT;
    }

    @Override
    public int numberOf(long block) {
        return (int) (block >>> SLAB_SHIFT);
    }

    @Override
    public boolean grow(long slabs, long slabAlignment) {
        int used = runs.end();
        long number = origin >>> SLAB_SHIFT;
        long first = Sizes.alignUp(used - runs.freeAtEnd() + number, slabAlignment) - number;
        long needed = first + slabs - used;
        long added = Math.min(Math.max(needed, STEP), end - used);
        if (added < needed || added == 0) {
            return false;
        }
        runs.prepare(used + (int) added);
        runs.add(used, (int) added);
        return true;
    }

    @Override
    public void released(int slab) {
        // The memory belongs to the caller.
    }

    @Override
    public long heldByteSize() {
        return (runs.end() - 1L) << SLAB_SHIFT;
    }

    @Override
    public RuntimeException full(long byteSize, long byteAlignment) {
        return new CapacityExceededException("Segment is full", (end - 1L) << SLAB_SHIFT,
                (runs.end() - 1L - runs.freeCount()) << SLAB_SHIFT, SizeClasses.slabsFor(byteSize) << SLAB_SHIFT,
                "free blocks, or pass a larger segment");
    }

    @Override
    public void close() {
        // Whoever owns the segment closes its arena. The tables are freed when they are unreachable.
        assert data.byteSize() > 0;
    }
}
