package dev.arenakit.mapped.internal.tree;

import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.INT;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;
import static dev.arenakit.mapped.internal.structure.StructureFormat.WORD;

/// Reads and writes the pages of a tree. [TreeFormat] describes the format. A page is at an offset of a segment.
///
/// The methods that read return [#DAMAGED], or wrong keys and values, if another process writes the page meanwhile, or
/// if the bytes are damaged. They never access memory outside of the page.
public abstract sealed class TreePages permits LongPages, BytesPages {
    /// The result of a search in a page whose contents are impossible.
    public static final int DAMAGED = Integer.MIN_VALUE;

    private static final int LEAST_ENTRIES = 4;
    private static final long SEED = 0x9E37_79B9_7F4A_7C15L;
    /// An odd number, so that a multiplication loses nothing.
    private static final long FACTOR = 0xBF58_476D_1CE4_E5B9L;

    public final int pageByteSize;
    /// The size of a value in a leaf, a multiple of 8.
    final int leafStride;

    /// @param valueByteSize the size of a value in a leaf
    TreePages(int pageByteSize, long valueByteSize) {
        this.pageByteSize = pageByteSize;
        leafStride = (int) Sizes.alignUp(Math.max(valueByteSize, 8), 8);
    }

    /// The size of the pages for keys and values, which can be larger than [TreeFormat#LARGEST_PAGE].
    ///
    /// @param keyByteSize 8 for longs, or 0 for bytes
    static long pageByteSize(long keyByteSize, long valueByteSize) {
        long value = Sizes.alignUp(Math.max(valueByteSize, 8), 8);
        long least = keyByteSize == 0
                ? TreeFormat.CONTENTS + LEAST_ENTRIES * (8 + value + TreeFormat.LARGEST_KEY)
                : LongPages.values(LEAST_ENTRIES) + LEAST_ENTRIES * value;
        return Math.max(TreeFormat.SMALLEST_PAGE, Long.highestOneBit(least - 1) << 1);
    }

    /// The pages of a structure whose header was checked.
    ///
    /// @param keyByteSize 8 for longs, or 0 for bytes
    public static TreePages of(String name, MemorySegment header, long keyByteSize, long valueByteSize) {
        int pageByteSize = header.get(INT, TreeFormat.PAGE_SIZE);
        int key = header.get(INT, StructureFormat.KEY_SIZE);
        int value = header.get(INT, StructureFormat.VALUE_SIZE);
        if (key != keyByteSize || (key != 0 && key != Long.BYTES) || value != valueByteSize || value < 0
                || pageByteSize > TreeFormat.LARGEST_PAGE || pageByteSize(key, value) != pageByteSize) {
            throw StructureFormat.damaged(name, "pageByteSize=" + pageByteSize + ", keyByteSize=" + key
                    + ", valueByteSize=" + value + ", expected=" + keyByteSize + ", " + valueByteSize);
        }
        return keyByteSize == 0
                ? new BytesPages(pageByteSize, valueByteSize)
                : new LongPages(pageByteSize, valueByteSize);
    }

    public final long offset(long number) {
        return StructureFormat.BYTE_SIZE + (number - 1) * pageByteSize;
    }

    /// The number of the page at an offset.
    final long number(long offset) {
        return (offset - StructureFormat.BYTE_SIZE) / pageByteSize + 1;
    }

    final int stride(int level) {
        return level == 0 ? leafStride : Long.BYTES;
    }

    public static long head(MemorySegment memory, long page) {
        return memory.get(LONG, page + TreeFormat.HEAD);
    }

    static int count(MemorySegment memory, long page) {
        return TreeFormat.count(head(memory, page));
    }

    /// Whether a page can have a head.
    public abstract boolean isPossible(long head, int level);

    /// Searches for a key.
    ///
    /// @param from the first index
    /// @return the index of the key, or `-1 - i` if it would be inserted at index i, or [#DAMAGED]
    abstract int search(MemorySegment memory, long page, long head, int from, TreeKey key);

    /// Searches in the copy of a page, which has a possible head, as [#search] does. It is another method, because the code
    /// of [#search] is good only while all segments have the same class.
    public abstract int searchCopy(MemorySegment copy, int from, TreeKey key);

    /// Finds a child of an inner page, as [TreeReader#find] seeks a leaf.
    ///
    /// @param path gets the bounds of its keys
    /// @return the number of its page, or [#DAMAGED]
    final long child(MemorySegment memory, long page, int level, boolean isBelow, @Nullable TreeKey key, Path path) {
        long head = head(memory, page);
        if (!isPossible(head, level)) {
            return DAMAGED;
        }
        int count = TreeFormat.count(head);
        int found = key != null ? search(memory, page, head, 1, key) : isBelow ? -1 - count : -2;
        int child = found == DAMAGED ? DAMAGED : found < 0 ? -found - 2 : isBelow ? found - 1 : found;
        long at = child < 0 ? -1 : value(memory, page, level, child);
        if (at < 0) {
            return DAMAGED;
        }
        path.narrow(memory, page, level, child, count);
        return Math.max(0, (long) LONG_HANDLE.getAcquire(memory, at));
    }

    /// Copies the value of a key in a leaf.
    ///
    /// @return 1, or 0 if the leaf does not contain the key, or [#DAMAGED]
    final long copyValue(MemorySegment memory, long page, TreeKey key, MemorySegment value) {
        long head = head(memory, page);
        int found = isPossible(head, 0) ? search(memory, page, head, 0, key) : DAMAGED;
        if (found < 0) {
            return found == DAMAGED ? DAMAGED : 0;
        }
        long at = value(memory, page, 0, found);
        if (at < 0) {
            return DAMAGED;
        }
        if (leafStride == Long.BYTES) {
            // The owner may replace it, by one store.
            value.set(LONG, 0, (long) LONG_HANDLE.getAcquire(memory, at));
        } else {
            MemorySegment.copy(memory, at, value, 0, leafStride);
        }
        return 1;
    }

    /// Follows a search for a leaf.
    interface Path {
        /// Begins a search.
        default void begin() {}

        /// Narrows the bounds of the keys to the bounds of a child.
        default void narrow(MemorySegment memory, long page, int level, int child, int children) {}

        /// Copies the leaf, or a value.
        ///
        /// @return the number of entries, or [TreePages#DAMAGED]
        long copy(MemorySegment memory, long page);
    }

    /// The offset of a value in the memory, or -1 if the page is damaged.
    public abstract long value(MemorySegment memory, long page, int level, int index);

    /// Reads a key.
    ///
    /// @param reused a key that may be changed and returned
    /// @return the key; an arbitrary one if the page is damaged
    public abstract TreeKey key(MemorySegment memory, long page, int level, int index, TreeKey reused);

    /// The size of the beginning of a leaf that contains its entries.
    int usedByteSize(int count) {
        return pageByteSize;
    }

    /// A key to be passed to [#key].
    public abstract TreeKey newKey();

    /// The check of a page: of all of its bytes except for the check itself, and of its number. A difference in one word
    /// always changes it.
    private long check(MemorySegment memory, long page, long number) {
        long first = head(memory, page) ^ SEED;
        long second = memory.get(LONG, page) ^ Long.rotateLeft(SEED, 16);
        long third = number ^ Long.rotateLeft(SEED, 32);
        long fourth = memory.get(LONG, page + TreeFormat.CONTENTS) ^ Long.rotateLeft(SEED, 48);
        // Four lanes, because a multiplication waits for the previous one of its lane.
        for (int i = 4 * Long.BYTES; i < pageByteSize; i += 4 * Long.BYTES) {
            long at = page + i;
            first = lane(first, memory.get(WORD, at));
            second = lane(second, memory.get(WORD, at + 8));
            third = lane(third, memory.get(WORD, at + 16));
            fourth = lane(fourth, memory.get(WORD, at + 24));
        }
        return StructureFormat.mix(StructureFormat.mix(StructureFormat.mix(first, second), third), fourth);
    }

    private static long lane(long lane, long word) {
        return Long.rotateLeft((lane ^ word) * FACTOR, 29);
    }

    /// Stores the check of a page.
    final void seal(MemorySegment memory, long page, long number) {
        memory.set(LONG, page + TreeFormat.CHECK, check(memory, page, number));
    }

    /// Whether the check of a page is right.
    final boolean isSealed(MemorySegment memory, long page, long number) {
        return memory.get(LONG, page + TreeFormat.CHECK) == check(memory, page, number);
    }

    /// Begins to write a page.
    final void start(MemorySegment memory, long page, long generation, int level) {
        LONG_HANDLE.setRelease(memory, page, generation);
        // A reader that sees any other new byte sees the new generation, too.
        VarHandle.storeStoreFence();
        memory.set(LONG, page + TreeFormat.HEAD, TreeFormat.head(level, 0, pageByteSize));
    }

    /// Appends entries of another page with the same level.
    abstract void append(MemorySegment memory, long page, long source, int from, int to);

    /// Appends an entry.
    ///
    /// @param value a segment that begins with the value
    abstract void append(MemorySegment memory, long page, TreeKey key, MemorySegment value);

    /// Completes a page that has all of its keys.
    void finish(MemorySegment memory, long page) {}

    /// The bytes that all entries of a page can have together.
    abstract int capacity(int level);

    /// The bytes that entries have.
    abstract int byteSize(MemorySegment memory, long page, int level, int from, int to);

    /// The bytes that an entry with a key has.
    abstract int byteSize(int level, TreeKey key);

    /// A key that is larger than the last key of a page, and not larger than the first key of another one.
    TreeKey separator(MemorySegment memory, int level, long left, long right) {
        return key(memory, right, level, 0, newKey());
    }
}
