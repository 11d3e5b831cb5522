package dev.arenakit.internal.freelist;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.internal.freelist.SizeClasses.SLAB_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SizeClasses.SLAB_SHIFT;

/// The free lists of one segment. Its slabs are used from the lowest on, a few at a time.
///
/// Slabs are aligned to their size. The slab before the first one has the number 0, and no blocks: the segment begins
/// inside it, or before it. The tables are in one piece of native memory, which is freed when it is unreachable.
public final class SegmentLists extends FreeLists {
    /// How many slabs are added at least.
    private static final int STEP = 16;

    /// The address of slab 0.
    private final long origin;
    /// The offset of slab 0 in the segment, negative or 0.
    private final long start;
    /// The addresses of the tables, [shifted][#UNSIGNED].
    private final long live;
    private final long kinds;
    private final long alignments;
    /// The size of all slabs.
    private final long slabsByteSize;
    private final MemorySegment data;

    private SegmentLists(MemorySegment segment, long origin, int slabs, MemorySegment data, boolean shared,
            boolean atomic) {
        super(new FreeSlabs(origin >>> SLAB_SHIFT), segment, RangeProvider.ofCollected(AllocatorFunctions.ofPools()),
                shared,
                atomic);
        this.origin = origin;
        start = origin - segment.address();
        this.data = data;
        long liveByteSize = (long) slabs * LIVE_BYTES_PER_SLAB;
        live = data.address() << UNSIGNED;
        kinds = (data.address() + liveByteSize) << UNSIGNED;
        alignments = (data.address() + liveByteSize + slabs) << UNSIGNED;
        slabsByteSize = (long) slabs << SLAB_SHIFT;
        runs.add(1, 0);
    }

    /// Creates the free lists of a segment.
    public static SegmentLists of(MemorySegment segment, boolean shared, boolean atomic) {
        long first = Sizes.alignUp(segment.address() + 1, SLAB_BYTE_SIZE);
        long slabs = (segment.byteSize() - (first - segment.address())) >> SLAB_SHIFT;
        if (slabs < 1) {
            throw new IllegalArgumentException("Segment is too small: byteSize=" + segment.byteSize()
                    + ", smallest=" + 2 * SLAB_BYTE_SIZE);
        }
        int end = (int) Math.min(slabs + 1, Integer.MAX_VALUE - 63);
        MemorySegment data = CollectedMemory.allocate(AllocatorFunctions.ofPools(),
                end * (LIVE_BYTES_PER_SLAB + 2L), 1);
        return new SegmentLists(segment, first - SLAB_BYTE_SIZE, end, data, shared, atomic);
    }

    @Override
    boolean contains(long block) {
        return Long.compareUnsigned(block - start, slabsByteSize) < 0;
    }

    @Override
    long lowBits(long block) {
        return block - start;
    }

    @Override
    long liveAddress(long block) {
        return (live >>> UNSIGNED) + ((block - start) >>> GRANULE_SHIFT);
    }

    @Override
    long kindAddress(long block) {
        return (kinds >>> UNSIGNED) + ((block - start) >>> SLAB_SHIFT);
    }

    @Override
    long alignmentAddress(long block) {
        return (alignments >>> UNSIGNED) + ((block - start) >>> SLAB_SHIFT);
    }

    @Override
    long startOf(int slab) {
        return start + ((long) slab << SLAB_SHIFT);
    }

    @Override
    int numberOf(long block) {
        return (int) ((block - start) >>> SLAB_SHIFT);
    }

    @Override
    boolean grow(long slabs, long slabAlignment) {
        int end = (int) (slabsByteSize >>> SLAB_SHIFT);
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
    void released(int slab) {
        // The memory belongs to the caller.
    }

    @Override
    long heldByteSize() {
        return (runs.end() - 1L) << SLAB_SHIFT;
    }

    @Override
    RuntimeException exhausted(long byteSize, long byteAlignment) {
        return new CapacityExceededException("Segment is full", slabsByteSize - SLAB_BYTE_SIZE,
                (long) runs.usedCount() << SLAB_SHIFT, SizeClasses.slabsFor(byteSize) << SLAB_SHIFT,
                "free blocks, or pass a larger segment");
    }

    @Override
    void freeAll() {
        // Whoever owns the segment closes its arena. The tables are freed when they are unreachable.
        assert data.byteSize() > 0;
    }
}
