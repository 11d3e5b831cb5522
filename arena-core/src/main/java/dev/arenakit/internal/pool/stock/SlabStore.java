package dev.arenakit.internal.pool.stock;

import dev.arenakit.SlabPoolStatistics;
import dev.arenakit.internal.diagnostics.event.MemoryEvents;
import dev.arenakit.internal.diagnostics.event.MemoryRegistry;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.nativecall.NativeCalls;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.pool.memory.SlabBudget;
import dev.arenakit.internal.pool.memory.SlabHome;
import dev.arenakit.internal.pool.memory.SlabMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Every slab of one pool, and the slow paths of the pool: it allocates slabs up to the limit, moves idle slabs from
/// one cache to another, and trims the pool. [SlabShutdown] frees all memory in the end.
public final class SlabStore implements MemoryRegistry.Source {
    /// A thread that has not used its slab for this long, in nanoseconds, may lose it to another thread.
    private static final long UNUSED_NANOS = 1_000_000_000L;

    private final SlabMemory memory;
    private final long slabByteSize;
    private final int mostIdle;
    private final SlabBudget budget;
    private final ThreadSlabCache threadSlabs;
    private final SharedSlabCache sharedSlabs;
    final IdleBlocks idleBlocks;
    /// The threads that wait for a slab, or null if a full pool refuses.
    private final @Nullable OpenQueue queue;
    /// The groups of shared arenas, or null if each has a scope of its own.
    final @Nullable Groups groups;

    /// The pool's lock. It guards the set of slabs and their owners, and is acquired when a slab is allocated or freed,
    /// and for statistics.
    public final Object lock = new Object();
    /// Every slab in any state, each at its [index][Slab#index]; guarded by the lock, as are the next fields.
    private final List<Slab> slabs = new ArrayList<>();
    private long opensOfFreedSlabs;
    private long checkedNanos = System.nanoTime();

    /// How the pool ends.
    public final SlabShutdown end;

    public SlabStore(SlabMemory memory, long slabByteSize, int mostIdle, SlabBudget budget, ThreadSlabCache threadSlabs,
            SharedSlabCache sharedSlabs, IdleBlocks idleBlocks, @Nullable OpenQueue queue, @Nullable Groups groups) {
        this.memory = memory;
        this.slabByteSize = slabByteSize;
        this.mostIdle = mostIdle;
        this.budget = budget;
        this.threadSlabs = threadSlabs;
        this.sharedSlabs = sharedSlabs;
        this.idleBlocks = idleBlocks;
        this.queue = queue;
        this.groups = groups;
        end = new SlabShutdown(this, threadSlabs, sharedSlabs, budget, queue);
    }

    @Override
    public List<SlabPoolStatistics> statistics() {
        return List.of(stats());
    }

    @Override
    public String poolName() {
        return budget.name;
    }

    public SlabPoolStatistics stats() {
        synchronized (lock) {
            long openArenas = 0;
            long idleSlabs = 0;
            long idleOfThreads = 0;
            long opens = opensOfFreedSlabs;
            for (Slab slab : slabs) {
                int state = slab.state();
                openArenas += state == Slab.PRIMARY ? 1 : 0;
                idleSlabs += state == Slab.IDLE ? 1 : 0;
                idleOfThreads += state == Slab.IDLE && slab.ownerId != 0 ? 1 : 0;
                opens += slab.opens;
            }
            long idleByteSize = idleSlabs * slabByteSize + idleBlocks.byteSize();
            return new SlabPoolStatistics(budget.name, openArenas, budget.heldByteSize() - idleByteSize, idleByteSize,
                    budget.maxByteSize(), idleOfThreads * slabByteSize, budget.largeByteSize.get(),
                    budget.peakByteSize(), opens, budget.overflows.get(), budget.refusals(),
                    queue == null ? 0 : queue.waitingThreads(), queue == null ? 0 : queue.waitedNanos(),
                    queue == null ? List.of() : queue.waits());
        }
    }

    /// Acquires a slab for a thread that has found no idle slab: a slab that its thread no longer uses, a new slab, or,
    /// if the pool is full, an idle slab of any thread. Returns null if there is none.
    ///
    /// @param opens whether the slab is the first one of an arena
    public @Nullable Slab tryAcquire(SlabHome home, boolean opens) {
        NativeAccess.require();
        synchronized (lock) {
            if (opens) {
                end.checkOpen();
            }
            reclaimFromDeadThreads();
            reclaimUnused();
            Slab slab = sharedSlabs.acquireAny();
            if (slab != null) {
                return slab;
            }
            do {
                if (budget.reserve(slabByteSize)) {
                    return allocate(home);
                }
            } while (idleBlocks.freeNext() > 0);
            threadSlabs.setContended();
            reclaim(threadSlabs.idle());
            return sharedSlabs.acquireAny();
        }
    }

    /// Frees idle memory until the pool holds no more than the given number of bytes, or nothing is idle.
    ///
    /// @return how many bytes were freed
    public long trim(long targetByteSize) {
        synchronized (lock) {
            if (end.isClosed()) {
                return 0;
            }
            try {
                long freed = freeShared(targetByteSize);
                if (budget.heldByteSize() > targetByteSize) {
                    reclaim(threadSlabs.idle());
                    freed += freeShared(targetByteSize);
                }
                if (freed > 0) {
                    MemoryEvents.poolTrimmed(budget.name, freed, budget.heldByteSize());
                }
                return freed;
            } finally {
                memory.discardFreed();
            }
        }
    }

    /// Counts memory that is not a slab, and returns false if the pool is full, which counts as no refusal. Before
    /// that, as much idle memory is freed as is needed.
    public boolean tryReserve(long byteSize) {
        if (budget.reserve(byteSize)) {
            return true;
        }
        synchronized (lock) {
            long missing = budget.missing(byteSize);
            // If all idle memory is not enough, none is freed.
            if (missing <= count(Slab.IDLE) * slabByteSize + idleBlocks.byteSize()) {
                trim(Math.max(0, budget.heldByteSize() - missing));
            }
            return budget.reserve(byteSize);
        }
    }

    /// Counts the refusal of a slab and returns its exception.
    public RuntimeException full() {
        return full(slabByteSize);
    }

    /// Counts a refusal and returns its exception.
    public RuntimeException full(long byteSize) {
        synchronized (lock) {
            return budget.full(byteSize, count(Slab.PRIMARY), heldBack(),
                    "; close arenas sooner, or raise maxByteSize");
        }
    }

    /// Counts a refusal and returns its exception, for a thread that has waited for a slab.
    ///
    /// @param interrupted whether an interrupt has ended the wait, and not the timeout
    public RuntimeException fullAfter(long nanos, boolean interrupted) {
        synchronized (lock) {
            return budget.full(slabByteSize, count(Slab.PRIMARY), ", waited=" + TimeUnit.NANOSECONDS.toMillis(nanos)
                    + " ms" + (interrupted ? ", interrupted=true" : "") + heldBack() + LeakWatch.oldest(watched()),
                    "; close arenas sooner, raise maxByteSize, or wait longer; a thread that opens an arena while it"
                            + " has others open may wait for itself");
        }
    }

    /// The memory that closed arenas hold back, as a part of a message, or nothing if shared arenas are not grouped.
    private String heldBack() {
        return groups == null ? "" : ", heldBackByteSize=" + groups.heldBackByteSize();
    }

    /// Undoes [#tryReserve].
    public void unreserve(long byteSize) {
        budget.release(byteSize);
    }

    /// Makes the current thread the owner of a slab that it has acquired, if possible. The lock is held.
    public void setOwner(Slab slab) {
        if (threadSlabs.add(slab)) {
            sharedSlabs.freeSlot(slab);
            limitIdle();
        }
    }

    /// Takes a slab from its owner. The lock is held, and the owner is dead, is suspended, or is the current
    /// thread, which has acquired the slab.
    public void clearOwner(Slab slab) {
        threadSlabs.remove(slab);
        sharedSlabs.assignSlot(slab);
        limitIdle();
    }

    /// Limits the idle blocks and shared slabs to the number that the slabs of threads leave.
    private void limitIdle() {
        if (mostIdle != SharedSlabCache.NO_LIMIT && sharedSlabs.limit(mostIdle - threadSlabs.count())
                && idleBlocks.freeNext() == 0) {
            Slab slab = sharedSlabs.acquireAny();
            if (slab != null) {
                free(slab);
            }
        }
    }

    /// Releases a slab that the caller has acquired, and that the shared cache does not accept: in place of idle blocks,
    /// or to the native allocator.
    public void freeAcquired(Slab slab) {
        synchronized (lock) {
            while (idleBlocks.freeNext() > 0) {
                if (sharedSlabs.release(slab)) {
                    return;
                }
            }
            free(slab);
            memory.discardFreed();
        }
    }

    /// The open arenas that are watched for leaks, or were sampled for a recording. The lock is held.
    List<LeakWatch> watched() {
        List<LeakWatch> watched = new ArrayList<>();
        for (Slab slab : slabs) {
            LeakWatch open = slab.open;
            if (open != null && slab.state() == Slab.PRIMARY) {
                watched.add(open);
            }
        }
        return watched;
    }

    /// The number of slabs in a state. The lock is held.
    long count(int state) {
        long count = 0;
        for (Slab slab : slabs) {
            count += slab.state() == state ? 1 : 0;
        }
        return count;
    }

    /// Allocates a slab, whose size is reserved.
    private Slab allocate(SlabHome home) {
        Slab slab;
        try {
            // The release of a slab needs this class, and must not depend on heap memory.
            NativeCalls.initialize();
            slab = memory.allocate(home);
            slab.nextSample = home.firstSample();
            slab.retired = end.isShutDown();
        } catch (Throwable t) {
            budget.release(slabByteSize);
            throw t;
        }
        try {
            add(slab);
            sharedSlabs.assignSlot(slab);
            MemoryEvents.poolGrown(budget.name, slabByteSize, budget.heldByteSize(), () -> LeakWatch.places(watched()));
            return slab;
        } catch (Throwable t) {
            free(slab);
            throw t;
        }
    }

    private void reclaimFromDeadThreads() {
        for (int i = 0; i < threadSlabs.length(); i++) {
            Slab slab = threadSlabs.at(i);
            // An arena that a thread left open when it terminated stays open forever.
            if (slab != null && slab.isOrphaned() && slab.state() == Slab.IDLE) {
                clearOwner(slab);
                sharedSlabs.restore(slab);
            }
        }
    }

    /// Reclaims the slabs that their threads have not used since the previous check.
    private void reclaimUnused() {
        long now = System.nanoTime();
        if (now - checkedNanos < UNUSED_NANOS) {
            return;
        }
        List<Slab> unused = new ArrayList<>();
        for (Slab slab : threadSlabs.idle()) {
            if (slab.opens == slab.opensWhenChecked) {
                unused.add(slab);
            } else {
                slab.opensWhenChecked = slab.opens;
            }
        }
        checkedNanos = now;
        reclaim(unused);
    }

    /// Moves slabs of threads to the shared cache, unless their threads have acquired them meanwhile. The lock is held.
    private void reclaim(List<Slab> owned) {
        if (owned.isEmpty()) {
            // Avoid the handshake, which stops all threads.
            return;
        }
        threadSlabs.suspend();
        try {
            for (Slab slab : owned) {
                if (slab.state() == Slab.IDLE) {
                    // The owner may still mark the old object as acquired, which has no effect.
                    Slab reclaimed = slab.copy();
                    slab.state(Slab.FREED);
                    clearOwner(slab);
                    sharedSlabs.freeSlot(slab);
                    // After an Error, no thread may acquire a slab that is not at its index.
                    reclaimed.index = slab.index;
                    slabs.set(slab.index, reclaimed);
                    sharedSlabs.assignSlot(reclaimed);
                    sharedSlabs.restore(reclaimed);
                }
            }
        } finally {
            threadSlabs.resume();
        }
    }

    private long freeShared(long targetByteSize) {
        long freed = 0;
        while (budget.heldByteSize() > targetByteSize) {
            long byteSize = idleBlocks.freeNext();
            if (byteSize == 0) {
                Slab slab = sharedSlabs.acquireAny();
                if (slab == null) {
                    break;
                }
                free(slab);
                byteSize = slabByteSize;
            }
            freed += byteSize;
        }
        return freed;
    }

    private void add(Slab slab) {
        slab.index = slabs.size();
        slabs.add(slab);
    }

    /// Marks all slabs, so that whoever releases one of them tells [SlabShutdown], or takes back the marks. The lock is
    /// held.
    void retireAll(boolean retired) {
        for (int i = 0; i < slabs.size(); i++) {
            slabs.get(i).retired = retired;
        }
    }

    /// The number of slabs in any state. The lock is held.
    int slabCount() {
        return slabs.size();
    }

    /// Frees all idle blocks, and returns the memory of all freed slabs to the system. The lock is held.
    void discardFreed() {
        while (idleBlocks.freeNext() > 0) {
            // Freed.
        }
        memory.discardFreed();
    }

    /// Returns a slab to the native allocator. No thread can acquire it. The lock is held.
    void free(Slab slab) {
        slab.state(Slab.FREED);
        remove(slab);
        if (slab.ownerId != 0) {
            clearOwner(slab);
        }
        sharedSlabs.freeSlot(slab);
        memory.free(slab);
        // Last: if an Error prevents that the memory is freed, the pool still counts it.
        budget.release(slabByteSize);
    }

    private void remove(Slab slab) {
        int last = slabs.size() - 1;
        if (slab.index > last || !slabs.get(slab.index).equals(slab)) {
            // It could not be added.
            return;
        }
        // An Error may leave a slab in the list twice, but none at another index than its own.
        Slab moved = slabs.get(last);
        slabs.set(slab.index, moved);
        moved.index = slab.index;
        slabs.remove(last);
        opensOfFreedSlabs += slab.opens;
    }

    /// The groups of shared arenas, which hold back the memory of closed arenas until the scope of a group has ended.
    public interface Groups {
        /// The time between two looks of a waiting thread at segments in use.
        long LOOK_NANOS = 2_000_000;

        /// The memory of closed arenas that is not released yet, in bytes.
        long heldBackByteSize();

        /// Ends the groups whose scope could not be ended before.
        void endDue();

        /// Seals all groups, ends the groups that are over, and releases the memory of their arenas.
        void reclaim();

        /// From now on, releases memory as soon as it can be released.
        void shutdown();

        /// The number of groups that have no open arenas, and whose scope is alive because a segment is in use.
        long inUse();
    }
}
