package dev.arenakit.collection;

import dev.arenakit.internal.collection.LongSlots;
import dev.arenakit.internal.collection.OrderedLongKeys;
import dev.arenakit.internal.collection.TableMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/// A hash set of longs in off-heap memory.
///
/// It has the properties of a [LongLongMap], and no values. A [LongBitSet] takes less memory for numbers of which one
/// in a hundred is present, or more.
///
/// **Memory.** A slot has 8 bytes, which is 11 to 18 bytes a number. A set that is created for an expected number of
/// elements has twice as many slots.
///
/// {@snippet :
/// try (LongSet seen = LongSet.owning(MallocArena::ofConfined)) {
///     seen.add(4711); // true
///     seen.add(4711); // false
/// }
/// }
public final class LongSet extends NumberTable {
    private LongSet(TableMemory memory, long expectedSize) {
        super(new OrderedLongKeys(memory, expectedSize), "elements");
    }

    /// Creates a set whose tables come from an allocator.
    ///
    /// @param allocator the allocator of every table
    /// @return an empty set
    public static LongSet create(SegmentAllocator allocator) {
        return create(allocator, 0);
    }

    /// Creates a set whose tables come from an allocator, and which grows only beyond an expected size.
    ///
    /// @param allocator    the allocator of every table
    /// @param expectedSize the expected number of elements
    /// @return an empty set
    /// @throws IllegalArgumentException if the size is negative
    public static LongSet create(SegmentAllocator allocator, long expectedSize) {
        return new LongSet(TableMemory.of(allocator), expectedSize);
    }

    /// Creates a set whose tables have an arena each, which is closed when the set has moved to a larger table.
    ///
    /// @param arenas opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @return an empty set, to be closed
    public static LongSet owning(Supplier<? extends Arena> arenas) {
        return owning(arenas, 0);
    }

    /// Creates a set whose tables have an arena each, and which grows only beyond an expected size.
    ///
    /// @param arenas       opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @param expectedSize the expected number of elements
    /// @return an empty set, to be closed
    /// @throws IllegalArgumentException if the size is negative
    public static LongSet owning(Supplier<? extends Arena> arenas, long expectedSize) {
        return new LongSet(TableMemory.owning(arenas), expectedSize);
    }

    /// {@return whether the set has an element}
    ///
    /// @param element the element
    public boolean contains(long element) {
        return slots.find(element) != LongSlots.ABSENT;
    }

    /// Adds an element.
    ///
    /// @param element the element
    /// @return whether the element is new
    public boolean add(long element) {
        return slots.put(element, 0);
    }

    /// Adds an element without a larger table, as in [LongLongMap#tryPut].
    ///
    /// @param element the element
    /// @return whether the set has the element now; otherwise the set is full and has not changed
    public boolean tryAdd(long element) {
        return slots.tryPut(element, 0);
    }

    /// Adds elements.
    ///
    /// @param elements the elements; if memory is exhausted, some of them have been added
    public void addAll(long... elements) {
        for (long element : elements) {
            add(element);
        }
    }

    /// Adds the elements of another set.
    ///
    /// @param elements the other set, which does not change; if memory is exhausted, some elements have been added
    public void addAll(LongSet elements) {
        for (Cursor cursor = elements.cursor(); cursor.moveNext();) {
            add(cursor.element());
        }
    }

    /// Removes an element.
    ///
    /// @param element the element
    /// @return whether the set had the element
    public boolean remove(long element) {
        return slots.remove(element);
    }

    /// Removes all elements that a filter selects.
    ///
    /// @param filter selects elements; it must not add or remove elements
    /// @return the number of removed elements
    /// @throws ConcurrentModificationException if the filter adds or removes elements
    public long removeIf(LongPredicate filter) {
        Objects.requireNonNull(filter, "filter");
        long removed = 0;
        for (Cursor cursor = cursor(); cursor.moveNext();) {
            if (filter.test(cursor.element())) {
                cursor.remove();
                removed++;
            }
        }
        return removed;
    }

    /// Performs an action on each element, in no particular order.
    ///
    /// @param action the action
    /// @throws ConcurrentModificationException if the action adds or removes elements
    public void forEach(LongConsumer action) {
        Objects.requireNonNull(action, "action");
        for (Cursor cursor = cursor(); cursor.moveNext();) {
            action.accept(cursor.element());
        }
    }

    /// {@return a cursor before the first element}
    public Cursor cursor() {
        return new Cursor(this);
    }

    /// Visits the elements of a set in no particular order.
    public static final class Cursor extends WalkCursor {
        private Cursor(LongSet set) {
            super(set);
        }

        /// {@return the present element} Not specified before the first element and after the last one.
        public long element() {
            return walk.key();
        }
    }
}
