package dev.arenakit.internal.collection.bytes;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.TableMemory.Table;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

/// A hash table of the keys in an [EntryHeap].
public final class BytesIndex extends GroupedIndex {
    public final EntryHeap heap;
    /// Whether the last reservation has moved the slots, so that the search before it found another empty slot.
    private boolean areSlotsMoved;

    /// @param name                 the name of the class of the structure
    /// @param expectedSize         the number of keys that fit at first
    /// @param expectedKeysByteSize the total size of these keys
    public BytesIndex(TableMemory memory, String name, EntryHeap.Format format, long expectedSize,
            long expectedKeysByteSize) {
        super(memory, name, BytesHash.random(), format.keyOffset());
        if (expectedSize < 0 || expectedKeysByteSize < 0) {
            throw new IllegalArgumentException("Expected size is negative: expectedSize=" + expectedSize
                    + ", expectedKeysByteSize=" + expectedKeysByteSize);
        }
        // Sizes beyond these bounds exceed the address space.
        long entries = Math.min(expectedSize, Sizes.ADDRESSABLE);
        long entryByteSize = format.keyOffset() + format.byteAlignment() - 1;
        long entriesByteSize = entries > Sizes.ADDRESSABLE / entryByteSize
                ? Sizes.ADDRESSABLE
                : entries * entryByteSize;
        try {
            this.heap = new EntryHeap(memory, format,
                    entriesByteSize + Math.min(expectedKeysByteSize, Sizes.ADDRESSABLE));
            resizeSlots(groupsFor(entries));
        } catch (Throwable t) {
            memory.close();
            throw t;
        }
    }

    @Override
    public long byteSize() {
        checkOpen();
        return table.segment.byteSize() + heap.segment.byteSize();
    }

    /// Makes room for an entry, writes its key, and returns its offset. The caller writes the value, and then calls
    /// [#add] or [#replace].
    public long reserve(Object key, long offset, long keyByteSize, long tailByteSize) {
        checkOpen();
        EntryHeap.checkByteSize("key", keyByteSize);
        areSlotsMoved = false;
        if (size >= maxSize) {
            resizeSlots(2 * (mask + 1));
            areSlotsMoved = true;
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

    /// Removes the entry at an offset. No entry moves.
    public void remove(long entry) {
        remove(hashAt(entry), entry);
    }

    @Override
    public void remove(long hash, long entry) {
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

    @Override
    MemorySegment entries() {
        return heap.segment;
    }

    @Override
    void clearEntries() {
        heap.clear();
    }

    @Override
    void closeEntries() {
        heap.close();
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
        slots.fill((byte) 0);
        linkAll(slots, mask);
        areSlotsMoved = true;
        changes++;
        memory.releaseUnused();
    }

    @Override
    void linkAll(MemorySegment slots, long mask) {
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
}
