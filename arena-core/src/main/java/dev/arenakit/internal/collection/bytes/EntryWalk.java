package dev.arenakit.internal.collection.bytes;

import java.lang.foreign.MemorySegment;

/// An iteration over the entries of a [BytesIndex], in the order in which they were added.
public final class EntryWalk {
    /// All entries, read-only.
    public final MemorySegment bytes;

    private final BytesIndex index;
    private final EntryHeap heap;
    private int changesAtStart;
    private long entry = -1;
    /// The offset at which the search for the next entry starts.
    long next;

    public EntryWalk(BytesIndex index) {
        this.index = index;
        this.heap = index.heap;
        this.changesAtStart = index.startIteration();
        this.bytes = heap.segment.asReadOnly();
        this.next = heap.first;
    }

    public boolean moveNext() {
        index.checkUnchanged(changesAtStart);
        long found = heap.firstFrom(next);
        if (found >= heap.end) {
            index.checkOpen();
            entry = -1;
            next = heap.end;
            return false;
        }
        next = found + heap.byteSizeAt(heap.segment, found);
        entry = found;
        return true;
    }

    /// Removes the current entry.
    public void remove() {
        index.remove(entry());
        entry = -1;
        changesAtStart = index.startIteration();
    }

    /// Returns the offset of the current entry.
    public long entry() {
        index.checkUnchanged(changesAtStart);
        if (entry < 0) {
            throw new IllegalStateException("Cursor is not at an entry: moveNext has not returned true");
        }
        return entry;
    }

    public long keyOffset() {
        return entry() + heap.keyOffset;
    }

    public int keyByteSize() {
        return EntryHeap.keyByteSize(heap.segment, entry());
    }

    public String keyText() {
        return KeyText.decode(bytes, keyOffset(), keyByteSize());
    }

    public byte[] keyArray() {
        return KeyText.toArray(bytes, keyOffset(), keyByteSize());
    }
}
