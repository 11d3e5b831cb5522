package dev.arenakit.collection;

import dev.arenakit.internal.collection.RadixSort;
import dev.arenakit.internal.collection.TableMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static java.lang.foreign.ValueLayout.JAVA_INT;

/// A list of ints in off-heap memory.
///
/// **Complexity.** `get` and `set` take constant time, and `add` takes constant time on average over the growth.
/// [#sort()] takes linear time: one pass to count, and one pass for each byte in which the values differ.
/// [#binarySearch] takes logarithmic time.
///
/// **Memory.** 4 bytes for each value of the capacity. A full list grows by 3/5. A list shrinks by [#shrink()] alone.
///
/// **Growth.** A list grows in place if it uses a [dev.arenakit.BlockAllocator] that can do so. Otherwise the old table
/// and the new table exist at once until the values have been copied:
///
/// | tables from | an old table |
/// |---|---|
/// | [#owning] | is released with its arena |
/// | [#create] with a [dev.arenakit.BlockAllocator] | is resized or freed |
/// | [#create] with another allocator | remains until the lifetime of the allocator's memory ends |
///
/// An allocator must return different memory at each call, unlike [SegmentAllocator#prefixAllocator], and the memory
/// must be aligned to 4 bytes. Slices of an array of ints or longs have this alignment.
///
/// **When memory is exhausted,** the exception of the allocator is thrown, or a
/// [dev.arenakit.CapacityExceededException] if a slicing allocator is full. The list is unchanged. If another Error
/// interrupts a change, such as a [StackOverflowError], the list can be [unusable][dev.arenakit.collection].
///
/// **Lifetime.** [#close()] releases the memory of a list that owns arenas or uses a block allocator. After `close`,
/// and after the end of the memory's lifetime, each operation throws an [IllegalStateException].
///
/// **Threads.** A list is not synchronized. While one thread changes it, no other thread may use it. While no thread
/// changes it, any thread that may access its memory may read it.
///
/// **Algorithm.** The sort is a radix sort from the least significant byte (H. H. Seward, 1954).
///
/// {@snippet :
/// try (IntList squares = IntList.owning(MallocArena::ofConfined)) {
///     for (int i = 0; i < 10_000; i++) {
///         squares.add(i * i);
///     }
///     squares.binarySearch(49); // 7
/// }
/// }
public final class IntList extends NumberList {
    private IntList(TableMemory memory, long expectedSize) {
        super(memory, "IntList", RadixSort.Type.INT, expectedSize);
    }

    /// Creates a list whose tables come from an allocator.
    ///
    /// @param allocator the allocator of every table
    /// @return an empty list
    public static IntList create(SegmentAllocator allocator) {
        return create(allocator, 0);
    }

    /// Creates a list whose tables come from an allocator, and which grows only beyond an expected size.
    ///
    /// @param allocator    the allocator of every table
    /// @param expectedSize the expected number of values
    /// @return an empty list
    /// @throws IllegalArgumentException if the size is negative
    public static IntList create(SegmentAllocator allocator, long expectedSize) {
        return new IntList(TableMemory.of(allocator), expectedSize);
    }

    /// Creates a list whose tables have an arena each, which is closed when the list has moved to a larger table.
    ///
    /// @param arenas opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @return an empty list, to be closed
    public static IntList owning(Supplier<? extends Arena> arenas) {
        return owning(arenas, 0);
    }

    /// Creates a list whose tables have an arena each, and which grows only beyond an expected size.
    ///
    /// @param arenas       opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @param expectedSize the expected number of values
    /// @return an empty list, to be closed
    /// @throws IllegalArgumentException if the size is negative
    public static IntList owning(Supplier<? extends Arena> arenas, long expectedSize) {
        return new IntList(TableMemory.owning(arenas), expectedSize);
    }

    /// {@return a value}
    ///
    /// @param index the index of the value
    /// @throws IndexOutOfBoundsException if there is no value at the index
    public int get(long index) {
        return elements.segment().getAtIndex(JAVA_INT, elements.check(index));
    }

    /// Replaces a value.
    ///
    /// @param index the index of the value
    /// @param value the new value
    /// @throws IndexOutOfBoundsException if there is no value at the index
    public void set(long index, int value) {
        elements.segment().setAtIndex(JAVA_INT, elements.check(index), value);
    }

    /// Adds a value at the end.
    ///
    /// @param value the value
    public void add(int value) {
        long index = elements.end();
        elements.segment().setAtIndex(JAVA_INT, index, value);
        elements.setSize(index + 1);
    }

    /// Adds the values of an array at the end.
    ///
    /// @param values the values
    public void addAll(int... values) {
        addAll(MemorySegment.ofArray(values));
    }

    /// Adds the values of a range of an array at the end.
    ///
    /// @param values the array
    /// @param from   the index of the first value
    /// @param count  the number of values
    /// @throws IndexOutOfBoundsException if the array does not have the range
    public void addAll(int[] values, int from, int count) {
        Objects.checkFromIndexSize(from, count, values.length);
        addAll(MemorySegment.ofArray(values).asSlice((long) from * Integer.BYTES, (long) count * Integer.BYTES));
    }

    /// {@return the values in a new array}
    ///
    /// @throws OutOfMemoryError if there are more values than an array can hold
    public int[] toArray() {
        int[] values = new int[arrayLength()];
        copyAll(MemorySegment.ofArray(values));
        return values;
    }

    /// {@return the values as a stream} The list must not change while the stream is used. A parallel stream needs
    /// memory that all threads may access.
    public IntStream stream() {
        return LongStream.range(0, size()).mapToInt(this::get);
    }

    /// Performs an action on each value.
    ///
    /// @param action the action
    /// @throws ConcurrentModificationException if the action changes the size of the list
    public void forEach(IntConsumer action) {
        Objects.requireNonNull(action, "action");
        long size = size();
        for (long i = 0; i < size; i++) {
            action.accept(get(i));
            checkSize(size);
        }
    }

    /// Returns the first index of a value. The search takes linear time.
    ///
    /// @param value the value
    /// @return the index, or -1 if the value is missing
    public long indexOf(int value) {
        long size = size();
        for (long i = 0; i < size; i++) {
            if (get(i) == value) {
                return i;
            }
        }
        return -1;
    }

    /// Searches a sorted list for a value.
    ///
    /// @param value the value
    /// @return an index of the value, or `-(insertion point) - 1` if the value is missing
    public long binarySearch(int value) {
        long low = 0;
        long high = size() - 1;
        while (low <= high) {
            long middle = (low + high) >>> 1;
            int comparison = Integer.compare(get(middle), value);
            if (comparison == 0) {
                return middle;
            }
            if (comparison < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    /// Removes the last value.
    ///
    /// @return the value
    /// @throws java.util.NoSuchElementException if there are no values
    public int removeLast() {
        long last = elements.checkLast();
        int value = get(last);
        elements.setSize(last);
        return value;
    }

    /// Removes a value in constant time: the last value takes its place.
    ///
    /// @param index the index of the value
    /// @return the value that was removed
    /// @throws IndexOutOfBoundsException if there is no value at the index
    public int swapRemove(long index) {
        int value = get(index);
        elements.swapRemove(index);
        return value;
    }
}
