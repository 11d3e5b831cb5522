package dev.arenakit.collection;

import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.bytes.BytesIndex;
import dev.arenakit.internal.collection.bytes.EntryHeap;
import dev.arenakit.internal.collection.bytes.EntryWalk;
import dev.arenakit.internal.collection.bytes.KeyText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.function.Supplier;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// A map from bytes to `long`, in off-heap memory.
///
/// ```java
/// try (BytesLongMap counts = BytesLongMap.owning(MallocArena::ofConfined)) {
///     counts.addTo(line, from, to - from, 1); // byte[] line: no String is created
///     long errors = counts.get("error", 0);
/// }
/// ```
///
/// A key is a range of an array or of a segment, or the UTF-8 bytes of a text. Text with half of a surrogate pair is
/// refused with an [IllegalArgumentException]. A key can be empty, and has at most 2^31 - 65 bytes; a text has at most
/// a third as many chars. A key must not be in the memory of this map.
///
/// ## Memory
///
/// The map copies keys and values to entries of 12 bytes plus the key. Its hash table has 64 bytes for each seven
/// slots, and 39 to 79 percent of the slots are in use, which is 11.6 to 23.3 bytes for an entry. A full hash table
/// doubles. The memory of the entries grows by 3/5. [#create] obtains the tables from an allocator, and [#owning]
/// opens an arena for each table:
///
/// | created by | an old table | [#close()] |
/// |---|---|---|
/// | `create`, a [dev.arenakit.BlockAllocator] | is freed, or grows in place | frees the tables |
/// | `create`, another allocator | remains until the allocator's lifetime ends | frees nothing |
/// | `owning` | is freed with its arena | closes the arenas |
///
/// Removed entries occupy their bytes until a new entry does not fit. If removed entries occupy more than half of the
/// bytes then, the map is compacted; otherwise it grows. A map that becomes empty reuses all bytes.
///
/// If the memory is exhausted, the operation throws the exception of the allocator, and the map is unchanged. If another
/// Error interrupts a change, such as a [StackOverflowError], the map can be [unusable][dev.arenakit.collection].
/// [#byteSize()] is the size of the tables.
///
/// ## Complexity
///
/// `get`, `put`, `addTo` and `remove` take constant time on average, and time proportional to the size of the key: a
/// hit reads a slot and an entry. An operation that makes a table grow takes time proportional to the number of
/// entries. A look-up creates no garbage, except for text of more than 20 thousand chars. An iteration creates no
/// garbage.
///
/// Keys that were chosen to collide do not slow the map down, because each map has its own random seeds for the hash.
/// The hash is not cryptographic: it is not proven to resist an attacker who can measure the time of single look-ups.
///
/// ## Threads
///
/// A map is not synchronized. Several threads can read it at the same time, including look-ups of text, if all of them
/// can access its memory and no thread changes the map. Memory of a confined arena is accessible to one thread.
///
/// A closed map throws an [IllegalStateException] from every operation except [#close()] and [#toString()].
///
/// The slots are in groups that are compared at once, as in the Swiss tables of Abseil and in
/// `boost::unordered_flat_map`. The hash multiplies and folds words, as wyhash does.
public final class BytesLongMap extends BytesKeyMap {
    private static final long VALUE = EntryHeap.Format.LONG_VALUE.valueOffset();

    private BytesLongMap(TableMemory memory, long expectedSize, long expectedKeysByteSize) {
        super(new BytesIndex(memory, "BytesLongMap", EntryHeap.Format.LONG_VALUE, expectedSize,
                expectedKeysByteSize));
    }

    /// Creates an empty map in memory of an allocator.
    ///
    /// @param allocator the allocator of the tables
    /// @return the map
    public static BytesLongMap create(SegmentAllocator allocator) {
        return create(allocator, 0, 0);
    }

    /// Creates an empty map with a capacity, in memory of an allocator.
    ///
    /// @param allocator            the allocator of the tables
    /// @param expectedSize         the number of entries for which the map need not grow
    /// @param expectedKeysByteSize the total size of their keys in bytes
    /// @return the map
    /// @throws IllegalArgumentException if a size is negative
    public static BytesLongMap create(SegmentAllocator allocator, long expectedSize, long expectedKeysByteSize) {
        return new BytesLongMap(TableMemory.of(allocator), expectedSize, expectedKeysByteSize);
    }

    /// Creates an empty map that has an arena for each table.
    ///
    /// @param arenas creates the arenas, for example `MallocArena::ofConfined`
    /// @return the map
    public static BytesLongMap owning(Supplier<? extends Arena> arenas) {
        return owning(arenas, 0, 0);
    }

    /// Creates an empty map with a capacity, which has an arena for each table.
    ///
    /// @param arenas               creates the arenas, for example `MallocArena::ofConfined`
    /// @param expectedSize         the number of entries for which the map need not grow
    /// @param expectedKeysByteSize the total size of their keys in bytes
    /// @return the map
    /// @throws IllegalArgumentException if a size is negative
    public static BytesLongMap owning(Supplier<? extends Arena> arenas, long expectedSize,
            long expectedKeysByteSize) {
        return new BytesLongMap(TableMemory.owning(arenas), expectedSize, expectedKeysByteSize);
    }

    /// Returns the value of a key.
    ///
    /// @param key     the key
    /// @param missing the value to return if there is no such key
    /// @return the value
    public long get(byte[] key, long missing) {
        return get(key, 0, key.length, missing);
    }

    /// Returns the value of a key.
    ///
    /// @param key      an array with the key
    /// @param offset   the index of the first byte of the key
    /// @param byteSize the size of the key
    /// @param missing  the value to return if there is no such key
    /// @return the value
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public long get(byte[] key, int offset, int byteSize, long missing) {
        return getOf(key, offset, byteSize, missing);
    }

    /// Returns the value of a key.
    ///
    /// @param key      a segment with the key
    /// @param offset   the offset of the key
    /// @param byteSize the size of the key
    /// @param missing  the value to return if there is no such key
    /// @return the value
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    public long get(MemorySegment key, long offset, long byteSize, long missing) {
        return getOf(key, offset, byteSize, missing);
    }

    /// Returns the value of a key.
    ///
    /// @param key     the key as text
    /// @param missing the value to return if there is no such key
    /// @return the value
    public long get(CharSequence key, long missing) {
        byte[] bytes = texts.take(key);
        long value = get(bytes, 0, KeyText.encode(key, bytes), missing);
        texts.giveBack(bytes);
        return value;
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new
    public boolean put(byte[] key, long value) {
        return put(key, 0, key.length, value);
    }

    /// Sets the value of a key.
    ///
    /// @param key      an array with the key
    /// @param offset   the index of the first byte of the key
    /// @param byteSize the size of the key
    /// @param value    the value
    /// @return whether the key is new
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public boolean put(byte[] key, int offset, int byteSize, long value) {
        return putOf(key, offset, byteSize, value);
    }

    /// Sets the value of a key.
    ///
    /// @param key      a segment with the key
    /// @param offset   the offset of the key
    /// @param byteSize the size of the key
    /// @param value    the value
    /// @return whether the key is new
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    public boolean put(MemorySegment key, long offset, long byteSize, long value) {
        return putOf(key, offset, byteSize, value);
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key as text
    /// @param value the value
    /// @return whether the key is new
    public boolean put(CharSequence key, long value) {
        byte[] bytes = texts.take(key);
        boolean isNew = put(bytes, 0, KeyText.encode(key, bytes), value);
        texts.giveBack(bytes);
        return isNew;
    }

    /// Sets the value of a key that is missing.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new; otherwise its value has not changed
    public boolean putIfAbsent(byte[] key, long value) {
        return !containsKey(key) && put(key, value);
    }

    /// Sets the value of a key that is missing.
    ///
    /// @param key   the key as text
    /// @param value the value
    /// @return whether the key is new; otherwise its value has not changed
    public boolean putIfAbsent(CharSequence key, long value) {
        return !containsKey(key) && put(key, value);
    }

    /// Sets the value of a key, and returns the value before.
    ///
    /// @param key     the key
    /// @param value   the value
    /// @param missing the value to return if the key is new
    /// @return the value before
    public long getAndPut(byte[] key, long value, long missing) {
        long replaced = get(key, missing);
        put(key, value);
        return replaced;
    }

    /// Sets the value of a key, and returns the value before.
    ///
    /// @param key     the key as text
    /// @param value   the value
    /// @param missing the value to return if the key is new
    /// @return the value before
    public long getAndPut(CharSequence key, long value, long missing) {
        long replaced = get(key, missing);
        put(key, value);
        return replaced;
    }

    /// Puts all entries of another map.
    ///
    /// @param entries the other map, which does not change; if memory is exhausted, some of its entries have been put
    public void putAll(BytesLongMap entries) {
        if (entries != this) {
            entries.forEach(this::put);
        }
    }

    /// Adds a number to the value of a key. A missing key counts as 0.
    ///
    /// @param key   the key
    /// @param delta the number to add
    /// @return the new value
    public long addTo(byte[] key, long delta) {
        return addTo(key, 0, key.length, delta);
    }

    /// Adds a number to the value of a key. A missing key counts as 0.
    ///
    /// @param key      an array with the key
    /// @param offset   the index of the first byte of the key
    /// @param byteSize the size of the key
    /// @param delta    the number to add
    /// @return the new value
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public long addTo(byte[] key, int offset, int byteSize, long delta) {
        return addToOf(key, offset, byteSize, delta);
    }

    /// Adds a number to the value of a key. A missing key counts as 0.
    ///
    /// @param key      a segment with the key
    /// @param offset   the offset of the key
    /// @param byteSize the size of the key
    /// @param delta    the number to add
    /// @return the new value
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    public long addTo(MemorySegment key, long offset, long byteSize, long delta) {
        return addToOf(key, offset, byteSize, delta);
    }

    /// Adds a number to the value of a key. A missing key counts as 0.
    ///
    /// @param key   the key as text
    /// @param delta the number to add
    /// @return the new value
    public long addTo(CharSequence key, long delta) {
        byte[] bytes = texts.take(key);
        long value = addTo(bytes, 0, KeyText.encode(key, bytes), delta);
        texts.giveBack(bytes);
        return value;
    }

    /// Removes a key, and returns its value.
    ///
    /// @param key     the key
    /// @param missing the value to return if there is no such key
    /// @return the value
    public long getAndRemove(byte[] key, long missing) {
        long removed = get(key, missing);
        remove(key);
        return removed;
    }

    /// Removes a key, and returns its value.
    ///
    /// @param key     the key as text
    /// @param missing the value to return if there is no such key
    /// @return the value
    public long getAndRemove(CharSequence key, long missing) {
        long removed = get(key, missing);
        remove(key);
        return removed;
    }

    /// Removes all entries that a filter selects.
    ///
    /// @param filter selects entries; it must not add or remove keys
    /// @return the number of removed entries
    /// @throws java.util.ConcurrentModificationException if the filter has added or removed a key
    public long removeIf(EntryFilter filter) {
        long removed = 0;
        for (EntryWalk walk = new EntryWalk(index); walk.moveNext();) {
            if (filter.test(walk.bytes, walk.keyOffset(), walk.keyByteSize(), valueAt(walk.entry()))) {
                walk.remove();
                removed++;
            }
        }
        return removed;
    }

    /// Performs an action with each entry, in the order in which the keys were added.
    ///
    /// @param action the action, which must not add or remove keys
    /// @throws java.util.ConcurrentModificationException if the action has added or removed a key
    public void forEach(EntryAction action) {
        EntryWalk walk = new EntryWalk(index);
        while (walk.moveNext()) {
            action.accept(walk.bytes, walk.keyOffset(), walk.keyByteSize(), valueAt(walk.entry()));
        }
    }

    /// {@return a cursor before the first entry}
    public Cursor cursor() {
        return new Cursor();
    }

    private long getOf(Object key, long offset, long byteSize, long missing) {
        long entry = index.find(key, offset, byteSize);
        return entry < 0 ? missing : valueAt(entry);
    }

    private boolean putOf(Object key, long offset, long byteSize, long value) {
        long hash = index.hash(key, offset, byteSize);
        long entry = index.find(hash, key, offset, byteSize);
        if (entry < 0) {
            add(hash, entry, key, offset, byteSize, value);
            return true;
        }
        setValueAt(entry, value);
        return false;
    }

    private long addToOf(Object key, long offset, long byteSize, long delta) {
        long hash = index.hash(key, offset, byteSize);
        long entry = index.find(hash, key, offset, byteSize);
        if (entry < 0) {
            add(hash, entry, key, offset, byteSize, delta);
            return delta;
        }
        long value = valueAt(entry) + delta;
        setValueAt(entry, value);
        return value;
    }

    private void add(long hash, long absent, Object key, long offset, long byteSize, long value) {
        long entry = index.reserve(key, offset, byteSize, 0);
        setValueAt(entry, value);
        index.add(hash, absent, entry);
    }

    private long valueAt(long entry) {
        return index.heap.segment.get(JAVA_LONG_UNALIGNED, entry + VALUE);
    }

    private void setValueAt(long entry, long value) {
        index.heap.segment.set(JAVA_LONG_UNALIGNED, entry + VALUE, value);
    }

    /// An action that is performed with each entry of a map.
    @FunctionalInterface
    public interface EntryAction {
        /// Receives an entry.
        ///
        /// @param bytes       a read-only segment that contains the key
        /// @param keyOffset   the offset of the key in the segment
        /// @param keyByteSize the size of the key
        /// @param value       the value
        void accept(MemorySegment bytes, long keyOffset, int keyByteSize, long value);
    }

    /// A condition on the entries of a map.
    @FunctionalInterface
    public interface EntryFilter {
        /// Returns whether an entry meets the condition.
        ///
        /// @param bytes       a read-only segment that contains the key
        /// @param keyOffset   the offset of the key in the segment
        /// @param keyByteSize the size of the key
        /// @param value       the value
        /// @return whether the entry meets the condition
        boolean test(MemorySegment bytes, long keyOffset, int keyByteSize, long value);
    }

    /// Moves over the entries of a map, in the order in which the keys were added.
    ///
    /// The methods throw a [java.util.ConcurrentModificationException] if a key was added, or removed other than by the
    /// cursor, after the cursor was created. Values can be changed.
    public final class Cursor extends KeyCursor {
        private Cursor() {
            super(BytesLongMap.this);
        }

        /// {@return the value}
        public long value() {
            return valueAt(walk.entry());
        }

        /// Sets the value.
        ///
        /// @param value the value
        public void setValue(long value) {
            setValueAt(walk.entry(), value);
        }
    }
}
