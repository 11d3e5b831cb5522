package dev.arenakit.mapped.internal.tree;

import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Checks a tree that nobody changes: the live tree, unless the machine failed while it was open, and the newest forced
/// tree. [TreeFormat] describes the format.
public final class TreeCheck {
    private TreeCheck() {}

    /// Checks a tree.
    ///
    /// @param boot     the present boot of the machine
    /// @param problems receives each problem
    /// @return the number of intact entries
    /// @throws IOException if the memory cannot be read
    public static long check(String name, TreeScan.Source source, long boot, Consumer<? super String> problems)
            throws IOException {
        MemorySegment header = MemorySegment.ofArray(new long[(int) StructureFormat.BYTE_SIZE / Long.BYTES]);
        source.read(0, header);
        TreePages pages;
        try {
            StructureFormat.check(header, name, StructureKind.TREE);
            pages = TreeReader.pages(name, header);
        } catch (IllegalStateException e) {
            problems.accept(String.valueOf(e.getMessage()));
            return 0;
        }
        long slot = TreeFormat.newestSlot(header);
        if (slot < 0) {
            problems.accept("Tree of the last force() is damaged");
            return 0;
        }
        boolean isLost = StructureFormat.isLost(header, boot);
        // Most pages of both trees are the same, and a damaged page is one problem.
        TreeScan live = new TreeScan(source, pages, isLost ? slot : TreeFormat.LIVE, 0, false,
                (problem, lower, upper) -> problems.accept(describe(problem, lower, upper)));
        long count = 0;
        while (live.next()) {
            count += live.count();
        }
        long recorded = header.get(LONG, (isLost ? slot : TreeFormat.LIVE) + TreeFormat.COUNT);
        // After a kill, the number can be late.
        if ((isLost || header.get(LONG, StructureFormat.STATE) == StructureFormat.CLOSED) && count != recorded) {
            problems.accept("Number of entries is wrong: recorded=" + recorded + ", found=" + count);
        }
        if (!isLost && header.get(LONG, TreeFormat.LIVE) != header.get(LONG, slot)) {
            checkForced(live, new TreeScan(source, pages, slot, 0, false, (problem, lower, upper) -> problems
                    .accept("Tree of the last force() is damaged: " + describe(problem, lower, upper))), problems);
        }
        return count;
    }

    private static void checkForced(TreeScan live, TreeScan forced, Consumer<? super String> problems)
            throws IOException {
        while (forced.next()) {
            // Reads all pages.
        }
        BitSet older = (BitSet) live.found().clone();
        older.andNot(live.unsealed());
        older.andNot(forced.found());
        if (!forced.isDamaged()) {
            older.stream()
                    .forEach(page -> problems
                            .accept("Page is older than the last force(), which did not write it: page=" + page));
        }
    }

    /// The text of a damage, with the range of the keys that are lost.
    static String describe(String problem, @Nullable TreeKey lower, @Nullable TreeKey upper) {
        return problem + ", lostKeys=" + (lower == null ? "(first" : "[" + lower) + ", "
                + (upper == null ? "last)" : upper + ")");
    }
}
