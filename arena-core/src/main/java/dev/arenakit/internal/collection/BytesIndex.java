package dev.arenakit.internal.collection;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.collection.TableMemory.Table;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

/// A hash table of the keys in an [EntryHeap], with its slots in [SlotGroups].
public final class BytesIndex implements SlotGroups.Hashes {
    /*
     * A change that takes several writes makes the number of changes odd before the first write, and even after the
     * last write. If an Error interrupts the change, the number remains odd, and every operation throws an exception.
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
    /// Twice the number of changes so far that end iterations, plus 1 during a change.
    private int changes;
    /// Whether the last reservation has moved the slots, so that the search before it found another empty slot.
    private boolean areSlotsMoved;

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
            table.isUnused = false;
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
        return size;
    }

    public long byteSize() {
        checkOpen();
        return table.segment.byteSize() + heap.segment.byteSize();
    }

    /// Returns the hash of a key, which is a range of an array of bytes or of a segment.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array or segment
    public long hash(Object key, long offset, long byteSize) {
        return hash.of(key, offset, byteSize);
    }

    /// Returns the offset of the entry of a key, or a negative number, which [#add] needs.
    public long find(long hash, Object key, long offset, long byteSize) {
        if ((changes & 1) != 0) {
            throw CollectionMessages.interrupted(name);
        }
        long entry = SlotGroups.search(slots, mask, heap.segment, heap.keyOffset, hash, key, offset, byteSize);
        if (mask == CLOSED) {
            checkOpen();
        }
        return entry;
    }

    /// Makes room for an entry, writes its key, and returns its offset. The caller writes the value, and then calls
    /// [#add] or [#replace].
    public long reserve(Object key, long offset, long keyByteSize, long tailByteSize) {
        checkOpen();
        EntryHeap.checkByteSize("key", keyByteSize);
        areSlotsMoved = false;
        if (size >= capacity) {
            resizeSlots(2 * (mask + 1));
        }
        long byteSize = heap.byteSize(keyByteSize, tailByteSize);
        if (!heap.hasRoom(byteSize)) {
            if (heap.isWorthCompacting()) {
                compact(Math.addExact(2 * heap.liveByteSize(), byteSize));
            } else {
                growHeap(byteSize);
            }
        }
        long entry = heap.end;
        heap.segment.set(JAVA_INT_UNALIGNED, entry, (int) keyByteSize);
        BytesHash.copy(key, offset, heap.segment, entry + heap.keyOffset, keyByteSize);
        return entry;
    }

    /// Adds the entry that was written at the end to the map.
    ///
    /// @param absent the result of the search for its key
    public void add(long hash, long absent, long entry) {
        long end = entry + heap.byteSizeAt(heap.segment, entry);
        changes++;
        SlotGroups.link(slots, mask, areSlotsMoved ? hash & mask : ~absent, hash, entry);
        heap.end = end;
        size++;
        changes++;
    }

    /// Replaces the entry of a key by the entry of this key that was written at the end.
    public void replace(long hash, Object key, long offset, long keyByteSize, long entry) {
        // The reservation of the new entry may have moved the old entry.
        long replaced = find(hash, key, offset, keyByteSize);
        long end = entry + heap.byteSizeAt(heap.segment, entry);
        long at = SlotGroups.find(slots, mask, hash, replaced);
        changes++;
        SlotGroups.replace(slots, at, entry);
        heap.end = end;
        heap.remove(replaced);
        changes++;
    }

    /// Starts the replacement of a value in its entry by several writes, which does not end iterations.
    public void startOverwrite() {
        changes++;
    }

    public void endOverwrite() {
        changes--;
    }

    public boolean remove(Object key, long offset, long keyByteSize) {
        long hash = hash(key, offset, keyByteSize);
        long entry = find(hash, key, offset, keyByteSize);
        if (entry < 0) {
            return false;
        }
        remove(hash, entry);
        return true;
    }

    /// Removes the entry at an offset. No entry moves.
    public void remove(long entry) {
        remove(hashAt(entry), entry);
    }

    private void remove(long hash, long entry) {
        long at = SlotGroups.find(slots, mask, hash, entry);
        changes++;
        heap.remove(entry);
        SlotGroups.unlink(slots, mask, at, this);
        size--;
        if (size == 0) {
            heap.clear();
        }
        changes++;
    }

    public void clear() {
        checkOpen();
        changes++;
        heap.clear();
        slots.fill((byte) 0);
        size = 0;
        changes++;
    }

    /// Moves to the smallest tables for the present entries, if the memory of the present tables can be released.
    public void shrink() {
        checkOpen();
        if (!memory.canRelease()) {
            return;
        }
        if (heap.canShrink()) {
            compact(heap.liveByteSize());
        }
        long groups = groupsFor(size);
        if (groups <= mask) {
            resizeSlots(groups);
        }
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
        memory.checkThread();
        changes = (changes | 1) + 1;
        mask = CLOSED;
        slots = TableMemory.CLOSED;
        heap.close();
        memory.close();
    }

    /// Checks that the memory is alive and accessible to this thread, and that no change was interrupted.
    public void checkOpen() {
        if ((changes & 1) != 0) {
            throw CollectionMessages.interrupted(name);
        }
        if (mask == CLOSED) {
            throw new IllegalStateException("Already closed: " + name);
        }
        slots.get(JAVA_BYTE, 0);
    }

    @Override
    public long hashAt(long entry) {
        return hash.ofSegment(heap.segment, entry + heap.keyOffset, EntryHeap.keyByteSize(heap.segment, entry));
    }

    private void resizeSlots(long groups) {
        Table other = allocateGroups(groups);
        MemorySegment aligned = SlotGroups.align(other.segment, groups);
        fill(aligned, groups - 1);
        long newCapacity = SlotGroups.capacity(groups);
        // No call, and so no Error, until all fields are consistent.
        table.isUnused = true;
        other.isUnused = false;
        table = other;
        slots = aligned;
        mask = groups - 1;
        capacity = newCapacity;
        areSlotsMoved = true;
        memory.releaseUnused();
    }

    private void growHeap(long byteSize) {
        changes++;
        try {
            heap.grow(byteSize);
        } catch (RuntimeException | OutOfMemoryError e) {
            if (!heap.isLost()) {
                changes++;
            }
            throw e;
        }
        changes++;
        memory.releaseUnused();
    }

    /// Moves the live entries to a table of at least a size.
    private void compact(long byteSize) {
        Table compact = heap.copyCompacted(byteSize);
        changes++;
        heap.exchange(compact);
        fill(slots, mask);
        areSlotsMoved = true;
        changes++;
        memory.releaseUnused();
    }

    /// Links all entries to empty slots.
    private void fill(MemorySegment slots, long mask) {
        slots.fill((byte) 0);
        for (long entry = heap.first; entry < heap.end; entry = heap.next(entry)) {
            long hash = hashAt(entry);
            SlotGroups.link(slots, mask, hash & mask, hash, entry);
        }
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
