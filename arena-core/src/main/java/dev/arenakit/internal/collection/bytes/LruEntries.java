package dev.arenakit.internal.collection.bytes;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

/// The entries of an LRU map, in a list from the least to the most recently used one.
///
/// ```text
/// entry:  0                4                  8       12      16             valueOffset
///         | byteSize (key) | byteSize (value) | older | newer | bytes of key | bytes of value |
/// ```
///
/// The sign bit of the first `int` marks a removed entry. Entries and values begin at multiples of 8. `older` and
/// `newer` are the offsets of the neighbors in the list, divided by 8.
final class LruEntries {
    static final long KEY = 16;
    static final long ALIGNMENT = 8;
    /// A neighbor that does not exist.
    static final long NONE = -1;
    /// Offsets divided by 8 are unsigned ints. The largest one means NONE, and no entry has it, because an entry takes
    /// more than 8 bytes.
    static final long MAX_BYTE_SIZE = 1L << 35;

    private static final long VALUE_BYTE_SIZE = 4;
    private static final long OLDER = 8;
    private static final long NEWER = 12;
    private static final int SHIFT = 3;
    private static final int NO_NEIGHBOR = -1;

    MemorySegment segment;
    long oldest = NONE;
    long newest = NONE;

    LruEntries(MemorySegment segment) {
        this.segment = segment;
    }

    static long byteSize(long keyByteSize, long valueByteSize) {
        return Sizes.alignUp(valueOffset(keyByteSize) + valueByteSize, ALIGNMENT);
    }

    private static long valueOffset(long keyByteSize) {
        return Sizes.alignUp(KEY + keyByteSize, ALIGNMENT);
    }

    long byteSizeAt(long entry) {
        return byteSize(keyByteSize(entry), valueByteSize(entry));
    }

    int keyByteSize(long entry) {
        return EntryHeap.keyByteSize(segment, entry);
    }

    int valueByteSize(long entry) {
        return segment.get(JAVA_INT_UNALIGNED, entry + VALUE_BYTE_SIZE);
    }

    long valueOffsetAt(long entry) {
        return entry + valueOffset(keyByteSize(entry));
    }

    /// Writes the sizes and the key of an entry that is not in the list yet.
    void writeKey(long entry, Object key, long offset, long keyByteSize) {
        segment.set(JAVA_INT_UNALIGNED, entry, (int) keyByteSize);
        BytesHash.copy(key, offset, segment, entry + KEY, keyByteSize);
    }

    /// Writes the value of an entry whose key was written.
    void writeValue(long entry, Object value, long offset, long valueByteSize) {
        BytesHash.copy(value, offset, segment, valueOffsetAt(entry), valueByteSize);
        segment.set(JAVA_INT_UNALIGNED, entry + VALUE_BYTE_SIZE, (int) valueByteSize);
    }

    boolean isRemoved(long entry) {
        return segment.get(JAVA_INT_UNALIGNED, entry) < 0;
    }

    void markRemoved(long entry) {
        segment.set(JAVA_INT_UNALIGNED, entry, keyByteSize(entry) | EntryHeap.REMOVED);
    }

    long newer(long entry) {
        return neighbor(entry + NEWER);
    }

    /// Adds an entry as the newest one.
    void link(long entry) {
        long older = newest;
        setNeighbor(entry + OLDER, older);
        setNeighbor(entry + NEWER, NONE);
        setNewer(older, entry);
        newest = entry;
    }

    void unlink(long entry) {
        long older = neighbor(entry + OLDER);
        long newer = newer(entry);
        setNewer(older, newer);
        setOlder(newer, older);
    }

    /// Moves an entry to a lower offset.
    void move(long from, long to) {
        MemorySegment.copy(segment, from, segment, to, byteSizeAt(from));
        setNewer(neighbor(to + OLDER), to);
        setOlder(newer(to), to);
    }

    private void setNewer(long entry, long newer) {
        if (entry == NONE) {
            oldest = newer;
        } else {
            setNeighbor(entry + NEWER, newer);
        }
    }

    private void setOlder(long entry, long older) {
        if (entry == NONE) {
            newest = older;
        } else {
            setNeighbor(entry + OLDER, older);
        }
    }

    private long neighbor(long at) {
        int neighbor = segment.get(JAVA_INT_UNALIGNED, at);
        return neighbor == NO_NEIGHBOR ? NONE : Integer.toUnsignedLong(neighbor) << SHIFT;
    }

    private void setNeighbor(long at, long entry) {
        segment.set(JAVA_INT_UNALIGNED, at, (int) (entry >> SHIFT));
    }
}
