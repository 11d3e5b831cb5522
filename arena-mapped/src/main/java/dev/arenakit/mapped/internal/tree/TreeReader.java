package dev.arenakit.mapped.internal.tree;

import dev.arenakit.mapped.internal.structure.AttachedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.structure.StructureMemory;
import dev.arenakit.mapped.internal.tree.TreePages.Path;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Reads a tree, also while another thread or process changes it. [TreeFormat] describes the format. Any number of
/// threads may use an instance.
public final class TreeReader {
    /* Every page that a search visits was in the tree at some time since the search began: a child that is read from
     * a page was its child then, or when the page left the tree. A page that left the tree keeps its contents until it
     * is written again with a generation that is larger than the noted one. The range of keys of a page never changes.
     * So the leaf that is found was the leaf of the key at some time, and its contents are from that time.
     */

    private final StructureMemory memory;
    private final TreePages pages;
    private final boolean isOwner;
    private final boolean isChecked;

    /// @param isOwner   whether this process owns the structure, so that the live tree is the right one
    /// @param isChecked whether the check of each page is compared before its contents are used
    TreeReader(StructureMemory memory, TreePages pages, boolean isOwner, boolean isChecked) {
        this.memory = memory;
        this.pages = pages;
        this.isOwner = isOwner;
        this.isChecked = isChecked;
    }

    /// A reader of the same tree that compares the check of each page before its contents are used.
    public TreeReader checked() {
        return new TreeReader(memory, pages, isOwner, true);
    }

    /// Opens a tree that another arena has open, or has left.
    ///
    /// @param keyByteSize   8 for longs, or 0 for bytes
    /// @param valueByteSize the size of a value
    public static TreeReader attach(String name, AttachedMemory.Mapping mapping, long keyByteSize, long valueByteSize)
            throws IOException {
        AttachedMemory memory = AttachedMemory.open(name, StructureKind.TREE, mapping);
        return new TreeReader(memory, TreePages.of(name, memory.segment(), keyByteSize, valueByteSize), false, false);
    }

    public TreePages pages() {
        return pages;
    }

    /// The offset of root, generation and count: of the live tree, or of the forced tree if the machine failed and no
    /// process has opened the tree since.
    private long tree(MemorySegment header) {
        return isOwner || !StructureFormat.isLost(header)
                ? TreeFormat.LIVE
                : TreeFormat.forcedSlot(memory.name(), header);
    }

    /// The number of entries.
    public long size() {
        MemorySegment header = memory.segment();
        return header.get(LONG, tree(header) + TreeFormat.COUNT);
    }

    /// Returns the value of a key in a tree from longs to longs.
    public long get(long key, long missing) {
        return get(key, missing, false);
    }

    /// Whether a tree from longs to longs has a key.
    public boolean contains(long key) {
        return get(key, 0, true) != 0;
    }

    /// @param isOnlySought whether the result is 1, instead of the value
    private long get(long key, long missing, boolean isOnlySought) {
        LongPages longs = (LongPages) pages;
        while (true) {
            MemorySegment segment = memory.segment();
            long tree = tree(segment);
            long generation = (long) LONG_HANDLE.getAcquire(segment, tree + TreeFormat.GENERATION);
            long root = (long) LONG_HANDLE.getAcquire(segment, tree + TreeFormat.ROOT);
            int level = levels(root) - 1;
            long word = level < 0 ? missing : TreeFormat.page(root);
            while (level >= 0) {
                long number = word;
                segment = containing(segment, number);
                long page = pages.offset(number);
                long head = TreePages.head(segment, page);
                boolean isPossible = longs.isPossible(head, level);
                word = isPossible ? longs.word(segment, page, head, key, missing, isOnlySought) : 0;
                if (!isUnchanged(segment, tree, page, generation)) {
                    break;
                }
                if (!isPossible) {
                    throw memory.damaged("page=" + number);
                }
                level--;
            }
            if (level < 0) {
                return word;
            }
        }
    }

    /// Finds the leaf that contains a key, if any leaf does, or the first leaf.
    ///
    /// @param isBelow whether it is the leaf with the largest key below the key, or the last leaf instead
    /// @param key     the key, or null
    /// @param path    gets the leaf
    /// @return whether the leaf has entries
    boolean find(boolean isBelow, @Nullable TreeKey key, Path path) {
        while (true) {
            MemorySegment segment = memory.segment();
            long tree = tree(segment);
            long generation = (long) LONG_HANDLE.getAcquire(segment, tree + TreeFormat.GENERATION);
            long root = (long) LONG_HANDLE.getAcquire(segment, tree + TreeFormat.ROOT);
            int level = levels(root) - 1;
            path.begin();
            long number = TreeFormat.page(root);
            long found = 0;
            while (level >= 0) {
                segment = containing(segment, number);
                long page = pages.offset(number);
                found = level > 0
                        ? pages.child(segment, page, level, isBelow, key, path)
                        : path.copy(segment, page);
                if (!isUnchanged(segment, tree, page, generation)) {
                    break;
                }
                if (found == TreePages.DAMAGED) {
                    throw memory.damaged("page=" + number);
                }
                number = found;
                level--;
            }
            if (level < 0) {
                return found > 0;
            }
        }
    }

    /// Copies the value of a key.
    ///
    /// @param value gets the value
    /// @return whether there is one
    public boolean get(TreeKey key, MemorySegment value) {
        return find(false, key, (segment, page) -> pages.copyValue(segment, page, key, value));
    }

    private int levels(long root) {
        int levels = TreeFormat.levels(root);
        if (levels > TreeFormat.MOST_LEVELS || (root == 0) != (levels == 0)) {
            throw memory.damaged("root=0x" + Long.toHexString(root));
        }
        return levels;
    }

    /// The memory with a page: a segment, unless the memory has grown.
    private MemorySegment containing(MemorySegment segment, long number) {
        if (number < 1 || number > Integer.MAX_VALUE) {
            throw memory.damaged("page=" + number);
        }
        return pages.offset(number) <= segment.byteSize() - pages.pageByteSize
                ? segment
                : memory.segment(pages.offset(number + 1));
    }

    /// Whether nobody has written a page since a generation was noted.
    private boolean isUnchanged(MemorySegment segment, long tree, long page, long generation) {
        boolean isDamaged = isChecked && !isSealed(segment, page);
        VarHandle.loadLoadFence();
        long written = (long) LONG_HANDLE.getAcquire(segment, page);
        if (written > generation) {
            // The owner stores the last generation first.
            isDamaged = tree(segment) == tree && written > segment.get(LONG, tree + TreeFormat.GENERATION);
        }
        if (isDamaged) {
            throw memory.damaged("offset=" + page + ", generation=" + written);
        }
        return written <= generation;
    }

    private boolean isSealed(MemorySegment segment, long page) {
        long sealed = TreeFormat.sealedGeneration(segment);
        // The owner stores checks before the slot.
        VarHandle.loadLoadFence();
        return segment.get(LONG, page) > sealed || pages.isSealed(segment, page, pages.number(page));
    }
}
