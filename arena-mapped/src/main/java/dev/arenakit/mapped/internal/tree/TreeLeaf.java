package dev.arenakit.mapped.internal.tree;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// A copy of a leaf, with the bounds of its keys.
final class TreeLeaf {
    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final TreePages pages;
    private final long[] words;
    private final MemorySegment copy;
    private final TreeKey lowerReused;
    private final TreeKey upperReused;
    /// No key is less. Null if the leaf is the first one.
    private @Nullable TreeKey lower;
    /// All keys are less. Null if the leaf is the last one.
    private @Nullable TreeKey upper;
    private int count;

    TreeLeaf(TreePages pages) {
        this.pages = pages;
        words = new long[pages.pageByteSize / Long.BYTES];
        copy = MemorySegment.ofArray(words);
        lowerReused = pages.newKey();
        upperReused = pages.newKey();
    }

    void begin() {
        lower = null;
        upper = null;
        count = 0;
    }

    /// Narrows the bounds to the bounds of a child.
    void narrow(MemorySegment memory, long page, int level, int child, int children) {
        lower = child == 0 ? lower : pages.key(memory, page, level, child, lowerReused);
        upper = child + 1 == children ? upper : pages.key(memory, page, level, child + 1, upperReused);
    }

    /// Copies the contents.
    ///
    /// @return the number of entries, or [TreePages#DAMAGED]
    long copy(MemorySegment memory, long page) {
        pages.copyLeaf(memory, page, copy);
        long head = TreePages.head(copy, 0);
        count = pages.isPossible(head, 0) ? TreeFormat.count(head) : TreePages.DAMAGED;
        return count;
    }

    int count() {
        return count;
    }

    @Nullable
    TreeKey lower() {
        return lower;
    }

    @Nullable
    TreeKey upper() {
        return upper;
    }

    /// The index of the first entry whose key is not less than a key, or -1 if the leaf is damaged.
    int ceiling(TreeKey key) {
        int found = pages.searchCopy(copy, 0, key);
        return found == TreePages.DAMAGED ? -1 : found >= 0 ? found : -found - 1;
    }

    TreeKey key(int index, TreeKey reused) {
        return pages.key(copy, 0, 0, index, reused);
    }

    /// The offset of a value in the [contents][#contents], or -1 if the leaf is damaged.
    long value(int index) {
        return pages.value(copy, 0, 0, index);
    }

    MemorySegment contents() {
        return copy;
    }

    /// The word at an index of the contents. It takes less time than an access to the segment.
    long word(int index) {
        return IS_LITTLE_ENDIAN ? words[index] : Long.reverseBytes(words[index]);
    }
}
