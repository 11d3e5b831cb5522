package dev.arenakit.mapped;

import dev.arenakit.collection.LongLongConsumer;
import dev.arenakit.collection.LongLongPredicate;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.tree.TreeCursor;
import dev.arenakit.mapped.internal.tree.TreeKey;
import dev.arenakit.mapped.internal.tree.TreeReader;
import dev.arenakit.mapped.internal.tree.TreeStore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An ordered map from longs to longs in an image. It outlives its process, however the process ends, and after a failure
/// of the machine it is exactly what the last [InfiniteArena#force()] has written.
///
/// ```java
/// try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
///     ImageLongTree prices = arena.structures().longTree("prices"); // opens it, or creates it
///     prices.put(time, price);
///     ImageLongTree.Cursor cursor = prices.cursor();
///     if (cursor.floor(time)) { // the last price before or at a time
///         cursor.value();
///     }
///     prices.ascend(from, to, (key, value) -> sum.add(value)); // until the action returns false
/// }
/// ```
///
/// An [ImageTree] has other keys, or records as values. Keys are ordered as numbers with a sign.
///
/// **Memory.** The tree is an allocation of its arena, which grows. It reserves 256 GiB of addresses, unless the
/// builder of the arena [sets another size][InfiniteArenaBuilder#maxStructureByteSize(long)]. Its pages have 4,096
/// bytes, with up to 232 entries. Ascending keys and descending keys fill the pages. A removal frees a page that has no
/// entries left, and other pages keep their place. Free pages are used again, and never given back to the file system.
/// Between two calls of [force][InfiniteArena#force()], each page that changes needs a second one.
///
/// **A killed process** loses no change that has returned. A change that was in progress has happened or has not:
/// [#put], [#addTo], [#remove] and [#clear] happen wholly or not at all. Opening the tree afterwards reads all of it, and
/// counts its entries.
///
/// **A failure of the machine** loses the changes since the last [force][InfiniteArena#force()], or since the arena was
/// opened if nothing was forced. The tree opens without repair, and contains all changes that were made before the call
/// of `force`, and no other. Changes that are made during a call of `force` are lost as a whole.
/// [InfiniteArena#close()] forces the tree. Opening it after a failure reads all of it.
///
/// **Damage.** Each page has a check, which [force][InfiniteArena#force()] stores. Opening the tree compares the checks of
/// the pages that it reads, and throws an [IllegalStateException] with the range of keys that a damaged page has lost.
/// [#asChecked()] compares them at each access. [ImageStructures#repair] keeps all other pages.
///
/// **Threads and processes.** One thread at a time changes the tree. Meanwhile, any number of threads may read it, by
/// this object or by [#asReadOnly()], and other processes by [ArenaImage#structures]. They wait for no lock. A value that
/// is read was the value of the key at some time during the call. A scan is no snapshot: it sees each entry that is in
/// the tree from its beginning to its end once, and other entries may or may not be seen. If the arena is confined, only
/// its thread may use the tree.
///
/// **Exhaustion.** A change for which there is no space throws, and nothing has changed. A removal can need free pages,
/// too.
///
/// **Errors of the JVM.** A change that a [StackOverflowError] or an [OutOfMemoryError] interrupts has happened or has
/// not. The next change finds the pages in use and counts the entries again.
///
/// **Complexity.** All operations take logarithmic time: three pages are visited in a tree of a million entries. A step of
/// a scan takes constant time. [#forEach] takes linear time, and so does [#clear], in the number of pages. Reading and
/// changing make no garbage, except for a few objects when a page splits, and for the cursor of a scan.
///
/// **Algorithm.** A B+ tree of pages that are copied when they change, after the shadow pages of R. A. Lorie (1977) and
/// O. Rodeh (B-trees, Shadowing, and Clones, 2008). A page that was copied since the last `force` is not copied on behalf
/// of its children, so that most changes copy one page.
public final class ImageLongTree {
    static final StructType TYPE = StructureKind.TREE.ofLongs();

    private final TreeReader reader;
    /// Null if the tree is read-only.
    private final @Nullable TreeStore store;

    ImageLongTree(TreeStore store) {
        this.store = store;
        reader = store.reader();
    }

    ImageLongTree(TreeReader reader) {
        this.reader = reader;
        store = null;
    }

    /// Returns the value of a key.
    ///
    /// @param key     the key
    /// @param missing the result if the tree does not contain the key
    /// @return the value
    /// @throws IllegalStateException if the arena is closed, or the tree is damaged
    public long get(long key, long missing) {
        return reader.get(key, missing);
    }

    /// Returns whether the tree contains a key.
    ///
    /// @param key the key
    /// @return whether there is a value for it
    /// @throws IllegalStateException if the arena is closed, or the tree is damaged
    public boolean containsKey(long key) {
        return reader.contains(key);
    }

    /// Associates a value with a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key was added; otherwise, its value was replaced
    /// @throws IllegalStateException                    if the arena is closed, or the tree is damaged
    /// @throws UnsupportedOperationException            if the tree is read-only
    /// @throws DiskFullException                        if the memory must grow and the disk is full
    /// @throws dev.arenakit.CapacityExceededException if the memory must grow and its largest size, or the limit of a
    ///                                                  budget, is reached
    /// @throws java.io.UncheckedIOException             if the device fails
    public boolean put(long key, long value) {
        return store().put(key, value);
    }

    /// Adds a number to the value of a key. If the tree does not contain the key, the number becomes its value.
    ///
    /// Otherwise, this method behaves as [#put] does.
    ///
    /// @param key   the key
    /// @param delta the number to add
    /// @return the new value
    public long addTo(long key, long delta) {
        return store().addTo(key, delta);
    }

    /// Removes a key.
    ///
    /// Otherwise, this method behaves as [#put] does.
    ///
    /// @param key the key
    /// @return whether the tree contained the key
    public boolean remove(long key) {
        return store().remove(key);
    }

    /// Removes all entries.
    ///
    /// @throws IllegalStateException         if the arena is closed, or the tree is damaged
    /// @throws UnsupportedOperationException if the tree is read-only
    /// @throws java.io.UncheckedIOException  if the device fails
    public void clear() {
        store().clear();
    }

    /// Returns the number of entries. While another process changes the tree, or after such a process was killed, the
    /// number can differ by one.
    ///
    /// @return the number of entries
    /// @throws IllegalStateException if the arena is closed
    public long size() {
        return reader.size();
    }

    /// {@return whether the tree has no entries}
    public boolean isEmpty() {
        return size() == 0;
    }

    /// Passes each entry to an action, in ascending order. The action may change the tree.
    ///
    /// @param action the action
    /// @throws IllegalStateException if the arena is closed, or the tree is damaged
    public void forEach(LongLongConsumer action) {
        Objects.requireNonNull(action, "action");
        ascend(Long.MIN_VALUE, Long.MAX_VALUE, (key, value) -> {
            action.accept(key, value);
            return true;
        });
    }

    /// Passes the entries of a range to an action, in ascending order, until the action returns false. The action may
    /// change the tree.
    ///
    /// @param least  the smallest key of the range
    /// @param most   the largest key of the range
    /// @param action the action
    /// @return false if the action has returned false
    /// @throws IllegalStateException if the arena is closed, or the tree is damaged
    public boolean ascend(long least, long most, LongLongPredicate action) {
        return scan(true, least, most, action);
    }

    /// Passes the entries of a range to an action, in descending order, until the action returns false.
    ///
    /// Otherwise, this method behaves as [#ascend] does.
    ///
    /// @param least  the smallest key of the range
    /// @param most   the largest key of the range
    /// @param action the action
    /// @return false if the action has returned false
    public boolean descend(long least, long most, LongLongPredicate action) {
        return scan(false, most, least, action);
    }

    private boolean scan(boolean isAscending, long from, long to, LongLongPredicate action) {
        Objects.requireNonNull(action, "action");
        TreeCursor cursor = new TreeCursor(reader);
        boolean isFound = cursor.seek(isAscending, new TreeKey.OfLong(from), true);
        while (isFound && (isAscending ? cursor.longKey() <= to : cursor.longKey() >= to)) {
            if (!action.test(cursor.longKey(), cursor.longValue())) {
                return false;
            }
            isFound = cursor.step(isAscending);
        }
        return true;
    }

    /// {@return a new cursor, which is at no entry}
    public Cursor cursor() {
        return new Cursor(reader);
    }

    /// Returns a view of this tree that cannot change it.
    ///
    /// @return a read-only tree, which any number of threads may use while one thread changes this tree
    public ImageLongTree asReadOnly() {
        return new ImageLongTree(reader);
    }

    /// Returns a read-only view of this tree that compares the check of each page that it reads, as
    /// [ImageTree#asChecked()] does.
    ///
    /// @return a read-only tree whose methods throw an [IllegalStateException] instead of reading a damaged page
    public ImageLongTree asChecked() {
        return new ImageLongTree(reader.checked());
    }

    private TreeStore store() {
        return StructureFormat.changing(store);
    }

    /// A position in a tree, which moves in both directions. It makes no garbage after it was created.
    ///
    /// A move returns whether it has found an entry. Otherwise, the cursor is at no entry. Key and value are from the same
    /// time. The cursor holds a copy of a page: it does not see changes of the entries of that page until it is moved by a
    /// key, or to another page.
    ///
    /// One thread at a time uses a cursor. All methods throw an [IllegalStateException] if the tree is damaged.
    public static final class Cursor {
        private final TreeCursor cursor;
        private final TreeKey.OfLong sought = new TreeKey.OfLong(0);

        private Cursor(TreeReader reader) {
            cursor = new TreeCursor(reader);
        }

        /// Moves to the entry with the smallest key.
        ///
        /// @return whether there is an entry
        public boolean first() {
            return cursor.seek(true, null, true);
        }

        /// Moves to the entry with the largest key.
        ///
        /// @return whether there is an entry
        public boolean last() {
            return cursor.seek(false, null, true);
        }

        /// Moves to the entry with the largest key that is not larger than a key.
        ///
        /// @param key the key
        /// @return whether there is such an entry
        public boolean floor(long key) {
            return cursor.seek(false, sought.with(key), true);
        }

        /// Moves to the entry with the largest key that is smaller than a key.
        ///
        /// @param key the key
        /// @return whether there is such an entry
        public boolean lower(long key) {
            return cursor.seek(false, sought.with(key), false);
        }

        /// Moves to the entry with the smallest key that is not smaller than a key.
        ///
        /// @param key the key
        /// @return whether there is such an entry
        public boolean ceiling(long key) {
            return cursor.seek(true, sought.with(key), true);
        }

        /// Moves to the entry with the smallest key that is larger than a key.
        ///
        /// @param key the key
        /// @return whether there is such an entry
        public boolean higher(long key) {
            return cursor.seek(true, sought.with(key), false);
        }

        /// Moves to the entry with the next larger key.
        ///
        /// @return whether there is such an entry
        /// @throws IllegalStateException if the cursor is at no entry
        public boolean next() {
            return cursor.step(true);
        }

        /// Moves to the entry with the next smaller key.
        ///
        /// @return whether there is such an entry
        /// @throws IllegalStateException if the cursor is at no entry
        public boolean previous() {
            return cursor.step(false);
        }

        /// {@return the key of the entry}
        ///
        /// @throws IllegalStateException if the cursor is at no entry
        public long key() {
            return cursor.longKey();
        }

        /// {@return the value of the entry}
        ///
        /// @throws IllegalStateException if the cursor is at no entry
        public long value() {
            return cursor.longValue();
        }
    }
}
