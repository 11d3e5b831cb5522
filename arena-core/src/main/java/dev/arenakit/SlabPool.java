package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.NativeAccess;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A pool of equal slabs of native memory, lent to arenas that live for a short time.
///
/// [#openConfined()] and [#openShared()] lend a [SlabArena]; closing it gives its memory back to the pool. Each arena has
/// a scope of its own: a segment of a closed arena throws, and never reads what the next one writes.
///
/// **Backing.** Slabs of one size (64 KiB unless chosen) from a [NativeAllocator]. An unbounded pool keeps a slab with
/// each platform thread, for which opening an arena takes no atomic operation; virtual threads, further arenas and
/// bounded pools take slabs from a lock-free store. Slabs kept by a thread that has ended are taken back when a slab is
/// needed, and by [#trim()].
///
/// **Lifetime.** A pool is usually kept in a static field for as long as the process runs. [#close()] gives all memory
/// back; a pool that is not closed leaks, as an arena of `Arena.ofShared` does.
///
/// **Threads.** A pool may be used by any number of threads.
///
/// **Zeroing.** [Zeroing#ZEROED] unless chosen otherwise, so that an arena of a pool can stand in for
/// `Arena.ofConfined()`. What an arena has used is zeroed when it is closed, in one go.
///
/// **When it is full.** `maxBytes` bounds all that the pool holds, lent and kept. An allocation beyond it throws
/// [CapacityExceededException]; it never waits.
///
/// **Native access** is needed: `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path.
///
/// {@snippet :
/// static final SlabPool POOL = SlabPool.create();
///
/// long sum(long[] values) {
///     try (SlabArena arena = POOL.openConfined()) {
///         MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_LONG, values);
///         return nativeSum(copy, values.length);
///     }
/// }
/// }
public final class SlabPool implements AutoCloseable {
    /// Below, the quarter of a slab that an allocation may take would be less than most allocations need.
    private static final long SMALLEST_SLAB = 1024;
    /// Above, a kept slab is a burden rather than a reserve.
    private static final long LARGEST_SLAB = 1L << 30;
    /// A cache line, so that no two slabs share one.
    private static final long SLAB_ALIGNMENT = 64;

    private final NativeAllocator allocator;
    private final long slabSize;
    private final long maxBytes;
    private final boolean zeroed;
    /// The slab that the current thread keeps; null in bounded pools.
    private final @Nullable ThreadLocal<Slab> kept;
    private final SlabStore store = new SlabStore();
    /// Bytes taken from the native allocator and not given back: slabs, lent or not, and large blocks.
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong blockBytes = new AtomicLong();

    /// Passed by a thread that lends its own slab to itself, shut by whoever wants to take such slabs away.
    private final Gate gate = new Gate();
    private final Object lock = new Object();
    /// Every slab of the pool, wherever it is; guarded by the lock, as is the rest.
    private final Set<Slab> slabs = new HashSet<>();
    private final Set<Slab> keptByThreads = new HashSet<>();
    private boolean closed;

    private SlabPool(Builder builder, NativeAllocator allocator) {
        this.allocator = allocator;
        this.slabSize = builder.slabSize;
        this.maxBytes = builder.maxBytes;
        this.zeroed = builder.zeroing == Zeroing.ZEROED;
        this.kept = maxBytes == Long.MAX_VALUE ? new ThreadLocal<>() : null;
    }

    /// Makes an unbounded pool of zeroed slabs of 64 KiB over libc's malloc.
    ///
    /// @return the pool
    /// @throws IllegalCallerException when native access is denied
    public static SlabPool create() {
        return builder().build();
    }

    /// Begins a pool with other choices.
    ///
    /// @return a builder of pools as [#create()] makes them
    public static Builder builder() {
        return new Builder();
    }

    /// Lends an arena to the current thread.
    ///
    /// @return the arena, to be closed by this thread
    /// @throws CapacityExceededException when the pool is full
    /// @throws OutOfMemoryError          when the native allocator has no slab left
    /// @throws IllegalStateException     when the pool is closed
    public SlabArena openConfined() {
        return SlabArena.confined(this, lendFirst());
    }

    /// Lends an arena for all threads. To close it takes some 20 microseconds, for a handshake with every thread: where
    /// that matters, keep it open for long and use frames of confined arenas for what is short.
    ///
    /// @return the arena, to be closed by any thread
    /// @throws CapacityExceededException when the pool is full
    /// @throws OutOfMemoryError          when the native allocator has no slab left
    /// @throws IllegalStateException     when the pool is closed
    public SlabArena openShared() {
        return SlabArena.shared(this, lendFromStore(Slab.FIRST));
    }

    /// {@return what the pool holds now} The figures are exact when no other thread is using the pool, and close to it
    /// otherwise.
    public SlabPoolStatistics stats() {
        synchronized (lock) {
            long openArenas = 0;
            long lentSlabs = 0;
            for (Slab slab : slabs) {
                int state = slab.state();
                openArenas += state == Slab.FIRST ? 1 : 0;
                lentSlabs += state == Slab.KEPT ? 0 : 1;
            }
            long lentBytes = lentSlabs * slabSize + blockBytes.get();
            return new SlabPoolStatistics(openArenas, lentBytes, slabs.size() * slabSize - lentSlabs * slabSize,
                    maxBytes);
        }
    }

    /// Gives the slabs that are not lent back to the native allocator, those that threads keep included.
    ///
    /// @return how many bytes were given back
    public long trim() {
        synchronized (lock) {
            if (closed) {
                return 0;
            }
            gate.shut();
            long before = heldBytes.get();
            free(idleWithThreads());
            free(store.takeAll());
            gate.open();
            return before - heldBytes.get();
        }
    }

    /// Gives all memory back. A second call does nothing.
    ///
    /// @throws IllegalStateException when arenas are open, naming how many; nothing has changed then
    @Override
    public void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            gate.shut();
            List<Slab> stored = store.takeAll();
            List<Slab> idle = idleWithThreads();
            if (stored.size() + idle.size() < slabs.size()) {
                stored.forEach(store::give);
                gate.open();
                throw new IllegalStateException("Pool has open arenas: openArenas=" + Math.max(1, stats().openArenas())
                        + "; close them before the pool");
            }
            free(stored);
            free(idle);
            closed = true;
        }
    }

    /// Where an arena's bump pointer ends in a slab.
    long limitOf(Slab slab) {
        return slab.address + slabSize;
    }

    /// Whether an allocation gets a block of its own. A quarter of a slab is the most that is left over when an arena
    /// goes on to its next slab, and what fits any new slab, however it is aligned.
    boolean isLarge(long byteSize, long byteAlignment) {
        return Math.max(byteSize, byteAlignment) > slabSize >>> 2;
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
            synchronized (lock) {
                free(store.takeAll());
            }
            if (!reserve(byteSize)) {
                throw full(byteSize);
            }
        }
        try {
            NativeBlock block = new NativeBlock(takeNative(byteSize, byteAlignment), byteSize, below);
            blockBytes.addAndGet(byteSize);
            return block;
        } catch (Throwable t) {
            heldBytes.addAndGet(-byteSize);
            throw t;
        }
    }

    /// Takes back the blocks above a mark, or all (null).
    void giveBack(@Nullable NativeBlock top, @Nullable NativeBlock mark) {
        for (NativeBlock block = top; block != null && block != mark; block = block.below) {
            allocator.free(block.address, block.byteSize);
            blockBytes.addAndGet(-block.byteSize);
            heldBytes.addAndGet(-block.byteSize);
        }
    }

    /// Takes back the slabs above a mark, or all (null), of which the top one has been handed out up to the cursor.
    void giveBack(Slab top, long cursor, @Nullable Slab mark) {
        top.used = cursor - top.address;
        for (Slab slab = top; slab != null && slab != mark;) {
            Slab below = slab.below;
            clean(slab.address, slab.used);
            giveBack(slab);
            slab = below;
        }
    }

    /// Makes a range that has been handed out fit to be handed out again. The range begins at a multiple of 8.
    void clean(long address, long byteSize) {
        if (zeroed) {
            Memory.zeroLongs(address, byteSize);
        }
    }

    private void giveBack(Slab slab) {
        slab.below = null;
        slab.state(Slab.KEPT);
        // The keeper of a slab is set once, before the slab is first lent, and cleared only when its thread is dead.
        if (slab.keeper == null) {
            store.give(slab);
        }
    }

    private Slab lendFirst() {
        if (kept == null) {
            return lendFromStore(Slab.FIRST);
        }
        MemorySegment bar = gate.bar();
        Slab slab = kept.get();
        if (slab != null && slab.state() == Slab.KEPT) {
            slab.state(Slab.FIRST);
            return Gate.pass(bar) ? slab : lendKept(kept, slab);
        }
        // Another arena of this thread has it, or trim() has freed it, or there is none yet.
        return slab != null && slab.state() == Slab.FIRST ? lendFromStore(Slab.FIRST) : lendKept(kept, slab);
    }

    /// Lends the current thread the slab that it keeps, a new one if that is gone.
    private Slab lendKept(ThreadLocal<Slab> kept, @Nullable Slab slab) {
        if (Thread.currentThread().isVirtual()) {
            return lendFromStore(Slab.FIRST);
        }
        synchronized (lock) {
            if (slab != null && slabs.contains(slab)) {
                return slab;
            }
            kept.remove();
            Slab own = lendNew();
            store.disclaimCell(own);
            own.keeper = new WeakReference<>(Thread.currentThread());
            own.state(Slab.FIRST);
            keptByThreads.add(own);
            kept.set(own);
            return own;
        }
    }

    private Slab lendFromStore(int state) {
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
                throw full(slabSize);
            }
            try {
                slab = new Slab(takeNative(slabSize, SLAB_ALIGNMENT));
            } catch (Throwable t) {
                heldBytes.addAndGet(-slabSize);
                throw t;
            }
            slabs.add(slab);
            store.claimCell(slab);
            return slab;
        }
    }

    private long takeNative(long byteSize, long byteAlignment) {
        return zeroed
                ? allocator.allocateZeroed(byteSize, byteAlignment)
                : allocator.allocate(byteSize, byteAlignment);
    }

    private void reclaimFromDeadThreads() {
        for (Iterator<Slab> all = keptByThreads.iterator(); all.hasNext();) {
            Slab slab = all.next();
            Thread keeper = Objects.requireNonNull(slab.keeper).get();
            // All that a thread did is seen by whoever finds it dead. An arena that it left open stays lent for good.
            if (keeper == null || !keeper.isAlive()) {
                all.remove();
                if (slab.state() == Slab.KEPT) {
                    slab.keeper = null;
                    store.claimCell(slab);
                    store.give(slab);
                }
            }
        }
    }

    /// The slabs that threads keep and have not lent themselves. The lock is held and the gate shut, so that none of
    /// these is lent until the gate opens; asked once, since a thread may mark one in vain.
    private List<Slab> idleWithThreads() {
        return keptByThreads.stream().filter(slab -> slab.state() == Slab.KEPT).toList();
    }

    private void free(List<Slab> idle) {
        for (Slab slab : idle) {
            slab.state(Slab.FREED);
            slabs.remove(slab);
            keptByThreads.remove(slab);
            store.disclaimCell(slab);
            allocator.free(slab.address, slabSize);
            heldBytes.addAndGet(-slabSize);
        }
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

    /// Chooses what [SlabPool#builder()] makes.
    public static final class Builder {
        private long slabSize = 64 * 1024;
        private long maxBytes = Long.MAX_VALUE;
        private Zeroing zeroing = Zeroing.ZEROED;
        private @Nullable NativeAllocator allocator;

        private Builder() {}

        /// The size of a slab, 64 KiB by default. Allocations above a quarter of it get a native block of their own.
        ///
        /// @param byteSize the size in bytes: a power of two from 1 KiB to 1 GiB
        /// @return this builder
        /// @throws IllegalArgumentException for any other size
        public Builder slabSize(long byteSize) {
            if (!Sizes.isPowerOfTwo(byteSize) || byteSize < SMALLEST_SLAB || byteSize > LARGEST_SLAB) {
                throw new IllegalArgumentException("Slab size is not a power of two in range: slabSize=" + byteSize
                        + ", smallest=" + SMALLEST_SLAB + ", largest=" + LARGEST_SLAB);
            }
            this.slabSize = byteSize;
            return this;
        }

        /// Bounds the bytes that the pool takes from the native allocator, lent and kept; unlimited by default.
        ///
        /// @param maxBytes the limit in bytes, at least one slab
        /// @return this builder
        /// @throws IllegalArgumentException when the limit is not positive
        public Builder maxBytes(long maxBytes) {
            if (maxBytes <= 0) {
                throw new IllegalArgumentException("Limit is not positive: maxBytes=" + maxBytes);
            }
            this.maxBytes = maxBytes;
            return this;
        }

        /// Whether what the arenas allocate reads as zeros, which it does by default.
        ///
        /// @param zeroing the choice
        /// @return this builder
        public Builder zeroing(Zeroing zeroing) {
            this.zeroing = Objects.requireNonNull(zeroing, "zeroing");
            return this;
        }

        /// Takes slabs and blocks from this allocator instead of libc's.
        ///
        /// @param allocator the allocator
        /// @return this builder
        public Builder allocator(NativeAllocator allocator) {
            this.allocator = Objects.requireNonNull(allocator, "allocator");
            return this;
        }

        /// Makes the pool, which holds no memory yet.
        ///
        /// @return the pool
        /// @throws IllegalArgumentException when `maxBytes` does not hold one slab
        /// @throws IllegalCallerException   when native access is denied
        public SlabPool build() {
            if (maxBytes < slabSize) {
                throw new IllegalArgumentException("Pool cannot hold one slab: maxBytes=" + maxBytes + ", slabSize="
                        + slabSize + "; raise maxBytes or choose smaller slabs");
            }
            NativeAccess.require();
            return new SlabPool(this, allocator == null ? NativeAllocator.libc() : allocator);
        }
    }
}
