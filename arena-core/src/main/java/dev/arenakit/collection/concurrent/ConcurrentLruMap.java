package dev.arenakit.collection.concurrent;

import dev.arenakit.MallocArena;
import dev.arenakit.internal.collection.CollectionMessages;
import dev.arenakit.internal.collection.HugePages;
import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.bytes.BytesHash;
import dev.arenakit.internal.collection.cache.CacheKey;
import dev.arenakit.internal.collection.cache.CacheLoad;
import dev.arenakit.internal.collection.cache.CacheRules;
import dev.arenakit.internal.collection.cache.CacheShard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A cache from bytes, text or longs to bytes, in off-heap memory of a fixed size, for any number of threads.
///
/// ```java
/// try (ConcurrentLruMap pages = ConcurrentLruMap.builder(256 << 20)
///         .expireAfterWrite(Duration.ofMinutes(5))
///         .owning(MallocArena::ofShared)) {
///     int size = pages.find(id, buffer); // copies the value into a segment: no garbage
///     byte[] page = pages.getOrLoad(id, () -> read(id)); // one thread reads, the others wait for it
/// }
/// ```
///
/// Values are copied in and out: no operation returns memory of the cache. A key of a long consists of its 8 bytes. Other
/// keys are as those of a [dev.arenakit.collection.BytesLongMap].
///
/// **Order.** A `put` without room evicts entries in the order of their last use, except that entries that were used
/// after their `put` are protected: they take at most 4/5 of the memory, and are evicted last. So a scan of many keys that
/// are used once replaces the entries that are not protected, and hits stay. `find`, `get`, and `put` of a present key
/// are uses. The order is that of each shard.
///
/// **Shards.** The cache consists of shards with a lock and an equal share of the limit each. The hash of a key selects
/// its shard. A shard has at least 1 MiB of the limit, unless [Builder#shards] says otherwise. An entry may take a quarter
/// of its shard: `put` does not store a larger one, and [Statistics#tooLarge()] counts it.
///
/// **Loading.** [#getOrLoad] runs one loader for a key at a time, outside the locks. Threads that want the key meanwhile
/// wait for it, also if they are interrupted. If the loader fails, its caller gets the exception, and all threads that
/// wait get a [java.util.concurrent.CompletionException] with it as the cause. Nothing is stored, and the next call
/// loads again. A `put`, `remove` or `clear` meanwhile prevents that the loaded value is stored later. A loader may use
/// the cache. If it waits for its own key, also by way of loaders in other threads of this cache, it gets an
/// [IllegalStateException].
///
/// **Expiry.** An expired entry is never found. Its memory is used again when it is looked up or evicted, or by
/// [#removeExpired()]; until then, [Statistics#size()] counts it.
///
/// **Removals.** The listener is called after the operation that removed an entry, without a lock, by the thread of this
/// or of another operation. It may use the cache. The order of two removals is not specified. An exception of the
/// listener goes to the handler of uncaught exceptions of the thread, and the operation continues.
///
/// **Memory.** The limit is allocated at once, as of a [dev.arenakit.collection.LruMap]: an entry takes 16 bytes besides
/// its key and value, and 8 more for each kind of expiry; the slots of the hash tables come in addition, 12 to 24
/// bytes for an entry. If the allocator has no memory for more slots, the cache evicts instead.
///
/// **Errors.** If an Error such as a [StackOverflowError] interrupts a change, the next operation empties the shard and
/// counts its entries as evicted, without telling the listener.
///
/// **Lifetime.** [#close()] waits for the operations that have a lock. Each later operation throws an
/// [IllegalStateException], and so does a load that ends later.
public final class ConcurrentLruMap implements AutoCloseable {
    private static final HugePages HUGE_PAGES = new HugePages(MallocArena.class);
    private static final int KEYS = 32;
    /// Keeps two keys in different cache lines.
    private static final int KEY_DISTANCE = 16;
    private static final int MAX_SHARDS = 256;
    /// Makes it rare that two threads want the same shard.
    private static final int SHARDS_PER_PROCESSOR = 8;
    private static final long LEAST_DEFAULT_SHARD = 1 << 20;

    private final BytesHash hash = BytesHash.random();
    private final CacheShard[] shards;
    private final CacheRules rules;
    private final Map<Thread, CacheLoad> waiting = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable CacheKey> keys = new AtomicReferenceArray<>(KEYS * KEY_DISTANCE);
    private final @Nullable Arena arena;

    private ConcurrentLruMap(Builder builder, SegmentAllocator allocator, @Nullable Arena arena) {
        this.arena = arena;
        this.rules = new CacheRules(builder.writeNanos, builder.accessNanos, builder.clock, builder.listener);
        this.shards = new CacheShard[builder.shards()];
        long shardLimit = builder.byteLimit / shards.length;
        try {
            for (int i = 0; i < shards.length; i++) {
                shards[i] = new CacheShard(TableMemory.of(allocator, HUGE_PAGES), hash, shardLimit, rules);
            }
            if (!shards[0].isShared()) {
                throw new IllegalArgumentException("Memory is confined to a thread: allocator=" + allocator
                        + "; use memory of a shared arena, for example MallocArena::ofShared");
            }
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    /// Returns a builder of caches.
    ///
    /// @param byteLimit the size of the memory for entries of all shards, at least 1 KiB and at most 32 GiB a shard
    /// @return the builder
    public static Builder builder(long byteLimit) {
        return new Builder(byteLimit);
    }

    /// {@return the number of entries, including expired ones whose memory has not been used again}
    public long size() {
        return stats().size();
    }

    /// {@return the counts of all shards, each at one time}
    public Statistics stats() {
        Statistics sum = new Statistics(0, 0, 0, 0, 0, 0, 0, 0);
        for (CacheShard shard : shards) {
            sum = shard.addTo(sum);
        }
        return sum;
    }

    /// Copies the value of a key to the beginning of a segment, and counts a hit or a miss.
    ///
    /// @param key    the key
    /// @param target receives the value, if there is such a key
    /// @return the size of the value in bytes, or -1 if there is no such key
    /// @throws IndexOutOfBoundsException if the target is smaller than the value
    public int find(byte[] key, MemorySegment target) {
        return find(key().of(key, 0, key.length), target);
    }

    /// Copies the value of a key, as [#find(byte[],MemorySegment)] does.
    ///
    /// @param key      a segment with the key
    /// @param offset   the offset of the key
    /// @param byteSize the size of the key
    /// @param target   receives the value, if there is such a key
    /// @return the size of the value in bytes, or -1 if there is no such key
    /// @throws IndexOutOfBoundsException if the range is not within the segment, or the target is smaller than the value
    public int find(MemorySegment key, long offset, long byteSize, MemorySegment target) {
        return find(key().of(key, offset, byteSize), target);
    }

    /// Copies the value of a key, as [#find(byte[],MemorySegment)] does.
    ///
    /// @param key    the key as text
    /// @param target receives the value, if there is such a key
    /// @return the size of the value in bytes, or -1 if there is no such key
    /// @throws IndexOutOfBoundsException if the target is smaller than the value
    public int find(CharSequence key, MemorySegment target) {
        return find(key().of(key), target);
    }

    /// Copies the value of a key, as [#find(byte[],MemorySegment)] does.
    ///
    /// @param key    the key
    /// @param target receives the value, if there is such a key
    /// @return the size of the value in bytes, or -1 if there is no such key
    /// @throws IndexOutOfBoundsException if the target is smaller than the value
    public int find(long key, MemorySegment target) {
        return find(key().of(key), target);
    }

    /// Returns a copy of the value of a key, and counts a hit or a miss.
    ///
    /// @param key     the key
    /// @param missing the value to return if there is no such key
    /// @return the value
    public byte[] get(byte[] key, byte[] missing) {
        return get(key().of(key, 0, key.length), missing);
    }

    /// Returns a copy of the value of a key, and counts a hit or a miss.
    ///
    /// @param key     the key as text
    /// @param missing the value to return if there is no such key
    /// @return the value
    public byte[] get(CharSequence key, byte[] missing) {
        return get(key().of(key), missing);
    }

    /// Returns a copy of the value of a key, and counts a hit or a miss.
    ///
    /// @param key     the key
    /// @param missing the value to return if there is no such key
    /// @return the value
    public byte[] get(long key, byte[] missing) {
        return get(key().of(key), missing);
    }

    /// Returns a copy of the value of a key. If there is none, it is loaded, as the description of this class says. For
    /// hits without garbage, call `find` first.
    ///
    /// @param <X>    the type of the exceptions of the loader
    /// @param key    the key
    /// @param loader returns the value
    /// @return the value, also if it is too large to be stored
    /// @throws X if the loader throws it
    /// @throws java.util.concurrent.CompletionException if the loader of another thread fails
    /// @throws IllegalStateException if a loader waits for its own key
    public <X extends Exception> byte[] getOrLoad(byte[] key, Loader<X> loader) throws X {
        return load(key().of(key, 0, key.length), loader);
    }

    /// Returns a copy of the value of a key, which is loaded if there is none, as [#getOrLoad(byte[],Loader)] does.
    ///
    /// @param <X>    the type of the exceptions of the loader
    /// @param key    the key as text
    /// @param loader returns the value
    /// @return the value, also if it is too large to be stored
    /// @throws X if the loader throws it
    /// @throws java.util.concurrent.CompletionException if the loader of another thread fails
    /// @throws IllegalStateException if a loader waits for its own key
    public <X extends Exception> byte[] getOrLoad(CharSequence key, Loader<X> loader) throws X {
        return load(key().of(key), loader);
    }

    /// Returns a copy of the value of a key, which is loaded if there is none, as [#getOrLoad(byte[],Loader)] does.
    ///
    /// @param <X>    the type of the exceptions of the loader
    /// @param key    the key
    /// @param loader returns the value
    /// @return the value, also if it is too large to be stored
    /// @throws X if the loader throws it
    /// @throws java.util.concurrent.CompletionException if the loader of another thread fails
    /// @throws IllegalStateException if a loader waits for its own key
    public <X extends Exception> byte[] getOrLoad(long key, Loader<X> loader) throws X {
        return load(key().of(key), loader);
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new. If key and value are larger than a quarter of a shard, it is false, **and the key
    ///         is missing**
    public boolean put(byte[] key, byte[] value) {
        return put(key().of(key, 0, key.length), value, 0, value.length);
    }

    /// Sets the value of a key.
    ///
    /// @param key           a segment with the key
    /// @param keyOffset     the offset of the key
    /// @param keyByteSize   the size of the key
    /// @param value         a segment with the value
    /// @param valueOffset   the offset of the value
    /// @param valueByteSize the size of the value
    /// @return whether the key is new, as in [#put(byte[],byte[])]
    /// @throws IndexOutOfBoundsException if a range is not within its segment
    public boolean put(MemorySegment key, long keyOffset, long keyByteSize, MemorySegment value, long valueOffset,
            long valueByteSize) {
        Objects.checkFromIndexSize(valueOffset, valueByteSize, value.byteSize());
        return put(key().of(key, keyOffset, keyByteSize), value, valueOffset, valueByteSize);
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key as text
    /// @param value the value
    /// @return whether the key is new, as in [#put(byte[],byte[])]
    public boolean put(CharSequence key, byte[] value) {
        return put(key().of(key), value, 0, value.length);
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new, as in [#put(byte[],byte[])]
    public boolean put(long key, byte[] value) {
        return put(key().of(key), value, 0, value.length);
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key
    /// @param value the value, which is all of the segment
    /// @return whether the key is new, as in [#put(byte[],byte[])]
    public boolean put(long key, MemorySegment value) {
        return put(key().of(key), value, 0, value.byteSize());
    }

    /// Removes a key.
    ///
    /// @param key the key
    /// @return whether there was such a key
    public boolean remove(byte[] key) {
        return remove(key().of(key, 0, key.length));
    }

    /// Removes a key.
    ///
    /// @param key      a segment with the key
    /// @param offset   the offset of the key
    /// @param byteSize the size of the key
    /// @return whether there was such a key
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    public boolean remove(MemorySegment key, long offset, long byteSize) {
        return remove(key().of(key, offset, byteSize));
    }

    /// Removes a key.
    ///
    /// @param key the key as text
    /// @return whether there was such a key
    public boolean remove(CharSequence key) {
        return remove(key().of(key));
    }

    /// Removes a key.
    ///
    /// @param key the key
    /// @return whether there was such a key
    public boolean remove(long key) {
        return remove(key().of(key));
    }

    /// Removes all entries, one shard after the other.
    public void clear() {
        removeAll(RemovalCause.REMOVED);
    }

    /// Removes the expired entries, one shard after the other. This reads all entries.
    public void removeExpired() {
        removeAll(RemovalCause.EXPIRED);
    }

    /// Frees the memory: closes the arena of `owning`, or frees the tables of `create` as a
    /// [dev.arenakit.collection.LruMap] does. The listener is not called. A second call has no effect.
    ///
    /// @throws IllegalStateException if memory is in use; a further call tries again
    @Override
    public void close() {
        synchronized (shards) {
            for (CacheShard shard : shards) {
                if (shard != null) {
                    shard.close();
                }
            }
            if (arena != null && arena.scope().isAlive()) {
                arena.close();
            }
        }
    }

    @Override
    public String toString() {
        return CollectionMessages.of(this, this::size, "entries", () -> stats().byteSize());
    }

    private CacheShard shard(CacheKey key) {
        return shards[key.shard(shards.length)];
    }

    /// Returns an object for a key, which no other operation uses until [#end]. Few other threads have the same index.
    private CacheKey key() {
        CacheKey key = keys.getAndSet(indexOfKey(), null);
        return key == null ? new CacheKey(hash) : key;
    }

    private static int indexOfKey() {
        return ((int) Thread.currentThread().threadId() & (KEYS - 1)) * KEY_DISTANCE;
    }

    /// Ends an operation.
    private void end(CacheKey key) {
        if (key.clear()) {
            keys.setRelease(indexOfKey(), key);
        }
        rules.deliver();
    }

    private int find(CacheKey key, MemorySegment target) {
        try {
            return shard(key).find(key, rules.now(), target);
        } finally {
            end(key);
        }
    }

    private byte[] get(CacheKey key, byte[] missing) {
        try {
            byte[] value = shard(key).get(key, rules.now());
            return value == null ? missing : value;
        } finally {
            end(key);
        }
    }

    private <X extends Exception> byte[] load(CacheKey key, Loader<X> loader) throws X {
        CacheShard shard = shard(key);
        CacheLoad load;
        try {
            byte[] value = shard.get(key, rules.now());
            if (value != null) {
                return value;
            }
            load = new CacheLoad(key);
        } finally {
            end(key);
        }
        return load.run(shard, rules, loader, waiting);
    }

    private boolean put(CacheKey key, Object value, long offset, long byteSize) {
        try {
            return shard(key).put(key, rules.now(), value, offset, byteSize);
        } finally {
            end(key);
        }
    }

    private boolean remove(CacheKey key) {
        try {
            return shard(key).remove(key, rules.now());
        } finally {
            end(key);
        }
    }

    private void removeAll(RemovalCause cause) {
        try {
            for (CacheShard shard : shards) {
                shard.removeAll(cause, rules.now());
            }
        } finally {
            rules.deliver();
        }
    }

    /// Why an entry was removed.
    public enum RemovalCause {
        /// A newer entry needed its memory.
        EVICTED,
        /// Its time has passed.
        EXPIRED,
        /// `put` has set another value, or has refused a value that is too large.
        REPLACED,
        /// `remove` or `clear` was called.
        REMOVED
    }

    /// Is told of removed entries.
    @FunctionalInterface
    public interface RemovalListener {
        /// Takes note of a removed entry. The arrays are copies.
        ///
        /// @param key   the key
        /// @param value the value
        /// @param cause why the entry was removed
        void onRemoval(byte[] key, byte[] value, RemovalCause cause);
    }

    /// Loads the value of a key.
    ///
    /// @param <X> the type of its exceptions
    @FunctionalInterface
    public interface Loader<X extends Exception> {
        /// Returns the value. For a key without a value, it throws an exception, or returns an array with that meaning.
        ///
        /// @return the value, not null
        /// @throws X if the value cannot be loaded
        byte[] load() throws X;
    }

    /// The counts of a cache since its creation, and its present size.
    ///
    /// @param hits         the number of look-ups with a result
    /// @param misses       the number of look-ups without one
    /// @param evictions    the number of entries evicted before they expired
    /// @param expired      the number of entries removed because they had expired
    /// @param tooLarge     the number of values that were not stored because they are too large
    /// @param size         the number of entries, including expired ones that have not been removed
    /// @param usedByteSize the size of these entries in bytes
    /// @param byteSize     the size of the allocated memory in bytes
    public record Statistics(long hits, long misses, long evictions, long expired, long tooLarge, long size,
            long usedByteSize, long byteSize) {}

    /// Creates caches.
    public static final class Builder {
        private final long byteLimit;
        private int shards;
        private long writeNanos = CacheRules.NEVER;
        private long accessNanos = CacheRules.NEVER;
        private LongSupplier clock = System::nanoTime;
        private @Nullable RemovalListener listener;

        private Builder(long byteLimit) {
            this.byteLimit = byteLimit;
        }

        /// Lets an entry expire after a time since its last `put` or load.
        ///
        /// @param duration the time
        /// @return this
        /// @throws IllegalArgumentException if the duration is not positive
        public Builder expireAfterWrite(Duration duration) {
            writeNanos = nanos(duration);
            return this;
        }

        /// Lets an entry expire after a time since its last use, which includes its `put`.
        ///
        /// @param duration the time
        /// @return this
        /// @throws IllegalArgumentException if the duration is not positive
        public Builder expireAfterAccess(Duration duration) {
            accessNanos = nanos(duration);
            return this;
        }

        /// Sets the clock of the expiry. It is called by each operation of any thread, outside the locks.
        ///
        /// @param nanoTime returns nanoseconds, as [System#nanoTime] does
        /// @return this
        public Builder clock(LongSupplier nanoTime) {
            clock = Objects.requireNonNull(nanoTime, "nanoTime");
            return this;
        }

        /// Sets the listener for removed entries. With a listener, removals create garbage.
        ///
        /// @param removalListener is told of removed entries, by any thread
        /// @return this
        public Builder onRemoval(RemovalListener removalListener) {
            listener = Objects.requireNonNull(removalListener, "removalListener");
            return this;
        }

        /// Sets the number of shards. Without this call, there are at least eight for each processor, but none is smaller
        /// than 1 MiB. Fewer shards can store larger entries.
        ///
        /// @param count a power of two, at most 256
        /// @return this
        /// @throws IllegalArgumentException if the number is not such a power
        public Builder shards(int count) {
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

        private int shards() {
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
}
