package dev.arenakit.internal.collection.bytes;

import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.TableMemory.Table;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

/// The keys and values of an LRU map: a ring of [LruEntries], and a hash table.
///
/// ```text
/// ring:  0                 tail       head                  top        capacity
///        | newer entries   | free     | older entries       | free     |            after a wrap
///
///        0                 head                             tail       capacity
///        | free            | entries                        | free     |            otherwise
/// ```
public final class LruIndex extends GroupedIndex {
    /*
     * A new entry is written at the tail. If there is too little room, the ring passes its first entries: a removed
     * entry becomes room, and a live one moves to the tail (the cleaning of a log-structured file system, M. Rosenblum
     * and J. K. Ousterhout, 1992). So the room of evicted entries, wherever they are, is used again without an
     * allocator, and there is no fragmentation. After two rounds at most, all live entries are consecutive.
     *
     * The live entries take at most 7/8 of the ring. With more, each new entry would have to move more others. If
     * entries are used in the order in which they were added, none moves.
     */
    private static final long LEAST_BYTE_SIZE = 1_024;
    private static final long FREE_DIVISOR = 8;
    /// An entry and the entry that replaces it take at most half of the ring.
    private static final long LARGEST_DIVISOR = 4;

    public final LruEntries entries;
    /// All entries, read-only.
    public final MemorySegment readOnly;
    private final EvictionAction onEviction;
    private final long capacity;
    private final long liveByteLimit;

    private long evictions;
    private long liveByteSize;

    private long head;
    private long tail;
    /// The end of the older entries, if the ring is wrapped.
    private long top;
    private boolean isWrapped;

    private boolean isEvicting;

    /// Receives an entry before it is evicted.
    @FunctionalInterface
    public interface EvictionAction {
        void accept(MemorySegment bytes, long keyOffset, int keyByteSize, long valueOffset, int valueByteSize);
    }

    /// @param deadlines        the number of deadlines of an entry, at most 2
    /// @param protectedDivisor the divisor of the live entries for the entries that are not protected; 1 protects none
    public LruIndex(TableMemory memory, String name, BytesHash hash, long byteLimit, int deadlines,
            int protectedDivisor, EvictionAction onEviction) {
        super(memory, name, hash, LruEntries.keyOffset(deadlines));
        if (byteLimit < LEAST_BYTE_SIZE || byteLimit > LruEntries.MAX_BYTE_SIZE) {
            throw new IllegalArgumentException("Limit is out of range: byteLimit=" + byteLimit + ", least="
                    + LEAST_BYTE_SIZE + ", largest=" + LruEntries.MAX_BYTE_SIZE + "; use several maps for more");
        }
        this.onEviction = onEviction;
        this.capacity = byteLimit & -LruEntries.ALIGNMENT;
        this.liveByteLimit = capacity - capacity / FREE_DIVISOR;
        try {
            Table ring = memory.allocate(capacity, LruEntries.ALIGNMENT);
            ring.isUnused = false;
            this.entries = new LruEntries(ring.segment, deadlines, liveByteLimit - liveByteLimit / protectedDivisor);
            this.readOnly = ring.segment.asReadOnly();
            resizeSlots(LEAST_GROUPS);
        } catch (Throwable t) {
            memory.close();
            throw t;
        }
    }

    @Override
    public long byteSize() {
        checkOpen();
        return capacity + table.segment.byteSize();
    }

    public long usedByteSize() {
        checkOpen();
        return liveByteSize;
    }

    public long evictions() {
        checkOpen();
        return evictions;
    }

    /// Makes an entry the most recently used one.
    public void use(long entry) {
        if (!entries.isUsed(entry)) {
            changes++;
            entries.use(entry);
            changes++;
        }
    }

    /// Sets the value of a key, and evicts others for it. The key counts as used if it is present.
    ///
    /// @param present what [#find] has returned
    /// @return whether the key has the value; otherwise it is too large, and the key is missing
    public boolean put(long hashOfKey, long present, Object key, long keyOffset, long keyByteSize, Object value,
            long valueOffset, long valueByteSize) {
        long byteSize = entries.byteSize(keyByteSize, valueByteSize);
        if (byteSize > capacity / LARGEST_DIVISOR) {
            if (present >= 0) {
                remove(hashOfKey, present);
            }
            return false;
        }
        EntryHeap.checkByteSize("key", keyByteSize);
        EntryHeap.checkByteSize("value", valueByteSize);
        if (present >= 0) {
            use(present);
            if (entries.byteSizeAt(present) == byteSize) {
                overwrite(present, value, valueOffset, valueByteSize);
                return true;
            }
        } else {
            reserveSlot();
        }
        long entry = reserve(byteSize);
        entries.writeKey(entry, key, keyOffset, keyByteSize);
        entries.writeValue(entry, value, valueOffset, valueByteSize);
        add(hashOfKey, entry, present < 0 ? present : find(hashOfKey, key, keyOffset, keyByteSize));
        return true;
    }

    /// Adds the entry that was written at the tail.
    ///
    /// @param replaced the present entry of its key, or a negative number
    private void add(long hashOfKey, long entry, long replaced) {
        long byteSize = entries.byteSizeAt(entry);
        long at = replaced < 0 ? replaced : SlotGroups.find(slots, mask, hashOfKey, replaced);
        changes++;
        if (replaced < 0) {
            SlotGroups.link(slots, mask, hashOfKey & mask, hashOfKey, entry);
            size++;
        } else {
            SlotGroups.replace(slots, at, entry);
            markRemoved(replaced);
        }
        entries.link(entry);
        if (replaced >= 0) {
            entries.use(entry);
        }
        tail = entry + byteSize;
        liveByteSize += byteSize;
        changes++;
    }

    private void overwrite(long entry, Object value, long offset, long byteSize) {
        changes++;
        try {
            entries.writeValue(entry, value, offset, byteSize);
        } catch (RuntimeException e) {
            // The value is not accessible.
            changes--;
            throw e;
        }
        changes--;
    }

    @Override
    public void remove(long hashOfKey, long entry) {
        long at = SlotGroups.find(slots, mask, hashOfKey, entry);
        changes++;
        SlotGroups.unlink(slots, mask, at, this);
        markRemoved(entry);
        size--;
        changes++;
    }

    private void markRemoved(long entry) {
        entries.unlink(entry);
        entries.markRemoved(entry);
        liveByteSize -= entries.byteSizeAt(entry);
    }

    /// Passes each entry to an action, from the least to the most recently used one.
    public void forEach(EvictionAction action) {
        checkOpen();
        int changesAtStart = changes;
        for (long entry = entries.oldest; entry != LruEntries.NONE; entry = entries.newer(entry)) {
            accept(action, entry);
            if (changes != changesAtStart) {
                checkOpen();
                throw new ConcurrentModificationException("Changed during an iteration: " + name);
            }
        }
    }

    private void accept(EvictionAction action, long entry) {
        action.accept(readOnly, entry + entries.keyOffset, entries.keyByteSize(entry), entries.valueOffsetAt(entry),
                entries.valueByteSize(entry));
    }

    private void evictOldest() {
        long entry = entries.oldest;
        isEvicting = true;
        changes++;
        try {
            accept(onEviction, entry);
        } finally {
            changes--;
            isEvicting = false;
        }
        remove(hashAt(entry), entry);
        evictions++;
    }

    /// Makes sure that another key has a slot.
    private void reserveSlot() {
        if (size >= maxSize) {
            try {
                resizeSlots(2 * (mask + 1));
            } catch (RuntimeException | OutOfMemoryError e) {
                // Without memory for more slots, the map remains as it is, and evicts.
                evictOldest();
            }
        }
    }

    /// Makes room at the tail, and returns its offset.
    private long reserve(long byteSize) {
        while (liveByteSize + byteSize > liveByteLimit) {
            evictOldest();
        }
        if (size == 0) {
            head = 0;
            tail = 0;
            isWrapped = false;
        }
        while ((isWrapped ? head : capacity) - tail < byteSize) {
            if (!isWrapped) {
                top = tail;
                tail = 0;
                isWrapped = true;
            }
            passFirst();
        }
        return tail;
    }

    /// Passes the first entry of a wrapped ring, which moves to the tail if it is live.
    private void passFirst() {
        if (head == top) {
            head = 0;
            isWrapped = false;
            return;
        }
        long byteSize = entries.byteSizeAt(head);
        if (!entries.isRemoved(head)) {
            if (head != tail) {
                long at = SlotGroups.find(slots, mask, hashAt(head), head);
                changes++;
                entries.move(head, tail);
                SlotGroups.replace(slots, at, tail);
                tail += byteSize;
                head += byteSize;
                changes++;
                return;
            }
            tail += byteSize;
        }
        head += byteSize;
    }

    @Override
    MemorySegment entries() {
        return entries.segment;
    }

    @Override
    void linkAll(MemorySegment slots, long mask) {
        for (long entry = entries.oldest; entry != LruEntries.NONE; entry = entries.newer(entry)) {
            long hashOfKey = hashAt(entry);
            SlotGroups.link(slots, mask, hashOfKey & mask, hashOfKey, entry);
        }
    }

    @Override
    void clearEntries() {
        entries.clear();
        liveByteSize = 0;
    }

    @Override
    void closeEntries() {
        entries.segment = TableMemory.CLOSED;
        entries.clear();
    }

    @Override
    RuntimeException changing() {
        return isEvicting ? usedByAction() : super.changing();
    }

    @Override
    public void close() {
        if (isEvicting) {
            throw usedByAction();
        }
        super.close();
    }

    private RuntimeException usedByAction() {
        return new ConcurrentModificationException("Used by the action of an eviction: " + name);
    }
}
