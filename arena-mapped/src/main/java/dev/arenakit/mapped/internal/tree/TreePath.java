package dev.arenakit.mapped.internal.tree;

import dev.arenakit.mapped.internal.structure.OwnedMemory;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// The path from the root of a tree to a leaf, for a change of the leaf. Level 0 is the leaf.
final class TreePath {
    private final OwnedMemory memory;
    private final TreePages pages;
    private final TreeSpace space;
    private final long[] path = new long[TreeFormat.MOST_LEVELS];
    private final int[] indexes = new int[TreeFormat.MOST_LEVELS];
    private int levels;
    private MemorySegment segment;
    /// Whether the change may be visible.
    private boolean isVisible;

    TreePath(OwnedMemory memory, TreePages pages, TreeSpace space) {
        this.memory = memory;
        this.pages = pages;
        this.space = space;
        segment = memory.segment();
    }

    /// Begins a change.
    void begin() {
        isVisible = false;
        segment = memory.segment();
    }

    /// Whether the change may be visible. Otherwise nothing has changed.
    boolean isVisible() {
        return isVisible;
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
            long head = TreePages.head(segment, page);
            path[level] = number;
            int found = pages.search(segment, page, head, level == 0 ? 0 : 1, key);
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
    long checked(long number, int level) {
        if (number < 1 || number > Integer.MAX_VALUE || pages.offset(number + 1) > segment.byteSize()
                || !pages.isPossible(TreePages.head(segment, pages.offset(number)), level)) {
            throw memory.damaged("page=" + number + ", level=" + level);
        }
        return pages.offset(number);
    }

    /// The offset of a value or of a child.
    long value(long page, int level, int index) {
        long value = pages.value(segment, page, level, index);
        if (value < 0) {
            throw memory.damaged("offset=" + page);
        }
        return value;
    }

    /// The number of a child.
    long child(long page, int level, int index) {
        return segment.get(LONG, value(page, level, index));
    }

    int levels() {
        return levels;
    }

    /// The memory of the structure, which has grown by the allocations of the change.
    MemorySegment segment() {
        return segment;
    }

    /// The number of the page of a level.
    long number(int level) {
        return path[level];
    }

    /// The offset of the page of a level.
    long page(int level) {
        return pages.offset(path[level]);
    }

    /// The index of the child by which the path goes on.
    int index(int level) {
        return indexes[level];
    }

    /// Sets a child of a new page, unless the number is 0.
    void setChild(long number, int level, int index, long child) {
        if (child != 0) {
            segment.set(LONG, value(pages.offset(number), level, index), child);
        }
    }

    /// Makes a page visible that replaces a page of the path.
    void link(int level, long copy) {
        space.replace(path[level]);
        long child = copy;
        int above = level + 1;
        while (above < levels && !space.isPrivate(segment, page(above))) {
            long source = page(above);
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
            store(value(page(above), above, indexes[above]), child);
        }
    }

    /// Begins to write a new page.
    ///
    /// @return its number
    long allocate(int level) {
        long number = space.allocate(level);
        segment = memory.segment();
        return number;
    }

    /// Makes a new root visible.
    void setRoot(long page, int levelCount) {
        store(TreeFormat.LIVE + TreeFormat.ROOT, TreeFormat.root(page, levelCount));
    }

    /// Makes the change visible by one store.
    void store(long offset, long value) {
        space.finish();
        isVisible = true;
        LONG_HANDLE.setRelease(segment, offset, value);
    }
}
