package dev.arenakit.mapped.internal.structure;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Finds the pages of a tree that this process owns. Leaves are not read.
final class TreeWalk {
    private final OwnedMemory memory;
    private final TreePages pages;
    private final MemorySegment segment;
    private final BitSet found = new BitSet();
    private final BitSet leaves = new BitSet();
    /// Pages whose children are known.
    private final @Nullable BitSet known;

    private TreeWalk(OwnedMemory memory, TreePages pages, @Nullable BitSet known) {
        this.memory = memory;
        this.pages = pages;
        this.known = known;
        segment = memory.segment();
    }

    /// Finds the pages of a tree.
    ///
    /// @param known pages of another tree, which are skipped with all pages below them, or null
    /// @return the numbers of the pages
    /// @throws IllegalStateException if the tree is damaged
    static BitSet pages(OwnedMemory memory, TreePages pages, long root, @Nullable BitSet known) {
        TreeWalk walk = new TreeWalk(memory, pages, known);
        walk.walk(root);
        return walk.found;
    }

    /// Counts the entries of a tree. The heads of all leaves are read.
    static long count(OwnedMemory memory, TreePages pages, long root) {
        TreeWalk walk = new TreeWalk(memory, pages, null);
        walk.walk(root);
        long count = 0;
        for (int leaf = walk.leaves.nextSetBit(0); leaf >= 0; leaf = walk.leaves.nextSetBit(leaf + 1)) {
            long head = TreePages.head(walk.segment, pages.offset(leaf));
            if (!pages.isPossible(head, 0)) {
                throw memory.damaged("page=" + leaf);
            }
            count += TreeFormat.count(head);
        }
        return count;
    }

    private void walk(long root) {
        int levels = TreeFormat.levels(root);
        if (levels > TreeFormat.MOST_LEVELS || (root == 0) != (levels == 0)) {
            throw memory.damaged("root=0x" + Long.toHexString(root));
        }
        if (levels > 0) {
            walk(TreeFormat.page(root), levels - 1);
        }
    }

    /// The number of levels limits the depth. No page is visited twice, which limits the time.
    private void walk(long number, int level) {
        if (number < 1 || number > Integer.MAX_VALUE || pages.offset(number + 1) > segment.byteSize()) {
            throw memory.damaged("page=" + number + ", byteSize=" + segment.byteSize());
        }
        if (known != null && known.get((int) number)) {
            return;
        }
        if (found.get((int) number)) {
            throw memory.damaged("page is used twice: page=" + number);
        }
        found.set((int) number);
        if (level == 0) {
            leaves.set((int) number);
            return;
        }
        long page = pages.offset(number);
        long head = TreePages.head(segment, page);
        if (!pages.isPossible(head, level)) {
            throw memory.damaged("page=" + number + ", level=" + level);
        }
        for (int index = 0; index < TreeFormat.count(head); index++) {
            long child = pages.value(segment, page, level, index);
            walk(child < 0 ? 0 : segment.get(LONG, child), level - 1);
        }
    }
}
