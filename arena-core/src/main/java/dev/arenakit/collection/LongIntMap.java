package dev.arenakit.collection;

import dev.arenakit.internal.collection.LongSlots;
import dev.arenakit.internal.collection.OrderedInts;
import dev.arenakit.internal.collection.TableMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.function.Supplier;

/// A hash map from longs to ints in off-heap memory.
///
/// It has the properties of a [LongLongMap], and smaller entries. There is no variant with tags.
///
/// **Memory.** A slot has 12 bytes. The table grows by 3/5 when 3/4 of its slots are used, which is 16 to 26 bytes an
/// entry. A map that is created for an expected number of entries has twice as many slots.
public final class LongIntMap extends NumberTable {
    private LongIntMap(TableMemory memory, long expectedSize) {
        super(new OrderedInts(memory, expectedSize), "entries");
    }

    /// Creates a map whose tables come from an allocator.
    ///
    /// @param allocator the allocator of every table
    /// @return an empty map
    public static LongIntMap create(SegmentAllocator allocator) {
        return create(allocator, 0);
    }

    /// Creates a map whose tables come from an allocator, and which grows only beyond an expected size.
    ///
    /// @param allocator    the allocator of every table
    /// @param expectedSize the expected number of entries
    /// @return an empty map
    /// @throws IllegalArgumentException if the size is negative
    public static LongIntMap create(SegmentAllocator allocator, long expectedSize) {
        return new LongIntMap(TableMemory.of(allocator), expectedSize);
    }

    /// Creates a map whose tables have an arena each, which is closed when the map has moved to a larger table.
    ///
    /// @param arenas opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @return an empty map, to be closed
    public static LongIntMap owning(Supplier<? extends Arena> arenas) {
        return owning(arenas, 0);
    }

    /// Creates a map whose tables have an arena each, and which grows only beyond an expected size.
    ///
    /// @param arenas       opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @param expectedSize the expected number of entries
    /// @return an empty map, to be closed
    /// @throws IllegalArgumentException if the size is negative
    public static LongIntMap owning(Supplier<? extends Arena> arenas, long expectedSize) {
        return new LongIntMap(TableMemory.owning(arenas), expectedSize);
    }

    /// Returns the value of a key.
    ///
    /// @param key     the key
    /// @param missing the result if there is no such key
    /// @return the value, or `missing`
    public int get(long key, int missing) {
        return (int) slots.get(key, missing);
    }

    /// {@return whether the map has a key}
    ///
    /// @param key the key
    public boolean containsKey(long key) {
        return slots.find(key) != LongSlots.ABSENT;
    }

    /// Adds an entry, or replaces its value.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new
    public boolean put(long key, int value) {
        return slots.put(key, value);
    }

    /// Adds an entry if the key is missing.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new; otherwise its value has not changed
    public boolean putIfAbsent(long key, int value) {
        return slots.putIfAbsent(key, value);
    }

    /// Adds an entry, or replaces its value, without a larger table. A map that is created for an expected number of
    /// entries has room for them. Only keys that are much more crowded than random keys may need another table of the
    /// same size, for which this method throws the exception of a full allocator.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key has the value; otherwise the map is full and has not changed, and [#put] would obtain a
    ///         larger table
    public boolean tryPut(long key, int value) {
        return slots.tryPut(key, value);
    }

    /// Adds an entry, or replaces its value, and returns the value before.
    ///
    /// @param key     the key
    /// @param value   the value
    /// @param missing the result if the key is new
    /// @return the value before, or `missing`
    public int getAndPut(long key, int value, int missing) {
        return (int) slots.getAndPut(key, value, missing);
    }

    /// Puts all entries of another map.
    ///
    /// @param entries the other map, which does not change; if memory is exhausted, some of its entries have been put
    public void putAll(LongIntMap entries) {
        for (Cursor cursor = entries.cursor(); cursor.moveNext();) {
            put(cursor.key(), cursor.value());
        }
    }

    /// Adds a number to the value of a key. A key that is missing is added with this number.
    ///
    /// @param key   the key
    /// @param delta the number; a sum that overflows wraps around
    /// @return the new value
    public int addTo(long key, int delta) {
        return (int) slots.addTo(key, delta);
    }

    /// Removes an entry.
    ///
    /// @param key the key
    /// @return whether the map had the key
    public boolean remove(long key) {
        return slots.remove(key);
    }

    /// Removes an entry, and returns its value.
    ///
    /// @param key     the key
    /// @param missing the result if the map does not have the key
    /// @return the value, or `missing`
    public int getAndRemove(long key, int missing) {
        return (int) slots.getAndRemove(key, missing);
    }

    /// Removes all entries that a filter selects.
    ///
    /// @param filter selects entries; it must not add or remove entries
    /// @return the number of removed entries
    /// @throws ConcurrentModificationException if the filter adds or removes entries
    public long removeIf(LongIntPredicate filter) {
        Objects.requireNonNull(filter, "filter");
        long removed = 0;
        for (Cursor cursor = cursor(); cursor.moveNext();) {
            if (filter.test(cursor.key(), cursor.value())) {
                cursor.remove();
                removed++;
            }
        }
        return removed;
    }

    /// Performs an action on each entry, in no particular order.
    ///
    /// @param action the action
    /// @throws ConcurrentModificationException if the action adds or removes entries; it may replace values
    public void forEach(LongIntConsumer action) {
        Objects.requireNonNull(action, "action");
        Cursor cursor = cursor();
        while (cursor.moveNext()) {
            action.accept(cursor.key(), cursor.value());
        }
    }

    /// {@return a cursor before the first entry}
    public Cursor cursor() {
        return new Cursor(this);
    }

    /// Visits the entries of a map in no particular order.
    public static final class Cursor extends WalkCursor {
        private Cursor(LongIntMap map) {
            super(map);
        }

        /// {@return the key of the present entry} Not specified before the first entry and after the last one.
        public long key() {
            return walk.key();
        }

        /// {@return the value of the present entry: the value at the time of [#moveNext()], or the value that the
        /// cursor has set since then} Not specified before the first entry and after the last one.
        public int value() {
            return (int) walk.value();
        }

        /// Replaces the value of the present entry.
        ///
        /// @param newValue the value
        /// @throws IllegalStateException           if the cursor is not at an entry
        /// @throws ConcurrentModificationException if entries have been added or removed since the cursor was created
        public void setValue(int newValue) {
            walk.setValue(newValue);
        }
    }
}
