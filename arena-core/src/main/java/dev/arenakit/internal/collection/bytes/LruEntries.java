package dev.arenakit.internal.collection.bytes;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// The entries of an LRU map, in a list from the next to be evicted to the most recently used one.
///
/// ```text
/// entry:  0                4                  8       12      16          keyOffset      valueOffset
///         | byteSize (key) | byteSize (value) | older | newer | deadlines | bytes of key | bytes of value |
///
/// list:   oldest                       oldestProtected                newest
///         | not protected, new entries | protected: used again        |
/// ```
///
/// The sign bit of the first `int` marks a removed entry, and the sign bit of the second one a protected entry. Entries
/// and values begin at multiples of 8. `older` and `newer` are the offsets of the neighbors in the list, divided by 8.
///
/// An entry has no deadline, or the time at which it expires, or this time and a time which the first one must not
/// exceed.
public final class LruEntries {
    /*
     * The list is a segmented LRU (R. Karedla, J. S. Love and B. G. Wherry, 1994). A new entry is evicted before all
     * protected entries, so that a scan of many keys replaces few entries in use. The protected entries take a limited
     * share of the memory: the oldest one then loses its protection, and comes before the new entries. A limit of 0 is
     * the order of the last use.
     */
    private static final long DEADLINES = 16;
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
    private static final int PROTECTED = Integer.MIN_VALUE;

    public final long keyOffset;
    private final long protectedByteLimit;

    MemorySegment segment;
    long oldest = NONE;
    long newest = NONE;
    private long oldestProtected = NONE;
    private long protectedByteSize;
    /// The deadlines of the next value.
    private long deadline;
    private long lastDeadline;

    /// @param deadlines the number of deadlines of an entry, at most 2
    LruEntries(MemorySegment segment, int deadlines, long protectedByteLimit) {
        this.segment = segment;
        this.keyOffset = keyOffset(deadlines);
        this.protectedByteLimit = protectedByteLimit;
    }

    static long keyOffset(int deadlines) {
        return DEADLINES + Long.BYTES * deadlines;
    }

    long byteSize(long keyByteSize, long valueByteSize) {
        return Sizes.alignUp(valueOffset(keyByteSize) + valueByteSize, ALIGNMENT);
    }

    private long valueOffset(long keyByteSize) {
        return Sizes.alignUp(keyOffset + keyByteSize, ALIGNMENT);
    }

    long byteSizeAt(long entry) {
        return byteSize(keyByteSize(entry), valueByteSize(entry));
    }

    int keyByteSize(long entry) {
        return EntryHeap.keyByteSize(segment, entry);
    }

    public int valueByteSize(long entry) {
        return segment.get(JAVA_INT_UNALIGNED, entry + VALUE_BYTE_SIZE) & ~PROTECTED;
    }

    public long valueOffsetAt(long entry) {
        return entry + valueOffset(keyByteSize(entry));
    }

    public byte[] keyArray(long entry) {
        return KeyText.toArray(segment, entry + keyOffset, keyByteSize(entry));
    }

    public byte[] valueArray(long entry) {
        return KeyText.toArray(segment, valueOffsetAt(entry), valueByteSize(entry));
    }

    /// Writes the sizes and the key of an entry that is not in the list yet.
    void writeKey(long entry, Object key, long offset, long keyByteSize) {
        segment.set(JAVA_INT_UNALIGNED, entry, (int) keyByteSize);
        segment.set(JAVA_INT_UNALIGNED, entry + VALUE_BYTE_SIZE, 0);
        BytesHash.copy(key, offset, segment, entry + keyOffset, keyByteSize);
    }

    /// Writes the value of an entry whose key was written.
    void writeValue(long entry, Object value, long offset, long valueByteSize) {
        BytesHash.copy(value, offset, segment, valueOffsetAt(entry), valueByteSize);
        segment.set(JAVA_INT_UNALIGNED, entry + VALUE_BYTE_SIZE, (int) valueByteSize | protection(entry));
        if (keyOffset > DEADLINES) {
            segment.set(JAVA_LONG_UNALIGNED, entry + keyOffset - Long.BYTES, lastDeadline);
            segment.set(JAVA_LONG_UNALIGNED, entry + DEADLINES, deadline);
        }
    }

    /// Sets the deadlines of the next value. The second one is ignored if an entry has a single deadline.
    public void setNextDeadlines(long deadline, long lastDeadline) {
        this.deadline = deadline;
        this.lastDeadline = lastDeadline;
    }

    public long deadline(long entry) {
        return segment.get(JAVA_LONG_UNALIGNED, entry + DEADLINES);
    }

    public long lastDeadline(long entry) {
        return segment.get(JAVA_LONG_UNALIGNED, entry + keyOffset - Long.BYTES);
    }

    public void setDeadline(long entry, long deadline) {
        segment.set(JAVA_LONG_UNALIGNED, entry + DEADLINES, deadline);
    }

    boolean isRemoved(long entry) {
        return segment.get(JAVA_INT_UNALIGNED, entry) < 0;
    }

    void markRemoved(long entry) {
        segment.set(JAVA_INT_UNALIGNED, entry, keyByteSize(entry) | EntryHeap.REMOVED);
    }

    /// Returns the entry that is evicted next, or -1.
    public long oldest() {
        return oldest;
    }

    /// Returns the next newer entry, or -1.
    public long newer(long entry) {
        return neighbor(entry + NEWER);
    }

    /// Adds an entry as the newest one that is not protected.
    void link(long entry) {
        linkBefore(oldestProtected, entry);
    }

    /// Returns whether another use of an entry has no effect.
    boolean isUsed(long entry) {
        return entry == newest && (protection(entry) != 0 || protectedByteLimit == 0);
    }

    /// Makes an entry the newest one, and protects it.
    void use(long entry) {
        unlink(entry);
        linkBefore(NONE, entry);
        long byteSize = byteSizeAt(entry);
        if (byteSize > protectedByteLimit) {
            return;
        }
        setProtection(entry, PROTECTED);
        protectedByteSize += byteSize;
        if (oldestProtected == NONE) {
            oldestProtected = entry;
        }
        while (protectedByteSize > protectedByteLimit) {
            endProtection(oldestProtected);
        }
    }

    void clear() {
        oldest = NONE;
        newest = NONE;
        oldestProtected = NONE;
        protectedByteSize = 0;
    }

    private void linkBefore(long newer, long entry) {
        long older = newer == NONE ? newest : neighbor(newer + OLDER);
        setNeighbor(entry + OLDER, older);
        setNeighbor(entry + NEWER, newer);
        setNewer(older, entry);
        setOlder(newer, entry);
    }

    private void endProtection(long entry) {
        protectedByteSize -= byteSizeAt(entry);
        setProtection(entry, 0);
        if (oldestProtected == entry) {
            oldestProtected = newer(entry);
        }
    }

    private int protection(long entry) {
        return segment.get(JAVA_INT_UNALIGNED, entry + VALUE_BYTE_SIZE) & PROTECTED;
    }

    private void setProtection(long entry, int protection) {
        segment.set(JAVA_INT_UNALIGNED, entry + VALUE_BYTE_SIZE, valueByteSize(entry) | protection);
    }

    void unlink(long entry) {
        if (protection(entry) != 0) {
            endProtection(entry);
        }
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
        if (oldestProtected == from) {
            oldestProtected = to;
        }
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
