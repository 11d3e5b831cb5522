package dev.arenakit.internal.collection.cache;

import dev.arenakit.collection.concurrent.CacheStatistics;
import dev.arenakit.collection.concurrent.RemovalCause;
import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.bytes.BytesHash;
import dev.arenakit.internal.collection.bytes.LruEntries;
import dev.arenakit.internal.collection.bytes.LruIndex;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A part of a cache for threads. Its lock is its monitor.
@SuppressWarnings("EnumOrdinal") // The counts have the order of the causes.
public final class CacheShard {
    /*
     * No code of a user runs under the lock, except an allocator. If an Error interrupts a change, the next operation
     * empties the shard, because the contents may be wrong, and a cache may lose them.
     */
    private static final int MISSING = -1;
    private static final byte[] NO_BYTES = {};
    /// A fifth of the entries is not protected, as in Caffeine: more would let a scan remove entries in use, and fewer
    /// would evict new entries before their second use.
    private static final int PROTECTED_DIVISOR = 5;

    private final LruIndex index;
    private final LruEntries entries;
    private final CacheRules rules;
    private final Map<CacheKey, CacheLoad> loads = new HashMap<>();
    private final long[] removed = new long[RemovalCause.values().length];
    /// The time of the present operation.
    private long now;
    private long hits;
    private long misses;
    private long tooLarge;

    public CacheShard(TableMemory memory, BytesHash hash, long byteLimit, CacheRules rules) {
        this.rules = rules;
        this.index = new LruIndex(memory, "ConcurrentLruMap", hash, byteLimit, rules.deadlines, PROTECTED_DIVISOR,
                (_, keyOffset, _, _, _) -> beforeEviction(keyOffset));
        this.entries = index.entries;
    }

    /// Copies the value of a key.
    ///
    /// @return the size of the value, or -1
    public synchronized int find(CacheKey key, long time, MemorySegment target) {
        long entry = use(look(key, time));
        if (entry < 0) {
            return MISSING;
        }
        int size = entries.valueByteSize(entry);
        if (size > target.byteSize()) {
            throw new IndexOutOfBoundsException("Target is smaller than the value: valueByteSize=" + size
                    + ", targetByteSize=" + target.byteSize() + "; pass a larger segment");
        }
        MemorySegment.copy(index.readOnly, entries.valueOffsetAt(entry), target, 0, size);
        return size;
    }

    /// Returns a copy of the value of a key, or null.
    public synchronized byte @Nullable [] get(CacheKey key, long time) {
        long entry = use(look(key, time));
        return entry < 0 ? null : entries.valueArray(entry);
    }

    /// Sets the value of a key. A load of the key that is in progress will not store its value.
    ///
    /// @return whether the key is new
    public synchronized boolean put(CacheKey key, long time, Object value, long offset, long byteSize) {
        long present = look(key, time);
        boolean isTold = present >= 0 && rules.hasListener();
        byte[] oldKey = isTold ? entries.keyArray(present) : NO_BYTES;
        byte[] oldValue = isTold ? entries.valueArray(present) : NO_BYTES;
        rules.write(entries, now);
        loads.remove(key);
        boolean isStored = index.put(key.hash, present, key.bytes, key.offset, key.byteSize, value, offset, byteSize);
        tooLarge += isStored ? 0 : 1;
        if (isTold) {
            rules.removed(oldKey, oldValue, RemovalCause.REPLACED);
        }
        return isStored && present < 0;
    }

    /// Removes a key. A load of the key that is in progress will not store its value.
    public synchronized boolean remove(CacheKey key, long time) {
        long entry = look(key, time);
        loads.remove(key);
        if (entry >= 0) {
            remove(key.hash, entry, RemovalCause.REMOVED);
        }
        return entry >= 0;
    }

    /// Removes all entries, or the expired ones.
    public synchronized void removeAll(RemovalCause cause, long time) {
        enter(time);
        index.checkOpen();
        if (cause == RemovalCause.REMOVED) {
            loads.clear();
        }
        for (long entry = entries.oldest(), newer; entry >= 0; entry = newer) {
            newer = entries.newer(entry);
            boolean isExpired = rules.isExpired(entries, entry, now);
            if (isExpired || cause == RemovalCause.REMOVED) {
                remove(index.hashAt(entry), entry, isExpired ? RemovalCause.EXPIRED : cause);
            }
        }
    }

    /// Returns the load of another thread for the same key, or registers the load and returns it. If the key is present,
    /// the load receives its value.
    synchronized CacheLoad start(CacheLoad load, long time) {
        long entry = look(load.key, time);
        if (entry >= 0) {
            load.setValue(entries.valueArray(entry));
            return load;
        }
        CacheLoad running = loads.get(load.key);
        if (running != null && !running.isDone()) {
            return running;
        }
        loads.put(load.key, load);
        return load;
    }

    synchronized void store(CacheLoad load, byte[] value, long time) {
        index.checkOpen();
        if (loads.get(load.key) == load) {
            put(load.key, time, value, 0, value.length);
        }
    }

    synchronized void end(CacheLoad load) {
        loads.remove(load.key, load);
    }

    /// Returns the counts of this shard, added to other counts.
    public synchronized CacheStatistics addTo(CacheStatistics sum) {
        enter(now);
        return new CacheStatistics(sum.hits() + hits, sum.misses() + misses,
                sum.evictions() + removed[RemovalCause.EVICTED.ordinal()],
                sum.expired() + removed[RemovalCause.EXPIRED.ordinal()], sum.tooLarge() + tooLarge,
                sum.size() + index.size(), sum.usedByteSize() + index.usedByteSize(),
                sum.byteSize() + index.byteSize());
    }

    /// Returns whether every thread can access the memory.
    public boolean isShared() {
        return index.readOnly.isAccessibleBy(new Thread());
    }

    public synchronized void close() {
        index.close();
    }

    private void enter(long time) {
        now = time;
        removed[RemovalCause.EVICTED.ordinal()] += index.recover();
    }

    /// Returns the entry of a key that has not expired, or what [LruIndex#find] returns for a missing key.
    private long look(CacheKey key, long time) {
        enter(time);
        long entry = index.find(key.hash, key.bytes, key.offset, key.byteSize);
        if (entry >= 0 && rules.isExpired(entries, entry, now)) {
            remove(key.hash, entry, RemovalCause.EXPIRED);
            return index.find(key.hash, key.bytes, key.offset, key.byteSize);
        }
        return entry;
    }

    private long use(long entry) {
        if (entry < 0) {
            misses++;
        } else {
            hits++;
            rules.access(entries, entry, now);
            index.use(entry);
        }
        return entry;
    }

    private void remove(long hash, long entry, RemovalCause cause) {
        tell(entry, cause);
        index.remove(hash, entry);
    }

    private void beforeEviction(long keyOffset) {
        long entry = keyOffset - entries.keyOffset;
        tell(entry, rules.isExpired(entries, entry, now) ? RemovalCause.EXPIRED : RemovalCause.EVICTED);
    }

    private void tell(long entry, RemovalCause cause) {
        if (rules.hasListener()) {
            rules.removed(entries.keyArray(entry), entries.valueArray(entry), cause);
        }
        removed[cause.ordinal()]++;
    }
}
