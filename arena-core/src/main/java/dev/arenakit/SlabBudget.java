package dev.arenakit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The native memory of one pool: it allocates slabs and large blocks up to the limit, trims the pool, and frees all
/// memory when the pool is closed.
final class SlabBudget {
    /// A cache line, so that no two slabs share one.
    private static final long SLAB_ALIGNMENT = 64;

    private final NativeAllocator allocator;
    private final long slabByteSize;
    private final long maxByteSize;
    private final boolean zeroed;
    private final ThreadSlabCache threadSlabs;
    private final SharedSlabCache sharedSlabs;
    private final AsymmetricBarrier barrier;
    /// The native memory of the pool: slabs in any state, and large allocations.
    private final AtomicLong heldByteSize = new AtomicLong();

    /// The pool's lock. It guards the set of slabs and their owners, and is acquired when a slab is allocated or freed,
    /// and for statistics.
    final Object lock = new Object();
    /// Every slab of the pool, in any state; guarded by the lock, as is the next field.
    private final Set<Slab> slabs = new HashSet<>();
    private boolean closed;

    SlabBudget(NativeAllocator allocator, long slabByteSize, long maxByteSize, boolean zeroed,
            ThreadSlabCache threadSlabs, SharedSlabCache sharedSlabs, AsymmetricBarrier barrier) {
        this.allocator = allocator;
        this.slabByteSize = slabByteSize;
        this.maxByteSize = maxByteSize;
        this.zeroed = zeroed;
        this.threadSlabs = threadSlabs;
        this.sharedSlabs = sharedSlabs;
        this.barrier = barrier;
    }

    SlabPoolStatistics stats() {
        synchronized (lock) {
            long openArenas = 0;
            long idleSlabs = 0;
            for (Slab slab : slabs) {
                int state = slab.state();
                openArenas += state == Slab.PRIMARY ? 1 : 0;
                idleSlabs += state == Slab.IDLE ? 1 : 0;
            }
            long idleByteSize = idleSlabs * slabByteSize;
            return new SlabPoolStatistics(openArenas, heldByteSize.get() - idleByteSize, idleByteSize, maxByteSize);
        }
    }

    long trim() {
        synchronized (lock) {
            if (closed) {
                return 0;
            }
            barrier.writeLock();
            try {
                return free(threadSlabs.idle()) + freeShared();
            } finally {
                barrier.unlockWrite();
            }
        }
    }

    void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            barrier.writeLock();
            try {
                List<Slab> owned = threadSlabs.idle();
                List<Slab> shared = sharedSlabs.acquireAll(slabs.size());
                if (shared.size() + owned.size() < slabs.size()) {
                    shared.forEach(sharedSlabs::release);
                    throw new IllegalStateException("Pool has open arenas: openArenas="
                            + Math.max(1, stats().openArenas()) + "; close them before the pool");
                }
                free(shared);
                free(owned);
                closed = true;
            } finally {
                if (closed) {
                    barrier.close();
                } else {
                    barrier.unlockWrite();
                }
            }
        }
    }

    /// Acquires a slab for a thread that has found no idle one: a slab of a dead thread, a new slab, or, if the pool is
    /// full, an idle slab of a living thread.
    Slab acquire(SlabCache cache) {
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("Pool is closed");
            }
            reclaimFromDeadThreads();
            Slab slab = sharedSlabs.acquire();
            if (slab != null) {
                return slab;
            }
            if (reserve(slabByteSize)) {
                return allocateSlab(cache);
            }
            reclaimFromThreads();
            slab = sharedSlabs.acquire();
            if (slab == null) {
                throw full(slabByteSize);
            }
            return slab;
        }
    }

    /// Allocates a slab, whose size is reserved.
    private Slab allocateSlab(SlabCache cache) {
        Slab slab;
        try {
            slab = new Slab(cache, allocateNative(slabByteSize, SLAB_ALIGNMENT), slabByteSize, zeroed);
        } catch (Throwable t) {
            heldByteSize.addAndGet(-slabByteSize);
            throw t;
        }
        try {
            slabs.add(slab);
            sharedSlabs.assignSlot(slab);
        } catch (Throwable t) {
            free(List.of(slab));
            throw t;
        }
        return slab;
    }

    /// Allocates a block of the native allocator, after trimming the pool if it is full.
    LargeAllocation allocateLarge(long byteSize, long byteAlignment, @Nullable LargeAllocation previous) {
        if (!reserve(byteSize)) {
            reserveByTrimming(byteSize);
        }
        long address = 0;
        try {
            // Make the call first: an object that is created before it needs the barriers of the garbage collector.
            address = allocateNative(byteSize, byteAlignment);
            return new LargeAllocation(address, byteSize, previous);
        } catch (Throwable t) {
            if (address != 0) {
                allocator.free(address, byteSize);
            }
            heldByteSize.addAndGet(-byteSize);
            throw t;
        }
    }

    void free(LargeAllocation large) {
        allocator.free(large.address, large.byteSize);
        heldByteSize.addAndGet(-large.byteSize);
    }

    private long allocateNative(long byteSize, long byteAlignment) {
        return zeroed
                ? allocator.allocateZeroed(byteSize, byteAlignment)
                : allocator.allocate(byteSize, byteAlignment);
    }

    private boolean reserve(long byteSize) {
        long held;
        do {
            held = heldByteSize.get();
            if (byteSize > maxByteSize - held) {
                return false;
            }
        } while (!heldByteSize.compareAndSet(held, held + byteSize));
        return true;
    }

    private void reserveByTrimming(long byteSize) {
        synchronized (lock) {
            reclaimFromThreads();
            freeShared();
        }
        if (!reserve(byteSize)) {
            throw full(byteSize);
        }
    }

    private CapacityExceededException full(long byteSize) {
        return new CapacityExceededException("Pool is full", maxByteSize, heldByteSize.get(), byteSize,
                "close arenas sooner, or raise maxByteSize");
    }

    private void reclaimFromDeadThreads() {
        for (Slab slab : threadSlabs.all()) {
            // An arena that a thread left open when it terminated stays open forever.
            if (slab.isOrphaned() && slab.state() == Slab.IDLE) {
                threadSlabs.remove(slab);
                sharedSlabs.assignSlot(slab);
                sharedSlabs.release(slab);
            }
        }
    }

    /// Moves the idle slabs of threads to the shared cache, and stops threads from owning slabs. The lock is held.
    private void reclaimFromThreads() {
        threadSlabs.disable();
        if (threadSlabs.idle().isEmpty()) {
            // This check is racy. It saves all threads the handshake of the barrier.
            return;
        }
        barrier.writeLock();
        try {
            for (Slab idle : threadSlabs.idle()) {
                // The owner may still mark the old object as acquired, without effect.
                Slab slab = new Slab(idle.cache, idle.address, slabByteSize, zeroed);
                slabs.add(slab);
                threadSlabs.remove(idle);
                slabs.remove(idle);
                idle.state(Slab.FREED);
                sharedSlabs.assignSlot(slab);
                sharedSlabs.release(slab);
            }
        } finally {
            barrier.unlockWrite();
        }
    }

    private long freeShared() {
        return free(sharedSlabs.acquireAll(slabs.size()));
    }

    /// Returns slabs to the native allocator.
    ///
    /// @return their size in bytes
    private long free(List<Slab> idle) {
        for (Slab slab : idle) {
            slab.state(Slab.FREED);
            slabs.remove(slab);
            if (slab.ownerId == 0) {
                sharedSlabs.freeSlot(slab);
            } else {
                threadSlabs.remove(slab);
            }
            allocator.free(slab.address, slabByteSize);
            heldByteSize.addAndGet(-slabByteSize);
        }
        return idle.size() * slabByteSize;
    }
}
