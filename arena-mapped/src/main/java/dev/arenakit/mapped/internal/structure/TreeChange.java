package dev.arenakit.mapped.internal.structure;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Changes of a tree: they write the pages of a [path][TreePath] again. [TreeFormat] describes the format.
final class TreeChange {
    /* A page is full before it splits into two halves. The last page of its level keeps all of its entries if the new
     * entry is behind them, and the first page likewise, so that ascending and descending keys fill their pages. After
     * a removal, a page that is used to less than a quarter is merged with a neighbour if three quarters of a page
     * have room for both. A page without entries is removed.
     */

    private final OwnedMemory memory;
    private final TreePages pages;
    private final TreeSpace space;
    private final TreePath path;
    /// A child, as a value to be appended.
    private final MemorySegment word = MemorySegment.ofArray(new long[1]);

    TreeChange(OwnedMemory memory, TreePages pages, TreeSpace space) {
        this.memory = memory;
        this.pages = pages;
        this.space = space;
        path = new TreePath(memory, pages, space);
    }

    /// Finds the leaf of a key.
    ///
    /// @return the index of the key in the leaf; or `-1 - i` if it would be inserted at index i, also if the tree is
    ///         empty
    int find(TreeKey key) {
        return path.find(key);
    }

    /// The value of 8 bytes at an index of the leaf.
    long word(int index) {
        return path.segment().get(LONG, path.value(path.page(0), 0, index));
    }

    /// Replaces a value of the leaf.
    void replace(int index, TreeKey key, MemorySegment value) {
        long leaf = path.page(0);
        if (pages.leafStride == Long.BYTES && space.isPrivate(path.segment(), leaf)) {
            path.store(path.value(leaf, 0, index), value.get(LONG, 0));
            return;
        }
        long copy = path.allocate(0);
        long page = pages.offset(copy);
        pages.append(path.segment(), page, leaf, 0, index);
        pages.append(path.segment(), page, key, value, 0);
        pages.append(path.segment(), page, leaf, index + 1, TreePages.count(path.segment(), leaf));
        path.link(0, copy);
    }

    /// Inserts an entry at an index of the leaf.
    void insert(int index, TreeKey key, MemorySegment value) {
        if (path.levels() == 0) {
            long leaf = path.allocate(0);
            pages.append(path.segment(), pages.offset(leaf), key, value, 0);
            path.setRoot(leaf, 1);
            return;
        }
        insert(0, index, key, value, 0);
    }

    /// Inserts an entry into a page of the path. If the entry is a child, it replaces a part of the child before it.
    ///
    /// @param child the new number of the child before it, or 0
    private void insert(int level, int index, TreeKey key, MemorySegment value, long child) {
        long old = path.number(level);
        long source = pages.offset(old);
        int count = TreePages.count(path.segment(), source);
        int byteSize = pages.byteSize(path.segment(), source, level, 0, count) + pages.byteSize(level, key);
        if (byteSize <= pages.capacity(level)) {
            long copy = path.allocate(level);
            appendWith(source, 0, count + 1, index, key, value, copy);
            path.setChild(copy, level, index - 1, child);
            path.link(level, copy);
            return;
        }
        int left = splitPoint(level, source, index, key, byteSize);
        long first = path.allocate(level);
        long second = path.allocate(level);
        appendWith(source, 0, left, index, key, value, first);
        appendWith(source, left, count + 1, index, key, value, second);
        if (index - 1 < left) {
            path.setChild(first, level, index - 1, child);
        } else {
            path.setChild(second, level, index - 1 - left, child);
        }
        space.replace(old);
        TreeKey separator = level == 0
                ? pages.separator(path.segment(), pages.offset(first), pages.offset(second))
                : pages.key(path.segment(), pages.offset(second), level, 0, pages.newKey());
        if (level == path.levels() - 1) {
            grow(first, separator, second);
            return;
        }
        MemorySegment number = MemorySegment.ofArray(new long[1]);
        number.set(LONG, 0, second);
        insert(level + 1, path.index(level + 1) + 1, separator, number, first);
    }

    /// Makes a root above two pages.
    private void grow(long first, TreeKey separator, long second) {
        if (path.levels() == TreeFormat.MOST_LEVELS) {
            throw memory.damaged("levels=" + path.levels());
        }
        long root = path.allocate(path.levels());
        append(root, pages.newKey(), first);
        append(root, separator, second);
        path.setRoot(root, path.levels() + 1);
    }

    private void append(long number, TreeKey key, long child) {
        word.set(LONG, 0, child);
        pages.append(path.segment(), pages.offset(number), key, word, 0);
    }

    /// Appends a range of the entries that a page has with an additional one.
    private void appendWith(long source, int from, int to, int index, TreeKey key, MemorySegment value, long number) {
        long page = pages.offset(number);
        pages.append(path.segment(), page, source, from, Math.min(index, to));
        if (from <= index && index < to) {
            pages.append(path.segment(), page, key, value, 0);
        }
        pages.append(path.segment(), page, source, Math.max(from, index + 1) - 1, to - 1);
    }

    /// The number of entries of the first page after a page has split that has an additional entry.
    private int splitPoint(int level, long source, int index, TreeKey key, int byteSize) {
        int count = TreePages.count(path.segment(), source);
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
                    ? pages.byteSize(path.segment(), source, level, 0, middle - 1) + entry
                    : pages.byteSize(path.segment(), source, level, 0, middle);
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
        for (int above = level + 1; above < path.levels(); above++) {
            int outermost = isLast ? TreePages.count(path.segment(), path.page(above)) - 1 : 0;
            if (path.index(above) != outermost) {
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
            long source = path.page(level);
            int count = TreePages.count(path.segment(), source);
            boolean isRoot = level == path.levels() - 1;
            if (count == 1) {
                space.replace(path.number(level));
                if (isRoot) {
                    path.setRoot(0, 0);
                    return;
                }
                level++;
                removed = path.index(level);
                continue;
            }
            if (isRoot && level > 0 && count == 2) {
                space.replace(path.number(level));
                path.setRoot(child != 0 ? child : path.child(source, level, 1 - removed), level);
                return;
            }
            int neighbour = isRoot ? -1 : neighbour(level, source, count, removed);
            if (neighbour < 0) {
                long copy = path.allocate(level);
                appendWithout(source, 0, count, removed, copy);
                path.setChild(copy, level, removed - 1, child);
                path.link(level, copy);
                return;
            }
            child = merge(level, source, removed, child, neighbour);
            level++;
            removed = Math.max(path.index(level), neighbour);
        }
    }

    /// The index of a neighbour that a page is merged with, or -1.
    private int neighbour(int level, long source, int count, int removed) {
        int rest = pages.byteSize(path.segment(), source, level, 0, count)
                - pages.byteSize(path.segment(), source, level, removed, removed + 1);
        int capacity = pages.capacity(level);
        if (rest >= capacity / 4) {
            return -1;
        }
        long parent = path.page(level + 1);
        int own = path.index(level + 1);
        for (int neighbour = own - 1; neighbour <= own + 1; neighbour += 2) {
            if (neighbour >= 0 && neighbour < TreePages.count(path.segment(), parent)) {
                long other = path.checked(path.child(parent, level + 1, neighbour), level);
                int byteSize = pages.byteSize(path.segment(), other, level, 0, TreePages.count(path.segment(), other))
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
        int right = Math.max(path.index(level + 1), neighbour);
        return pages.key(path.segment(), path.page(level + 1), level + 1, right, pages.newKey());
    }

    /// Merges a page of the path with its neighbour.
    ///
    /// @param child the new number of the child before the removed one, or 0
    /// @return the number of the page
    private long merge(int level, long source, int removed, long child, int neighbour) {
        long otherNumber = path.child(path.page(level + 1), level + 1, neighbour);
        long other = pages.offset(otherNumber);
        int count = TreePages.count(path.segment(), source);
        int otherCount = TreePages.count(path.segment(), other);
        TreeKey separator = separator(level, neighbour);
        long merged = path.allocate(level);
        if (path.index(level + 1) < neighbour) {
            appendWithout(source, 0, count, removed, merged);
            path.setChild(merged, level, removed - 1, child);
            appendRight(level, separator, other, otherCount, otherCount, merged);
        } else {
            pages.append(path.segment(), pages.offset(merged), other, 0, otherCount);
            appendRight(level, separator, source, count, removed, merged);
            path.setChild(merged, level, otherCount + removed - 1, child);
        }
        space.replace(path.number(level));
        space.replace(otherNumber);
        return merged;
    }

    /// Appends the entries of the right one of two pages, except for one. The first key has no meaning, unless the page
    /// is a leaf.
    private void appendRight(int level, TreeKey separator, long source, int count, int removed, long number) {
        int first = 0;
        if (level > 0) {
            first = removed == 0 ? 1 : 0;
            append(number, separator, path.child(source, level, first));
            first++;
        }
        appendWithout(source, first, count, removed, number);
    }

    private void appendWithout(long source, int from, int count, int removed, long number) {
        long page = pages.offset(number);
        pages.append(path.segment(), page, source, from, Math.min(removed, count));
        pages.append(path.segment(), page, source, Math.max(from, removed + 1), count);
    }

    /// Removes everything.
    ///
    /// @param live the pages of the tree
    void clear(BitSet live) {
        path.begin();
        live.stream().forEach(space::replace);
        path.setRoot(0, 0);
    }

    /// Whether the change may be visible. Otherwise nothing has changed.
    boolean isVisible() {
        return path.isVisible();
    }
}
