package dev.arenakit.collection.concurrent;

import dev.arenakit.internal.collection.cache.CacheRules;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Creates caches in off-heap memory: see [ConcurrentLruMap#builder].
public final class ConcurrentLruMapBuilder {
    private static final int MAX_SHARDS = 256;
    /// Makes it rare that two threads want the same shard.
    private static final int SHARDS_PER_PROCESSOR = 8;
    private static final long LEAST_DEFAULT_SHARD = 1 << 20;

    final long byteLimit;
    private int shards;
    long writeNanos = CacheRules.NEVER;
    long accessNanos = CacheRules.NEVER;
    LongSupplier clock = System::nanoTime;
    @Nullable
    RemovalListener listener;

    ConcurrentLruMapBuilder(long byteLimit) {
        this.byteLimit = byteLimit;
    }

    /// Lets an entry expire after a time since its last `put` or load.
    ///
    /// @param duration the time
    /// @return this
    /// @throws IllegalArgumentException if the duration is not positive
    public ConcurrentLruMapBuilder expireAfterWrite(Duration duration) {
        writeNanos = nanos(duration);
        return this;
    }

    /// Lets an entry expire after a time since its last use, which includes its `put`.
    ///
    /// @param duration the time
    /// @return this
    /// @throws IllegalArgumentException if the duration is not positive
    public ConcurrentLruMapBuilder expireAfterAccess(Duration duration) {
        accessNanos = nanos(duration);
        return this;
    }

    /// Sets the clock of the expiry. It is called by each operation of any thread, outside the locks.
    ///
    /// @param nanoTime returns nanoseconds, as [System#nanoTime] does
    /// @return this
    public ConcurrentLruMapBuilder clock(LongSupplier nanoTime) {
        clock = Objects.requireNonNull(nanoTime, "nanoTime");
        return this;
    }

    /// Sets the listener for removed entries. With a listener, removals create garbage.
    ///
    /// @param removalListener is told of removed entries, by any thread
    /// @return this
    public ConcurrentLruMapBuilder onRemoval(RemovalListener removalListener) {
        listener = Objects.requireNonNull(removalListener, "removalListener");
        return this;
    }

    /// Sets the number of shards. Without this call, there are at least eight for each processor, but none is smaller
    /// than 1 MiB. Fewer shards can store larger entries.
    ///
    /// @param count a power of two, at most 256
    /// @return this
    /// @throws IllegalArgumentException if the number is not such a power
    public ConcurrentLruMapBuilder shards(int count) {
        if (count < 1 || count > MAX_SHARDS || Integer.bitCount(count) != 1) {
            throw new IllegalArgumentException("Number of shards is no power of two from 1 to " + MAX_SHARDS
                    + ": count=" + count);
        }
        shards = count;
        return this;
    }

    /// Creates an empty cache in memory of an allocator.
    ///
    /// @param allocator the allocator of the memory, whose memory and methods any thread may use, for example
    ///                  `MallocArena.ofShared()`
    /// @return the cache
    /// @throws IllegalArgumentException if the limit is out of range, or the memory is confined to a thread
    public ConcurrentLruMap create(SegmentAllocator allocator) {
        return new ConcurrentLruMap(this, Objects.requireNonNull(allocator, "allocator"), null);
    }

    /// Creates an empty cache that has an arena.
    ///
    /// @param arenas creates the arena, for example `MallocArena::ofShared`
    /// @return the cache
    /// @throws IllegalArgumentException if the limit is out of range, or the memory is confined to a thread
    public ConcurrentLruMap owning(Supplier<? extends Arena> arenas) {
        Arena arena = Objects.requireNonNull(arenas.get(), "arena");
        return new ConcurrentLruMap(this, arena, arena);
    }

    int shards() {
        if (shards > 0) {
            return shards;
        }
        int wanted = Integer
                .highestOneBit(2 * SHARDS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors() - 1);
        long most = Long.highestOneBit(Math.max(1, byteLimit / LEAST_DEFAULT_SHARD));
        return (int) Math.min(Math.min(wanted, MAX_SHARDS), most);
    }

    private static long nanos(Duration duration) {
        if (!duration.isPositive()) {
            throw new IllegalArgumentException("Duration is not positive: duration=" + duration);
        }
        return duration.compareTo(Duration.ofNanos(CacheRules.NEVER)) > 0 ? CacheRules.NEVER : duration.toNanos();
    }
}
