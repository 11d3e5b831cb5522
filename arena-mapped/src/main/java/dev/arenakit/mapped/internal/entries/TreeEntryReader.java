package dev.arenakit.mapped.internal.entries;

import dev.arenakit.layout.type.Member;
import dev.arenakit.mapped.ImageEntries.Cursor;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.tree.TreeCheck;
import dev.arenakit.mapped.internal.tree.TreeFormat;
import dev.arenakit.mapped.internal.tree.TreeKey;
import dev.arenakit.mapped.internal.tree.TreePages;
import dev.arenakit.mapped.internal.tree.TreeReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.INT;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Reads the entries of a tree in the order of their keys. [TreeFormat] describes the format. The position of an entry
/// consists of the number of its page, and of its index there.
final class TreeEntryReader implements EntryReader {
    /// A recorded type can have any alignment.
    private static final ValueLayout.OfLong UNALIGNED = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int INDEX_BITS = 24;
    /// The number of times that the search for a leaf begins again, because the owner has written its pages meanwhile.
    private static final int TRIES = 1 << 10;
    /// The number of pages of a larger tree whose references are not checked, because that takes memory for each page.
    private static final long MOST_CHECKED = 1 << 26;

    private final StoredStructure structure;
    private final StructureBytes bytes;
    private final TreePages pages;
    /// The offset of root, generation and count.
    private final long tree;
    private final long keyByteSize;
    private final TreeTextForm textForm;
    private final long keyOffset;
    private final long valueOffset;
    private final long valueByteSize;
    private final long typeByteSize;

    TreeEntryReader(StoredStructure structure) throws IOException {
        this.structure = structure;
        bytes = structure.bytes();
        MemorySegment header = structure.header();
        try {
            pages = TreeReader.pages(bytes.name(), header);
        } catch (IllegalStateException e) {
            throw new StoredStructure.DamagedStructureException(String.valueOf(e.getMessage()), e);
        }
        tree = structure.state() == StructureState.FORCED ? TreeFormat.newestSlot(header) : TreeFormat.LIVE;
        if (tree < 0) {
            throw structure.damaged("no forced tree");
        }
        Member key = structure.type().members().getFirst();
        Member value = structure.type().members().getLast();
        keyByteSize = key.type().byteSize();
        textForm = TreeTextForm.of(key.type());
        keyOffset = key.byteOffset();
        valueOffset = value.byteOffset();
        valueByteSize = value.type().byteSize();
        typeByteSize = structure.type().byteSize();
        int recorded = header.get(INT, StructureFormat.KEY_SIZE);
        if (header.get(INT, StructureFormat.VALUE_SIZE) != valueByteSize
                || (recorded != 0 && keyByteSize != recorded)
                || (recorded == 0 && textForm.byteSize() < TreeFormat.LARGEST_KEY)) {
            throw structure.damaged("keyByteSize=" + recorded + ", valueByteSize="
                    + header.get(INT, StructureFormat.VALUE_SIZE) + ", recorded=" + keyByteSize + ", "
                    + valueByteSize);
        }
    }

    @Override
    public long recordedCount() throws IOException {
        return structure.current(tree + TreeFormat.COUNT);
    }

    @Override
    public boolean isPossible(long recordedCount) throws IOException {
        return recordedCount >= 0 && recordedCount <= bytes.byteSize() / Long.BYTES;
    }

    @Override
    public Cursor cursor() {
        return new Leaves();
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        Page page = new Page();
        page.read(position >>> INDEX_BITS);
        int index = (int) position & (1 << INDEX_BITS) - 1;
        if (!pages.isPossible(page.head(), 0) || index >= TreeFormat.count(page.head())) {
            throw structure.changed("Page was written");
        }
        toType(page.contents, index, pages.key(page.contents, 0, 0, index, pages.newKey()), into, 0);
    }

    @Override
    public void check(long count, ProblemList problems) throws IOException {
        String unforced = structure.state() == StructureState.FORCED
                ? TreeFormat.unforcedProblem(bytes.name(), structure.header(), tree)
                : null;
        if (unforced != null) {
            problems.add(unforced);
        }
        if (bytes.byteSize() / pages.pageByteSize <= MOST_CHECKED) {
            TreeCheck.check(bytes.name(), bytes, structure.boot(), problems::add);
        } else if (structure.state() != StructureState.KILLED && recordedCount() != count) {
            problems.add("Number of entries is wrong: recorded=" + recordedCount() + ", found=" + count);
        }
    }

    /// Copies key and value to the places where the recorded type has them.
    private void toType(MemorySegment leaf, int index, TreeKey key, MemorySegment into, long at) throws IOException {
        long value = pages.value(leaf, 0, 0, index);
        if (value < 0) {
            throw structure.damaged("entry of a page is beyond its end");
        }
        MemorySegment.copy(leaf, value, into, at + valueOffset, valueByteSize);
        switch (key) {
            case TreeKey.OfLong number -> into.set(UNALIGNED, at + keyOffset, number.value());
            case TreeKey.OfBytes text -> textForm.write(text.toBytes(), into.asSlice(at + keyOffset, keyByteSize));
        }
    }

    /// A copy of a page.
    private final class Page {
        private final MemorySegment contents = MemorySegment.ofArray(new long[pages.pageByteSize / Long.BYTES]);
        private long number;

        void read(long wanted) throws IOException {
            if (number == wanted && !structure.mayChange()) {
                return;
            }
            number = 0;
            if (wanted < 1 || wanted > Integer.MAX_VALUE || !bytes.contains(pages.offset(wanted + 1))) {
                throw structure.damaged("page=" + wanted);
            }
            bytes.read(pages.offset(wanted), contents);
            number = wanted;
        }

        long head() {
            return TreePages.head(contents, 0);
        }

        /// Whether the page was written after a generation was noted, possibly while it was read.
        boolean isNewer(long generation) throws IOException {
            MemorySegment written = MemorySegment.ofArray(new long[1]);
            if (structure.mayChange()) {
                bytes.read(pages.offset(number), written);
            } else {
                written.set(LONG, 0, contents.get(LONG, 0));
            }
            return written.get(LONG, 0) > generation;
        }
    }

    /// Reads one leaf after another. The next leaf is found by the upper bound of the keys, as its owner finds it.
    private final class Leaves implements Cursor {
        private final Page[] path = new Page[TreeFormat.MOST_LEVELS];
        private @Nullable TreeKey lower;
        private @Nullable TreeKey upper;
        private boolean isBegun;
        private MemorySegment entries = MemorySegment.NULL;
        private Page leaf = new Page();
        private int first;
        private int count;

        @Override
        public boolean next() throws IOException {
            count = 0;
            while (count == 0 && (!isBegun || upper != null)) {
                TreeKey from = upper;
                if (!seek(from)) {
                    return false;
                }
                if (from != null && upper != null && upper.compareTo(from) <= 0) {
                    throw structure.damaged("keys are not in order, page=" + leaf.number);
                }
                isBegun = true;
                copy(from);
            }
            return count > 0;
        }

        /// Finds the leaf of a key, or the first leaf.
        ///
        /// @return false if the tree is empty
        private boolean seek(@Nullable TreeKey key) throws IOException {
            for (int i = 0; i < TRIES; i++) {
                long generation = structure.current(tree + TreeFormat.GENERATION);
                long root = structure.current(tree + TreeFormat.ROOT);
                int levels = TreeFormat.levels(root);
                if (levels > TreeFormat.MOST_LEVELS || root == 0 != (levels == 0)) {
                    throw structure.damaged("root=0x" + Long.toHexString(root));
                }
                if (levels == 0) {
                    return false;
                }
                lower = null;
                upper = null;
                if (descend(key, TreeFormat.page(root), levels - 1, generation)) {
                    return true;
                }
            }
            throw structure.changed("Structure was changed all the time");
        }

        /// @return false if a page was written meanwhile, so that the search begins again
        private boolean descend(@Nullable TreeKey key, long root, int height, long generation) throws IOException {
            long number = root;
            for (int level = height; level >= 0; level--) {
                Page page = page(level);
                page.read(number);
                int child = level == 0 ? 0 : child(page, level, key);
                if (page.isNewer(generation)) {
                    if (!structure.mayChange()) {
                        throw structure.damaged("page=" + number + " is newer than its tree");
                    }
                    return false;
                }
                if (child < 0 || !pages.isPossible(page.head(), level)) {
                    throw structure.damaged("page=" + number);
                }
                if (level > 0) {
                    number = narrow(page, level, child);
                }
            }
            leaf = page(0);
            return true;
        }

        private Page page(int level) {
            Page page = path[level];
            if (page == null) {
                page = new Page();
                path[level] = page;
            }
            return page;
        }

        private int child(Page page, int level, @Nullable TreeKey key) {
            return !pages.isPossible(page.head(), level)
                    ? TreePages.DAMAGED
                    : key == null ? 0 : child(pages.searchCopy(page.contents, 1, key));
        }

        private static int child(int found) {
            return found >= 0 || found == TreePages.DAMAGED ? found : -found - 2;
        }

        /// Narrows the bounds to those of a child.
        ///
        /// @return the number of the child
        private long narrow(Page page, int level, int child) throws IOException {
            if (child > 0) {
                TreeKey key = pages.key(page.contents, 0, level, child, pages.newKey());
                checkWithin(page, key, lower);
                lower = key;
            }
            if (child + 1 < TreeFormat.count(page.head())) {
                TreeKey key = pages.key(page.contents, 0, level, child + 1, pages.newKey());
                checkWithin(page, key, lower);
                upper = key;
            }
            long value = pages.value(page.contents, 0, level, child);
            return value < 0 ? 0 : page.contents.get(LONG, value);
        }

        /// Checks that a bound of a child is above the present lower bound, and below the present upper bound. Therefore
        /// no page is visited twice.
        private void checkWithin(Page page, TreeKey key, @Nullable TreeKey above) throws IOException {
            if ((above != null && key.compareTo(above) <= 0) || (upper != null && key.compareTo(upper) >= 0)) {
                throw structure.damaged("keys are not in order, page=" + page.number);
            }
        }

        /// Copies the entries from a key on.
        private void copy(@Nullable TreeKey from) throws IOException {
            int all = TreeFormat.count(leaf.head());
            if (entries.byteSize() < all * typeByteSize) {
                entries = MemorySegment.ofArray(new long[(int) ((all * typeByteSize + 7) / Long.BYTES)]);
            }
            TreeKey previous = null;
            first = 0;
            for (int i = 0; i < all; i++) {
                TreeKey key = pages.key(leaf.contents, 0, 0, i, pages.newKey());
                if ((previous != null && key.compareTo(previous) <= 0)
                        || (lower != null && key.compareTo(lower) < 0)
                        || (upper != null && key.compareTo(upper) >= 0)) {
                    throw structure.damaged("keys are not in order, page=" + leaf.number);
                }
                previous = key;
                if (from != null && key.compareTo(from) < 0) {
                    first = i + 1;
                } else {
                    toType(leaf.contents, i, key, entries, count * typeByteSize);
                    count++;
                }
            }
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public MemorySegment entries() {
            return entries.asSlice(0, count * typeByteSize);
        }

        @Override
        public long position(int index) {
            return (leaf.number << INDEX_BITS) | (first + index);
        }
    }
}
