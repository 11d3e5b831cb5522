package dev.arenakit.mapped.internal.tree;

import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Reads and writes the pages of a tree. [TreeFormat] describes the format. A page is at an offset of a segment.
///
/// The methods that read return [#DAMAGED], or wrong keys and values, if another process writes the page meanwhile, or
/// if the bytes are damaged. They never access memory outside of the page.
public abstract sealed class TreePages permits LongPages, BytesPages {
    /// The result of a search in a page whose contents are impossible.
    public static final int DAMAGED = Integer.MIN_VALUE;

    public final int pageByteSize;
    /// The size of a value in a leaf, a multiple of 8.
    final int leafStride;

    /// @param valueByteSize the size of a value in a leaf
    TreePages(int pageByteSize, long valueByteSize) {
        this.pageByteSize = pageByteSize;
        leafStride = (int) Sizes.alignUp(Math.max(valueByteSize, 8), 8);
    }

    /// The pages of a structure.
    static TreePages of(int pageByteSize, long keyByteSize, long valueByteSize) {
        return keyByteSize == 0
                ? new BytesPages(pageByteSize, valueByteSize)
                : new LongPages(pageByteSize, valueByteSize);
    }

    public final long offset(long number) {
        return StructureFormat.BYTE_SIZE + (number - 1) * pageByteSize;
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

    /// The index of the child that contains a key, or of the child that contains the largest key below it.
    ///
    /// @return the index, or [#DAMAGED]
    public final int child(MemorySegment memory, long page, long head, TreeKey key, boolean isBelow) {
        int found = search(memory, page, head, 1, key);
        return found < 0 ? found == DAMAGED ? DAMAGED : -found - 2 : isBelow ? found - 1 : found;
    }

    /// The offset of a value in the memory, or -1 if the page is damaged.
    public abstract long value(MemorySegment memory, long page, int level, int index);

    /// Reads a key.
    ///
    /// @param reused a key that may be changed and returned
    /// @return the key; an arbitrary one if the page is damaged
    public abstract TreeKey key(MemorySegment memory, long page, int level, int index, TreeKey reused);

    /// Copies a leaf to the beginning of a segment. Bytes that no entry uses need not be copied.
    void copyLeaf(MemorySegment memory, long page, MemorySegment target) {
        MemorySegment.copy(memory, page, target, 0, pageByteSize);
    }

    /// A key to be passed to [#key].
    public abstract TreeKey newKey();

    /// Begins to write a page.
    void start(MemorySegment memory, long page, long generation, int level) {
        LONG_HANDLE.setRelease(memory, page, generation);
        // A reader that sees any other new byte sees the new generation, too.
        VarHandle.storeStoreFence();
        memory.set(LONG, page + TreeFormat.HEAD, TreeFormat.head(level, 0, pageByteSize));
    }

    /// Appends entries of another page with the same level.
    abstract void append(MemorySegment memory, long page, long source, int from, int to);

    /// Appends an entry.
    ///
    /// @param values a segment with the value at an offset
    abstract void append(MemorySegment memory, long page, TreeKey key, MemorySegment values, long value);

    /// The bytes that all entries of a page can have together.
    abstract int capacity(int level);

    /// The bytes that entries have.
    abstract int byteSize(MemorySegment memory, long page, int level, int from, int to);

    /// The bytes that an entry with a key has.
    abstract int byteSize(int level, TreeKey key);

    /// A key that is larger than the last key of a leaf, and not larger than the first key of another one.
    abstract TreeKey separator(MemorySegment memory, long left, long right);
}
