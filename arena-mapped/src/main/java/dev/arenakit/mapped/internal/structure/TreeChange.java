package dev.arenakit.mapped.internal.structure;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// A change of a tree: finds the path to a leaf, and writes the pages of the path again. [TreeFormat] describes the
/// format.
final class TreeChange {
    /* A page is full before it splits into two halves. The last page of its level keeps all of its entries if the new
     * entry is behind them, and the first page likewise, so that ascending and descending keys fill their pages. After
     * a removal, a page that is used to less than a quarter is merged with a neighbour if three quarters of a page
     * have room for both. A page without entries is removed.
     */

    private final OwnedMemory memory;
    private final TreePages pages;
    private final TreeSpace space;
    /// A child, as a value to be appended.
    private final MemorySegment word = MemorySegment.ofArray(new long[1]);
    private final long[] path = new long[TreeFormat.MOST_LEVELS];
    private final int[] indexes = new int[TreeFormat.MOST_LEVELS];
    private int levels;
    private MemorySegment segment;
    /// Whether the change may be visible.
    private boolean isVisible;

    TreeChange(OwnedMemory memory, TreePages pages, TreeSpace space) {
        this.memory = memory;
        this.pages = pages;
        this.space = space;
        segment = memory.segment();
    }

    /// Finds the path to the leaf of a key.
    ///
    /// @return the index of the key in the leaf; or `-1 - i` if it would be inserted at index i, also if the tree is
    ///         empty
    int find(TreeKey key) {
        isVisible = false;
        segment = memory.segment();
        long root = segment.get(LONG, TreeFormat.LIVE + TreeFormat.ROOT);
        levels = TreeFormat.levels(root);
        if (levels > TreeFormat.MOST_LEVELS) {
            throw memory.damaged("levels=" + levels);
        }
        long number = TreeFormat.page(root);
        for (int level = levels - 1; level >= 0; level--) {
            long page = checked(number, level);
            long head = TreePages.head(segment, page);
            path[level] = number;
            int index = level == 0
                    ? pages.search(segment, page, head, 0, key)
                    : pages.child(segment, page, head, key);
            if (index == TreePages.DAMAGED) {
                throw memory.damaged("page=" + number);
            }
            if (level == 0) {
                return index;
            }
            indexes[level] = index;
            number = child(page, level, index);
        }
        return -1;
    }

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

    /// The value of 8 bytes at an index of the leaf.
    long word(int index) {
        return segment.get(LONG, value(pages.offset(path[0]), 0, index));
    }

    /// Replaces a value of the leaf.
    void replace(int index, TreeKey key, MemorySegment value) {
        long leaf = pages.offset(path[0]);
        if (pages.leafStride == Long.BYTES && space.isPrivate(segment, leaf)) {
            store(value(leaf, 0, index), value.get(LONG, 0));
            return;
        }
        long copy = allocate(0);
        long page = pages.offset(copy);
        pages.append(segment, page, leaf, 0, index);
        pages.append(segment, page, key, value, 0);
        pages.append(segment, page, leaf, index + 1, TreePages.count(segment, leaf));
        link(0, copy);
    }

    /// Inserts an entry at an index of the leaf.
    void insert(int index, TreeKey key, MemorySegment value) {
        if (levels == 0) {
            long leaf = allocate(0);
            pages.append(segment, pages.offset(leaf), key, value, 0);
            setRoot(leaf, 1);
            return;
        }
        insert(0, index, key, value, 0);
    }

    /// Inserts an entry into a page of the path. If the entry is a child, it replaces a part of the child before it.
    ///
    /// @param child the new number of the child before it, or 0
    private void insert(int level, int index, TreeKey key, MemorySegment value, long child) {
        long old = path[level];
        long source = pages.offset(old);
        int count = TreePages.count(segment, source);
        int byteSize = pages.byteSize(segment, source, level, 0, count) + pages.byteSize(level, key);
        if (byteSize <= pages.capacity(level)) {
            long copy = allocate(level);
            appendWith(source, 0, count + 1, index, key, value, copy);
            setChild(copy, level, index - 1, child);
            link(level, copy);
            return;
        }
        int left = splitPoint(level, source, index, key, byteSize);
        long first = allocate(level);
        long second = allocate(level);
        appendWith(source, 0, left, index, key, value, first);
        appendWith(source, left, count + 1, index, key, value, second);
        if (index - 1 < left) {
            setChild(first, level, index - 1, child);
        } else {
            setChild(second, level, index - 1 - left, child);
        }
        space.replace(old);
        TreeKey separator = level == 0
                ? pages.separator(segment, pages.offset(first), pages.offset(second))
                : pages.key(segment, pages.offset(second), level, 0, pages.newKey());
        if (level == levels - 1) {
            grow(first, separator, second);
            return;
        }
        MemorySegment number = MemorySegment.ofArray(new long[1]);
        number.set(LONG, 0, second);
        insert(level + 1, indexes[level + 1] + 1, separator, number, first);
    }

    /// Makes a root above two pages.
    private void grow(long first, TreeKey separator, long second) {
        if (levels == TreeFormat.MOST_LEVELS) {
            throw memory.damaged("levels=" + levels);
        }
        long root = allocate(levels);
        append(root, pages.newKey(), first);
        append(root, separator, second);
        setRoot(root, levels + 1);
    }

    private void append(long number, TreeKey key, long child) {
        word.set(LONG, 0, child);
        pages.append(segment, pages.offset(number), key, word, 0);
    }

    private void setChild(long number, int level, int index, long child) {
        if (child != 0) {
            segment.set(LONG, value(pages.offset(number), level, index), child);
        }
    }

    /// Appends a range of the entries that a page has with an additional one.
    private void appendWith(long source, int from, int to, int index, TreeKey key, MemorySegment value, long number) {
        long page = pages.offset(number);
        pages.append(segment, page, source, from, Math.min(index, to));
        if (from <= index && index < to) {
            pages.append(segment, page, key, value, 0);
        }
        pages.append(segment, page, source, Math.max(from, index + 1) - 1, to - 1);
    }

    /// The number of entries of the first page after a page has split that has an additional entry.
    private int splitPoint(int level, long source, int index, TreeKey key, int byteSize) {
        int count = TreePages.count(segment, source);
        if (index == count && isOutermost(level, true)) {
            return count;
        }
        if (index == 0 && isOutermost(level, false)) {
            return 1;
        }
        int entry = pages.byteSize(level, key);
        int low = 1;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int left = index < middle
                    ? pages.byteSize(segment, source, level, 0, middle - 1) + entry
                    : pages.byteSize(segment, source, level, 0, middle);
            if (left < byteSize / 2) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Whether a page of the path is the first or the last one of its level.
    private boolean isOutermost(int level, boolean isLast) {
        for (int above = level + 1; above < levels; above++) {
            int outermost = isLast ? TreePages.count(segment, pages.offset(path[above])) - 1 : 0;
            if (indexes[above] != outermost) {
                return false;
            }
        }
        return true;
    }

    /// Removes an entry of the leaf.
    void remove(int index) {
        int level = 0;
        int removed = index;
        // The new number of the child before the removed one, or 0.
        long child = 0;
        while (true) {
            long source = pages.offset(path[level]);
            int count = TreePages.count(segment, source);
            boolean isRoot = level == levels - 1;
            if (count == 1) {
                space.replace(path[level]);
                if (isRoot) {
                    setRoot(0, 0);
                    return;
                }
                level++;
                removed = indexes[level];
                continue;
            }
            if (isRoot && level > 0 && count == 2) {
                space.replace(path[level]);
                setRoot(child != 0 ? child : child(source, level, 1 - removed), level);
                return;
            }
            int neighbour = isRoot ? -1 : neighbour(level, source, count, removed);
            if (neighbour < 0) {
                long copy = allocate(level);
                appendWithout(source, 0, count, removed, copy);
                setChild(copy, level, removed - 1, child);
                link(level, copy);
                return;
            }
            child = merge(level, source, removed, child, neighbour);
            level++;
            removed = Math.max(indexes[level], neighbour);
        }
    }

    /// The index of a neighbour that a page is merged with, or -1.
    private int neighbour(int level, long source, int count, int removed) {
        int rest = pages.byteSize(segment, source, level, 0, count)
                - pages.byteSize(segment, source, level, removed, removed + 1);
        int capacity = pages.capacity(level);
        if (rest >= capacity / 4) {
            return -1;
        }
        long parent = pages.offset(path[level + 1]);
        int own = indexes[level + 1];
        for (int neighbour = own - 1; neighbour <= own + 1; neighbour += 2) {
            if (neighbour >= 0 && neighbour < TreePages.count(segment, parent)) {
                long other = checked(child(parent, level + 1, neighbour), level);
                int byteSize = pages.byteSize(segment, other, level, 0, TreePages.count(segment, other))
                        + pages.byteSize(level, separator(level, neighbour));
                if (rest + byteSize <= capacity / 4 * 3) {
                    return neighbour;
                }
            }
        }
        return -1;
    }

    /// The key between a page of the path and its neighbour.
    private TreeKey separator(int level, int neighbour) {
        int right = Math.max(indexes[level + 1], neighbour);
        return pages.key(segment, pages.offset(path[level + 1]), level + 1, right, pages.newKey());
    }

    /// Merges a page of the path with its neighbour.
    ///
    /// @param child the new number of the child before the removed one, or 0
    /// @return the number of the page
    private long merge(int level, long source, int removed, long child, int neighbour) {
        long otherNumber = child(pages.offset(path[level + 1]), level + 1, neighbour);
        long other = pages.offset(otherNumber);
        int count = TreePages.count(segment, source);
        int otherCount = TreePages.count(segment, other);
        TreeKey separator = separator(level, neighbour);
        long merged = allocate(level);
        if (indexes[level + 1] < neighbour) {
            appendWithout(source, 0, count, removed, merged);
            setChild(merged, level, removed - 1, child);
            appendRight(level, separator, other, otherCount, otherCount, merged);
        } else {
            pages.append(segment, pages.offset(merged), other, 0, otherCount);
            appendRight(level, separator, source, count, removed, merged);
            setChild(merged, level, otherCount + removed - 1, child);
        }
        space.replace(path[level]);
        space.replace(otherNumber);
        return merged;
    }

    /// Appends the entries of the right one of two pages, except for one. The first key has no meaning, unless the page
    /// is a leaf.
    private void appendRight(int level, TreeKey separator, long source, int count, int removed, long number) {
        int first = 0;
        if (level > 0) {
            first = removed == 0 ? 1 : 0;
            append(number, separator, child(source, level, first));
            first++;
        }
        appendWithout(source, first, count, removed, number);
    }

    private void appendWithout(long source, int from, int count, int removed, long number) {
        long page = pages.offset(number);
        pages.append(segment, page, source, from, Math.min(removed, count));
        pages.append(segment, page, source, Math.max(from, removed + 1), count);
    }

    /// Removes everything.
    ///
    /// @param live the pages of the tree
    void clear(BitSet live) {
        isVisible = false;
        live.stream().forEach(space::replace);
        segment = memory.segment();
        setRoot(0, 0);
    }

    /// Whether the change may be visible. Otherwise nothing has changed.
    boolean isVisible() {
        return isVisible;
    }

    /// Makes a page visible that replaces a page of the path.
    private void link(int level, long copy) {
        space.replace(path[level]);
        long child = copy;
        int above = level + 1;
        while (above < levels && !space.isPrivate(segment, pages.offset(path[above]))) {
            long source = pages.offset(path[above]);
            long number = allocate(above);
            pages.append(segment, pages.offset(number), source, 0, TreePages.count(segment, source));
            setChild(number, above, indexes[above], child);
            space.replace(path[above]);
            child = number;
            above++;
        }
        if (above == levels) {
            setRoot(child, levels);
        } else {
            store(value(pages.offset(path[above]), above, indexes[above]), child);
        }
    }

    private long allocate(int level) {
        long number = space.allocate(level);
        segment = memory.segment();
        return number;
    }

    private void setRoot(long page, int levelCount) {
        store(TreeFormat.LIVE + TreeFormat.ROOT, TreeFormat.root(page, levelCount));
    }

    /// Makes the change visible.
    private void store(long offset, long value) {
        isVisible = true;
        LONG_HANDLE.setRelease(segment, offset, value);
    }
}
