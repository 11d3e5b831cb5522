package dev.arenakit.collection.concurrent;

import dev.arenakit.MallocArena;
import dev.arenakit.internal.collection.CollectionMessages;
import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.bytes.BytesHash;
import dev.arenakit.internal.collection.cache.CacheKey;
import dev.arenakit.internal.collection.cache.CacheLoad;
import dev.arenakit.internal.collection.cache.CacheRules;
import dev.arenakit.internal.collection.cache.CacheShard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
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
/// keys are compared as a [dev.arenakit.collection.BytesLongMap] compares them.
///
/// **Order.** A `put` without room evicts entries in the order of their last use, except that entries that were used
/// after their `put` are protected: they take at most 4/5 of the memory, and are evicted last. So a scan of many keys that
/// are used once replaces the entries that are not protected, and hits stay. `find`, `get`, and `put` of a present key
/// are uses. The order is that of each shard.
///
/// **Shards.** The cache consists of shards with a lock and an equal share of the limit each. The hash of a key selects
/// its shard. A shard has at least 1 MiB of the limit, unless [ConcurrentLruMapBuilder#shards] says otherwise. An entry may take a quarter
/// of its shard: `put` does not store a larger one, and [CacheStatistics#tooLarge()] counts it.
///
/// **Loading.** [#getOrLoad] runs one loader for a key at a time, outside the locks. Threads that want the key meanwhile
/// wait for it, also if they are interrupted. If the loader fails, its caller gets the exception, and all threads that
/// wait get a [java.util.concurrent.CompletionException] with it as the cause. Nothing is stored, and the next call
/// loads again. A `put`, `remove` or `clear` meanwhile prevents that the loaded value is stored later. A loader may use
/// the cache. If it waits for its own key, also by way of loaders in other threads of this cache, it gets an
/// [IllegalStateException].
///
/// **Expiry.** An expired entry is never found. Its memory is used again when it is looked up or evicted, or by
/// [#removeExpired()]; until then, [CacheStatistics#size()] counts it.
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
    private static final int KEYS = 32;
    /// Keeps two keys in different cache lines.
    private static final int KEY_DISTANCE = 16;

    private final BytesHash hash = BytesHash.random();
    private final CacheShard[] shards;
    private final CacheRules rules;
    private final Map<Thread, CacheLoad> waiting = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable CacheKey> keys = new AtomicReferenceArray<>(KEYS * KEY_DISTANCE);
    private final @Nullable Arena arena;

    ConcurrentLruMap(ConcurrentLruMapBuilder builder, SegmentAllocator allocator, @Nullable Arena arena) {
        this.arena = arena;
        this.rules = new CacheRules(builder.writeNanos, builder.accessNanos, builder.clock, builder.listener);
        this.shards = new CacheShard[builder.shards()];
        long shardLimit = builder.byteLimit / shards.length;
        try {
            for (int i = 0; i < shards.length; i++) {
                shards[i] = new CacheShard(TableMemory.of(allocator), hash, shardLimit, rules);
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
    public static ConcurrentLruMapBuilder builder(long byteLimit) {
        return new ConcurrentLruMapBuilder(byteLimit);
    }

    /// {@return the number of entries, including expired ones whose memory has not been used again}
    public long size() {
        return stats().size();
    }

    /// {@return the counts of all shards, each at one time}
    public CacheStatistics stats() {
        CacheStatistics sum = new CacheStatistics(0, 0, 0, 0, 0, 0, 0, 0);
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

    /// Copies the value of a key, as [#find(byte\[\],MemorySegment)] does.
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

    /// Copies the value of a key, as [#find(byte\[\],MemorySegment)] does.
    ///
    /// @param key    the key as text
    /// @param target receives the value, if there is such a key
    /// @return the size of the value in bytes, or -1 if there is no such key
    /// @throws IndexOutOfBoundsException if the target is smaller than the value
    public int find(CharSequence key, MemorySegment target) {
        return find(key().of(key), target);
    }

    /// Copies the value of a key, as [#find(byte\[\],MemorySegment)] does.
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
    public <X extends Exception> byte[] getOrLoad(byte[] key, CacheLoader<X> loader) throws X {
        return load(key().of(key, 0, key.length), loader);
    }

    /// Returns a copy of the value of a key, which is loaded if there is none, as [#getOrLoad(byte\[\],CacheLoader)] does.
    ///
    /// @param <X>    the type of the exceptions of the loader
    /// @param key    the key as text
    /// @param loader returns the value
    /// @return the value, also if it is too large to be stored
    /// @throws X if the loader throws it
    /// @throws java.util.concurrent.CompletionException if the loader of another thread fails
    /// @throws IllegalStateException if a loader waits for its own key
    public <X extends Exception> byte[] getOrLoad(CharSequence key, CacheLoader<X> loader) throws X {
        return load(key().of(key), loader);
    }

    /// Returns a copy of the value of a key, which is loaded if there is none, as [#getOrLoad(byte\[\],CacheLoader)] does.
    ///
    /// @param <X>    the type of the exceptions of the loader
    /// @param key    the key
    /// @param loader returns the value
    /// @return the value, also if it is too large to be stored
    /// @throws X if the loader throws it
    /// @throws java.util.concurrent.CompletionException if the loader of another thread fails
    /// @throws IllegalStateException if a loader waits for its own key
    public <X extends Exception> byte[] getOrLoad(long key, CacheLoader<X> loader) throws X {
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
    /// @return whether the key is new, as in [#put(byte[],byte\[\])]
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
    /// @return whether the key is new, as in [#put(byte[],byte\[\])]
    public boolean put(CharSequence key, byte[] value) {
        return put(key().of(key), value, 0, value.length);
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new, as in [#put(byte[],byte\[\])]
    public boolean put(long key, byte[] value) {
        return put(key().of(key), value, 0, value.length);
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key
    /// @param value the value, which is all of the segment
    /// @return whether the key is new, as in [#put(byte[],byte\[\])]
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

    private <X extends Exception> byte[] load(CacheKey key, CacheLoader<X> loader) throws X {
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
}
