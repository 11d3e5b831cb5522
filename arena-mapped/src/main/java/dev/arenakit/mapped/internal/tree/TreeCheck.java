package dev.arenakit.mapped.internal.tree;

import dev.arenakit.mapped.internal.structure.StructureFormat;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.function.Consumer;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Checks a tree that nobody changes: the live tree, unless the machine failed while it was open, and the newest forced
/// tree. [TreeFormat] describes the format.
public final class TreeCheck {
    private TreeCheck() {}

    /// Checks a tree.
    ///
    /// @param header   the header, which is intact
    /// @param isLost   whether the machine failed while the tree was open
    /// @param problems receives each problem
    /// @return the number of intact entries
    /// @throws IOException if the memory cannot be read
    public static long check(TreeScan.Source source, TreePages pages, MemorySegment header, boolean isLost,
            Consumer<? super String> problems) throws IOException {
        long slot = TreeFormat.newestSlot(header);
        if (slot < 0) {
            problems.accept("Tree of the last force() is damaged");
            return 0;
        }
        // Most pages of both trees are the same, and a damaged page is one problem.
        long tree = isLost ? slot : TreeFormat.LIVE;
        TreeScan live = new TreeScan(source, pages, tree, 0, false, problems::accept);
        long count = live.all();
        long recorded = header.get(LONG, tree + TreeFormat.COUNT);
        // After a kill, the number can be late.
        if ((isLost || header.get(LONG, StructureFormat.STATE) == StructureFormat.CLOSED) && count != recorded) {
            problems.accept("Number of entries is wrong: recorded=" + recorded + ", found=" + count);
        }
        if (!isLost && header.get(LONG, TreeFormat.LIVE) != header.get(LONG, slot)) {
            TreeScan forced = new TreeScan(source, pages, slot, 0, false,
                    problem -> problems.accept("Tree of the last force() is damaged: " + problem));
            forced.all();
            BitSet older = (BitSet) live.found().clone();
            older.andNot(live.unsealed());
            older.andNot(forced.found());
            if (!forced.isDamaged()) {
                older.stream()
                        .forEach(page -> problems
                                .accept("Page is older than the last force(), which did not write it: page=" + page));
            }
        }
        return count;
    }
}
