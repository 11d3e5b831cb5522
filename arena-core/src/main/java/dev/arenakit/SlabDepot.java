package dev.arenakit;

import dev.arenakit.internal.Memory;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Where the slabs of one pool are: lent to an arena, kept by a thread, or in the store; and what they add up to.
final class SlabDepot {
    /*
     * A slab goes from the native allocator to an arena, from there to the thread that keeps it or to the store, from
     * there to the next arena, and so on until trim() or close() give it back.
     *
     * Each platform thread may keep one slab. The thread lends it to itself and takes it back without an atomic operation
     * (3.2 ns for a session of one block instead of 7.7). Others take such a slab only when the thread is dead, or while
     * the gate is shut. Everything else passes through the store, which hands a slab to one taker only.
     *
     * A pool that has been full once cannot afford slabs that lie idle with threads: from then on none is kept.
     *
     * The lock guards which slabs there are. It is taken when a slab comes from the native allocator or goes back there,
     * and for statistics.
     */

    /// A cache line, so that no two slabs share one.
    private static final long SLAB_ALIGNMENT = 64;

    private final NativeAllocator allocator;
    private final long slabSize;
    private final long maxBytes;
    private final boolean zeroed;
    private final KeptSlabs kept = new KeptSlabs();
    private final SlabStore store = new SlabStore();
    private final Gate gate = new Gate();
    /// Bytes taken from the native allocator and not given back: slabs, lent or not, and large blocks.
    private final AtomicLong heldBytes = new AtomicLong();

    private final Object lock = new Object();
    /// Every slab of the pool, wherever it is; guarded by the lock, as is the rest.
    private final Set<Slab> slabs = new HashSet<>();
    private boolean closed;
    /// Whether threads keep slabs. Changed under the lock; who sees it late meets the gate, or a slab that is its own.
    private boolean keeping = true;

    SlabDepot(NativeAllocator allocator, long slabSize, long maxBytes, boolean zeroed) {
        this.allocator = allocator;
        this.slabSize = slabSize;
        this.maxBytes = maxBytes;
        this.zeroed = zeroed;
    }

    SlabPoolStatistics stats() {
        synchronized (lock) {
            long openArenas = 0;
            long lentSlabs = 0;
            for (Slab slab : slabs) {
                int state = slab.state();
                openArenas += state == Slab.FIRST ? 1 : 0;
                lentSlabs += state == Slab.KEPT ? 0 : 1;
            }
            long keptBytes = (slabs.size() - lentSlabs) * slabSize;
            return new SlabPoolStatistics(openArenas, heldBytes.get() - keptBytes, keptBytes, maxBytes);
        }
    }

    long trim() {
        synchronized (lock) {
            if (closed) {
                return 0;
            }
            gate.shut();
            try {
                return free(idleWithThreads()) + free(store.takeAll(slabs.size()));
            } finally {
                gate.open();
            }
        }
    }

    void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            gate.shut();
            try {
                List<Slab> idle = idleWithThreads();
                List<Slab> stored = store.takeAll(slabs.size());
                if (stored.size() + idle.size() < slabs.size()) {
                    stored.forEach(store::give);
                    throw new IllegalStateException("Pool has open arenas: openArenas="
                            + Math.max(1, stats().openArenas()) + "; close them before the pool");
                }
                free(stored);
                free(idle);
                closed = true;
            } finally {
                if (closed) {
                    gate.remove();
                } else {
                    gate.open();
                }
            }
        }
    }

    /// Lends another slab to an arena whose top slab is full up to the cursor.
    Slab lendFurther(Slab full, long cursor) {
        Slab slab = lendFromStore(Slab.FURTHER);
        full.used = cursor - full.address;
        slab.below = full;
        return slab;
    }

    /// Lends a block of its own to an arena.
    NativeBlock lendBlock(long byteSize, long byteAlignment, @Nullable NativeBlock below) {
        if (!reserve(byteSize)) {
            reserveByTrimming(byteSize);
        }
        long address = 0;
        try {
            // A local first: an object that is made before the call is one for the garbage collector's barriers.
            address = takeNative(byteSize, byteAlignment);
            return new NativeBlock(address, byteSize, below);
        } catch (Throwable t) {
            if (address != 0) {
                allocator.free(address, byteSize);
            }
            heldBytes.addAndGet(-byteSize);
            throw t;
        }
    }

    private void reserveByTrimming(long byteSize) {
        synchronized (lock) {
            takeFromThreads();
            free(store.takeAll(slabs.size()));
        }
        if (!reserve(byteSize)) {
            throw full(byteSize);
        }
    }

    /// Takes back the blocks above a mark, or all (null).
    void giveBack(@Nullable NativeBlock top, @Nullable NativeBlock mark) {
        for (NativeBlock block = top; block != null && block != mark; block = block.below) {
            allocator.free(block.address, block.byteSize);
            heldBytes.addAndGet(-block.byteSize);
        }
    }

    /// Takes back the slabs above a mark, or all (null), of which the top one has been handed out up to the cursor.
    void giveBack(Slab top, long cursor, @Nullable Slab mark) {
        top.used = cursor - top.address;
        for (Slab slab = top; slab != null && slab != mark;) {
            Slab below = slab.below;
            slab.below = null;
            slab.clean(slab.address, slab.used);
            giveBack(slab);
            slab = below;
        }
    }

    /// Takes back a slab that is fit to be handed out again.
    void giveBack(Slab slab) {
        // Asked while the slab is lent still: as soon as it is not, whoever has shut the gate may take it from its thread.
        boolean keptByThread = slab.keeperId != 0;
        slab.state(Slab.KEPT);
        if (!keptByThread) {
            store.give(slab);
        }
    }

    /// Lends the first slab of a confined arena to the current thread.
    Slab lendFirst() {
        MemorySegment bar = gate.bar();
        Slab slab = kept.find();
        if (slab == null || slab.state() != Slab.KEPT) {
            return lendAnother(slab);
        }
        slab.state(Slab.FIRST);
        try {
            return Gate.pass(bar) ? slab : lendAndKeep(slab);
        } catch (Throwable t) {
            slab.state(Slab.KEPT);
            throw t;
        }
    }

    private Slab lendAnother(@Nullable Slab kept) {
        return kept == null || kept.state() == Slab.FREED
                ? lendAndKeep(null)
                // Another arena of this thread has it.
                : lendFromStore(Slab.FIRST);
    }

    /// Lends the current thread the slab that it has marked in front of a shut gate, or another to keep from now on.
    private Slab lendAndKeep(@Nullable Slab marked) {
        if (marked == null && (!keeping || Thread.currentThread().isVirtual() || kept.isRefused())) {
            return lendFromStore(Slab.FIRST);
        }
        synchronized (lock) {
            if (marked != null && kept.find() == marked) {
                return marked;
            }
            Slab slab = lendNew();
            slab.state(Slab.FIRST);
            try {
                if (keeping && kept.keep(slab)) {
                    store.disclaimCell(slab);
                }
            } catch (Throwable t) {
                giveBack(slab);
                throw t;
            }
            return slab;
        }
    }

    /// Lends a slab that no thread keeps.
    Slab lendFromStore(int state) {
        Slab slab = store.take();
        if (slab == null) {
            slab = lendNew();
        }
        slab.state(state);
        return slab;
    }

    private Slab lendNew() {
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("Pool is closed");
            }
            reclaimFromDeadThreads();
            Slab slab = store.take();
            if (slab != null) {
                return slab;
            }
            if (!reserve(slabSize)) {
                takeFromThreads();
                slab = store.take();
                if (slab != null) {
                    return slab;
                }
                throw full(slabSize);
            }
            try {
                slab = new Slab(this, takeNative(slabSize, SLAB_ALIGNMENT), slabSize, zeroed);
            } catch (Throwable t) {
                heldBytes.addAndGet(-slabSize);
                throw t;
            }
            try {
                slabs.add(slab);
                store.claimCell(slab);
            } catch (Throwable t) {
                free(List.of(slab));
                throw t;
            }
            return slab;
        }
    }

    private long takeNative(long byteSize, long byteAlignment) {
        return zeroed
                ? allocator.allocateZeroed(byteSize, byteAlignment)
                : allocator.allocate(byteSize, byteAlignment);
    }

    private void reclaimFromDeadThreads() {
        for (Slab slab : kept.all()) {
            // An arena that a thread left open when it ended stays open for good.
            if (slab.isOrphaned() && slab.state() == Slab.KEPT) {
                kept.drop(slab);
                store.claimCell(slab);
                store.give(slab);
            }
        }
    }

    /// Brings what lies idle with threads into the store, and lets them keep no more. The lock is held.
    private void takeFromThreads() {
        keeping = false;
        if (idleWithThreads().isEmpty()) {
            // A look that others may spoil, to spare all threads the handshake of the gate.
            return;
        }
        gate.shut();
        try {
            for (Slab idle : idleWithThreads()) {
                // Its thread may still mark the old object as lent, in vain.
                Slab slab = new Slab(this, idle.address, slabSize, zeroed);
                slabs.add(slab);
                kept.drop(idle);
                slabs.remove(idle);
                idle.state(Slab.FREED);
                store.claimCell(slab);
                store.give(slab);
            }
        } finally {
            gate.open();
        }
    }

    /// The slabs that threads keep and have not lent themselves. The lock is held and the gate shut, so that none of
    /// these is lent until the gate opens; asked once, since a thread may mark one in vain.
    private List<Slab> idleWithThreads() {
        return kept.all().stream().filter(slab -> slab.state() == Slab.KEPT).toList();
    }

    /// Gives slabs back to the native allocator.
    ///
    /// @return their size in bytes
    private long free(List<Slab> idle) {
        for (Slab slab : idle) {
            slab.state(Slab.FREED);
            slabs.remove(slab);
            if (slab.keeperId == 0) {
                store.disclaimCell(slab);
            } else {
                kept.drop(slab);
            }
            allocator.free(slab.address, slabSize);
            heldBytes.addAndGet(-slabSize);
        }
        return idle.size() * slabSize;
    }

    private boolean reserve(long byteSize) {
        long held;
        do {
            held = heldBytes.get();
            if (byteSize > maxBytes - held) {
                return false;
            }
        } while (!heldBytes.compareAndSet(held, held + byteSize));
        return true;
    }

    private CapacityExceededException full(long byteSize) {
        return new CapacityExceededException("Pool is full", maxBytes, heldBytes.get(), byteSize,
                "close arenas sooner, or raise maxBytes");
    }
}
