package dev.arenakit.internal.freelist;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.pool.SlabCache;
import dev.arenakit.internal.pool.memory.Slab;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The source of the memory of an arena: a native allocator, or a pool, whose limit then counts the memory. A budget
/// and leak detection count it as well: ranges, stacks and large blocks, each as a whole.
public final class RangeProvider {
    private static final long STACKS_ALIGNMENT = 64;

    final AllocatorFunctions allocator;
    private final @Nullable SlabCache pool;
    /// The pool's hold: a slab, so that the pool counts this source as an open arena; null without a pool.
    private final @Nullable Slab hold;
    /// Counts the memory on a budget, or null.
    private final @Nullable ByteAccount account;
    /// What is known of the arena if it is watched for leaks, or null.
    private final @Nullable LeakWatch open;
    /// Whether memory that this source provides for stacks is freed by the garbage collector.
    private final boolean collected;
    /// Whether a limit, and not a lack of memory, has refused the last request.
    private boolean limitRefused;

    /// Creates a source of an arena.
    ///
    /// @param pool    counts the memory, or null; the allocator is the pool's
    /// @param account counts the memory, too, or null
    /// @param open    what is known of the arena if it is watched for leaks, or null
    /// @throws IllegalStateException if the budget of the account is closed
    public RangeProvider(AllocatorFunctions allocator, @Nullable SlabCache pool, @Nullable ByteAccount account,
            @Nullable LeakWatch open) {
        this(allocator, pool, account, open, false);
    }

    private RangeProvider(AllocatorFunctions allocator, @Nullable SlabCache pool, @Nullable ByteAccount account,
            @Nullable LeakWatch open, boolean collected) {
        this.allocator = allocator;
        this.pool = pool;
        this.account = account;
        this.open = open;
        this.collected = collected;
        hold = pool == null ? null : pool.acquireHold(open);
        if (account != null) {
            try {
                account.openArena();
            } catch (Throwable t) {
                releaseHold();
                throw t;
            }
        }
    }

    /// Creates the source of the data of a segment's allocator, which the garbage collector frees.
    static RangeProvider ofCollected(AllocatorFunctions allocator) {
        return new RangeProvider(allocator, null, null, null, true);
    }

    /// Allocates memory that is not zeroed. No page of it is touched.
    ///
    /// @return the address, or 0 if a limit is exceeded or there is no memory left
    long tryAllocate(long byteSize, long byteAlignment) {
        if (!tryReserve(byteSize)) {
            limitRefused = true;
            return 0;
        }
        long address = 0;
        try {
            address = allocator.hasMappings()
                    ? allocator.tryMap(byteSize, byteAlignment)
                    : allocator.tryAllocate(byteSize, byteAlignment, false);
        } finally {
            if (address == 0) {
                limitRefused = false;
                release(byteSize);
            }
        }
        return address;
    }

    /// Frees memory that was allocated by this source with a size and an alignment.
    void free(long address, long byteSize, long byteAlignment) {
        if (allocator.hasMappings()) {
            PageMappings.release(address, byteSize);
        } else {
            allocator.freeBlock(address, byteSize, byteAlignment);
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
            free(address, Stacks.BYTE_SIZE, STACKS_ALIGNMENT);
            throw t;
        }
    }

    /// Frees the memory of stacks.
    void free(Stacks stacks) {
        if (!collected) {
            free(stacks.address >>> BlockTables.UNSIGNED, Stacks.BYTE_SIZE, STACKS_ALIGNMENT);
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

    /// The exception after [#tryAllocate] has returned 0 for a block. The pool or the budget counts it.
    RuntimeException full(long byteSize, long byteAlignment) {
        if (limitRefused) {
            return limitExceeded(byteSize);
        }
        throw allocator.exhausted(byteSize, byteAlignment,
                allocator.hasMappings() ? "mmap" : allocator.functionFor(byteSize, STACKS_ALIGNMENT, false));
    }

    /// Counts memory that is about to be allocated, unless the pool is full or the budget is exceeded.
    boolean tryReserve(long byteSize) {
        if (pool != null && !pool.store.tryReserve(byteSize)) {
            return false;
        }
        if (account != null && !account.reserve(byteSize)) {
            if (pool != null) {
                pool.store.unreserve(byteSize);
            }
            return false;
        }
        if (open != null) {
            open.add(byteSize);
        }
        return true;
    }

    /// The exception after [#tryReserve] has returned false. The pool or the budget counts it.
    RuntimeException limitExceeded(long byteSize) {
        if (account != null && (pool == null || account.available() < byteSize)) {
            return account.exceeded(byteSize, allocator.userText());
        }
        if (pool == null) {
            throw new AssertionError("No limit");
        }
        return pool.store.full(byteSize);
    }

    /// Undoes [#tryReserve].
    void release(long byteSize) {
        if (open != null) {
            open.add(-byteSize);
        }
        if (account != null) {
            account.release(byteSize);
        }
        if (pool != null) {
            pool.store.unreserve(byteSize);
        }
    }

    /// Ends the use of the pool and of the budget. All memory has been freed.
    public void close() {
        releaseHold();
        if (account != null) {
            account.closeArena();
        }
    }

    private void releaseHold() {
        if (pool != null && hold != null) {
            pool.release(hold);
        }
    }
}
