package dev.arenakit.internal.pool.stock;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.pool.memory.LargeAllocation;
import dev.arenakit.internal.pool.memory.SlabBudget;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The idle blocks of one pool that are too large for a slab, for arenas with a block of a similar size. They are
/// not zeroed.
///
/// Thread-safe, without a lock.
public final class IdleBlocks {
    /// malloc and free take less time for a smaller block than the search for an idle one.
    private static final long SMALLEST_BLOCK = 64 * 1024;
    /// A thread that looks for a block looks at all blocks.
    private static final int MOST_BLOCKS = 16;
    /// The size up to which glibc's malloc keeps memory at the end of a heap.
    private static final long MOST_BYTES = 64L << 20;

    private final AllocatorFunctions allocator;
    private final SlabBudget budget;
    /// Counts the slabs that would have the size of the blocks as idle.
    private final SharedSlabCache sharedSlabs;
    private final long slabByteSize;
    private final AtomicReferenceArray<@Nullable LargeAllocation> blocks = new AtomicReferenceArray<>(MOST_BLOCKS);
    /// The block that is freed next if there are too many. A race can only change the order.
    private int next;

    public IdleBlocks(AllocatorFunctions allocator, SlabBudget budget, SharedSlabCache sharedSlabs, long slabByteSize) {
        this.allocator = allocator;
        this.budget = budget;
        this.sharedSlabs = sharedSlabs;
        this.slabByteSize = slabByteSize;
    }

    /// Acquires a block of at most twice the size, or returns null. A block is more likely in the caches of the processor
    /// if requests of many sizes share a few.
    @Nullable
    LargeAllocation acquire(long byteSize, long byteAlignment) {
        for (int i = 0; byteSize >= SMALLEST_BLOCK && i < MOST_BLOCKS; i++) {
            LargeAllocation block = blocks.get(i);
            if (block != null && block.byteSize >= byteSize && block.byteSize - byteSize <= byteSize
                    && (block.address & (byteAlignment - 1)) == 0 && remove(i, block)) {
                return block;
            }
        }
        return null;
    }

    /// Releases a block that no arena has: it becomes idle, or is freed if too much memory is idle. An older block is
    /// freed instead if possible, so that the sizes of the idle blocks follow the program.
    void release(LargeAllocation block) {
        block.previous = null;
        if (block.byteSize < SMALLEST_BLOCK || block.takenByteSize > MOST_BYTES
                || (!add(block) && (freeNext() == 0 || !add(block)))) {
            free(block);
        }
    }

    private boolean add(LargeAllocation block) {
        if (!sharedSlabs.tryCountIdle(slabs(block))) {
            return false;
        }
        for (int i = 0; i < MOST_BLOCKS; i++) {
            if (blocks.get(i) == null && blocks.compareAndSet(i, null, block)) {
                // After the block is added: of two threads that add a block, one sees both.
                if (byteSize() > MOST_BYTES && remove(i, block)) {
                    return false;
                }
                budget.signal();
                return true;
            }
        }
        sharedSlabs.uncountIdle(slabs(block));
        return false;
    }

    private boolean remove(int index, LargeAllocation block) {
        boolean removed = blocks.compareAndSet(index, block, null);
        if (removed) {
            sharedSlabs.uncountIdle(slabs(block));
        }
        return removed;
    }

    private int slabs(LargeAllocation block) {
        return (int) ((block.takenByteSize + slabByteSize - 1) / slabByteSize);
    }

    /// Frees one idle block.
    ///
    /// @return its size, or 0 if no block is idle
    long freeNext() {
        int first = next;
        for (int i = 0; i < MOST_BLOCKS; i++) {
            int index = (first + i) & (MOST_BLOCKS - 1);
            LargeAllocation block = blocks.get(index);
            if (block != null && remove(index, block)) {
                next = index + 1;
                free(block);
                return block.takenByteSize;
            }
        }
        return 0;
    }

    /// Frees a block that no arena has. It is counted until it is freed.
    void free(LargeAllocation block) {
        allocator.freeBlock(block.address, block.byteSize, block.byteAlignment);
        budget.release(block.takenByteSize);
    }

    /// The native memory of the idle blocks, in bytes.
    long byteSize() {
        long sum = 0;
        for (int i = 0; i < MOST_BLOCKS; i++) {
            LargeAllocation block = blocks.get(i);
            sum += block == null ? 0 : block.takenByteSize;
        }
        return sum;
    }
}
