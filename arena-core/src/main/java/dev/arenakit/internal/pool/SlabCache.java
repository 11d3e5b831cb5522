package dev.arenakit.internal.pool;

import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.NotInlined;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.diagnostics.event.MemoryEvents;
import dev.arenakit.internal.diagnostics.leak.LeakSampling;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.pool.memory.LargeAllocation;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.pool.memory.SlabBudget;
import dev.arenakit.internal.pool.memory.SlabHome;
import dev.arenakit.internal.pool.memory.SlabMemory;
import dev.arenakit.internal.pool.stock.IdleBlocks;
import dev.arenakit.internal.pool.stock.LargeAllocations;
import dev.arenakit.internal.pool.stock.OpenQueue;
import dev.arenakit.internal.pool.stock.SharedSlabCache;
import dev.arenakit.internal.pool.stock.SlabStore;
import dev.arenakit.internal.pool.stock.ThreadSlabCache;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The cache of one pool: arenas acquire slabs from it, and release them to it.
public final class SlabCache extends SlabHome implements OpenQueue.Opener {
    /*
     * A slab is allocated by the native allocator and acquired by an arena. The arena releases it to the thread that
     * owns it or to the shared cache. The next arena acquires it there, and so on until trim() or close() frees it.
     *
     * Each platform thread may own one slab. The thread acquires and releases it without an atomic operation. Other
     * threads take such a slab only when its owner is dead or has not used it for a second, or when the pool is full or
     * trimmed. Every other slab passes through the shared cache, which hands a slab to one thread only.
     *
     * A thread owns the first slab that it acquires. Once a pool has been full or an arena detached, or while an arena
     * that remains open has the thread's slab, the thread uses the shared cache. There it becomes the owner of a slab
     * that has been acquired very often, so that a pool that is full for a moment, or one arena that stays open, does
     * not slow it down for good, and the handshakes of a pool that is full all the time are rare.
     */
    /// After this many acquisitions of a slab from the shared cache, the thread owns it: the handshake to reclaim it
    /// takes tens of microseconds.
    private static final int OPENS_TO_OWN = 4096;

    public final ThreadSlabCache threadSlabs;
    private final SharedSlabCache sharedSlabs;
    public final SlabStore store;
    private final LargeAllocations largeAllocations;
    private final AllocatorFunctions allocator;
    private final SlabBudget budget;
    /// The threads that wait for a slab, or null if a full pool refuses. In a pool that waits, no thread owns a slab:
    /// a thread that releases its own slab would wake nobody.
    private final @Nullable OpenQueue queue;
    /// Chooses the arenas that are watched for leaks, or null if none are.
    private final @Nullable SlabLeakSampler sampler;
    /// The groups of shared arenas, or null if each has a scope of its own.
    public final @Nullable ArenaGroups groups;

    /// @param name             the name of the pool, or empty
    /// @param maxIdleByteSize  the largest size of the idle slabs, or [Long#MAX_VALUE]
    /// @param openTimeoutNanos how long the opening of an arena waits if the pool is full, or 0
    /// @param account          counts the memory of the pool as well, or null
    /// @param detection        how arenas are watched for leaks, or null
    /// @param mostGrouped      the largest number of shared arenas with one scope, or 0
    /// @param maxHeldBack      the largest size of the memory that closed arenas hold back, if shared arenas are
    ///                         grouped, or 0 for the default
    public SlabCache(String name, AllocatorFunctions allocator, long slabByteSize, long maxByteSize,
            long maxIdleByteSize, boolean zeroed, long openTimeoutNanos, @Nullable ByteAccount account,
            @Nullable LeakDetection detection,
            int mostGrouped, long maxHeldBack) {
        int mostIdle = maxIdleByteSize == Long.MAX_VALUE
                ? SharedSlabCache.NO_LIMIT
                : (int) Math.min(maxIdleByteSize / slabByteSize, SharedSlabCache.NO_LIMIT - 1);
        this.allocator = allocator;
        sampler = detection == null ? null : new SlabLeakSampler(detection, name);
        queue = openTimeoutNanos == 0 ? null : new OpenQueue(openTimeoutNanos);
        groups = mostGrouped == 0 ? null : new ArenaGroups(mostGrouped, maxHeldBack, maxByteSize, slabByteSize, queue);
        budget = new SlabBudget(name, maxByteSize, account, queue == null ? null : queue::signal);
        threadSlabs = new ThreadSlabCache(mostIdle);
        sharedSlabs = new SharedSlabCache(mostIdle);
        store = new SlabStore(new SlabMemory(allocator, slabByteSize, zeroed), slabByteSize, mostIdle, budget,
                threadSlabs, sharedSlabs, new IdleBlocks(allocator, budget, sharedSlabs, slabByteSize), queue, groups);
        largeAllocations = new LargeAllocations(allocator, zeroed, budget, store);
    }

    /// The allocator of the slabs.
    public AllocatorFunctions allocator() {
        return allocator;
    }

    /// Acquires the first slab of an arena for all threads.
    public Slab acquireSharedPrimary() {
        return acquireSharedPrimary(false);
    }

    /// Acquires the first slab of an arena from the shared cache, whether or not the thread owns a slab.
    Slab acquireSharedPrimary(boolean confined) {
        Slab slab = acquireOrAwait();
        slab.opens++;
        if (slab.opens > slab.nextSample) {
            sample(0, slab, confined);
        }
        record(slab, confined);
        return slab;
    }

    /// Acquires a slab for an arena whose memory is elsewhere, so that the pool counts the arena as open.
    ///
    /// @param open what is known of the arena if it is watched for leaks: then the pool does not watch it, too
    public Slab acquireHold(@Nullable LeakWatch open) {
        if (open == null) {
            return acquireSharedPrimary();
        }
        Slab slab = acquireOrAwait();
        slab.opens++;
        slab.open = open;
        return slab;
    }

    /// Watches the new arena of a slab for leaks, unless another one was watched a moment ago. If this method fails, it
    /// has released the slab.
    void sample(int calls, Slab slab, boolean confined) {
        if (calls > 0) {
            sample(calls - 1, slab, confined);
            return;
        }
        try {
            Objects.requireNonNull(sampler).open(slab, confined);
        } catch (Throwable t) {
            release(slab);
            throw t;
        }
    }

    /// Describes the new arena of a slab if a recording is running and the opening is sampled. If this method fails, it
    /// has released the slab.
    private void record(Slab slab, boolean confined) {
        try {
            long byteSize = slab.limit - slab.address;
            if (MemoryEvents.areOn() && slab.open == null && LeakSampling.isSampled()
                    && MemoryEvents.sample(budget.name, "opening", byteSize, LeakSampling.SAMPLED_OF * byteSize)) {
                SlabLeakSampler.describe(slab, null, budget.name, confined);
            }
        } catch (Throwable t) {
            release(slab);
            throw t;
        }
    }

    @Override
    public boolean watchesAll() {
        return sampler != null && sampler.samplesAll();
    }

    @Override
    public long firstSample() {
        return sampler == null ? Long.MAX_VALUE : sampler.first();
    }

    /// Releases a slab whose memory is ready for the next arena.
    public void release(Slab slab) {
        LeakWatch watched = slab.open;
        if (watched != null) {
            slab.unwatch(watched);
        }
        // Read the owner before publishing IDLE: after that, a concurrent trim() may reassign the slab.
        boolean owned = slab.ownerId != 0;
        slab.state(Slab.IDLE);
        if (!owned && !sharedSlabs.release(slab)) {
            store.freeAcquired(slab);
        }
        // No instruction on x86, but a limit for the compiler: the release comes first.
        VarHandle.releaseFence();
        VarHandle.acquireFence();
        if (slab.retired) {
            store.end.released(slab);
        }
        if (queue != null) {
            queue.signal();
        }
    }

    @Override
    public boolean reclaimHeldBack() {
        if (groups == null) {
            return false;
        }
        groups.reclaim();
        return true;
    }

    @Override
    public boolean isEndingGroup() {
        return groups != null && groups.isEndedByCurrentThread();
    }

    @Override
    public long nanosToNextLook() {
        return groups == null ? Long.MAX_VALUE : groups.nanosToNextLook();
    }

    @Override
    public long holdBack(Slab top) {
        long byteSize = 0;
        for (Slab slab = top; slab != null; slab = slab.previous) {
            byteSize += slab.limit - slab.address + largeAllocations.takenByteSize(slab);
            LeakWatch watched = slab.open;
            if (watched != null) {
                slab.unwatch(watched);
            }
            if (slab.state() == Slab.PRIMARY) {
                slab.state(Slab.HELD_BACK);
            }
        }
        return byteSize;
    }

    @Override
    public void releasedRetired(int calls, Slab slab) {
        if (calls > 0) {
            releasedRetired(calls - 1, slab);
            return;
        }
        store.end.released(slab);
    }

    /// Zeros and releases the slabs of an arena between its top slab and a mark, or all below the top slab (null).
    ///
    /// Each slab is unlinked before it is released: if this method fails, the arena still has the other slabs.
    void releaseBetween(@Nullable Slab mark, Slab top) {
        for (Slab slab = top.previous; slab != null && slab != mark; slab = top.previous) {
            releaseLarge(slab, null);
            slab.zero(slab.address, slab.usedByteSize);
            top.previous = slab.previous;
            slab.previous = null;
            release(slab);
        }
    }

    /// Releases the large allocations of a slab down to a mark, or all (null).
    void releaseLarge(Slab slab, @Nullable LargeAllocation mark) {
        if (slab.large != mark) {
            largeAllocations.releaseDownTo(mark, slab);
        }
    }

    /// Acquires the first slab of a confined arena whose thread could not acquire [its own][ThreadSlabCache#acquire].
    Slab acquirePrimary(int calls) {
        if (calls > 0) {
            return acquirePrimary(calls - 1);
        }
        Slab slab = acquireForThreadOrShared();
        record(slab, true);
        return slab;
    }

    private Slab acquireForThreadOrShared() {
        Slab owned = threadSlabs.find();
        boolean mayOwn = owned == null
                ? !threadSlabs.isContended() && !Thread.currentThread().isVirtual() && !threadSlabs.isSlotOccupied()
                // Another thread has suspended this one, has taken its slab, or has published another table meanwhile.
                : owned.state() == Slab.IDLE || owned.state() == Slab.FREED;
        if (mayOwn) {
            Slab slab = acquireForThread();
            if (slab != null) {
                slab.opens++;
                return slab;
            }
        }
        // The pool is full, the thread must not own a slab yet, or another arena of the thread has the slab of the
        // thread.
        Slab slab = acquireShared();
        slab.opens++;
        if (++slab.sharedOpens >= OPENS_TO_OWN) {
            try {
                own(slab);
            } catch (Throwable t) {
                release(slab);
                throw t;
            }
        }
        return slab;
    }

    private Slab acquireOrAwait() {
        return queue == null ? acquireShared() : queue.acquire(this);
    }

    private Slab acquireShared() {
        Slab slab = tryOpen();
        if (slab == null) {
            throw store.full();
        }
        return slab;
    }

    @Override
    public @Nullable Slab tryOpen() {
        return tryAcquire(Slab.PRIMARY);
    }

    @Override
    public RuntimeException fullAfter(long nanos, boolean interrupted) {
        return store.fullAfter(nanos, interrupted);
    }

    /// Acquires a slab that no thread owns, or returns null if the pool is full.
    private @Nullable Slab tryAcquire(int state) {
        boolean opens = state == Slab.PRIMARY;
        if (opens) {
            // An open that begins after a shutdown must not find a slab that has just been released.
            store.end.checkOpen();
        }
        Slab slab = sharedSlabs.acquire();
        if (slab == null) {
            slab = store.tryAcquire(this, opens);
            // Not for a further slab: a cleanup of a user could use the arena in the middle of its allocation.
            if (slab == null && opens && reclaimHeldBack()) {
                slab = store.tryAcquire(this, true);
            }
        }
        if (slab != null) {
            slab.state(state);
        }
        return slab;
    }

    /// Acquires the slab of the current thread under the lock, or another one, whose owner the thread then becomes if
    /// possible. Returns null if the pool is full.
    private @Nullable Slab acquireForThread() {
        synchronized (store.lock) {
            store.end.checkOpen();
            Slab owned = threadSlabs.find();
            if (owned != null && owned.state() == Slab.IDLE) {
                // An Error may have interrupted a thread before it resumed the others.
                threadSlabs.resume();
                owned.state(Slab.PRIMARY);
                return owned;
            }
            if (owned != null && owned.state() == Slab.FREED) {
                // An Error has interrupted a thread that took it.
                threadSlabs.remove(owned);
            }
            Slab slab = store.tryAcquire(this, true);
            if (slab == null) {
                return null;
            }
            slab.state(Slab.PRIMARY);
            if (!threadSlabs.isContended()) {
                try {
                    store.setOwner(slab);
                } catch (Throwable t) {
                    release(slab);
                    throw t;
                }
            }
            return slab;
        }
    }

    /// Makes the current thread the owner of the slab of its newest arena, instead of the slab that it owns now.
    private void own(Slab slab) {
        slab.sharedOpens = 0;
        if (Thread.currentThread().isVirtual()) {
            return;
        }
        synchronized (store.lock) {
            Slab owned = threadSlabs.find();
            // If the slab is not in use, other threads are about to reclaim it.
            if (owned != null && owned.state() == Slab.PRIMARY) {
                store.clearOwner(owned);
            }
            store.setOwner(slab);
        }
    }

    @Override
    public void disown() {
        Slab owned = threadSlabs.find();
        // Only the arenas of this thread can have this slab. If another one has it, that arena releases it more slowly.
        if (owned != null && owned.state() == Slab.PRIMARY) {
            synchronized (store.lock) {
                threadSlabs.setContended();
                store.clearOwner(owned);
            }
        }
    }

    @Override
    public Slab allocateSlowly(int calls, Slab top, long byteSize, long byteAlignment) {
        if (calls > 0) {
            return allocateSlowly(calls - 1, top, byteSize, byteAlignment);
        }
        Slab next = tryAllocateSlowly(top, byteSize, byteAlignment);
        if (next == null) {
            throw full(top, byteSize, byteAlignment);
        }
        return next;
    }

    @Override
    public RuntimeException full(Slab top, long byteSize, long byteAlignment) {
        return top.isLarge(byteSize, byteAlignment)
                ? largeAllocations.full(byteSize, byteAlignment)
                : store.full();
    }

    @Override
    public @Nullable Slab tryAllocateSlowly(Slab top, long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        if (top.isLarge(byteSize, byteAlignment)) {
            Sizes.checkAddressable(byteSize, byteAlignment);
            budget.sample("large block", byteSize);
            if (!largeAllocations.tryAllocate(top, byteSize, byteAlignment)) {
                return null;
            }
            top.newest = top.largeAddress();
            return top;
        }
        // First: an Error in an event must not lose a slab.
        budget.sample("slab", top.limit - top.address);
        Slab next = tryAcquire(Slab.OVERFLOW);
        if (next == null) {
            return null;
        }
        budget.overflows.incrementAndGet();
        top.usedByteSize = top.bumpPointer - top.address;
        next.previous = top;
        LeakWatch watched = top.open;
        if (watched != null) {
            next.open = watched;
            watched.add(next.limit - next.address);
        }
        next.newest = Sizes.alignUp(next.address, byteAlignment);
        next.bumpPointer = next.newest + BumpSlabArena.reserved(byteSize);
        return next;
    }

    @Override
    public void releaseAll(int calls, Slab top, long bumpPointer) {
        if (calls > 0) {
            releaseAll(calls - 1, top, bumpPointer);
            return;
        }
        emptyDownTo(0, null, top, bumpPointer);
        release(top);
    }

    @Override
    public void emptyDownTo(int calls, @Nullable Slab mark, Slab top, long bumpPointer) {
        if (calls > 0) {
            emptyDownTo(calls - 1, mark, top, bumpPointer);
            return;
        }
        releaseBetween(mark, top);
        releaseLarge(top, null);
        top.zero(top.address, bumpPointer - top.address);
    }

    @Override
    public void releaseUnlinked(int calls, Slab slab) {
        if (calls > 0) {
            releaseUnlinked(calls - 1, slab);
            return;
        }
        slab.previous = null;
        release(slab);
    }

    @Override
    public void empty(int calls, Slab slab, @Nullable LargeAllocation mark, long begin, long end) {
        if (calls > 0) {
            empty(calls - 1, slab, mark, begin, end);
            return;
        }
        releaseLarge(slab, mark);
        slab.zero(begin, end - begin);
    }
}
