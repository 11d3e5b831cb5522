package dev.arenakit.collection;

import dev.arenakit.internal.collection.LongSlots;
import dev.arenakit.internal.collection.OrderedLongs;
import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.TaggedSlots;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.function.Supplier;

/// A hash map from longs to longs in off-heap memory.
///
/// | created by | table | suits |
/// |---|---|---|
/// | [#create], [#owning] | ordered | all uses: a search for a key that is missing ends early |
/// | [#tagged()] | with a tag of a byte for each entry | mostly searches for keys that are missing: they read 8 bytes |
///
/// **Complexity.** `get`, `put`, `addTo` and `remove` take constant time on average. `forEach` and `clear` take time
/// proportional to the capacity. Each map multiplies its keys by its own random odd number, so that keys that are
/// chosen without knowledge of the number rarely collide. This does not protect against attackers who can measure times
/// or see the order of the entries.
///
/// **Memory.** A slot has 16 bytes; a tagged map has about one more byte for each slot. The table grows by 3/5 when 3/4
/// (tagged: 4/5) of its slots are used, which is 21 to 35 bytes an entry. A map that is created for an expected number
/// of entries has twice as many slots. A map shrinks by [#shrink()] alone. Removal leaves no tombstones. A table of at
/// least 4 MiB in a [dev.arenakit.MallocArena] is in huge pages where the system allows them (`madvise`), so that an
/// access rarely waits for the translation of its address. With [#owning], such a table begins at a multiple of 2 MiB,
/// and up to 2 MiB of address space remain unused. The map requests no huge pages for memory of other allocators, nor
/// for the slots of a new [#tagged()] map until it grows.
///
/// **Growth.** The old table and the new table exist at once until the entries have been copied. Then the source of the
/// tables determines the fate of the old table:
///
/// | tables from | an old table |
/// |---|---|
/// | [#owning] | is released with its arena |
/// | [#create] with a [dev.arenakit.BlockAllocator] | is freed |
/// | [#create] with another allocator | remains until the lifetime of the allocator's memory ends |
///
/// An allocator must return different memory at each call, unlike [SegmentAllocator#prefixAllocator], and the memory
/// must be aligned to 8 bytes. Slices of an array of longs have this alignment.
///
/// **When memory is exhausted,** the exception of the allocator is thrown, or a
/// [dev.arenakit.CapacityExceededException] if a slicing allocator is full. The map is unchanged. If another Error
/// interrupts a change, such as a [StackOverflowError], the map can be [unusable][dev.arenakit.collection].
///
/// **Lifetime.** [#close()] releases the memory of a map that owns arenas or uses a block allocator. After `close`, and
/// after the end of the memory's lifetime, each operation throws an [IllegalStateException].
///
/// **Threads.** A map is not synchronized. While one thread changes it, no other thread may use it. While no thread
/// changes it, any thread that may access its memory may read it. After a race, results are wrong or an exception is
/// thrown; with a block allocator, a race may write to freed memory.
///
/// **Algorithm.** Ordered linear probing (O. Amble and D. E. Knuth, 1974); tagged: groups of slots as in Swiss tables,
/// with counts of overflow as in F14.
///
/// {@snippet :
/// try (LongLongMap stock = LongLongMap.owning(MallocArena::ofConfined)) {
///     stock.put(4711, 10);
///     stock.addTo(4711, -3);
///     stock.get(4711, 0); // 7
/// }
/// }
public final class LongLongMap extends NumberTable {
    private static final Tables ORDERED = new Tables(false);
    private static final Tables TAGGED = new Tables(true);

    private LongLongMap(LongSlots slots) {
        super(slots, "entries");
    }

    /// Creates a map whose tables come from an allocator.
    ///
    /// @param allocator the allocator of every table
    /// @return an empty map
    public static LongLongMap create(SegmentAllocator allocator) {
        return ORDERED.create(allocator);
    }

    /// Creates a map whose tables come from an allocator, and which grows only beyond an expected size.
    ///
    /// @param allocator    the allocator of every table
    /// @param expectedSize the expected number of entries
    /// @return an empty map
    /// @throws IllegalArgumentException if the size is negative
    public static LongLongMap create(SegmentAllocator allocator, long expectedSize) {
        return ORDERED.create(allocator, expectedSize);
    }

    /// Creates a map whose tables have an arena each, which is closed when the map has moved to a larger table.
    ///
    /// @param arenas opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @return an empty map, to be closed
    public static LongLongMap owning(Supplier<? extends Arena> arenas) {
        return ORDERED.owning(arenas);
    }

    /// Creates a map whose tables have an arena each, and which grows only beyond an expected size.
    ///
    /// @param arenas       opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @param expectedSize the expected number of entries
    /// @return an empty map, to be closed
    /// @throws IllegalArgumentException if the size is negative
    public static LongLongMap owning(Supplier<? extends Arena> arenas, long expectedSize) {
        return ORDERED.owning(arenas, expectedSize);
    }

    /// Returns the factory of maps with a tag for each entry, for mostly unsuccessful searches. Unsuccessful searches
    /// take less time, and the table takes less memory. Searches for keys that are present take two to three times as
    /// long.
    ///
    /// @return the factory of such maps
    public static Tables tagged() {
        return TAGGED;
    }

    /// Returns the value of a key.
    ///
    /// @param key     the key
    /// @param missing the result if there is no such key
    /// @return the value, or `missing`
    public long get(long key, long missing) {
        return slots.get(key, missing);
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
    public boolean put(long key, long value) {
        return slots.put(key, value);
    }

    /// Adds an entry if the key is missing.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new; otherwise its value has not changed
    public boolean putIfAbsent(long key, long value) {
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
    public boolean tryPut(long key, long value) {
        return slots.tryPut(key, value);
    }

    /// Adds an entry, or replaces its value, and returns the value before.
    ///
    /// @param key     the key
    /// @param value   the value
    /// @param missing the result if the key is new
    /// @return the value before, or `missing`
    public long getAndPut(long key, long value, long missing) {
        return slots.getAndPut(key, value, missing);
    }

    /// Puts all entries of another map.
    ///
    /// @param entries the other map, which does not change; if memory is exhausted, some of its entries have been put
    public void putAll(LongLongMap entries) {
        for (Cursor cursor = entries.cursor(); cursor.moveNext();) {
            put(cursor.key(), cursor.value());
        }
    }

    /// Adds a number to the value of a key. A key that is missing is added with this number.
    ///
    /// @param key   the key
    /// @param delta the number; a sum that overflows wraps around
    /// @return the new value
    public long addTo(long key, long delta) {
        return slots.addTo(key, delta);
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
    public long getAndRemove(long key, long missing) {
        return slots.getAndRemove(key, missing);
    }

    /// Removes all entries that a filter selects.
    ///
    /// @param filter selects entries; it must not add or remove entries
    /// @return the number of removed entries
    /// @throws ConcurrentModificationException if the filter adds or removes entries
    public long removeIf(LongLongPredicate filter) {
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
    public void forEach(LongLongConsumer action) {
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
        private Cursor(LongLongMap map) {
            super(map);
        }

        /// {@return the key of the present entry} Not specified before the first entry and after the last one.
        public long key() {
            return walk.key();
        }

        /// {@return the value of the present entry: the value at the time of [#moveNext()], or the value that the
        /// cursor has set since then} Not specified before the first entry and after the last one.
        public long value() {
            return walk.value();
        }

        /// Replaces the value of the present entry.
        ///
        /// @param newValue the value
        /// @throws IllegalStateException           if the cursor is not at an entry
        /// @throws ConcurrentModificationException if entries have been added or removed since the cursor was created
        public void setValue(long newValue) {
            walk.setValue(newValue);
        }
    }

    /// Creates maps with one kind of table.
    public static final class Tables {
        private final boolean isTagged;

        private Tables(boolean isTagged) {
            this.isTagged = isTagged;
        }

        /// Creates a map as [LongLongMap#create(SegmentAllocator)] does.
        ///
        /// @param allocator the allocator of every table
        /// @return an empty map
        public LongLongMap create(SegmentAllocator allocator) {
            return create(allocator, 0);
        }

        /// Creates a map as [LongLongMap#create(SegmentAllocator, long)] does.
        ///
        /// @param allocator    the allocator of every table
        /// @param expectedSize the expected number of entries
        /// @return an empty map
        /// @throws IllegalArgumentException if the size is negative
        public LongLongMap create(SegmentAllocator allocator, long expectedSize) {
            return map(TableMemory.of(allocator), expectedSize);
        }

        /// Creates a map as [LongLongMap#owning(Supplier)] does.
        ///
        /// @param arenas opens a new arena at each call
        /// @return an empty map, to be closed
        public LongLongMap owning(Supplier<? extends Arena> arenas) {
            return owning(arenas, 0);
        }

        /// Creates a map as [LongLongMap#owning(Supplier, long)] does.
        ///
        /// @param arenas       opens a new arena at each call
        /// @param expectedSize the expected number of entries
        /// @return an empty map, to be closed
        /// @throws IllegalArgumentException if the size is negative
        public LongLongMap owning(Supplier<? extends Arena> arenas, long expectedSize) {
            return map(TableMemory.owning(arenas), expectedSize);
        }

        private LongLongMap map(TableMemory memory, long expectedSize) {
            return new LongLongMap(isTagged
                    ? new TaggedSlots(memory, expectedSize)
                    : new OrderedLongs(memory, expectedSize));
        }
    }
}
