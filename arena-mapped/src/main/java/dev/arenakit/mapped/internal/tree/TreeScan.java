package dev.arenakit.mapped.internal.tree;

import dev.arenakit.mapped.internal.catalog.UnforcedElements;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Visits the pages of one level of a tree in the order of their keys, and checks all pages that it reads: their checks,
/// their generations and the order of their keys. [TreeFormat] describes the format. The next page is found by the upper
/// bound of the keys of the present one, so that the owner may change the tree meanwhile, and the keys behind a damaged
/// page are found.
public final class TreeScan {
    /// The number of times that a search begins again, because the owner has written its pages meanwhile.
    private static final int TRIES = 1 << 10;

    /// The problem of a page that the owner has written meanwhile.
    private static final String CHANGED = "changed";

    private final Source source;
    private final TreePages pages;
    private final long tree;
    private final int lowest;
    private final boolean mayChange;
    private final Damage damage;
    private final Page[] path = new Page[TreeFormat.MOST_LEVELS];
    /// The pages that were found, unless the owner may change the tree.
    final BitSet found = new BitSet();
    /// The pages that were read and were written after the newest force().
    final BitSet unsealed = new BitSet();
    private long root;
    private long generation;
    private long sealed;
    private boolean isBegun;
    private boolean isDamaged;
    private @Nullable TreeKey lower;
    private @Nullable TreeKey upper;
    private Page page = new Page(0);

    /// @param tree      the offset of root, generation and count in the header
    /// @param lowest    the level of the pages that are visited; children of pages with level 1 are found if it is 1
    /// @param mayChange whether the owner may change the tree meanwhile
    public TreeScan(Source source, TreePages pages, long tree, int lowest, boolean mayChange, Damage damage) {
        this.source = source;
        this.pages = pages;
        this.tree = tree;
        this.lowest = lowest;
        this.mayChange = mayChange;
        this.damage = damage;
    }

    /// Reads the memory of a structure.
    public interface Source {
        /// Reads a range.
        ///
        /// @return false if the memory does not contain it
        boolean read(long byteOffset, MemorySegment into) throws IOException;

        /// Reads a segment.
        static Source of(MemorySegment segment) {
            return (byteOffset, into) -> {
                boolean isContained = byteOffset <= segment.byteSize() - into.byteSize();
                if (isContained) {
                    MemorySegment.copy(segment, byteOffset, into, 0, into.byteSize());
                }
                return isContained;
            };
        }
    }

    /// What is done about a damaged page.
    public interface Damage {
        /// Receives a damage.
        ///
        /// @param problem the damage, with the range of the keys that are lost
        /// @throws IOException to end the scan
        void found(String problem) throws IOException;
    }

    /// A copy of a page.
    private static final class Page {
        private final MemorySegment contents;
        private long number;

        Page(int byteSize) {
            contents = MemorySegment.ofArray(new long[byteSize / Long.BYTES]);
        }
    }

    private void readHeader() throws IOException {
        MemorySegment header = MemorySegment.ofArray(new long[(int) TreeFormat.END / Long.BYTES]);
        // The owner writes a page with a larger generation after it has left the tree of the root.
        source.read(tree + TreeFormat.GENERATION, header.asSlice(0, Long.BYTES));
        generation = header.get(LONG, 0);
        source.read(0, header);
        root = header.get(LONG, tree + TreeFormat.ROOT);
        sealed = TreeFormat.sealedGeneration(header);
    }

    /// Moves to the next intact page.
    ///
    /// @return false if there is none
    public boolean next() throws IOException {
        while (!isBegun || upper != null) {
            String problem = seek(upper);
            if (problem == null) {
                return page.number != 0;
            }
            isDamaged = true;
            damage.found(problem + ", lostKeys=" + (lower == null ? "(first" : "[" + lower) + ", "
                    + (upper == null ? "last)" : upper + ")"));
        }
        return false;
    }

    /// Visits all other pages.
    ///
    /// @param action what is done at each page
    /// @return the number of their entries
    long all(Runnable action) throws IOException {
        long count = 0;
        while (next()) {
            count += count();
            action.run();
        }
        return count;
    }

    /// Checks a tree that nobody changes: the live tree, unless the machine failed while it was open, and the newest forced
    /// tree.
    ///
    /// @param header   the header, which is intact
    /// @param isLost   whether the machine failed while the tree was open
    /// @param problems receives each problem
    /// @return the number of intact entries
    /// @throws IOException if the memory cannot be read
    public static long check(String name, Source source, TreePages pages, MemorySegment header, boolean isLost,
            Consumer<? super String> problems) throws IOException {
        long slot = TreeFormat.newestSlot(header);
        if (slot < 0) {
            problems.accept("Tree of the last force() is damaged");
            return 0;
        }
        UnforcedElements unforced = TreeFormat.unforced(name, header, slot);
        if (isLost && unforced != null) {
            problems.accept(unforced.describe(TreeFormat.UNFORCED));
        }
        // Most pages of both trees are the same, and a damaged page is one problem.
        long tree = isLost ? slot : TreeFormat.LIVE;
        TreeScan live = new TreeScan(source, pages, tree, 0, false, problems::accept);
        long count = live.all(() -> {});
        long recorded = header.get(LONG, tree + TreeFormat.COUNT);
        // After a kill, the number can be late.
        if ((isLost || header.get(LONG, StructureFormat.STATE) == StructureFormat.CLOSED) && count != recorded) {
            problems.accept("Number of entries is wrong: recorded=" + recorded + ", found=" + count);
        }
        if (!isLost && header.get(LONG, TreeFormat.LIVE) != header.get(LONG, slot)) {
            TreeScan forced = new TreeScan(source, pages, slot, 0, false,
                    problem -> problems.accept("Tree of the last force() is damaged: " + problem));
            forced.all(() -> {});
            BitSet older = (BitSet) live.found.clone();
            older.andNot(live.unsealed);
            older.andNot(forced.found);
            if (!forced.isDamaged) {
                older.stream()
                        .forEach(page -> problems
                                .accept("Page is older than the last force(), which did not write it: page=" + page));
            }
        }
        return count;
    }

    /// Finds the page of a key, or the first page.
    ///
    /// @return the damage, or null
    private @Nullable String seek(@Nullable TreeKey key) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            if (mayChange || !isBegun) {
                readHeader();
                isBegun = true;
            }
            lower = null;
            upper = null;
            int levels = TreeFormat.levels(root);
            if (levels > TreeFormat.MOST_LEVELS || (root == 0) != (levels == 0)) {
                return "Root is damaged: root=0x" + Long.toHexString(root);
            }
            page = new Page(0);
            if (levels == 0) {
                return null;
            }
            String problem = descend(key, TreeFormat.page(root), levels - 1);
            if (!CHANGED.equals(problem)) {
                return problem;
            }
        }
        throw new IOException("Structure was changed all the time while it was read; read it again");
    }

    private @Nullable String descend(@Nullable TreeKey key, long first, int top) throws IOException {
        long number = first;
        for (int level = top;; level--) {
            String problem = read(number, level);
            if (problem != null || level <= lowest) {
                return problem;
            }
            int child = key == null ? 0 : pages.searchCopy(page.contents, 1, key);
            child = child < 0 ? -child - 2 : child;
            lower = child == 0 ? lower : pages.key(page.contents, 0, level, child, pages.newKey());
            upper = child + 1 == TreePages.count(page.contents, 0)
                    ? upper
                    : pages.key(page.contents, 0, level, child + 1, pages.newKey());
            number = page.contents.get(LONG, pages.value(page.contents, 0, level, child));
        }
    }

    /// Reads a page, unless it was read for the previous key.
    private @Nullable String read(long number, int level) throws IOException {
        Page read = path[level] == null ? new Page(pages.pageByteSize) : path[level];
        path[level] = read;
        if (read.number != number || mayChange) {
            read.number = 0;
            if (number < 1 || number > Integer.MAX_VALUE || !source.read(pages.offset(number), read.contents)) {
                return "Number of a page is damaged: page=" + number + ", level=" + level;
            }
            if (!mayChange && found.get((int) number)) {
                return "Page is used twice: page=" + number + ", level=" + level;
            }
            String problem = problem(read.contents, number, level);
            if (problem != null) {
                return problem.equals(CHANGED) ? CHANGED : problem + ": page=" + number + ", level=" + level;
            }
            read.number = number;
            found.set((int) number);
            unsealed.set((int) number, read.contents.get(LONG, 0) > sealed);
        }
        page = read;
        return null;
    }

    private @Nullable String problem(MemorySegment contents, long number, int level) throws IOException {
        MemorySegment written = contents;
        if (mayChange) {
            written = MemorySegment.ofArray(new long[1]);
            source.read(pages.offset(number), written);
        }
        if (written.get(LONG, 0) > generation) {
            return mayChange ? CHANGED : "Generation of a page is too large";
        }
        if (contents.get(LONG, 0) <= sealed && !pages.isSealed(contents, 0, number)) {
            return "Check of a page is wrong";
        }
        if (!pages.isPossible(TreePages.head(contents, 0), level)) {
            return "Head of a page is damaged";
        }
        return entriesProblem(contents, level);
    }

    private @Nullable String entriesProblem(MemorySegment contents, int level) {
        TreeKey previous = lower;
        for (int index = 0; index < TreePages.count(contents, 0); index++) {
            long value = pages.value(contents, 0, level, index);
            if (value < 0) {
                return "Entry of a page is damaged";
            }
            if (level == 0 || index > 0) {
                TreeKey key = pages.key(contents, 0, level, index, pages.newKey());
                int compared = previous == null ? 1 : key.compareTo(previous);
                if (compared < 0 || (compared == 0 && index > 0) || (upper != null && key.compareTo(upper) >= 0)) {
                    return "Keys of a page are not in order";
                }
                previous = key;
            }
            if (level == 1 && lowest == 1) {
                long child = contents.get(LONG, value);
                if (child < 1 || child > Integer.MAX_VALUE || found.get((int) child)) {
                    return "Page has a wrong child";
                }
                found.set((int) child);
            }
        }
        return null;
    }

    /// The number of the present page.
    public long number() {
        return page.number;
    }

    /// A copy of the present page, which the next move replaces.
    public MemorySegment contents() {
        return page.contents;
    }

    /// The number of entries of the present page.
    public int count() {
        return TreePages.count(page.contents, 0);
    }
}
