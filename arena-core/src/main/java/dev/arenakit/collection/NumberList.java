package dev.arenakit.collection;

import dev.arenakit.internal.collection.CollectionMessages;
import dev.arenakit.internal.collection.ElementArray;
import dev.arenakit.internal.collection.RadixSort;
import dev.arenakit.internal.collection.TableMemory;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

/// The operations of a list of numbers that do not depend on the type of the numbers.
abstract class NumberList implements AutoCloseable {
    final ElementArray elements;
    private final RadixSort.Type type;

    NumberList(TableMemory memory, String name, RadixSort.Type type, long expectedSize) {
        elements = new ElementArray(memory, name, type.byteSize, type.byteSize, expectedSize);
        this.type = type;
    }

    /// Adds the values of a segment at the end.
    ///
    /// @param values the values, in native byte order; the segment can be [#asSegment()] or a part of it
    /// @throws IllegalArgumentException if the size of the segment is not a multiple of the size of a value
    public void addAll(MemorySegment values) {
        elements.addAll(values);
    }

    /// Copies values to a segment, in native byte order.
    ///
    /// @param index    the index of the first value
    /// @param target   the segment
    /// @param toOffset the offset of the first value in the segment, in bytes
    /// @param count    the number of values
    /// @throws IndexOutOfBoundsException if the list or the segment has too few values
    public void copyTo(long index, MemorySegment target, long toOffset, long count) {
        elements.checkRange(index, count);
        MemorySegment.copy(elements.segment(), index * type.byteSize, target, toOffset, count * type.byteSize);
    }

    /// Returns the length of an array of all values.
    int arrayLength() {
        long size = size();
        if (size > Integer.MAX_VALUE - Long.BYTES) {
            throw new OutOfMemoryError("The list has more values than an array can hold: size=" + size);
        }
        return (int) size;
    }

    /// Copies all values to a segment of an array.
    void copyAll(MemorySegment array) {
        copyTo(0, array, 0, size());
    }

    /// {@return the memory of the values, read-only} The segment is valid until the list grows or is closed, and does
    /// not contain values that are added later.
    public MemorySegment asSegment() {
        return elements.contents();
    }

    /// Checks that an action has not changed the size.
    void checkSize(long size) {
        if (elements.sizeIfOpen() != size) {
            throw new ConcurrentModificationException("The size has changed: size=" + elements.size());
        }
    }

    /// Sorts the values in ascending order. The order of doubles is the order of [Double#compare].
    ///
    /// The sort takes additional memory of the size of the values from a separate arena. If there is no such memory,
    /// the sort takes much longer.
    public void sort() {
        sort(0, size());
    }

    /// Sorts a range of values in the same order.
    ///
    /// @param from the index of the first value
    /// @param to   the index after the last value
    /// @throws IndexOutOfBoundsException if the list does not have the range
    public void sort(long from, long to) {
        elements.sort(from, to, type);
    }

    /// Removes all values. The list keeps its capacity.
    public void clear() {
        elements.truncate(0);
    }

    /// Reduces the capacity to the present number of values, at least 16. A list whose allocator cannot
    /// free, such as `Arena.ofConfined()`, keeps its table.
    public void shrink() {
        elements.shrink();
    }

    /// Removes the last values.
    ///
    /// @param newSize the number of values that remain
    /// @throws IllegalArgumentException if the size is negative, or larger than the present size
    public void truncate(long newSize) {
        elements.truncate(newSize);
    }

    /// Grows the list, so that it can hold a number of values without growing again.
    ///
    /// @param capacity the number of values; a number smaller than the present capacity has no effect
    public void ensureCapacity(long capacity) {
        elements.ensureCapacity(capacity);
    }

    /// {@return the number of values}
    public long size() {
        return elements.sizeIfOpen();
    }

    /// {@return whether there are no values}
    public boolean isEmpty() {
        return size() == 0;
    }

    /// {@return the size of the table in bytes}
    public long byteSize() {
        return elements.byteSize();
    }

    /// Releases the memory of the list if the list owns it. Further calls have no effect.
    ///
    /// @throws IllegalStateException if the memory is in use, for example by a native call; the list is closed, and a
    ///                               further call tries again to release its memory
    /// @throws WrongThreadException  if the memory is confined to another thread; nothing has changed
    @Override
    public void close() {
        elements.close();
    }

    /// {@return the number of values and the size of the table}
    @Override
    public String toString() {
        return CollectionMessages.of(this, this::size, "values", this::byteSize);
    }
}
