package dev.arenakit.internal.freelist;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.pool.Slab;
import dev.arenakit.internal.pool.SlabCache;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The source of the memory of an arena: a native allocator, or a pool, whose limit then counts the memory.
public final class Source {
    private static final long STACKS_ALIGNMENT = 64;

    final AllocatorFunctions allocator;
    private final @Nullable SlabCache pool;
    /// The pool's hold: a slab, so that the pool counts this source as an open arena; null without a pool.
    private final @Nullable Slab hold;
    /// Whether memory that this source provides for stacks is freed by the garbage collector.
    private final boolean collected;
    private boolean poolRefused;

    /// Creates a source that takes its memory from an allocator.
    public Source(AllocatorFunctions allocator) {
        this(allocator, null, false);
    }

    /// Creates a source that takes its memory from the allocator of a pool.
    public Source(SlabCache pool) {
        this(pool.allocator(), pool, false);
    }

    private Source(AllocatorFunctions allocator, @Nullable SlabCache pool, boolean collected) {
        this.allocator = allocator;
        this.pool = pool;
        this.collected = collected;
        hold = pool == null ? null : pool.acquireSharedPrimary();
    }

    /// Creates the source of the data of a segment's allocator, which the garbage collector frees.
    static Source ofCollected(AllocatorFunctions allocator) {
        return new Source(allocator, null, true);
    }

    /// Allocates memory that is not zeroed. No page of it is touched.
    ///
    /// @return the address, or 0 if the pool is full or there is no memory left
    long tryAllocate(long byteSize, long byteAlignment) {
        if (pool != null && !pool.store.tryReserve(byteSize)) {
            poolRefused = true;
            return 0;
        }
        long address = 0;
        try {
            address = allocator.hasMappings()
                    ? allocator.tryMap(byteSize, byteAlignment)
                    : allocator.tryAllocate(byteSize, byteAlignment, false);
        } finally {
            if (address == 0) {
                poolRefused = false;
                release(byteSize);
            }
        }
        return address;
    }

    /// Frees memory that was allocated by this source.
    void free(long address, long byteSize) {
        if (allocator.hasMappings()) {
            PageMappings.unmap(address, byteSize);
        } else {
            allocator.freeBlock(address, byteSize);
        }
        // Last: another thread may allocate as much at once, and memory that an Error has lost remains counted.
        release(byteSize);
    }

    /// Creates stacks. If there is no memory for them, this may wait for a garbage collection: no lock must be held.
    Stacks createStacks() {
        if (collected) {
            return stacksOf(CollectedMemory.allocate(allocator, Stacks.BYTE_SIZE, STACKS_ALIGNMENT));
        }
        Stacks stacks = tryCreateStacks();
        if (stacks == null) {
            throw full(Stacks.BYTE_SIZE, 1);
        }
        return stacks;
    }

    private static Stacks stacksOf(MemorySegment memory) {
        return new Stacks(memory.address(), memory);
    }

    /// Creates stacks, or returns null if there is no memory for them.
    @Nullable
    Stacks tryCreateStacks() {
        if (collected) {
            try {
                MemorySegment memory = CollectedMemory.tryAllocate(allocator, Stacks.BYTE_SIZE, STACKS_ALIGNMENT);
                return memory == null ? null : stacksOf(memory);
            } catch (OutOfMemoryError e) {
                return null;
            }
        }
        long address = tryAllocate(Stacks.BYTE_SIZE, STACKS_ALIGNMENT);
        try {
            return address == 0 ? null : new Stacks(address, null);
        } catch (Throwable t) {
            free(address, Stacks.BYTE_SIZE);
            throw t;
        }
    }

    /// Frees the memory of stacks.
    void free(Stacks stacks) {
        if (!collected) {
            free(stacks.address >>> Space.UNSIGNED, Stacks.BYTE_SIZE);
        }
    }

    /// Whether [#discard] has an effect.
    boolean canDiscard() {
        return allocator.hasMappings();
    }

    /// Gives the pages of memory back to the system, which contain zeros when they are next used.
    void discard(long address, long byteSize) {
        PageMappings.discard(address, byteSize);
    }

    /// The exception after [#tryAllocate] has returned 0 for a block. The pool counts it.
    RuntimeException full(long byteSize, long byteAlignment) {
        if (poolRefused && pool != null) {
            return pool.store.full(byteSize);
        }
        throw allocator.exhausted(byteSize, byteAlignment, allocator.hasMappings() ? "mmap" : "aligned_alloc");
    }

    /// Counts memory that is about to be allocated otherwise, unless the pool is full.
    boolean tryReserve(long byteSize) {
        return pool == null || pool.store.tryReserve(byteSize);
    }

    /// The exception after [#tryReserve] has returned false. The pool counts it.
    RuntimeException poolFull(long byteSize) {
        if (pool == null) {
            throw new AssertionError("No pool");
        }
        return pool.store.full(byteSize);
    }

    /// Undoes [#tryReserve].
    void release(long byteSize) {
        if (pool != null) {
            pool.store.unreserve(byteSize);
        }
    }

    /// Ends the use of the pool. All memory has been freed.
    public void close() {
        if (pool != null && hold != null) {
            pool.release(hold);
        }
    }
}
