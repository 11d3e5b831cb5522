package dev.arenakit;

import dev.arenakit.internal.NativeAccess;
import dev.arenakit.internal.Sizes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A pool of equal slabs of native memory, lent to arenas that live for a short time.
///
/// [#openConfined()] and [#openShared()] lend a [SlabArena]; closing it gives its memory back to the pool. Each arena has
/// a scope of its own: a segment of a closed arena throws, and never reads what the next one writes.
///
/// **Backing.** Slabs of one size (64 KiB unless chosen) from a [NativeAllocator]. A slab is kept with each platform thread,
/// for which opening an arena takes no atomic operation; virtual threads and further arenas of a thread take slabs from a
/// lock-free store. Slabs kept by a thread that has ended are taken back when a slab is needed, and by [#trim()]. A pool
/// that is full takes them from living threads as well, and is shared through the store from then on.
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
/// **Native access** is needed: `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path; without it Java warns.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="pool"}
public final class SlabPool implements AutoCloseable {
    /// Below, the quarter of a slab that an allocation may take would be less than most allocations need.
    private static final long SMALLEST_SLAB = 1024;
    /// Above, a kept slab is a burden rather than a reserve.
    private static final long LARGEST_SLAB = 1L << 30;

    private final SlabDepot depot;

    private SlabPool(SlabDepot depot) {
        this.depot = depot;
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
        return PlainSlabArena.confined(depot);
    }

    /// Lends an arena for all threads. To close it takes tens of microseconds, for a handshake with every thread: where
    /// that matters, keep it open for long and use frames of confined arenas for what is short.
    ///
    /// @return the arena, to be closed by any thread
    /// @throws CapacityExceededException when the pool is full
    /// @throws OutOfMemoryError          when the native allocator has no slab left
    /// @throws IllegalStateException     when the pool is closed
    public SlabArena openShared() {
        return new LockedSlabArena(PlainSlabArena.shared(depot));
    }

    /// {@return what the pool holds now} The figures are exact when no other thread is using the pool, and close to it
    /// otherwise.
    public SlabPoolStatistics stats() {
        return depot.stats();
    }

    /// Gives the slabs that are not lent back to the native allocator, those that threads keep included.
    ///
    /// @return how many bytes were given back
    public long trim() {
        return depot.trim();
    }

    /// Gives all memory back. A second call does nothing.
    ///
    /// @throws IllegalStateException when arenas are open, naming how many; nothing has changed then
    @Override
    public void close() {
        depot.close();
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
            NativeAllocator source = allocator == null ? NativeAllocator.libc() : allocator;
            return new SlabPool(new SlabDepot(source, slabSize, maxBytes, zeroing == Zeroing.ZEROED));
        }
    }
}
