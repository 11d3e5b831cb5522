package dev.arenakit.internal.pool.stock;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.pool.memory.LargeAllocation;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.pool.memory.SlabBudget;
import org.jspecify.annotations.Nullable;

/// The blocks of one pool that are too large for a slab. The slab that was the top slab of the arena at the time links
/// them, [from the newest][Slab#large] to the oldest.
///
/// Thread-safe.
public final class LargeAllocations {
    private final AllocatorFunctions allocator;
    private final boolean zeroed;
    private final SlabBudget budget;
    private final SlabStore store;

    public LargeAllocations(AllocatorFunctions allocator, boolean zeroed, SlabBudget budget, SlabStore store) {
        this.allocator = allocator;
        this.zeroed = zeroed;
        this.budget = budget;
        this.store = store;
        // C2 inlines no method whose signature names a class that is not loaded yet.
        LargeAllocation.load();
    }

    /// Allocates a block, or uses an idle one, and links it. If the pool is full, idle memory is freed for it.
    ///
    /// @return whether the pool had enough memory; a refusal is not counted
    public boolean tryAllocate(Slab slab, long byteSize, long byteAlignment) {
        LargeAllocation idle = store.idleBlocks.acquire(byteSize, byteAlignment);
        LargeAllocation block = idle == null ? tryAllocate(byteSize, byteAlignment) : idle;
        if (block == null) {
            return false;
        }
        try {
            if (idle != null && zeroed) {
                Memory.zero(idle.address, byteSize);
            }
            block.previous = slab.large;
            if (slab.open != null) {
                slab.open.add(block.takenByteSize);
            }
            budget.largeByteSize.addAndGet(block.takenByteSize);
            // Last: a block that is linked must not be freed here, too.
            slab.large = block;
            return true;
        } catch (Throwable t) {
            store.idleBlocks.free(block);
            throw t;
        }
    }

    private @Nullable LargeAllocation tryAllocate(long byteSize, long byteAlignment) {
        long taken = allocator.takenByteSize(byteSize, byteAlignment);
        if (!store.tryReserve(taken)) {
            return null;
        }
        long address = 0;
        try {
            // Make the call first: an object that is created before it needs the barriers of the garbage collector.
            address = allocator.allocateBlock(byteSize, byteAlignment, zeroed);
            return new LargeAllocation(address, byteSize, byteAlignment, taken);
        } catch (Throwable t) {
            if (address != 0) {
                allocator.freeBlock(address, byteSize, byteAlignment);
            }
            budget.release(taken);
            throw t;
        }
    }

    /// Counts the refusal of a block and returns its exception.
    public RuntimeException full(long byteSize, long byteAlignment) {
        return store.full(allocator.takenByteSize(byteSize, byteAlignment));
    }

    /// The native memory of the blocks of a slab, in bytes.
    public long takenByteSize(Slab slab) {
        long taken = 0;
        for (LargeAllocation block = slab.large; block != null; block = block.previous) {
            taken += block.takenByteSize;
        }
        return taken;
    }

    /// Releases the blocks of a slab down to a mark, or all (null).
    ///
    /// Each block is unlinked before it is released, so that no block is released twice.
    public void releaseDownTo(@Nullable LargeAllocation mark, Slab slab) {
        for (LargeAllocation block = slab.large; block != null && block != mark; block = slab.large) {
            slab.large = block.previous;
            long taken = block.takenByteSize;
            budget.largeByteSize.addAndGet(-taken);
            if (store.end.isShutDown()) {
                store.idleBlocks.free(block);
            } else {
                store.idleBlocks.release(block);
            }
            if (slab.open != null) {
                slab.open.add(-taken);
            }
        }
    }
}
