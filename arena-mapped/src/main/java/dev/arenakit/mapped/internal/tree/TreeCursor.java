package dev.arenakit.mapped.internal.tree;

import dev.arenakit.collection.LongLongPredicate;
import dev.arenakit.mapped.internal.tree.TreePages.Seek;
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
        pages.copyLeaf(memory, page, leaf);
        long head = TreePages.head(leaf, 0);
        count = pages.isPossible(head, 0) ? TreeFormat.count(head) : TreePages.DAMAGED;
        return count;
    }

    public boolean first() {
        return seek(Seek.FIRST, bound) && at(0);
    }

    public boolean last() {
        return seek(Seek.LAST, bound) && at(count - 1);
    }

    /// Moves to the entry with the smallest key that is not less than a key.
    public boolean ceiling(TreeKey key) {
        return seek(Seek.AT, key) && move(true, position(key));
    }

    /// Moves to the entry with the smallest key above a key.
    public boolean higher(TreeKey key) {
        return ceiling(key) && (compareTo(key) > 0 || next());
    }

    /// Moves to the entry with the largest key that is not above a key.
    public boolean floor(TreeKey key) {
        if (!seek(Seek.AT, key)) {
            return false;
        }
        int ceiling = position(key);
        boolean isEqual = ceiling < count && pages.key(leaf, 0, 0, ceiling, keyReused).compareTo(key) == 0;
        return isEqual ? at(ceiling) : move(false, ceiling);
    }

    /// Moves to the entry with the largest key below a key.
    public boolean lower(TreeKey key) {
        return seek(Seek.AT, key) && move(false, position(key));
    }

    /// Moves to the next entry.
    ///
    /// @throws IllegalStateException if the cursor is at no entry
    public boolean next() {
        return move(true, checked() + 1);
    }

    /// Moves to the previous entry.
    ///
    /// @throws IllegalStateException if the cursor is at no entry
    public boolean previous() {
        return move(false, checked());
    }

    private boolean seek(Seek how, TreeKey key) {
        index = -1;
        return reader.find(how, key, this, leaf);
    }

    /// Moves to the entry at an index or the first entry of the next leaf, or else to the entry before the index or the last
    /// entry of the previous leaf.
    private boolean move(boolean isAscending, int ceiling) {
        int position = ceiling;
        while (position == (isAscending ? count : 0)) {
            TreeKey from = copy(isAscending ? upper : lower);
            if (from == null || !seek(isAscending ? Seek.AT : Seek.BELOW, from)) {
                return at(-1);
            }
            TreeKey next = isAscending ? upper : lower;
            // Each leaf is beyond the previous one. Otherwise, a damaged tree could be read without an end.
            if (next != null && (isAscending ? next.compareTo(from) <= 0 : next.compareTo(from) >= 0)) {
                throw damaged();
            }
            position = position(from);
        }
        return at(isAscending ? position : position - 1);
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

    private boolean at(int position) {
        index = position;
        return position >= 0;
    }

    private int checked() {
        if (index < 0) {
            throw new IllegalStateException("Cursor is at no entry; move it to one first");
        }
        return index;
    }

    /// Compares the key of the entry with another one.
    public int compareTo(TreeKey key) {
        return key().compareTo(key);
    }

    /// The key of the entry. A key that is a long may change with the next call.
    public TreeKey key() {
        return pages.key(leaf, 0, 0, checked(), keyReused);
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

    /// Passes the entry and the next or previous ones of a tree from longs to longs to an action.
    ///
    /// @param last the last key
    /// @return false if the action has returned false
    public boolean scan(boolean isAscending, long last, LongLongPredicate action) {
        int step = isAscending ? 1 : -1;
        do {
            for (int i = index; i >= 0 && i < count; i += step) {
                long key = word(LongPages.FIRST_KEY + i);
                if (isAscending ? key > last : key < last) {
                    return true;
                }
                if (!action.test(key, word(LongPages.FIRST_VALUE + i))) {
                    return false;
                }
            }
        } while (move(isAscending, isAscending ? count : 0));
        return true;
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
