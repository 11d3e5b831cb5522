package dev.arenakit;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The cache of one pool, from which arenas acquire slabs and to which they release them.
final class SlabCache {
    /*
     * A slab is allocated by the native allocator and acquired by an arena. The arena releases it to the thread that
     * owns it or to the shared cache, from where the next arena acquires it, and so on until trim() or close() frees
     * it.
     *
     * Each platform thread may own one slab. The thread acquires and releases it without an atomic operation (3.2 ns
     * for a session of one block instead of 7.7 ns). Other threads take such a slab only when its owner is dead, or
     * while the barrier is locked. Every other slab passes through the shared cache, which hands a slab to one thread
     * only.
     *
     * A pool that has been full cannot leave slabs idle in threads: from then on, no thread owns a slab.
     */
    private final ThreadSlabCache threadSlabs = new ThreadSlabCache();
    private final SharedSlabCache sharedSlabs = new SharedSlabCache();
    private final AsymmetricBarrier barrier = new AsymmetricBarrier();
    private final SlabBudget budget;

    SlabCache(NativeAllocator allocator, long slabByteSize, long maxByteSize, boolean zeroed) {
        budget = new SlabBudget(allocator, slabByteSize, maxByteSize, zeroed, threadSlabs, sharedSlabs, barrier);
    }

    SlabBudget budget() {
        return budget;
    }

    /// Acquires the first slab of a confined arena of the current thread.
    Slab acquirePrimary() {
        MemorySegment stamp = barrier.tryOptimisticRead();
        Slab slab = threadSlabs.find();
        if (slab == null || slab.state() != Slab.IDLE) {
            return acquireOther(slab);
        }
        slab.state(Slab.PRIMARY);
        try {
            return AsymmetricBarrier.validate(stamp) ? slab : acquireForThread(slab);
        } catch (Throwable t) {
            slab.state(Slab.IDLE);
            throw t;
        }
    }

    private Slab acquireOther(@Nullable Slab owned) {
        return owned == null || owned.state() == Slab.FREED
                ? acquireForThread(null)
                // Another arena of this thread has it.
                : acquireShared(Slab.PRIMARY);
    }

    /// Acquires a slab under the lock, and makes the current thread its owner if possible.
    ///
    /// @param marked the slab that the thread has marked as acquired with an invalid stamp, or null; it is returned if
    ///               the thread still owns it
    private Slab acquireForThread(@Nullable Slab marked) {
        if (marked == null && (!threadSlabs.isEnabled() || Thread.currentThread().isVirtual()
                || threadSlabs.isSlotOccupied())) {
            return acquireShared(Slab.PRIMARY);
        }
        synchronized (budget.lock) {
            if (marked != null && threadSlabs.find() == marked) {
                return marked;
            }
            Slab slab = budget.acquire(this);
            slab.state(Slab.PRIMARY);
            try {
                if (threadSlabs.add(slab)) {
                    sharedSlabs.freeSlot(slab);
                }
            } catch (Throwable t) {
                release(slab);
                throw t;
            }
            return slab;
        }
    }

    /// Acquires a slab that no thread owns.
    Slab acquireShared(int state) {
        Slab slab = sharedSlabs.acquire();
        if (slab == null) {
            slab = budget.acquire(this);
        }
        slab.state(state);
        return slab;
    }

    /// Acquires another slab for an arena that has filled a slab up to its bump pointer.
    Slab acquireOverflow(Slab full, long bumpPointer) {
        Slab slab = acquireShared(Slab.OVERFLOW);
        full.usedByteSize = bumpPointer - full.address;
        slab.previous = full;
        return slab;
    }

    /// Releases a slab whose memory is ready for the next arena.
    void release(Slab slab) {
        // Read the owner before publishing IDLE: after that, a concurrent trim() may reassign the slab.
        boolean owned = slab.ownerId != 0;
        slab.state(Slab.IDLE);
        if (!owned) {
            sharedSlabs.release(slab);
        }
    }

    /// Zeros and releases all slabs of an arena down to a mark, or all (null). The top slab is used up to the bump
    /// pointer.
    void releaseDownTo(@Nullable Slab mark, Slab top, long bumpPointer) {
        top.usedByteSize = bumpPointer - top.address;
        for (Slab slab = top; slab != null && slab != mark;) {
            Slab previous = slab.previous;
            slab.previous = null;
            slab.zero(slab.address, slab.usedByteSize);
            release(slab);
            slab = previous;
        }
    }

    /// Allocates a block that is too large for a slab.
    LargeAllocation allocateLarge(long byteSize, long byteAlignment, @Nullable LargeAllocation previous) {
        return budget.allocateLarge(byteSize, byteAlignment, previous);
    }

    /// Frees the large allocations of an arena down to a mark, or all (null).
    void freeDownTo(@Nullable LargeAllocation mark, @Nullable LargeAllocation top) {
        for (LargeAllocation large = top; large != null && large != mark; large = large.previous) {
            budget.free(large);
        }
    }
}
