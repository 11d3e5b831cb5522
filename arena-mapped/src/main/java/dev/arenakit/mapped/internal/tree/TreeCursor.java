package dev.arenakit.mapped.internal.tree;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Moves over the entries of a tree in both directions. It holds a copy of one leaf with the bounds of its keys, by which
/// it finds the next one. One thread at a time uses an instance.
public final class TreeCursor implements TreePages.Path {
    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final TreeReader reader;
    private final TreePages pages;
    private final long[] words;
    private final MemorySegment leaf;
    private final TreeKey bound;
    private final TreeKey keyReused;
    private final TreeKey lowerReused;
    private final TreeKey upperReused;
    /// No key of the leaf is less. Null if the leaf is the first one.
    private @Nullable TreeKey lower;
    /// All keys of the leaf are less. Null if the leaf is the last one.
    private @Nullable TreeKey upper;
    /// The number of entries of the leaf.
    private int count;
    /// The index of the entry, or -1 if there is none.
    private int index = -1;

    public TreeCursor(TreeReader reader) {
        this.reader = reader;
        pages = reader.pages();
        words = new long[pages.pageByteSize / Long.BYTES];
        leaf = MemorySegment.ofArray(words);
        bound = pages.newKey();
        keyReused = pages.newKey();
        lowerReused = pages.newKey();
        upperReused = pages.newKey();
    }

    @Override
    public void begin() {
        lower = null;
        upper = null;
        count = 0;
    }

    @Override
    public void narrow(MemorySegment memory, long page, int level, int child, int children) {
        lower = child == 0 ? lower : pages.key(memory, page, level, child, lowerReused);
        upper = child + 1 == children ? upper : pages.key(memory, page, level, child + 1, upperReused);
    }

    @Override
    public long copy(MemorySegment memory, long page) {
        long head = TreePages.head(memory, page);
        count = pages.isPossible(head, 0) ? TreeFormat.count(head) : TreePages.DAMAGED;
        MemorySegment.copy(memory, page, leaf, 0, pages.usedByteSize(Math.max(count, 0)));
        return count;
    }

    /// Moves to the entry with the smallest key that is not less than a key, or with the largest key that is not above it.
    ///
    /// @param key         the key, or null for the first or the last entry
    /// @param isInclusive whether the key of the entry may be equal
    public boolean seek(boolean isAscending, @Nullable TreeKey key, boolean isInclusive) {
        index = -1;
        if (!reader.find(!isAscending && key == null, key, this)) {
            return false;
        }
        if (key == null) {
            return move(isAscending, isAscending ? 0 : count);
        }
        int position = position(key);
        boolean isPassed = isAscending != isInclusive && position < count && keyAt(position).compareTo(key) == 0;
        return move(isAscending, isPassed ? position + 1 : position);
    }

    /// Moves to the next or the previous entry.
    ///
    /// @throws IllegalStateException if the cursor is at no entry
    public boolean step(boolean isAscending) {
        return move(isAscending, isAscending ? checked() + 1 : checked());
    }

    /// Moves to the entry at an index or the first entry of the next leaf, or else to the entry before the index or the last
    /// entry of the previous leaf.
    private boolean move(boolean isAscending, int ceiling) {
        int position = ceiling;
        while (position == (isAscending ? count : 0)) {
            TreeKey from = copy(isAscending ? upper : lower);
            index = -1;
            if (from == null || !reader.find(!isAscending, from, this)) {
                return false;
            }
            TreeKey next = isAscending ? upper : lower;
            // Each leaf is beyond the previous one. Otherwise, a damaged tree could be read without an end.
            if (next != null && (isAscending ? next.compareTo(from) <= 0 : next.compareTo(from) >= 0)) {
                throw damaged();
            }
            position = position(from);
        }
        index = isAscending ? position : position - 1;
        return true;
    }

    /// A bound, which the next search replaces.
    private @Nullable TreeKey copy(@Nullable TreeKey key) {
        return key instanceof TreeKey.OfLong from && bound instanceof TreeKey.OfLong to ? to.with(from.value) : key;
    }

    /// The index of the first entry of the leaf whose key is not less than a key.
    private int position(TreeKey key) {
        int found = pages.searchCopy(leaf, 0, key);
        if (found == TreePages.DAMAGED) {
            throw damaged();
        }
        return found >= 0 ? found : -found - 1;
    }

    private static IllegalStateException damaged() {
        return new IllegalStateException("Structure is damaged: keys of a tree are not in order");
    }

    private int checked() {
        if (index < 0) {
            throw new IllegalStateException("Cursor is at no entry; move it to one first");
        }
        return index;
    }

    /// The key of the entry. A key that is a long may change with the next call.
    public TreeKey key() {
        return keyAt(checked());
    }

    private TreeKey keyAt(int position) {
        return pages.key(leaf, 0, 0, position, keyReused);
    }

    /// The key of the entry in a tree from longs to longs.
    public long longKey() {
        return word(LongPages.FIRST_KEY + checked());
    }

    /// The value of the entry in a tree from longs to longs.
    public long longValue() {
        return word(LongPages.FIRST_VALUE + checked());
    }

    /// A word of the leaf. It takes less time than an access to the segment.
    private long word(int at) {
        return IS_LITTLE_ENDIAN ? words[at] : Long.reverseBytes(words[at]);
    }

    /// The memory with the value, which the next move replaces.
    public MemorySegment contents() {
        return leaf;
    }

    /// The offset of the value in [#contents].
    public long value() {
        long value = pages.value(leaf, 0, 0, checked());
        if (value < 0) {
            throw damaged();
        }
        return value;
    }
}
