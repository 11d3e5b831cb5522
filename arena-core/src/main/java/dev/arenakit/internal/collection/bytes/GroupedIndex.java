package dev.arenakit.internal.collection.bytes;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.collection.CollectionMessages;
import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.TableMemory.Table;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// A hash table of keys that are bytes, with its slots in [SlotGroups]. A subclass has the entries. Each entry begins
/// with the size of its key, as an `int`.
public abstract sealed class GroupedIndex implements SlotGroups.Hashes, AutoCloseable permits BytesIndex, LruIndex {
    /*
     * A change that takes several writes makes the number of changes odd before the first write, and even after the
     * last write. If an Error interrupts the change, the number remains odd, and every operation throws an exception.
     *
     * Every loop ends, whatever the memory contains: a probe visits each group at most once.
     */
    static final long LEAST_GROUPS = 2;
    /// The mask of a closed table.
    private static final long CLOSED = -1;

    final TableMemory memory;
    final String name;
    private final BytesHash hash;
    private final long keyOffset;

    Table table = new Table();
    MemorySegment slots = table.segment;
    /// The number of groups less 1. The number of groups is a power of two.
    long mask;
    /// The number of entries at which the slots must grow.
    long maxSize;
    long size;
    /// Twice the number of changes so far that end iterations, plus 1 during a change.
    int changes;

    /// @param name      the name of the structure's class
    /// @param keyOffset the offset of the key in an entry
    GroupedIndex(TableMemory memory, String name, BytesHash hash, long keyOffset) {
        this.memory = memory;
        this.name = name;
        this.hash = hash;
        this.keyOffset = keyOffset;
    }

    abstract MemorySegment entries();

    /// Links all entries to empty slots.
    abstract void linkAll(MemorySegment slots, long mask);

    /// Removes an entry that [#find] has returned.
    public abstract void remove(long hash, long entry);

    abstract void clearEntries();

    abstract void closeEntries();

    public long size() {
        checkOpen();
        return size;
    }

    public abstract long byteSize();

    /// Returns the hash of a key, which is a range of an array of bytes or of a segment.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array or segment
    public long hash(Object key, long offset, long byteSize) {
        return hash.of(key, offset, byteSize);
    }

    @Override
    public long hashAt(long entry) {
        MemorySegment entries = entries();
        return hash.ofSegment(entries, entry + keyOffset, EntryHeap.keyByteSize(entries, entry));
    }

    /// Returns the offset of the entry of a key, or a negative number.
    public long find(Object key, long offset, long byteSize) {
        return find(hash(key, offset, byteSize), key, offset, byteSize);
    }

    /// Returns the offset of the entry of a key, or the complement of the first group on its way that has an empty slot.
    public long find(long hash, Object key, long offset, long byteSize) {
        checkUnused();
        long entry = SlotGroups.search(slots, mask, entries(), keyOffset, hash, key, offset, byteSize);
        if (mask == CLOSED) {
            checkOpen();
        }
        return entry;
    }

    public boolean remove(Object key, long offset, long byteSize) {
        long hash = hash(key, offset, byteSize);
        long entry = find(hash, key, offset, byteSize);
        if (entry < 0) {
            return false;
        }
        remove(hash, entry);
        return true;
    }

    public void clear() {
        checkOpen();
        changes++;
        endByClearing();
    }

    /// Removes all entries if an Error has interrupted a change, and returns their number.
    public long recover() {
        if ((changes & 1) == 0) {
            return 0;
        }
        long lost = size;
        endByClearing();
        return lost;
    }

    /// Ends a change after which the map has no entries.
    private void endByClearing() {
        clearEntries();
        slots.fill((byte) 0);
        size = 0;
        changes++;
    }

    /// Moves all entries to new slots.
    void resizeSlots(long groups) {
        long byteSize = SlotGroups.byteSize(groups);
        Sizes.checkAddressable(byteSize, 1);
        Table other = memory.allocate(byteSize, 1);
        MemorySegment aligned = SlotGroups.align(other.segment, groups);
        aligned.fill((byte) 0);
        linkAll(aligned, groups - 1);
        long newMaxSize = SlotGroups.capacity(groups);
        // No call, and so no Error, until all fields are consistent.
        table.isUnused = true;
        other.isUnused = false;
        table = other;
        slots = aligned;
        mask = groups - 1;
        maxSize = newMaxSize;
        memory.releaseUnused();
    }

    /// Checks that the memory is alive and accessible to this thread, and that no change was interrupted.
    public void checkOpen() {
        checkUnused();
        if (mask == CLOSED) {
            throw new IllegalStateException("Already closed: " + name);
        }
        slots.get(JAVA_BYTE, 0);
    }

    private void checkUnused() {
        if ((changes & 1) != 0) {
            throw changing();
        }
    }

    /// Returns the exception for an operation while a change has not ended.
    RuntimeException changing() {
        return CollectionMessages.interrupted(name);
    }

    @Override
    public void close() {
        memory.checkThread();
        changes = (changes | 1) + 1;
        mask = CLOSED;
        slots = TableMemory.CLOSED;
        size = 0;
        closeEntries();
        memory.close();
    }
}
