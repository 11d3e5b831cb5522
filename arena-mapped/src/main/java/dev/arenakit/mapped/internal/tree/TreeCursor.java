package dev.arenakit.mapped.internal.tree;

import dev.arenakit.collection.LongLongPredicate;
import dev.arenakit.mapped.internal.tree.TreePages.Seek;
import java.lang.foreign.MemorySegment;

/// Moves over the entries of a tree in both directions. It holds a copy of one leaf, and finds the next one by the bounds
/// of the keys. One thread at a time uses an instance.
public final class TreeCursor {
    private final TreeReader reader;
    private final TreeLeaf leaf;
    private final TreeKey bound;
    private final TreeKey keyReused;
    /// The index of the first key in the words of a leaf whose keys are longs.
    private final int keys;
    /// The index of the first value in the words of a leaf whose keys are longs.
    private final int values;
    /// The index of the entry, or -1 if there is none.
    private int index = -1;

    public TreeCursor(TreeReader reader) {
        this.reader = reader;
        leaf = new TreeLeaf(reader.pages());
        bound = reader.newKey();
        keyReused = reader.newKey();
        keys = LongPages.FIRST_KEY;
        values = LongPages.FIRST_VALUE;
    }

    public boolean first() {
        return reader.find(Seek.FIRST, bound, leaf, leaf.contents()) ? at(0) : atNone();
    }

    public boolean last() {
        return reader.find(Seek.LAST, bound, leaf, leaf.contents()) ? at(leaf.count() - 1) : atNone();
    }

    /// Moves to the entry with the smallest key that is not less than a key.
    public boolean ceiling(TreeKey key) {
        return seek(key) && ascend(leaf.ceiling(key));
    }

    /// Moves to the entry with the smallest key above a key.
    public boolean higher(TreeKey key) {
        return ceiling(key) && (compareTo(key) > 0 || next());
    }

    /// Moves to the entry with the largest key that is not above a key.
    public boolean floor(TreeKey key) {
        if (!seek(key)) {
            return false;
        }
        int ceiling = leaf.ceiling(key);
        if (ceiling >= 0 && ceiling < leaf.count() && leaf.key(ceiling, keyReused).compareTo(key) == 0) {
            return at(ceiling);
        }
        return descend(ceiling);
    }

    /// Moves to the entry with the largest key below a key.
    public boolean lower(TreeKey key) {
        return seek(key) && descend(leaf.ceiling(key));
    }

    /// Moves to the next entry.
    ///
    /// @throws IllegalStateException if the cursor is at no entry
    public boolean next() {
        int next = checked() + 1;
        return next < leaf.count() ? at(next) : ascend(next);
    }

    /// Moves to the previous entry.
    ///
    /// @throws IllegalStateException if the cursor is at no entry
    public boolean previous() {
        int present = checked();
        return present > 0 ? at(present - 1) : descend(0);
    }

    private boolean seek(TreeKey key) {
        return reader.find(Seek.AT, key, leaf, leaf.contents()) || atNone();
    }

    /// Moves to the entry at an index, or to the first entry of the next leaf.
    private boolean ascend(int ceiling) {
        int position = checkedPosition(ceiling);
        while (position == leaf.count()) {
            TreeKey upper = leaf.upper();
            if (upper == null) {
                return atNone();
            }
            TreeKey from = copy(upper);
            if (!seek(from)) {
                return false;
            }
            checkProgress(leaf.upper() == null || leaf.upper().compareTo(from) > 0);
            position = checkedPosition(leaf.ceiling(from));
        }
        return at(position);
    }

    /// Moves to the entry before an index, or to the last entry of the previous leaf.
    private boolean descend(int ceiling) {
        int position = checkedPosition(ceiling);
        while (position == 0) {
            TreeKey lower = leaf.lower();
            if (lower == null) {
                return atNone();
            }
            TreeKey below = copy(lower);
            if (!reader.find(Seek.BELOW, below, leaf, leaf.contents())) {
                return atNone();
            }
            checkProgress(leaf.lower() == null || leaf.lower().compareTo(below) < 0);
            position = checkedPosition(leaf.ceiling(below));
        }
        return at(position - 1);
    }

    /// A bound, which the next search replaces.
    private TreeKey copy(TreeKey key) {
        if (key instanceof TreeKey.OfLong from && bound instanceof TreeKey.OfLong to) {
            to.value = from.value;
            return to;
        }
        return key;
    }

    /// Each leaf is beyond the previous one. Otherwise, a damaged tree could be read without an end.
    private static void checkProgress(boolean isBeyond) {
        if (!isBeyond) {
            throw damaged();
        }
    }

    private int checkedPosition(int position) {
        if (position < 0) {
            index = -1;
            throw damaged();
        }
        return position;
    }

    private static IllegalStateException damaged() {
        return new IllegalStateException("Structure is damaged: keys of a tree are not in order");
    }

    private boolean at(int position) {
        index = position;
        return true;
    }

    private boolean atNone() {
        index = -1;
        return false;
    }

    private int checked() {
        if (index < 0) {
            throw new IllegalStateException("Cursor is at no entry; move it to one first");
        }
        return index;
    }

    /// Compares the key of the entry with another one.
    public int compareTo(TreeKey key) {
        return leaf.key(checked(), keyReused).compareTo(key);
    }

    /// The key of the entry. A key that is a long may change with the next call.
    public TreeKey key() {
        return leaf.key(checked(), keyReused);
    }

    /// The key of the entry in a tree from longs to longs.
    public long longKey() {
        return leaf.word(keys + checked());
    }

    /// The value of the entry in a tree from longs to longs.
    public long longValue() {
        return leaf.word(values + checked());
    }

    /// Passes the entry and the next ones of a tree from longs to longs to an action.
    ///
    /// @param most the largest key
    /// @return false if the action has returned false
    public boolean ascend(long most, LongLongPredicate action) {
        do {
            for (int i = index; i < leaf.count(); i++) {
                long key = leaf.word(keys + i);
                if (key > most) {
                    return true;
                }
                if (!action.test(key, leaf.word(values + i))) {
                    return false;
                }
            }
        } while (ascend(leaf.count()));
        return true;
    }

    /// Passes the entry and the previous ones of a tree from longs to longs to an action.
    ///
    /// @param least the smallest key
    /// @return false if the action has returned false
    public boolean descend(long least, LongLongPredicate action) {
        do {
            for (int i = index; i >= 0; i--) {
                long key = leaf.word(keys + i);
                if (key < least) {
                    return true;
                }
                if (!action.test(key, leaf.word(values + i))) {
                    return false;
                }
            }
        } while (descend(0));
        return true;
    }

    /// The memory with the value, which the next move replaces.
    public MemorySegment contents() {
        return leaf.contents();
    }

    /// The offset of the value in [#contents].
    public long value() {
        long value = leaf.value(checked());
        if (value < 0) {
            throw damaged();
        }
        return value;
    }
}
