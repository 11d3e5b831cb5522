package dev.arenakit.mapped.internal.structure;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Checks a tree that nobody changes: the live tree, unless the machine failed while it was open, and the newest forced
/// tree. [TreeFormat] describes the format. Pages are read one at a time.
public final class TreeCheck {
    private final Source source;
    private final Consumer<? super String> problems;
    private final MemorySegment header = page((int) StructureFormat.BYTE_SIZE);

    private TreeCheck(Source source, Consumer<? super String> problems) {
        this.source = source;
        this.problems = problems;
    }

    /// Reads the memory of a structure.
    public interface Source {
        /// Whether the memory has a size.
        boolean contains(long byteSize) throws IOException;

        /// Reads a range that the memory contains.
        void read(long byteOffset, MemorySegment into) throws IOException;

        /// Reads a segment.
        static Source of(MemorySegment segment) {
            return new Source() {
                @Override
                public boolean contains(long byteSize) {
                    return byteSize <= segment.byteSize();
                }

                @Override
                public void read(long byteOffset, MemorySegment into) {
                    into.copyFrom(segment.asSlice(byteOffset, into.byteSize()));
                }
            };
        }
    }

    /// Checks a tree.
    ///
    /// @param boot     the present boot of the machine
    /// @param problems receives each problem
    /// @throws IOException if the memory cannot be read
    public static void check(String name, Source source, long boot, Consumer<? super String> problems)
            throws IOException {
        new TreeCheck(source, problems).check(name, boot);
    }

    private static MemorySegment page(int byteSize) {
        return MemorySegment.ofArray(new long[byteSize / Long.BYTES]);
    }

    private void check(String name, long boot) throws IOException {
        TreePages pages;
        try {
            source.read(0, header);
            StructureFormat.check(header, name, StructureKind.TREE);
            pages = TreeReader.pages(name, header);
        } catch (IllegalStateException e) {
            problems.accept(String.valueOf(e.getMessage()));
            return;
        }
        long slot = TreeFormat.newestSlot(header);
        if (slot < 0) {
            problems.accept("Tree of the last force() is damaged");
            return;
        }
        Walk forced = new Walk(pages, slot);
        forced.walk();
        if (forced.count != header.get(LONG, slot + TreeFormat.COUNT)) {
            problems.accept("Number of entries of the last force() is wrong: recorded="
                    + header.get(LONG, slot + TreeFormat.COUNT) + ", found=" + forced.count);
        }
        if (!StructureFormat.isLost(header, boot)) {
            checkLive(new Walk(pages, TreeFormat.LIVE), forced, header.get(LONG, slot + TreeFormat.GENERATION));
        }
    }

    private void checkLive(Walk live, Walk forced, long forcedGeneration) throws IOException {
        live.walk();
        long recorded = header.get(LONG, TreeFormat.LIVE + TreeFormat.COUNT);
        // After a kill, the number can be late.
        if (header.get(LONG, StructureFormat.STATE) == StructureFormat.CLOSED && live.count != recorded) {
            problems.accept("Number of entries is wrong: recorded=" + recorded + ", found=" + live.count);
        }
        BitSet notForced = (BitSet) live.found.clone();
        notForced.andNot(forced.found);
        for (int page = notForced.nextSetBit(0); page >= 0; page = notForced.nextSetBit(page + 1)) {
            MemorySegment generation = page(Long.BYTES);
            source.read(live.pages.offset(page), generation);
            if (generation.get(LONG, 0) <= forcedGeneration) {
                problems.accept("Page is older than the last force(), which did not write it: page=" + page);
            }
        }
    }

    /// A walk over the pages of a tree.
    private final class Walk {
        private final TreePages pages;
        private final long tree;
        private final BitSet found = new BitSet();
        private long count;
        private int levels;

        Walk(TreePages pages, long tree) {
            this.pages = pages;
            this.tree = tree;
        }

        void walk() throws IOException {
            long root = header.get(LONG, tree + TreeFormat.ROOT);
            levels = TreeFormat.levels(root);
            if (levels > TreeFormat.MOST_LEVELS || (root == 0) != (levels == 0)) {
                problems.accept("Root is damaged: root=0x" + Long.toHexString(root));
            } else if (levels > 0) {
                walk(TreeFormat.page(root), levels - 1, null, null);
            }
        }

        /// The number of levels limits the depth, and each page is visited once.
        private void walk(long number, int level, @Nullable TreeKey lower, @Nullable TreeKey upper)
                throws IOException {
            if (number < 1 || number > Integer.MAX_VALUE || !source.contains(pages.offset(number + 1))) {
                problems.accept("Number of a page is damaged: page=" + number);
                return;
            }
            if (found.get((int) number)) {
                problems.accept("Page is used twice: page=" + number);
                return;
            }
            found.set((int) number);
            MemorySegment page = page(pages.pageByteSize);
            source.read(pages.offset(number), page);
            long head = TreePages.head(page, 0);
            if (!pages.isPossible(head, level)) {
                problems.accept("Head of a page is damaged: page=" + number + ", level=" + level + ", head=0x"
                        + Long.toHexString(head));
                return;
            }
            if (page.get(LONG, 0) > header.get(LONG, tree + TreeFormat.GENERATION)) {
                problems.accept("Generation of a page is too large: page=" + number + ", generation="
                        + page.get(LONG, 0));
            }
            entries(page, number, level, TreeFormat.count(head), lower, upper);
        }

        private void entries(MemorySegment page, long number, int level, int entries, @Nullable TreeKey lower,
                @Nullable TreeKey upper) throws IOException {
            TreeKey previous = level > 0 ? lower : null;
            for (int index = 0; index < entries; index++) {
                long value = pages.value(page, 0, level, index);
                if (value < 0) {
                    problems.accept("Entry is damaged: page=" + number + ", index=" + index);
                    return;
                }
                TreeKey key = level > 0 && index == 0 ? lower : pages.key(page, 0, level, index, pages.newKey());
                if (key != null) {
                    boolean isInOrder = previous == null || index == 0 || previous.compareTo(key) < 0;
                    boolean isAbove = lower == null || lower.compareTo(key) <= 0;
                    boolean isBelow = upper == null || upper.compareTo(key) > 0;
                    if (!isInOrder || !isAbove || !isBelow) {
                        problems.accept("Key is not in order: page=" + number + ", index=" + index + ", key=" + key);
                        return;
                    }
                    previous = key;
                }
                if (level > 0) {
                    TreeKey next = index + 1 < entries
                            ? pages.key(page, 0, level, index + 1, pages.newKey())
                            : upper;
                    walk(page.get(LONG, value), level - 1, key, next);
                }
            }
            count += level == 0 ? entries : 0;
        }
    }
}
