package dev.arenakit.internal.collection;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.collection.TableMemory.Table;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The keys and values of an LRU map: a ring of [LruEntries], and a hash table of [SlotGroups].
///
/// ```text
/// ring:  0                 tail       head                  top        capacity
///        | newer entries   | free     | older entries       | free     |            after a wrap
///
///        0                 head                             tail       capacity
///        | free            | entries                        | free     |            otherwise
/// ```
public final class LruIndex implements SlotGroups.Hashes {
    /*
     * A new entry is written at the tail. If there is too little room, the ring passes its first entries: a removed
     * entry becomes room, and a live one moves to the tail (the cleaning of a log-structured file system, M. Rosenblum
     * and J. K. Ousterhout, 1992). So the room of evicted entries, wherever they are, is used again without an
     * allocator, and there is no fragmentation. After two rounds at most, all live entries are consecutive.
     *
     * The live entries take at most 7/8 of the ring. With more, each new entry would have to move more others. If
     * entries are used in the order in which they were added, none moves.
     *
     * A change that takes several writes makes the number of changes odd before the first write, and even after the
     * last write. If an Error interrupts the change, the number remains odd, and every operation throws an exception.
     */
    private static final String NAME = "LruMap";
    private static final long LEAST_GROUPS = 2;
    private static final long LEAST_BYTE_SIZE = 1_024;
    private static final long FREE_DIVISOR = 8;
    /// An entry and the entry that replaces it take at most half of the ring.
    private static final long LARGEST_DIVISOR = 4;
    /// The mask of a closed table.
    private static final long CLOSED = -1;

    private final TableMemory memory;
    private final BytesHash hash = BytesHash.random();
    private final LruEntries entries;
    private final EvictionAction onEviction;
    private final long capacity;

    private Table table;
    private MemorySegment slots;
    private long mask;
    private long size;
    private long evictions;
    private long liveByteSize;

    private long head;
    private long tail;
    /// The end of the older entries, if the ring is wrapped.
    private long top;
    private boolean isWrapped;

    /// Twice the number of changes so far that end iterations, plus 1 during a change.
    private int changes;
    private boolean isEvicting;

    /// Receives an entry before it is evicted.
    @FunctionalInterface
    public interface EvictionAction {
        void accept(long keyOffset, int keyByteSize, long valueOffset, int valueByteSize);
    }

    public LruIndex(TableMemory memory, long byteLimit, EvictionAction onEviction) {
        if (byteLimit < LEAST_BYTE_SIZE || byteLimit > LruEntries.MAX_BYTE_SIZE) {
            throw new IllegalArgumentException("Limit is out of range: byteLimit=" + byteLimit + ", least="
                    + LEAST_BYTE_SIZE + ", largest=" + LruEntries.MAX_BYTE_SIZE + "; use several maps for more");
        }
        this.memory = memory;
        this.onEviction = onEviction;
        this.capacity = byteLimit & -LruEntries.ALIGNMENT;
        try {
            Table ring = memory.allocate(capacity, LruEntries.ALIGNMENT);
            ring.isUnused = false;
            this.entries = new LruEntries(ring.segment);
            this.table = allocateGroups(LEAST_GROUPS);
            table.isUnused = false;
            this.slots = SlotGroups.align(table.segment, LEAST_GROUPS);
            this.mask = LEAST_GROUPS - 1;
            slots.fill((byte) 0);
        } catch (Throwable t) {
            memory.close();
            throw t;
        }
    }

    public MemorySegment segment() {
        return entries.segment;
    }

    public long size() {
        checkOpen();
        return size;
    }

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

    public long valueOffset(long entry) {
        return entries.valueOffsetAt(entry);
    }

    public int valueByteSize(long entry) {
        return entries.valueByteSize(entry);
    }

    /// Returns the offset of the entry of a key, or a negative number.
    public long find(Object key, long offset, long byteSize) {
        return find(hash.of(key, offset, byteSize), key, offset, byteSize);
    }

    private long find(long hashOfKey, Object key, long offset, long byteSize) {
        checkUnused();
        long entry = SlotGroups.search(slots, mask, entries.segment, LruEntries.KEY, hashOfKey, key, offset, byteSize);
        if (mask == CLOSED) {
            checkOpen();
        }
        return entry;
    }

    /// Makes an entry the most recently used one.
    public void use(long entry) {
        if (entry != entries.newest) {
            changes++;
            entries.unlink(entry);
            entries.link(entry);
            changes++;
        }
    }

    /// Sets the value of a key, which becomes the most recently used one, and evicts others for it.
    ///
    /// @return whether the key has the value; otherwise it is too large, and the key is missing
    public boolean put(Object key, long keyOffset, long keyByteSize, Object value, long valueOffset,
            long valueByteSize) {
        long hashOfKey = hash.of(key, keyOffset, keyByteSize);
        long present = find(hashOfKey, key, keyOffset, keyByteSize);
        long byteSize = LruEntries.byteSize(keyByteSize, valueByteSize);
        if (byteSize > capacity / LARGEST_DIVISOR) {
            if (present >= 0) {
                remove(hashOfKey, present);
            }
            return false;
        }
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

    public boolean remove(Object key, long offset, long byteSize) {
        long hashOfKey = hash.of(key, offset, byteSize);
        long entry = find(hashOfKey, key, offset, byteSize);
        if (entry < 0) {
            return false;
        }
        remove(hashOfKey, entry);
        return true;
    }

    private void remove(long hashOfKey, long entry) {
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

    public void clear() {
        checkOpen();
        changes++;
        slots.fill((byte) 0);
        entries.oldest = LruEntries.NONE;
        entries.newest = LruEntries.NONE;
        size = 0;
        liveByteSize = 0;
        changes++;
    }

    /// Passes each entry to an action, from the least to the most recently used one.
    public void forEach(EvictionAction action) {
        checkOpen();
        int changesAtStart = changes;
        for (long entry = entries.oldest; entry != LruEntries.NONE; entry = entries.newer(entry)) {
            accept(action, entry);
            if (changes != changesAtStart) {
                checkOpen();
                throw new ConcurrentModificationException("Changed during an iteration: " + NAME);
            }
        }
    }

    private void accept(EvictionAction action, long entry) {
        action.accept(entry + LruEntries.KEY, entries.keyByteSize(entry), entries.valueOffsetAt(entry),
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
        if (size >= SlotGroups.capacity(mask + 1)) {
            try {
                growSlots();
            } catch (RuntimeException | OutOfMemoryError e) {
                // Without memory for more slots, the map remains as it is, and evicts.
                evictOldest();
            }
        }
    }

    /// Makes room at the tail, and returns its offset.
    private long reserve(long byteSize) {
        while (liveByteSize + byteSize > capacity - capacity / FREE_DIVISOR) {
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

    private void growSlots() {
        long groups = 2 * (mask + 1);
        Table larger = allocateGroups(groups);
        MemorySegment aligned = SlotGroups.align(larger.segment, groups);
        aligned.fill((byte) 0);
        for (long entry = entries.oldest; entry != LruEntries.NONE; entry = entries.newer(entry)) {
            long hashOfKey = hashAt(entry);
            SlotGroups.link(aligned, groups - 1, hashOfKey & (groups - 1), hashOfKey, entry);
        }
        // No call, and so no Error, until all fields are consistent.
        table.isUnused = true;
        larger.isUnused = false;
        table = larger;
        slots = aligned;
        mask = groups - 1;
        memory.releaseUnused();
    }

    private Table allocateGroups(long groups) {
        long byteSize = SlotGroups.byteSize(groups);
        Sizes.checkAddressable(byteSize, 1);
        return memory.allocate(byteSize, 1);
    }

    @Override
    public long hashAt(long entry) {
        return hash.ofSegment(entries.segment, entry + LruEntries.KEY, entries.keyByteSize(entry));
    }

    public void close() {
        if (isEvicting) {
            throw usedByAction();
        }
        memory.checkThread();
        changes = (changes | 1) + 1;
        mask = CLOSED;
        slots = TableMemory.CLOSED;
        entries.segment = TableMemory.CLOSED;
        entries.oldest = LruEntries.NONE;
        size = 0;
        memory.close();
    }

    private void checkOpen() {
        checkUnused();
        if (mask == CLOSED) {
            throw new IllegalStateException("Already closed: " + NAME);
        }
        slots.get(JAVA_BYTE, 0);
    }

    private void checkUnused() {
        if ((changes & 1) != 0) {
            throw isEvicting ? usedByAction() : CollectionMessages.interrupted(NAME);
        }
    }

    private static RuntimeException usedByAction() {
        return new ConcurrentModificationException("Used by the action of an eviction: " + NAME);
    }
}
