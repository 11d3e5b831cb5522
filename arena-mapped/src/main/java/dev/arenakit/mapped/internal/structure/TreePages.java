package dev.arenakit.mapped.internal.structure;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Reads and writes the pages of a tree. [TreeFormat] describes the format. A page is at an offset of a segment.
///
/// The methods that read return [#DAMAGED], or wrong keys and values, if another process writes the page meanwhile, or
/// if the bytes are damaged. They never access memory outside of the page.
abstract sealed class TreePages permits LongPages, BytesPages {
    /// The result of a search in a page whose contents are impossible.
    static final int DAMAGED = Integer.MIN_VALUE;

    final int pageByteSize;
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

    final long offset(long number) {
        return StructureFormat.BYTE_SIZE + (number - 1) * pageByteSize;
    }

    final int stride(int level) {
        return level == 0 ? leafStride : Long.BYTES;
    }

    static long head(MemorySegment memory, long page) {
        return memory.get(LONG, page + TreeFormat.HEAD);
    }

    static int count(MemorySegment memory, long page) {
        return TreeFormat.count(head(memory, page));
    }

    /// Whether a page can have a head.
    abstract boolean isPossible(long head, int level);

    /// Searches for a key.
    ///
    /// @param from the first index
    /// @return the index of the key, or `-1 - i` if it would be inserted at index i, or [#DAMAGED]
    abstract int search(MemorySegment memory, long page, long head, int from, TreeKey key);

    /// The index of the child that contains a key.
    final int child(MemorySegment memory, long page, long head, TreeKey key) {
        int found = search(memory, page, head, 1, key);
        return found >= 0 || found == DAMAGED ? found : -found - 2;
    }

    /// The index of the child that contains the largest key below a key.
    final int childBelow(MemorySegment memory, long page, long head, TreeKey key) {
        int found = search(memory, page, head, 1, key);
        return found == DAMAGED ? DAMAGED : found >= 0 ? found - 1 : -found - 2;
    }

    /// The offset of a value in the memory, or -1 if the page is damaged.
    abstract long value(MemorySegment memory, long page, int level, int index);

    /// Reads a key.
    ///
    /// @param reused a key that may be changed and returned
    /// @return the key; an arbitrary one if the page is damaged
    abstract TreeKey key(MemorySegment memory, long page, int level, int index, TreeKey reused);

    /// Copies a leaf to the beginning of a segment. Bytes that no entry uses need not be copied.
    void copyLeaf(MemorySegment memory, long page, MemorySegment target) {
        MemorySegment.copy(memory, page, target, 0, pageByteSize);
    }

    /// A key to be passed to [#key].
    abstract TreeKey newKey();

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
