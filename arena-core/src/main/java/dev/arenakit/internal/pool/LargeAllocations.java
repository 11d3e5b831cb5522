package dev.arenakit.internal.pool;

import dev.arenakit.internal.AllocatorFunctions;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The blocks of one pool that are too large for a slab.
///
/// Thread-safe.
final class LargeAllocations {
    private final AllocatorFunctions allocator;
    private final boolean zeroed;
    private final SlabBudget budget;
    private final SlabStore store;
    private final AtomicLong byteSize = new AtomicLong();

    LargeAllocations(AllocatorFunctions allocator, boolean zeroed, SlabBudget budget, SlabStore store) {
        this.allocator = allocator;
        this.zeroed = zeroed;
        this.budget = budget;
        this.store = store;
    }

    /// The native memory of all blocks, in bytes.
    long byteSize() {
        return byteSize.get();
    }

    /// Allocates a block. If the pool is full, idle slabs are freed for it.
    LargeAllocation allocate(long byteSize, long byteAlignment, @Nullable LargeAllocation previous) {
        long taken = allocator.takenByteSize(byteSize, byteAlignment);
        if (!budget.reserve(taken)) {
            store.reserveByTrimming(taken);
        }
        long address = 0;
        try {
            // Make the call first: an object that is created before it needs the barriers of the garbage collector.
            address = allocator.allocateBlock(byteSize, byteAlignment, zeroed);
            LargeAllocation allocation = new LargeAllocation(address, byteSize, byteAlignment, previous);
            this.byteSize.addAndGet(taken);
            return allocation;
        } catch (Throwable t) {
            budget.release(taken);
            if (address != 0) {
                allocator.freeBlock(address, AllocatorFunctions.nativeByteSize(byteSize, byteAlignment));
            }
            throw t;
        }
    }

    /// Frees the blocks of an arena down to a mark, or all (null). Blocks that were freed before are skipped.
    void freeDownTo(@Nullable LargeAllocation mark, @Nullable LargeAllocation top) {
        for (LargeAllocation large = top; large != null && large != mark; large = large.previous) {
            long address = large.address;
            if (address != 0) {
                // First, so that no block is freed twice if this method fails and is called again.
                large.address = 0;
                long taken = allocator.takenByteSize(large.byteSize, large.byteAlignment);
                byteSize.addAndGet(-taken);
                budget.release(taken);
                allocator.freeBlock(address, AllocatorFunctions.nativeByteSize(large.byteSize, large.byteAlignment));
            }
        }
    }
}
