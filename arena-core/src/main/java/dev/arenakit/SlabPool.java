package dev.arenakit;

import dev.arenakit.diagnostics.ArenaRecorder;
import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.ContainerLimit;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.diagnostics.budget.Budget;
import dev.arenakit.internal.diagnostics.leak.LeakProperty;
import dev.arenakit.internal.pool.ArenaGroups;
import dev.arenakit.internal.pool.BumpSlabArena;
import dev.arenakit.internal.pool.SharedSlabArena;
import dev.arenakit.internal.pool.SlabCache;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.pool.stock.ThreadSlabCache;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A pool of equal slabs of native memory for short-lived arenas.
///
/// [#openConfined()] and [#openShared()] open a [SlabArena]; closing the arena releases its memory to the pool. Each
/// arena has a scope of its own: access through a segment of a closed arena throws, and never reads the memory of a
/// later arena.
///
/// **Backing.** Slabs of one size (64 KiB by default) from a [NativeAllocator], by default from the operating system's
/// [pages][NativeAllocator#pages()] on Linux, and from malloc elsewhere. Each platform thread owns a slab, so that it
/// can open an arena without an atomic operation. Virtual threads, and further arenas of the same thread, acquire slabs
/// from a cache that all threads share, in most cases without a lock. When a slab is needed, the pool reclaims the
/// slabs of terminated threads, and slabs that their threads have not used for a second. A full pool also takes idle
/// slabs from other threads.
///
/// **Memory use.** Each open arena holds at least one slab. With pages, a slab takes the memory of the pages that have
/// been touched; elsewhere, and for the limits below, it counts as a whole. In a program with many arenas open at the
/// same time, choose the slab size with [slabByteSize][Builder#slabByteSize]. Closed arenas leave slabs and blocks in
/// the pool: [maxIdleByteSize][Builder#maxIdleByteSize] limits this idle memory, and [#trim()] frees it.
///
/// **Lifetime.** A pool is usually held in a static field for as long as the process runs. [#close()] frees all memory.
/// A pool that is not closed leaks, as an arena of `Arena.ofShared` does. `close` is refused while arenas are open;
/// [#shutdown()] ends a pool that is in use.
///
/// **Threads.** A pool may be used by any number of threads.
///
/// **Zeroing.** Memory is zeroed, so that an arena of a pool can replace `Arena.ofConfined()`, unless the pool is
/// built with [unzeroed][Builder#unzeroed]. The memory that an arena has used is zeroed when the arena is closed, all
/// at once.
///
/// **Full pool.** `maxByteSize` limits all memory of the pool, used and idle, and so does a
/// [budget][Builder#budget], which several pools and arenas can share. An allocation beyond a limit throws a
/// [CapacityExceededException] at once, unless the pool is built with an [openTimeout][Builder#openTimeout]: opening an
/// arena then waits for other arenas to be closed.
///
/// **Exhausted stack or heap.** A [StackOverflowError], or an [OutOfMemoryError] of the Java heap, can interrupt a call
/// between any two steps. Even then, no memory is handed out twice, and none is freed while its scope is alive. An
/// interrupted allocation may lose a block until its arena is closed. An interrupted `open` or `close` of an arena, and
/// an allocation beyond the slab, may lose memory for good: the pool still counts it. If slabs are lost, it refuses to
/// be closed, as if an arena were open. A thread that waits for a slab may notice its release only at the timeout.
///
/// **Native access** is required to open an arena, not to create a pool: `--enable-native-access=dev.arenakit`, or
/// `ALL-UNNAMED` on the class path. Without it, Java prints a warning.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="pool"}
public sealed class SlabPool implements AutoCloseable
        permits SlabPools.Sampled, SlabPools.Watched, SlabPools.Waiting, SlabPools.Recorded {
    /// In smaller slabs, most allocations would be larger than a quarter of a slab.
    private static final long SMALLEST_SLAB = 1024;
    /// More arenas would make a handshake no cheaper.
    private static final int LARGEST_GROUP = 1 << 16;

    final SlabCache cache;
    /// Also a field of the cache: this reference saves a load.
    final ThreadSlabCache threadSlabs;
    /// The groups of shared arenas, or null if each has a scope of its own.
    private final @Nullable ArenaGroups groups;

    SlabPool(SlabCache cache) {
        this.cache = cache;
        this.threadSlabs = cache.threadSlabs;
        this.groups = cache.groups;
    }

    /// Creates an unbounded pool of zeroed slabs of 64 KiB, from pages on Linux and from malloc elsewhere.
    ///
    /// @return the pool
    public static SlabPool create() {
        return builder().build();
    }

    /// Returns a builder of pools with other options.
    ///
    /// @return a builder with the options of [#create()]
    public static Builder builder() {
        return new Builder();
    }

    /// Opens an arena for the current thread.
    ///
    /// @return the arena, which this thread must close
    /// @throws CapacityExceededException if the pool is full, after the [timeout][Builder#openTimeout] if there is one
    /// @throws OutOfMemoryError          if the native allocator has no memory for a slab
    /// @throws IllegalStateException     if the pool is closed or shut down
    /// @throws IllegalCallerException    if native access is denied
    public SlabArena openConfined() {
        return BumpSlabArena.confined(cache, threadSlabs);
    }

    /// Opens an arena for all threads.
    ///
    /// Closing it takes tens of microseconds, for a handshake with every thread. Keep shared arenas open for long, and
    /// use confined arenas for short lifetimes, or a pool with [groupedClose][Builder#groupedClose].
    ///
    /// @return the arena, which any thread may close
    /// @throws CapacityExceededException if the pool is full, after the [timeout][Builder#openTimeout] if there is one
    /// @throws OutOfMemoryError          if the native allocator has no memory for a slab
    /// @throws IllegalStateException     if the pool is closed or shut down
    /// @throws IllegalCallerException    if native access is denied
    public SlabArena openShared() {
        return groups == null ? SharedSlabArena.open(cache) : groups.open(cache);
    }

    /// {@return the current statistics of the pool} The values are exact if no other thread uses the pool at the same
    /// time, and approximate otherwise.
    public final SlabPoolStatistics stats() {
        return cache.store.stats();
    }

    /// Frees all idle memory, including the slabs that threads own. If the pool consists of
    /// [pages][NativeAllocator#pages()], their memory returns to the system.
    ///
    /// @return how many bytes were freed
    public final long trim() {
        return trim(0);
    }

    /// Frees idle memory until the pool holds no more than a number of bytes, used and idle, or nothing is idle. Large
    /// blocks are freed first, and slabs that threads own last. In a pool with [groupedClose][Builder#groupedClose],
    /// the groups without open arenas end first.
    ///
    /// @param targetByteSize the number of bytes
    /// @return how many bytes were freed
    /// @throws IllegalArgumentException if the number is negative
    public final long trim(long targetByteSize) {
        if (targetByteSize < 0) {
            throw new IllegalArgumentException("Target is negative: targetByteSize=" + targetByteSize);
        }
        cache.reclaimHeldBack();
        return cache.store.trim(targetByteSize);
    }

    /// Frees all memory of the pool. If the pool is already closed, this method does nothing.
    ///
    /// A pool that must end while its arenas are in use can be [shut down][#shutdown()] instead. This method may be
    /// called after that, too: it still throws while arenas are open.
    ///
    /// @throws IllegalStateException if arenas are open, or segments of [grouped][Builder#groupedClose] arenas are in
    ///                               use; the message says how many arenas and groups, and nothing has changed
    @Override
    public final void close() {
        cache.store.end.close();
    }

    /// Ends the pool without waiting for its arenas: no arena can be opened any more, and idle memory is freed.
    ///
    /// An open that begins later, or that [waits][Builder#openTimeout] now, throws an [IllegalStateException]. An open
    /// of another thread at the same time may still succeed. Arenas that are open remain so, and may allocate further
    /// memory up to the limit of the pool. Each slab is freed when it is released, and the arena that is closed last
    /// frees everything that is left: the pool is then closed, as by [#close()]. If no arena is open, this method
    /// closes the pool. If the pool is already shut down or closed, this method does nothing.
    ///
    /// This method takes tens of microseconds, for a handshake with every thread.
    ///
    /// {@snippet file="dev/arenakit/Snippets.java" region="shutdown"}
    public final void shutdown() {
        cache.store.end.shutdown();
    }

    /// Waits until the pool is closed: by [#close()], or by the last arena after a [#shutdown()].
    ///
    /// An arena that nobody closes, and an interrupted release, keep the pool from being closed. After the latter,
    /// [#close()] frees what can be freed.
    ///
    /// @param timeout the longest time to wait
    /// @return whether the pool is closed
    /// @throws InterruptedException if the current thread is interrupted while it waits
    public final boolean awaitClosed(Duration timeout) throws InterruptedException {
        return cache.store.end.awaitClosed(TimeUnit.NANOSECONDS.convert(timeout));
    }

    /// {@return the statistics as text, such as `SlabPool: 2 open arenas, 128 KiB used, 64 KiB idle ...`}
    @Override
    public final String toString() {
        return stats().toString();
    }

    /// A builder of pools, obtained from [SlabPool#builder()].
    public static final class Builder {
        private String name = "";
        private long slabByteSize = 64 * 1024;
        private long maxByteSize = Long.MAX_VALUE;
        private double maxContainerShare;
        private long maxIdleByteSize = Long.MAX_VALUE;
        private Duration openTimeout = Duration.ZERO;
        private int mostGrouped;
        private long maxHeldBackByteSize;
        private boolean zeroed = true;
        private @Nullable NativeAllocator allocator;
        private @Nullable ByteAccount account;
        private @Nullable LeakDetection leakDetection = LeakProperty.DETECTION;
        private @Nullable ArenaRecorder recorder;

        private Builder() {}

        /// Sets the name of the pool, for its statistics, events, reports of leaks, messages, and its
        /// [management bean][dev.arenakit.diagnostics.SlabPoolMXBean]. By default, and if it is empty, there is none.
        ///
        /// @param name the name; it need not be unique
        /// @return this builder
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /// Sets the size of a slab, 64 KiB by default.
        ///
        /// Each open arena holds at least one slab. An allocation larger than a quarter of a slab is a native block of
        /// its own, unless it fits into the rest of the slab.
        ///
        /// @param slabByteSize the size in bytes: a power of two from 1 KiB to 1 GiB
        /// @return this builder
        /// @throws IllegalArgumentException for any other size
        public Builder slabByteSize(long slabByteSize) {
            if (!Sizes.isPowerOfTwo(slabByteSize) || slabByteSize < SMALLEST_SLAB || slabByteSize > Slab.LARGEST_SLAB) {
                throw new IllegalArgumentException("Slab size is not a power of two in range: slabByteSize="
                        + slabByteSize + ", smallest=" + SMALLEST_SLAB + ", largest=" + Slab.LARGEST_SLAB);
            }
            this.slabByteSize = slabByteSize;
            return this;
        }

        /// Limits the native memory of the pool, used and idle. By default there is no limit.
        ///
        /// @param maxByteSize the limit in bytes, at least one slab
        /// @return this builder
        /// @throws IllegalArgumentException if the limit is not positive
        public Builder maxByteSize(long maxByteSize) {
            if (maxByteSize <= 0) {
                throw new IllegalArgumentException("Limit is not positive: maxByteSize=" + maxByteSize);
            }
            this.maxByteSize = maxByteSize;
            return this;
        }

        /// Limits the native memory of the pool to a share of the container's memory limit, too: the smallest limit of
        /// the control groups of this process, of version 1 or 2. Without such a limit, as outside of Linux, this
        /// option has no effect. The heap and all other memory of the process have the rest.
        ///
        /// @param share the share, such as 0.25
        /// @return this builder
        /// @throws IllegalArgumentException if the share is not greater than 0 and at most 1
        public Builder maxContainerShare(double share) {
            maxContainerShare = ContainerLimit.checkShare(share);
            return this;
        }

        /// Limits the idle memory that the pool holds for future arenas. By default, slabs are not limited, and at most
        /// 16 large blocks are idle, of 64 MiB in all. A block counts as whole slabs.
        ///
        /// When an arena is closed, it frees memory that would exceed the limit. A limit costs an atomic operation for
        /// each slab that passes through the shared cache. With a limit of 0, nothing is ever reused.
        ///
        /// @param maxIdleByteSize the limit in bytes, rounded down to whole slabs
        /// @return this builder
        /// @throws IllegalArgumentException if the limit is negative
        public Builder maxIdleByteSize(long maxIdleByteSize) {
            if (maxIdleByteSize < 0) {
                throw new IllegalArgumentException("Limit is negative: maxIdleByteSize=" + maxIdleByteSize);
            }
            this.maxIdleByteSize = maxIdleByteSize;
            return this;
        }

        /// Sets how long opening an arena waits if the pool is full. By default, and with a timeout of zero, opening an
        /// arena of a full pool throws at once.
        ///
        /// Threads that wait are served in the order of their arrival. Each waits until an arena is closed or memory
        /// becomes available otherwise, and throws a [CapacityExceededException] after the timeout, or at once if the
        /// thread is interrupted; its interrupt status stays set. The message says how many arenas are open, and, with
        /// [leakDetection][#leakDetection], which of the watched arenas has been open for the longest time, and where
        /// it was opened. A virtual thread that waits does not pin its carrier.
        ///
        /// **Only opening waits.** An allocation in an open arena, also in a [FreeListArena] over the pool, never
        /// waits, because the arena would keep the memory for which others wait. Such an allocation takes a free slab
        /// even if other threads have waited longer. A thread that opens an arena while it has other arenas open may
        /// wait for its own memory: if these arenas and the arenas of threads that do the same hold the whole pool, all
        /// of them wait until the timeout.
        ///
        /// In such a pool no thread owns a slab, so that opening and closing a confined arena costs a few atomic
        /// operations more. Memory that other pools return to the same [budget][#budget] wakes no thread of this pool,
        /// and is noticed by the next arena that is closed, or at the timeout.
        ///
        /// @param openTimeout the timeout
        /// @return this builder
        /// @throws IllegalArgumentException if the timeout is negative
        public Builder openTimeout(Duration openTimeout) {
            if (openTimeout.isNegative()) {
                throw new IllegalArgumentException("Timeout is negative: openTimeout=" + openTimeout);
            }
            this.openTimeout = openTimeout;
            return this;
        }

        /// Groups the shared arenas of the pool, so that closing one of them takes no handshake of its own.
        ///
        /// Shared arenas that are opened one after another form a group with one scope. After `close()`, `allocate` and
        /// a second `close` of an arena throw, and another arena may be opened with other memory. The segments, the
        /// scope and the cleanups of users end with the group: after the group has got its largest number of arenas and
        /// all of them are closed, on the thread that closes the last one. The memory of the group is used again only
        /// after that.
        ///
        /// **An access to a segment of a closed arena may go unnoticed, and `scope().isAlive()` stays `true`, until the
        /// group ends. An arena that remains open keeps the memory of the closed arenas of its group.** Arenas of one
        /// group have equal scopes. Confined arenas are not grouped.
        ///
        /// A group ends earlier if the pool is trimmed, closed or shut down, if it is full when an arena is opened or a
        /// shared arena needs memory, or if too much memory is [held back][#maxHeldBackByteSize]: each of these begins
        /// a new group, and ends the groups without open arenas. An allocation in a confined arena, or in a
        /// [FreeListArena] over the pool, does not.
        ///
        /// If a segment of a group is in use (by a native call or an I/O operation) when its last arena is closed, the
        /// close succeeds, and the group ends at the pool's next open or close of a shared arena, at `trim()`, or while
        /// a thread waits for memory or for the end of the pool. An exception of a cleanup goes to the
        /// uncaught-exception handler of the thread that ends the group. A cleanup that opens an arena in a full pool
        /// is refused at once.
        ///
        /// If the pool is full and another thread is just ending a group, an open is refused although memory is about
        /// to become free. A pool with an [openTimeout][#openTimeout] waits for it.
        ///
        /// The memory of a group is zeroed by later opens, two arenas each. If a [StackOverflowError] or an
        /// [OutOfMemoryError] interrupts the open or close of an arena, or the end of a group, the memory of the whole
        /// group may be lost.
        ///
        /// @param arenas the largest number of arenas of a group, such as 256; with 1, each arena ends when it is
        ///               closed
        /// @return this builder
        /// @throws IllegalArgumentException if the number is not between 1 and 65,536
        public Builder groupedClose(int arenas) {
            if (arenas < 1 || arenas > LARGEST_GROUP) {
                throw new IllegalArgumentException("Number of arenas is out of range: arenas=" + arenas
                        + ", smallest=1, largest=" + LARGEST_GROUP);
            }
            mostGrouped = arenas;
            return this;
        }

        /// Limits the memory that closed arenas of [groups][#groupedClose] hold back. By default, the limit is a
        /// sixteenth of [maxByteSize][#maxByteSize], or 64 MiB if the pool is unlimited.
        ///
        /// While this size is reached, and cannot be reduced by ending groups, a shared arena is opened with a scope of
        /// its own, and closing it takes a handshake. Arenas of groups that are open then, and are closed later, may
        /// exceed the limit. A group has fewer arenas than [groupedClose][#groupedClose] says if their first slabs
        /// would take more than half of the limit.
        ///
        /// @param maxHeldBackByteSize the limit in bytes
        /// @return this builder
        /// @throws IllegalArgumentException if the limit is not positive
        public Builder maxHeldBackByteSize(long maxHeldBackByteSize) {
            if (maxHeldBackByteSize <= 0) {
                throw new IllegalArgumentException("Limit is not positive: maxHeldBackByteSize=" + maxHeldBackByteSize);
            }
            this.maxHeldBackByteSize = maxHeldBackByteSize;
            return this;
        }

        /// Omits the zeroing of memory: an allocation contains the bytes of an earlier arena of the pool. By default
        /// every byte of an allocation is zero, as with the arenas of the JDK.
        ///
        /// @return this builder
        public Builder unzeroed() {
            zeroed = false;
            return this;
        }

        /// Sets the allocator of slabs and large blocks: by default [NativeAllocator#pages()] on Linux, and
        /// [NativeAllocator#libc()] elsewhere.
        ///
        /// @param allocator the allocator
        /// @return this builder
        public Builder allocator(NativeAllocator allocator) {
            this.allocator = Objects.requireNonNull(allocator, "allocator");
            return this;
        }

        /// Counts the native memory of the pool, used and idle, on a budget as well. If the budget is exceeded, the
        /// pool behaves as a full pool does: it frees idle memory of its own first, and otherwise throws a
        /// [dev.arenakit.diagnostics.BudgetExceededException]. The budget counts the pool as open until it is closed.
        /// Arenas that find an idle slab in the pool, and allocations that fit into a slab, do not touch the budget.
        /// @param budget the budget
        /// @return this builder
        public Builder budget(MemoryBudget budget) {
            account = Budget.memoryOf(budget);
            return this;
        }

        /// Watches the arenas of the pool for leaks. By default none are watched, unless a
        /// [system property][dev.arenakit.diagnostics.LeakDetector] says otherwise.
        ///
        /// With [LeakDetection#SAMPLED], arenas cost a few percent more. With [LeakDetection#ALL], each arena takes
        /// microseconds, and is an object on the heap; the arenas of other pools may become slower, too.
        ///
        /// If the pool cannot be closed because arenas are open, the message says where the watched ones were opened.
        /// A [FreeListArena] over the pool counts as one open arena, which is not reported as unreachable unless it is
        /// [watched itself][FreeListArena.Builder#leakDetection].
        ///
        /// @param leakDetection how the arenas are watched
        /// @return this builder
        /// @throws IllegalArgumentException if leaked memory is to be reclaimed
        public Builder leakDetection(LeakDetection leakDetection) {
            this.leakDetection = LeakProperty.withoutReclaim(leakDetection);
            return this;
        }

        /// Records the arenas of the pool, their frames, and what they allocate: by default nothing is recorded, at no
        /// cost.
        ///
        /// A recorded arena is an object on the heap, and the arenas of other pools may become slower, too. An arena
        /// that was detached and the arena that was attached in its place have one number. The blocks of a
        /// [FreeListArena] over the pool are not recorded.
        ///
        /// @param recorder takes the events, such as a `TraceRecorder` of `arena-mapped`
        /// @return this builder
        public Builder recorder(ArenaRecorder recorder) {
            this.recorder = Objects.requireNonNull(recorder, "recorder");
            return this;
        }

        /// Creates the pool, which holds no memory yet.
        ///
        /// @return the pool
        /// @throws IllegalArgumentException     if a limit is less than one slab
        /// @throws IllegalStateException        if the budget is closed, or the server of beans refuses the pool's bean
        /// @throws java.io.UncheckedIOException if the limit of the container cannot be read
        public SlabPool build() {
            long limit = ContainerLimit.limit(maxByteSize, maxContainerShare, slabByteSize);
            AllocatorFunctions source = allocator == null ? AllocatorFunctions.ofPools() : allocator.functions();
            SlabCache cache = new SlabCache(name, source, slabByteSize, limit, maxIdleByteSize, zeroed,
                    TimeUnit.NANOSECONDS.convert(openTimeout), account, leakDetection, mostGrouped,
                    maxHeldBackByteSize);
            if (account == null) {
                return open(cache);
            }
            account.openPool();
            try {
                return open(cache);
            } catch (Throwable t) {
                account.closePool();
                throw t;
            }
        }

        private SlabPool open(SlabCache cache) {
            SlabPool pool = unrecorded(cache);
            cache.store.end.register();
            return recorder == null ? pool : new SlabPools.Recorded(pool, recorder);
        }

        private SlabPool unrecorded(SlabCache cache) {
            if (!openTimeout.isZero()) {
                return new SlabPools.Waiting(cache);
            }
            if (leakDetection == null) {
                return new SlabPool(cache);
            }
            return cache.watchesAll() ? new SlabPools.Watched(cache) : new SlabPools.Sampled(cache);
        }
    }
}
