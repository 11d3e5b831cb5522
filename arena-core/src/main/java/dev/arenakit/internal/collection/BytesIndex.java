package dev.arenakit.internal.collection;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// A hash table of the keys in an [EntryHeap], with its slots in [SlotGroups].
public final class BytesIndex implements SlotGroups.Hashes {
    /*
     * A change that takes several writes sets `isTorn` first. If the stack is exhausted before its end, the entries
     * tell whether the change was made, and the next change rebuilds the slots from the entries. Until then, look-ups
     * search the entries one by one. Look-ups never repair the slots, because other threads may read at the same time.
     *
     * Every loop ends, whatever the memory contains: a probe visits each group at most once.
     */
    private static final long LEAST_GROUPS = 2;
    /// The mask of a closed table.
    private static final long CLOSED = -1;

    public final EntryHeap heap;
    private final BytesHash hash;
    private final TableMemory memory;
    private final String name;

    private Table table;
    private MemorySegment slots;
    /// The number of groups less 1. The number of groups is a power of two.
    private long mask;
    /// The number of entries at which the slots must grow.
    private long capacity;
    private long size;
    private boolean isTorn;
    /// The number of changes so far that end iterations.
    private int changes;

    /// @param name                 the name of the class of the structure
    /// @param expectedSize         the number of keys that fit at first
    /// @param expectedKeysByteSize the total size of these keys
    public BytesIndex(TableMemory memory, String name, EntryHeap.Format format, long expectedSize,
            long expectedKeysByteSize) {
        if (expectedSize < 0 || expectedKeysByteSize < 0) {
            throw new IllegalArgumentException("Expected size is negative: expectedSize=" + expectedSize
                    + ", expectedKeysByteSize=" + expectedKeysByteSize);
        }
        this.memory = memory;
        this.name = name;
        this.hash = BytesHash.random();
        // Sizes beyond these bounds exceed the address space.
        long entries = Math.min(expectedSize, Sizes.ADDRESSABLE);
        long entryByteSize = format.keyOffset() + format.byteAlignment() - 1;
        long entriesByteSize = entries > Sizes.ADDRESSABLE / entryByteSize
                ? Sizes.ADDRESSABLE
                : entries * entryByteSize;
        long groups = groupsFor(entries);
        try {
            this.table = allocateGroups(groups);
            this.slots = SlotGroups.align(table.segment, groups);
            this.mask = groups - 1;
            this.capacity = SlotGroups.capacity(groups);
            slots.fill((byte) 0);
            this.heap = new EntryHeap(memory, format,
                    entriesByteSize + Math.min(expectedKeysByteSize, Sizes.ADDRESSABLE));
        } catch (Throwable t) {
            memory.close();
            throw t;
        }
    }

    public long size() {
        checkOpen();
        return isTorn ? countEntries() : size;
    }

    public long byteSize() {
        checkOpen();
        return table.segment.byteSize() + heap.segment.byteSize();
    }

    public long hash(byte[] key, int offset, int byteSize) {
        return hash.of(key, offset, byteSize);
    }

    public long hash(MemorySegment key, long offset, long byteSize) {
        return hash.of(key, offset, byteSize);
    }

    /// Returns the offset of the entry of a key, or -1.
    public long find(long hash, byte[] key, int offset, int byteSize) {
        if (isTorn) {
            return findInEntries(MemorySegment.ofArray(key), offset, byteSize);
        }
        MemorySegment slots = this.slots;
        MemorySegment entries = heap.segment;
        long keyOffset = heap.keyOffset;
        long mask = this.mask;
        long tag = SlotGroups.tag(hash);
        long group = hash & mask;
        for (long probes = 0; probes <= mask; probes++) {
            long base = group << SlotGroups.GROUP_BYTE_SHIFT;
            long tags = slots.get(JAVA_LONG_UNALIGNED, base);
            for (long matches = SlotGroups.matches(tags, tag); matches != 0; matches &= matches - 1) {
                long slot = slots.get(JAVA_LONG_UNALIGNED, base + SlotGroups.slotOffset(matches));
                long entry = SlotGroups.entry(slot);
                if (((slot ^ hash) & SlotGroups.HASH_BITS) == 0
                        && entries.get(JAVA_INT_UNALIGNED, entry) == byteSize
                        && BytesHash.equal(entries, entry + keyOffset, key, offset, byteSize)) {
                    return entry;
                }
            }
            if (!SlotGroups.isFull(tags)) {
                return -1;
            }
            group = (group + 1) & mask;
        }
        return notFound();
    }

    /// Returns the offset of the entry of a key, or -1.
    public long find(long hash, MemorySegment key, long offset, long byteSize) {
        if (isTorn) {
            return findInEntries(key, offset, byteSize);
        }
        MemorySegment slots = this.slots;
        MemorySegment entries = heap.segment;
        long keyOffset = heap.keyOffset;
        long mask = this.mask;
        long tag = SlotGroups.tag(hash);
        long group = hash & mask;
        for (long probes = 0; probes <= mask; probes++) {
            long base = group << SlotGroups.GROUP_BYTE_SHIFT;
            long tags = slots.get(JAVA_LONG_UNALIGNED, base);
            for (long matches = SlotGroups.matches(tags, tag); matches != 0; matches &= matches - 1) {
                long slot = slots.get(JAVA_LONG_UNALIGNED, base + SlotGroups.slotOffset(matches));
                long entry = SlotGroups.entry(slot);
                if (((slot ^ hash) & SlotGroups.HASH_BITS) == 0
                        && entries.get(JAVA_INT_UNALIGNED, entry) == byteSize
                        && BytesHash.equal(entries, entry + keyOffset, key, offset, byteSize)) {
                    return entry;
                }
            }
            if (!SlotGroups.isFull(tags)) {
                return -1;
            }
            group = (group + 1) & mask;
        }
        return notFound();
    }

    /// Makes room for an entry, and returns its offset. The caller writes key and value at the offset, and then calls
    /// [#add].
    public long reserve(long keyByteSize, long tailByteSize) {
        checkOpen();
        EntryHeap.checkByteSize("key", keyByteSize);
        repair();
        if (size >= capacity) {
            growSlots();
        }
        long byteSize = heap.byteSize(keyByteSize, tailByteSize);
        if (!heap.hasRoom(byteSize)) {
            changes++;
            if (heap.isWorthCompacting()) {
                compact(byteSize);
            } else {
                heap.grow(byteSize);
            }
        }
        heap.segment.set(JAVA_INT_UNALIGNED, heap.end, (int) keyByteSize);
        return heap.end;
    }

    /// Adds the entry that was written at the end to the map.
    public void add(long hash, long entry) {
        long end = entry + heap.byteSizeAt(heap.segment, entry);
        changes++;
        isTorn = true;
        SlotGroups.link(slots, mask, hash, entry);
        heap.end = end;
        size++;
        isTorn = false;
    }

    /// Replaces an entry by the entry of the same key that was written at the end.
    public void replace(long hash, long replaced, long entry) {
        long byteSize = heap.byteSizeAt(heap.segment, replaced);
        long end = entry + heap.byteSizeAt(heap.segment, entry);
        long at = SlotGroups.find(slots, mask, hash, replaced);
        changes++;
        isTorn = true;
        // A search of the entries sees both changes at once.
        heap.replacedEntry = replaced;
        heap.end = end;
        heap.markRemoved(replaced);
        slots.set(JAVA_LONG_UNALIGNED, at, SlotGroups.slot(hash, entry));
        heap.removedByteSize += byteSize;
        heap.replacedEntry = -1;
        isTorn = false;
    }

    private void remove(long hash, long entry) {
        repair();
        long byteSize = heap.byteSizeAt(heap.segment, entry);
        long at = SlotGroups.find(slots, mask, hash, entry);
        changes++;
        isTorn = true;
        heap.markRemoved(entry);
        SlotGroups.unlink(slots, mask, at, this);
        heap.removedByteSize += byteSize;
        size--;
        isTorn = false;
        if (size == 0) {
            heap.clear();
        }
    }

    public boolean remove(long hash, byte[] key, int offset, int byteSize) {
        long entry = find(hash, key, offset, byteSize);
        if (entry >= 0) {
            remove(hash, entry);
        }
        return entry >= 0;
    }

    public boolean remove(long hash, MemorySegment key, long offset, long byteSize) {
        long entry = find(hash, key, offset, byteSize);
        if (entry >= 0) {
            remove(hash, entry);
        }
        return entry >= 0;
    }

    public void clear() {
        checkOpen();
        changes++;
        isTorn = true;
        heap.clear();
        slots.fill((byte) 0);
        size = 0;
        isTorn = false;
    }

    /// Returns the number to pass to [#checkUnchanged] during an iteration.
    int startIteration() {
        checkOpen();
        return changes;
    }

    /// Checks that no entry has been added or removed since an iteration started.
    void checkUnchanged(int changesAtStart) {
        if (changes != changesAtStart) {
            checkOpen();
            throw new ConcurrentModificationException("Changed during an iteration: " + name);
        }
    }

    public void close() {
        if (!slots.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("Closed by a thread that may not access it: " + name + ", thread="
                    + Thread.currentThread());
        }
        changes++;
        mask = CLOSED;
        isTorn = false;
        slots = TableMemory.CLOSED;
        heap.close();
        memory.close();
    }

    /// Checks that the memory is alive and accessible to this thread.
    public void checkOpen() {
        if (mask == CLOSED) {
            throw new IllegalStateException("Already closed: " + name);
        }
        slots.get(JAVA_BYTE, 0);
    }

    public String describe(String unit) {
        return mask == CLOSED
                ? name + ": closed"
                : name + ": " + size + " " + unit + ", " + ((table.segment.byteSize() + heap.segment.byteSize()) >> 10)
                        + " KiB";
    }

    private long notFound() {
        checkOpen();
        return -1;
    }

    @Override
    public long hashAt(long entry) {
        return hash.of(heap.segment, entry + heap.keyOffset, EntryHeap.keyByteSize(heap.segment, entry));
    }

    private void growSlots() {
        long groups = 2 * (mask + 1);
        Table larger = allocateGroups(groups);
        MemorySegment aligned;
        try {
            aligned = SlotGroups.align(larger.segment, groups);
            fill(aligned, groups - 1);
        } catch (Throwable t) {
            memory.release(larger);
            throw t;
        }
        long largerCapacity = SlotGroups.capacity(groups);
        // No call can fail from here until the change is complete.
        Table old = table;
        old.isUnused = true;
        table = larger;
        slots = aligned;
        mask = groups - 1;
        capacity = largerCapacity;
        memory.release(old);
    }

    private void compact(long byteSize) {
        Table compact = heap.copyCompacted(byteSize);
        isTorn = true;
        Table old = heap.exchange(compact);
        fill(slots, mask);
        isTorn = false;
        memory.release(old);
    }

    /// Completes a change that was torn. The entries keep their offsets.
    private void repair() {
        if (!isTorn) {
            return;
        }
        changes++;
        if (heap.replacedEntry >= 0) {
            heap.markRemoved(heap.replacedEntry);
        }
        long live = fill(slots, mask);
        long liveByteSize = 0;
        for (long entry = heap.firstFrom(0); entry < heap.end; entry = heap.next(entry)) {
            liveByteSize += heap.byteSizeAt(heap.segment, entry);
        }
        size = live;
        heap.removedByteSize = heap.end - liveByteSize;
        heap.replacedEntry = -1;
        isTorn = false;
    }

    private long countEntries() {
        long count = 0;
        for (long entry = heap.firstFrom(0); entry < heap.end; entry = heap.next(entry)) {
            count++;
        }
        return count;
    }

    private long findInEntries(MemorySegment key, long offset, long byteSize) {
        for (long entry = heap.firstFrom(0); entry < heap.end; entry = heap.next(entry)) {
            if (EntryHeap.keyByteSize(heap.segment, entry) == byteSize
                    && BytesHash.equal(heap.segment, entry + heap.keyOffset, key, offset, byteSize)) {
                return entry;
            }
        }
        return notFound();
    }

    /// Links all entries to empty slots, and returns their number.
    private long fill(MemorySegment slots, long mask) {
        slots.fill((byte) 0);
        long live = 0;
        for (long entry = heap.firstFrom(0); entry < heap.end; entry = heap.next(entry)) {
            SlotGroups.link(slots, mask, hashAt(entry), entry);
            live++;
        }
        return live;
    }

    private static long groupsFor(long entries) {
        long groups = LEAST_GROUPS;
        while (entries > SlotGroups.capacity(groups)) {
            groups <<= 1;
        }
        return groups;
    }

    private Table allocateGroups(long groups) {
        long byteSize = SlotGroups.byteSize(groups);
        Sizes.checkAddressable(byteSize, 1);
        return memory.allocate(byteSize, 1);
    }
}
