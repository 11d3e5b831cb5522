package dev.arenakit.internal.pool.stock;

import dev.arenakit.diagnostics.Leak;
import dev.arenakit.internal.diagnostics.event.MemoryMXBeans;
import dev.arenakit.internal.diagnostics.event.MemoryRegistry;
import dev.arenakit.internal.diagnostics.leak.LeakProperty;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.pool.memory.SlabBudget;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The end of one pool: [#close()] is refused while arenas are open; after [#shutdown()], the arena that is closed last
/// frees the rest.
///
/// Thread-safe.
public final class SlabShutdown {
    /*
     * A thread releases its own slab by a plain write, and the pool need not notice it. After a shutdown, it must
     * notice each release. Therefore a thread that has released a slab reads whether the slab is retired. A shutdown
     * retires all slabs, and then stops all threads at a safepoint poll, between two steps of each (see
     * ThreadSlabCache). If a thread has released its slab by then, the shutdown finds the slab idle and frees it.
     * Otherwise the thread finds the slab retired, and frees it under the lock.
     *
     * No thread acquires its own slab after a shutdown. A thread may have marked its slab as acquired when it was
     * stopped, and take back the mark later. Its open is then refused, and it frees the slab.
     */
    private enum Phase {
        OPEN, SHUT_DOWN, CLOSED
    }

    private final SlabStore store;
    private final ThreadSlabCache threadSlabs;
    private final SharedSlabCache sharedSlabs;
    private final SlabBudget budget;
    private final @Nullable OpenQueue queue;
    private MemoryRegistry.@Nullable Entry entry;
    /// Changed under the pool's lock.
    private volatile Phase phase = Phase.OPEN;

    SlabShutdown(SlabStore store, ThreadSlabCache threadSlabs, SharedSlabCache sharedSlabs, SlabBudget budget,
            @Nullable OpenQueue queue) {
        this.store = store;
        this.threadSlabs = threadSlabs;
        this.sharedSlabs = sharedSlabs;
        this.budget = budget;
        this.queue = queue;
    }

    /// Adds the pool to the statistics of the process, until all of its memory has been freed, and to the management
    /// beans.
    public void register() {
        entry = MemoryRegistry.add(store);
        MemoryMXBeans.add(entry);
    }

    /// Removes the management bean of the pool, if there is one. Not under the lock: listeners of the user are called.
    private void unmanage() {
        if (entry != null) {
            MemoryMXBeans.remove(entry);
        }
    }

    /// Checks that arenas can be opened.
    public void checkOpen() {
        if (phase != Phase.OPEN) {
            throw refused();
        }
    }

    private IllegalStateException refused() {
        Slab owned = threadSlabs.find();
        if (owned != null) {
            released(owned);
        }
        return new IllegalStateException((phase == Phase.CLOSED ? "Pool is closed" : "Pool is shut down")
                + (budget.name.isEmpty() ? "" : ": pool=" + budget.name));
    }

    boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /// Whether new slabs are retired.
    boolean isShutDown() {
        return phase != Phase.OPEN;
    }

    /// Frees all memory, or throws if arenas are open.
    public void close() {
        List<LeakWatch> watched = List.of();
        boolean closed;
        long openArenas = 0;
        long groupsInUse = 0;
        SlabStore.Groups groups = store.groups;
        if (groups != null) {
            groups.reclaim();
            groupsInUse = groups.inUse();
        }
        synchronized (store.lock) {
            closed = phase == Phase.OPEN ? closeIfIdle() : freeIdle();
            if (!closed) {
                // An arena that is about to be opened is not counted yet.
                openArenas = Math.max(groupsInUse > 0 ? 0 : 1, store.count(Slab.PRIMARY));
                watched = store.watched();
            }
        }
        // Not under the lock: a listener of the user is called.
        if (closed) {
            unmanage();
            return;
        }
        watched.forEach(open -> open.report(Leak.Reason.POOL_CLOSE));
        throw new IllegalStateException("Pool has open arenas: "
                + (budget.name.isEmpty() ? "" : "pool=" + budget.name + ", ") + "openArenas=" + openArenas
                + (groupsInUse == 0 ? "" : ", groupsInUse=" + groupsInUse)
                + (watched.isEmpty() ? "" : ", watched=" + LeakWatch.places(watched)) + "; close them before the pool"
                + (watched.isEmpty() && openArenas > 0 ? LeakProperty.hint() : ""));
    }

    private boolean closeIfIdle() {
        threadSlabs.suspend();
        try {
            List<Slab> owned = threadSlabs.idle();
            List<Slab> shared = sharedSlabs.acquireAll(store.slabCount());
            if (shared.size() + owned.size() < store.slabCount()) {
                // No iterator and no lambda: they need heap memory, and no slab may be lost.
                for (int i = 0; i < shared.size(); i++) {
                    sharedSlabs.restore(shared.get(i));
                }
                return false;
            }
            threadSlabs.end();
            // If an Error interrupts the rest, a second call completes it, as for a shutdown.
            phase = Phase.SHUT_DOWN;
            freeEach(shared);
            freeEach(owned);
            return freeShared();
        } finally {
            threadSlabs.resume();
        }
    }

    private void freeEach(List<Slab> acquired) {
        int next = 0;
        try {
            while (next < acquired.size()) {
                store.free(acquired.get(next++));
            }
        } finally {
            // After an Error: the slabs of threads are still in their table.
            for (; next < acquired.size(); next++) {
                Slab slab = acquired.get(next);
                if (slab.ownerId == 0) {
                    sharedSlabs.restore(slab);
                }
            }
        }
    }

    /// Refuses to open arenas from now on, and frees idle memory. If the handshake fails, nothing has changed. A second
    /// call completes one that an Error has interrupted.
    public void shutdown() {
        synchronized (store.lock) {
            if (phase == Phase.OPEN) {
                store.retireAll(true);
                try {
                    threadSlabs.suspend();
                } catch (Throwable t) {
                    store.retireAll(false);
                    throw t;
                }
                threadSlabs.end();
                phase = Phase.SHUT_DOWN;
            }
            freeIdle();
        }
        if (queue != null) {
            // The other threads follow one by one.
            queue.signal();
        }
        if (store.groups != null) {
            store.groups.shutdown();
        }
        unmanage();
    }

    /// Frees a retired slab that has been released, and everything else if this was the last one.
    public void released(Slab slab) {
        synchronized (store.lock) {
            if (phase == Phase.SHUT_DOWN) {
                freeIfIdle(slab);
                freeShared();
            }
        }
    }

    /// Frees all idle slabs after a shutdown. The lock is held.
    ///
    /// @return whether the pool is closed
    private boolean freeIdle() {
        for (int i = 0; i < threadSlabs.length(); i++) {
            Slab slab = threadSlabs.at(i);
            if (slab != null) {
                freeIfIdle(slab);
            }
        }
        return freeShared();
    }

    /// Frees the slab of a thread. A slab that has been freed before, or that was replaced by a copy, has no owner.
    private void freeIfIdle(Slab slab) {
        if (slab.ownerId != 0 && slab.state() == Slab.IDLE) {
            store.free(slab);
        }
    }

    private boolean freeShared() {
        for (Slab slab = sharedSlabs.acquireAny(); slab != null; slab = sharedSlabs.acquireAny()) {
            store.free(slab);
        }
        store.discardFreed();
        if (phase == Phase.SHUT_DOWN && store.slabCount() == 0) {
            closed();
        }
        return phase == Phase.CLOSED;
    }

    private void closed() {
        store.lock.notifyAll();
        if (queue != null) {
            queue.signal();
        }
        if (entry != null) {
            entry.remove();
        }
        // Last, as the pool must be counted as closed once.
        budget.close();
        phase = Phase.CLOSED;
    }

    /// Waits until all memory has been freed.
    ///
    /// @return whether it was freed before the timeout
    public boolean awaitClosed(long timeoutNanos) throws InterruptedException {
        long begin = System.nanoTime();
        SlabStore.Groups groups = store.groups;
        while (true) {
            if (groups != null) {
                // Not under the lock: this may run cleanups of users.
                groups.endDue();
            }
            synchronized (store.lock) {
                long left = timeoutNanos - (System.nanoTime() - begin);
                if (phase == Phase.CLOSED || left <= 0) {
                    return phase == Phase.CLOSED;
                }
                // An arena that is closed while a segment is in use does not say so.
                TimeUnit.NANOSECONDS.timedWait(store.lock,
                        groups == null ? left : Math.min(left, SlabStore.Groups.LOOK_NANOS));
            }
        }
    }
}
