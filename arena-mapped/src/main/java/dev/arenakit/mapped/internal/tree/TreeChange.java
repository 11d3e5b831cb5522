package dev.arenakit.mapped.internal.tree;

import dev.arenakit.mapped.internal.structure.OwnedMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Changes of a tree: they write the pages of the path from the root to a leaf again. Level 0 is the leaf. [TreeFormat]
/// describes the format.
final class TreeChange {
    /* Each change replaces adjacent entries of a page by one entry or by none. The page above gets another number for
     * the child, and another entry or one entry less if the page was split or removed, and so on.
     *
     * A page is full before it splits into two halves. The last page of its level keeps all of its entries if the new
     * entry is behind them, and the first page likewise, so that ascending and descending keys fill their pages. A page
     * is removed when it has no entries. Pages are not merged: T. Johnson and D. Shasha (B-trees with Inserts and
     * Deletes: Why Free-at-Empty Is Better than Merge-at-Half, 1993) show that this costs little space where keys are
     * also added.
     */

    private final OwnedMemory memory;
    private final TreePages pages;
    private final TreeSpace space;
    private final long[] path = new long[TreeFormat.MOST_LEVELS];
    /// The indexes of the children by which the path goes on.
    private final int[] indexes = new int[TreeFormat.MOST_LEVELS];
    private int levels;
    /// The number of the pages of the path, from the leaf on, that the change replaces.
    private int replaced;
    /// The memory of the structure, which has grown by the allocations of the change.
    private MemorySegment segment;
    private boolean isVisible;
    /// A child, as a value to be appended.
    private final MemorySegment word = MemorySegment.ofArray(new long[1]);

    TreeChange(OwnedMemory memory, TreePages pages, TreeSpace space) {
        this.memory = memory;
        this.pages = pages;
        this.space = space;
        segment = memory.segment();
    }

    private void begin() {
        isVisible = false;
        replaced = 0;
        segment = memory.segment();
    }

    /// Whether the change may be visible. Otherwise nothing has changed.
    boolean isVisible() {
        return isVisible;
    }

    /// Frees the pages that the change has replaced. It is visible.
    void commit() {
        space.free(path, replaced);
    }

    /// Finds the path to the leaf of a key.
    ///
    /// @return the index of the key in the leaf; or `-1 - i` if it would be inserted at index i, also if the tree is
    ///         empty
    int find(TreeKey key) {
        begin();
        long root = segment.get(LONG, TreeFormat.LIVE + TreeFormat.ROOT);
        levels = TreeFormat.levels(root);
        if (levels > TreeFormat.MOST_LEVELS) {
            throw memory.damaged("levels=" + levels);
        }
        long number = TreeFormat.page(root);
        for (int level = levels - 1; level >= 0; level--) {
            long page = checked(number, level);
            path[level] = number;
            int found = pages.search(segment, page, TreePages.head(segment, page), level == 0 ? 0 : 1, key);
            if (found == TreePages.DAMAGED) {
                throw memory.damaged("page=" + number);
            }
            if (level == 0) {
                return found;
            }
            indexes[level] = found < 0 ? -found - 2 : found;
            number = child(page, level, indexes[level]);
        }
        return -1;
    }

    /// The offset of a page whose number was read from another page.
    private long checked(long number, int level) {
        if (number < 1 || number > Integer.MAX_VALUE || pages.offset(number + 1) > segment.byteSize()
                || !pages.isPossible(TreePages.head(segment, pages.offset(number)), level)) {
            throw memory.damaged("page=" + number + ", level=" + level);
        }
        return pages.offset(number);
    }

    private long value(long page, int level, int index) {
        long value = pages.value(segment, page, level, index);
        if (value < 0) {
            throw memory.damaged("offset=" + page);
        }
        return value;
    }

    private long child(long page, int level, int index) {
        return segment.get(LONG, value(page, level, index));
    }

    /// The offset of the page of a level.
    private long page(int level) {
        return pages.offset(path[level]);
    }

    private int count(long page) {
        return TreePages.count(segment, page);
    }

    /// Associates a value with a key.
    ///
    /// @param index as [#find] has returned it
    void put(int index, TreeKey key, MemorySegment value) {
        if (index >= 0 && pages.leafStride == Long.BYTES && space.isPrivate(segment, page(0))) {
            store(value(page(0), 0, index), value.get(LONG, 0));
        } else if (levels > 0) {
            int from = index < 0 ? -1 - index : index;
            replace(0, from, index < 0 ? from : from + 1, key, value, 0);
        } else {
            long leaf = allocate(0);
            pages.append(segment, pages.offset(leaf), key, value);
            pages.finish(segment, pages.offset(leaf));
            setRoot(leaf, 1);
        }
    }

    /// Removes an entry of the leaf.
    void remove(int index) {
        replace(0, index, index + 1, null, word, 0);
    }

    /// Makes the tree empty.
    void clear() {
        begin();
        setRoot(0, 0);
    }

    /// Replaces entries of a page of the path.
    ///
    /// @param from  the index of the first one
    /// @param to    the index behind the last one
    /// @param key   the key of the entry that replaces them, or null if there is none
    /// @param child the new number of the child before them, or 0
    private void replace(int level, int from, int to, @Nullable TreeKey key, MemorySegment value, long child) {
        long source = page(level);
        int count = count(source) - (to - from) + (key == null ? 0 : 1);
        int byteSize = pages.byteSize(segment, source, level, 0, count(source))
                - pages.byteSize(segment, source, level, from, to) + (key == null ? 0 : pages.byteSize(level, key));
        boolean isRoot = level == levels - 1;
        boolean isRemoval = key == null && from < to;
        if (byteSize > pages.capacity(level)) {
            split(level, from, to, key, value, child, byteSize);
        } else if (isRemoval && isRoot && (count == 0 || (count == 1 && level > 0))) {
            replaced = level + 1;
            setRoot(count == 0 ? 0 : child != 0 ? child : child(source, level, 1 - from), count == 0 ? 0 : level);
        } else if (isRemoval && count == 0) {
            replaced = level + 1;
            replace(level + 1, indexes[level + 1], indexes[level + 1] + 1, null, word, 0);
        } else {
            long copy = allocate(level);
            append(level, from, to, key, value, 0, count, copy);
            setChild(copy, level, from - 1, child);
            link(level, copy);
        }
    }

    /// Makes a page visible that replaces a page of the path.
    private void link(int level, long copy) {
        replaced = level + 1;
        int above = level + 1;
        if (above == levels) {
            setRoot(copy, levels);
        } else if (space.isPrivate(segment, page(above))) {
            store(value(page(above), above, indexes[above]), copy);
        } else {
            replace(above, indexes[above] + 1, indexes[above] + 1, null, word, copy);
        }
    }

    /// Appends a range of the entries that a page of the path has after [#replace].
    private void append(int level, int from, int to, @Nullable TreeKey key, MemorySegment value, int first, int end,
            long number) {
        long page = pages.offset(number);
        pages.append(segment, page, page(level), first, Math.min(from, end));
        int next = from;
        if (key != null) {
            if (first <= from && from < end) {
                pages.append(segment, page, key, value);
            }
            next++;
        }
        pages.append(segment, page, page(level), Math.max(first, next) - next + to, end - next + to);
        pages.finish(segment, page);
    }

    private void append(long page, TreeKey key, long child) {
        word.set(LONG, 0, child);
        pages.append(segment, page, key, word);
    }

    /// Writes two pages with the entries that a page of the path has after [#replace].
    private void split(int level, int from, int to, @Nullable TreeKey key, MemorySegment value, long child,
            int byteSize) {
        int left = splitPoint(level, from, key, byteSize);
        long first = allocate(level);
        long second = allocate(level);
        append(level, from, to, key, value, 0, left, first);
        append(level, from, to, key, value, left, count(page(level)) + 1, second);
        if (from - 1 < left) {
            setChild(first, level, from - 1, child);
        } else {
            setChild(second, level, from - 1 - left, child);
        }
        replaced = level + 1;
        TreeKey separator = pages.separator(segment, level, pages.offset(first), pages.offset(second));
        if (level < levels - 1) {
            word.set(LONG, 0, second);
            replace(level + 1, indexes[level + 1] + 1, indexes[level + 1] + 1, separator, word, first);
            return;
        }
        if (levels == TreeFormat.MOST_LEVELS) {
            throw memory.damaged("levels=" + levels);
        }
        long root = allocate(levels);
        append(pages.offset(root), pages.newKey(), first);
        append(pages.offset(root), separator, second);
        pages.finish(segment, pages.offset(root));
        setRoot(root, levels + 1);
    }

    /// The number of entries of the first page after a page has split that has an additional entry.
    private int splitPoint(int level, int index, @Nullable TreeKey key, int byteSize) {
        long source = page(level);
        int count = count(source);
        if (key == null) {
            throw memory.damaged("offset=" + source);
        }
        if (index == count && isOutermost(level, true)) {
            return count;
        }
        if (index == 0 && isOutermost(level, false)) {
            return 1;
        }
        int left = 1;
        while (left < count && (index < left
                ? pages.byteSize(segment, source, level, 0, left - 1) + pages.byteSize(level, key)
                : pages.byteSize(segment, source, level, 0, left)) < byteSize / 2) {
            left++;
        }
        return left;
    }

    /// Whether a page of the path is the first or the last one of its level.
    private boolean isOutermost(int level, boolean isLast) {
        for (int above = level + 1; above < levels; above++) {
            if (indexes[above] != (isLast ? count(page(above)) - 1 : 0)) {
                return false;
            }
        }
        return true;
    }

    /// Sets a child of a new page, unless the number is 0.
    private void setChild(long number, int level, int index, long child) {
        if (child != 0) {
            segment.set(LONG, value(pages.offset(number), level, index), child);
        }
    }

    /// Begins to write a new page.
    ///
    /// @return its number
    private long allocate(int level) {
        long number = space.allocate(level);
        segment = memory.segment();
        return number;
    }

    private void setRoot(long page, int levelCount) {
        store(TreeFormat.LIVE + TreeFormat.ROOT, TreeFormat.root(page, levelCount));
    }

    /// Makes the change visible by one store.
    private void store(long offset, long value) {
        isVisible = true;
        LONG_HANDLE.setRelease(segment, offset, value);
    }
}
