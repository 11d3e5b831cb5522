package dev.arenakit;

import dev.arenakit.internal.NativeAccess;
import dev.arenakit.internal.Sizes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A pool of equal slabs of native memory for short-lived arenas.
///
/// [#openConfined()] and [#openShared()] open a [SlabArena]; closing the arena releases its memory to the pool. Each
/// arena has a scope of its own: access through a segment of a closed arena throws, and never reads the memory of a
/// later arena.
///
/// **Backing.** Slabs of one size (64 KiB by default) from a [NativeAllocator]. Each platform thread owns a slab, so
/// that it can open an arena without an atomic operation. Virtual threads, and further arenas of the same thread,
/// acquire slabs from a lock-free cache that all threads share. The slab of a terminated thread is reclaimed when a
/// slab is needed, and by [#trim()]. A full pool also takes idle slabs from living threads; from then on all its slabs
/// are shared.
///
/// **Memory use.** Each open arena holds at least one slab. In a program with many arenas open at the same time, the
/// slab size therefore determines the memory use: choose it with [slabByteSize][Builder#slabByteSize]. Closed arenas
/// leave their slabs in the pool, and [#trim()] returns them to the native allocator.
///
/// **Lifetime.** A pool is usually held in a static field for as long as the process runs. [#close()] frees all memory.
/// A pool that is not closed leaks, as an arena of `Arena.ofShared` does.
///
/// **Threads.** A pool may be used by any number of threads.
///
/// **Zeroing.** [Zeroing#ZEROED] by default, so that an arena of a pool can replace `Arena.ofConfined()`. The memory
/// that an arena has used is zeroed when the arena is closed, all at once.
///
/// **Full pool.** `maxByteSize` limits all memory of the pool, used and idle. An allocation beyond the limit throws a
/// [CapacityExceededException]; it never waits.
///
/// **Native access** is required: `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path. Without
/// it, Java prints a warning.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="pool"}
public final class SlabPool implements AutoCloseable {
    /// In smaller slabs, most allocations would be larger than a quarter of a slab.
    private static final long SMALLEST_SLAB = 1024;
    /// Larger idle slabs would hold too much memory in reserve.
    private static final long LARGEST_SLAB = 1L << 30;

    private final SlabCache cache;

    private SlabPool(SlabCache cache) {
        this.cache = cache;
    }

    /// Creates an unbounded pool of zeroed slabs of 64 KiB over libc's malloc.
    ///
    /// @return the pool
    /// @throws IllegalCallerException if native access is denied
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
    /// @throws CapacityExceededException if the pool is full
    /// @throws OutOfMemoryError          if the native allocator has no memory for a slab
    /// @throws IllegalStateException     if the pool is closed
    public SlabArena openConfined() {
        return SlabArenaImpl.confined(cache);
    }

    /// Opens an arena for all threads.
    ///
    /// Closing it takes tens of microseconds, for a handshake with every thread. Keep shared arenas open for long, and
    /// use confined arenas for short lifetimes.
    ///
    /// @return the arena, which any thread may close
    /// @throws CapacityExceededException if the pool is full
    /// @throws OutOfMemoryError          if the native allocator has no memory for a slab
    /// @throws IllegalStateException     if the pool is closed
    public SlabArena openShared() {
        return new SlabArenaShared(SlabArenaImpl.shared(cache));
    }

    /// {@return the current statistics of the pool} The values are exact if no other thread uses the pool at the same
    /// time, and approximate otherwise.
    public SlabPoolStatistics stats() {
        return cache.budget().stats();
    }

    /// Returns all idle slabs, including those that threads own, to the native allocator.
    ///
    /// @return how many bytes were returned
    public long trim() {
        return cache.budget().trim();
    }

    /// Frees all memory of the pool. If the pool is already closed, this method does nothing.
    ///
    /// @throws IllegalStateException if arenas are open; the message says how many, and nothing has changed
    @Override
    public void close() {
        cache.budget().close();
    }

    /// A builder of pools, obtained from [SlabPool#builder()].
    public static final class Builder {
        private long slabByteSize = 64 * 1024;
        private long maxByteSize = Long.MAX_VALUE;
        private Zeroing zeroing = Zeroing.ZEROED;
        private @Nullable NativeAllocator allocator;

        private Builder() {}

        /// Sets the size of a slab, 64 KiB by default.
        ///
        /// Each open arena holds at least one slab. An allocation larger than a quarter of a slab is a native block of
        /// its own.
        ///
        /// @param slabByteSize the size in bytes: a power of two from 1 KiB to 1 GiB
        /// @return this builder
        /// @throws IllegalArgumentException for any other size
        public Builder slabByteSize(long slabByteSize) {
            if (!Sizes.isPowerOfTwo(slabByteSize) || slabByteSize < SMALLEST_SLAB || slabByteSize > LARGEST_SLAB) {
                throw new IllegalArgumentException("Slab size is not a power of two in range: slabByteSize="
                        + slabByteSize + ", smallest=" + SMALLEST_SLAB + ", largest=" + LARGEST_SLAB);
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

        /// Sets whether the memory of the arenas is zeroed, which is the default.
        ///
        /// @param zeroing the choice
        /// @return this builder
        public Builder zeroing(Zeroing zeroing) {
            this.zeroing = Objects.requireNonNull(zeroing, "zeroing");
            return this;
        }

        /// Sets the allocator of slabs and large blocks, libc by default.
        ///
        /// @param allocator the allocator
        /// @return this builder
        public Builder allocator(NativeAllocator allocator) {
            this.allocator = Objects.requireNonNull(allocator, "allocator");
            return this;
        }

        /// Creates the pool, which holds no memory yet.
        ///
        /// @return the pool
        /// @throws IllegalArgumentException if `maxByteSize` is less than one slab
        /// @throws IllegalCallerException   if native access is denied
        public SlabPool build() {
            if (maxByteSize < slabByteSize) {
                throw new IllegalArgumentException("Pool cannot hold one slab: maxByteSize=" + maxByteSize
                        + ", slabByteSize=" + slabByteSize + "; raise maxByteSize or choose smaller slabs");
            }
            NativeAccess.require();
            NativeAllocator source = allocator == null ? NativeAllocator.libc() : allocator;
            return new SlabPool(new SlabCache(source, slabByteSize, maxByteSize, zeroing == Zeroing.ZEROED));
        }
    }
}
