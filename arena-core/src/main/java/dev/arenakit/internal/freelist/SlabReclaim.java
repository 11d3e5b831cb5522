package dev.arenakit.internal.freelist;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.internal.freelist.SlabHeapFormat.BLOCK_COUNT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.LENGTH;
import static dev.arenakit.internal.freelist.SlabHeapFormat.NEXT_RETURNED;
import static dev.arenakit.internal.freelist.SlabHeapFormat.OWNER;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SIZE_CLASS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.get;
import static dev.arenakit.internal.freelist.SlabHeapFormat.getVolatile;
import static dev.arenakit.internal.freelist.SlabHeapFormat.put;
import static dev.arenakit.internal.freelist.SlabWords.countFree;

/// A search of all slabs of heaps. It gives slabs without live blocks back, and finds a slab of a size class with a
/// free block.
///
/// The caller holds the lock. The search itself creates no objects.
final class SlabReclaim implements SlabSpace.Visitor, Consumer<SlabHeap> {
    private final SlabSpace space;
    private final int sizeClass;
    private SlabHeap heap;
    private long found;
    private @Nullable SlabHeap foundHeap;

    /// @param heap the first heap to be searched
    SlabReclaim(SlabSpace space, SlabHeap heap, int sizeClass) {
        this.space = space;
        this.heap = heap;
        this.sizeClass = sizeClass;
    }

    /// Searches the slabs of a heap. No other thread uses it meanwhile.
    @Override
    public void accept(SlabHeap searched) {
        heap = searched;
        searched.collectReturned();
        space.forEach(this);
    }

    @Override
    public void visit(long slab) {
        if (get(slab + BLOCK_COUNT) == 0 || get(slab + OWNER) != heap.records) {
            return;
        }
        long free = countFree(slab);
        if (free == get(slab + BLOCK_COUNT) && getVolatile(slab + NEXT_RETURNED) == 0) {
            heap.detach(slab);
            SlabBlocks.retire(slab);
            space.runs.add(slab, get(slab + LENGTH));
        } else if (free > 0 && found == 0 && get(slab + SIZE_CLASS) == sizeClass) {
            found = slab;
            foundHeap = heap;
        }
    }

    /// Gives the slab that was found to another heap, in no list.
    ///
    /// @return the slab, or 0 if none was found
    long handOver(SlabHeap heap) {
        // Last: if a search fails, the slab is where it was.
        if (foundHeap != null) {
            foundHeap.detach(found);
            put(found + OWNER, heap.records);
        }
        return found;
    }
}
