package dev.arenakit.collection;

import dev.arenakit.internal.collection.LongSlots;
import dev.arenakit.internal.collection.OrderedIntKeys;
import dev.arenakit.internal.collection.TableMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/// A hash set of ints in off-heap memory.
///
/// It has the properties of a [LongSet], and smaller slots.
///
/// **Memory.** A slot has 4 bytes, which is 5.4 to 9 bytes a number. A set that is created for an expected number of
/// elements has twice as many slots.
///
/// {@snippet :
/// try (IntSet seen = IntSet.owning(MallocArena::ofConfined)) {
///     seen.add(4711); // true
///     seen.add(4711); // false
/// }
/// }
public final class IntSet extends NumberTable {
    private IntSet(TableMemory memory, long expectedSize) {
        super(new OrderedIntKeys(memory, expectedSize), "elements");
    }

    /// Creates a set whose tables come from an allocator.
    ///
    /// @param allocator the allocator of every table
    /// @return an empty set
    public static IntSet create(SegmentAllocator allocator) {
        return create(allocator, 0);
    }

    /// Creates a set whose tables come from an allocator, and which grows only beyond an expected size.
    ///
    /// @param allocator    the allocator of every table
    /// @param expectedSize the expected number of elements
    /// @return an empty set
    /// @throws IllegalArgumentException if the size is negative
    public static IntSet create(SegmentAllocator allocator, long expectedSize) {
        return new IntSet(TableMemory.of(allocator), expectedSize);
    }

    /// Creates a set whose tables have an arena each, which is closed when the set has moved to a larger table.
    ///
    /// @param arenas opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @return an empty set, to be closed
    public static IntSet owning(Supplier<? extends Arena> arenas) {
        return owning(arenas, 0);
    }

    /// Creates a set whose tables have an arena each, and which grows only beyond an expected size.
    ///
    /// @param arenas       opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @param expectedSize the expected number of elements
    /// @return an empty set, to be closed
    /// @throws IllegalArgumentException if the size is negative
    public static IntSet owning(Supplier<? extends Arena> arenas, long expectedSize) {
        return new IntSet(TableMemory.owning(arenas), expectedSize);
    }

    /// {@return whether the set has an element}
    ///
    /// @param element the element
    public boolean contains(int element) {
        return slots.find(element) != LongSlots.ABSENT;
    }

    /// Adds an element.
    ///
    /// @param element the element
    /// @return whether the element is new
    public boolean add(int element) {
        return slots.put(element, 0);
    }

    /// Adds an element without a larger table, as in [LongLongMap#tryPut].
    ///
    /// @param element the element
    /// @return whether the set has the element now; otherwise the set is full and has not changed
    public boolean tryAdd(int element) {
        return slots.tryPut(element, 0);
    }

    /// Adds elements.
    ///
    /// @param elements the elements; if memory is exhausted, some of them have been added
    public void addAll(int... elements) {
        for (int element : elements) {
            add(element);
        }
    }

    /// Adds the elements of another set.
    ///
    /// @param elements the other set, which does not change; if memory is exhausted, some elements have been added
    public void addAll(IntSet elements) {
        for (Cursor cursor = elements.cursor(); cursor.moveNext();) {
            add(cursor.element());
        }
    }

    /// Removes an element.
    ///
    /// @param element the element
    /// @return whether the set had the element
    public boolean remove(int element) {
        return slots.remove(element);
    }

    /// Removes all elements that a filter selects.
    ///
    /// @param filter selects elements; it must not add or remove elements
    /// @return the number of removed elements
    /// @throws ConcurrentModificationException if the filter adds or removes elements
    public long removeIf(IntPredicate filter) {
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
    public void forEach(IntConsumer action) {
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
        private Cursor(IntSet set) {
            super(set);
        }

        /// {@return the present element} Not specified before the first element and after the last one.
        public int element() {
            return (int) walk.key();
        }
    }
}
