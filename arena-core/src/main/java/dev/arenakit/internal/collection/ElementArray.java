package dev.arenakit.internal.collection;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.collection.TableMemory.Table;
import java.lang.foreign.MemorySegment;
import java.util.NoSuchElementException;
import java.util.Objects;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The table of a list: consecutive elements of equal size.
///
/// Elements after the last element have no meaning, so that an element is written before the size includes it.
public final class ElementArray implements AutoCloseable {
    private static final long MIN_CAPACITY = 16;
    private static final long ELSEWHERE = -1;
    /// The size during a change of several steps. If an Error interrupts the change, this remains the size, so that
    /// each access fails.
    public static final long CHANGING = -1;

    private final String name;
    private final TableMemory memory;
    private final long elementByteSize;
    private final long byteAlignment;
    private Table table;
    private MemorySegment segment;
    private long capacity;
    private long size;

    /// @param name the name of the structure's class
    public ElementArray(TableMemory memory, String name, long elementByteSize, long byteAlignment,
            long expectedSize) {
        CollectionMessages.checkExpectedSize(expectedSize);
        this.name = name;
        this.memory = memory;
        this.elementByteSize = elementByteSize;
        this.byteAlignment = byteAlignment;
        capacity = Math.max(expectedSize, MIN_CAPACITY);
        table = memory.allocate(byteSize(capacity), byteAlignment);
        table.isUnused = false;
        segment = table.segment;
    }

    /// The memory. Its first [#size] elements have contents.
    public MemorySegment segment() {
        return segment;
    }

    public long size() {
        return size;
    }

    /// Returns an index if there is an element, and throws an exception otherwise.
    public long check(long index) {
        if (index < 0 || index >= size) {
            checkOpen();
            throw new IndexOutOfBoundsException("No such element: index=" + index + ", size=" + size);
        }
        return index;
    }

    public void checkRange(long from, long count) {
        checkOpen();
        Objects.checkFromIndexSize(from, count, size);
    }

    /// Makes space for another element.
    ///
    /// @return the index of the element, which [#setSize] then adds
    public long end() {
        // Unsigned, because CHANGING needs the check.
        if (Long.compareUnsigned(size, capacity) >= 0) {
            checkOpen();
            grow(size + 1);
        }
        return size;
    }

    /// Makes space for a number of elements. A negative number has no effect.
    public void ensureCapacity(long elements) {
        checkOpen();
        if (elements > capacity) {
            grow(elements);
        }
    }

    /// Reduces the capacity to the present elements, if the memory can be released.
    public void shrink() {
        checkOpen();
        long least = Math.max(size, MIN_CAPACITY);
        if (least < capacity && memory.canRelease()) {
            resize(least);
        }
    }

    /// Adds the elements of a segment at the end. The segment can be a part of this memory.
    public void addAll(MemorySegment values) {
        checkOpen();
        long byteSize = values.byteSize();
        long count = byteSize / elementByteSize;
        if (count * elementByteSize != byteSize) {
            throw new IllegalArgumentException("Not a number of values: byteSize=" + byteSize);
        }
        MemorySegment source = values;
        if (count > capacity - size) {
            // Growth may release the present memory, and preserves the offsets of the contents.
            long own = offset(values);
            grow(size + count);
            source = own == ELSEWHERE ? values : segment.asSlice(own, byteSize);
        }
        MemorySegment.copy(source, 0, segment, size * elementByteSize, byteSize);
        size += count;
    }

    /// Returns the offset of a segment in the memory, or ELSEWHERE.
    private long offset(MemorySegment values) {
        if (segment.asOverlappingSlice(values).isEmpty()) {
            return ELSEWHERE;
        }
        // Throws if the values are in memory that was released earlier and had the same addresses.
        values.get(JAVA_BYTE, 0);
        long offset = values.address() - segment.address();
        return offset < 0 || offset > segment.byteSize() - values.byteSize() ? ELSEWHERE : offset;
    }

    /// Sets the size. All elements below it must have contents.
    public void setSize(long newSize) {
        size = newSize;
    }

    public void truncate(long newSize) {
        checkOpen();
        if (newSize < 0 || newSize > size) {
            throw new IllegalArgumentException("Not a smaller size: newSize=" + newSize + ", size=" + size);
        }
        size = newSize;
    }

    public long sizeIfOpen() {
        checkOpen();
        return size;
    }

    public long byteSize() {
        checkOpen();
        return segment.byteSize();
    }

    public MemorySegment contents() {
        checkOpen();
        return segment.asSlice(0, size * elementByteSize).asReadOnly();
    }

    public void checkOpen() {
        if (size == CHANGING) {
            throw CollectionMessages.interrupted(name);
        }
        segment.get(JAVA_BYTE, 0);
    }

    /// Starts a change of the elements in several steps, which [#setSize] ends. No method but [#segment] and `setSize`
    /// can be called meanwhile.
    ///
    /// @return the size
    public long startChange() {
        checkOpen();
        long elements = size;
        size = CHANGING;
        return elements;
    }

    /// Sorts a range of elements.
    public void sort(long from, long to, RadixSort.Type type) {
        checkOpen();
        Objects.checkFromToIndex(from, to, size);
        long elements = startChange();
        RadixSort.sort(segment.asSlice(from * elementByteSize), to - from, type);
        size = elements;
    }

    /// Moves the last element to an index, and removes it from the end.
    public void swapRemove(long index) {
        long at = check(index) * elementByteSize;
        long last = startChange() - 1;
        MemorySegment.copy(segment, last * elementByteSize, segment, at, elementByteSize);
        size = last;
    }

    /// Returns the index of the last element, or throws an exception if there is none.
    public long checkLast() {
        checkOpen();
        if (size == 0) {
            throw new NoSuchElementException("The list is empty: " + name);
        }
        return size - 1;
    }

    @Override
    public void close() {
        memory.checkThread();
        segment = TableMemory.CLOSED;
        capacity = 0;
        size = 0;
        memory.close();
    }

    private void grow(long minCapacity) {
        resize(Growth.larger(capacity, minCapacity));
    }

    private void resize(long newCapacity) {
        long newByteSize = byteSize(newCapacity);
        long elements = startChange();
        try {
            table = memory.resize(table, elements * elementByteSize, newByteSize, byteAlignment);
        } catch (RuntimeException | OutOfMemoryError e) {
            if (!table.isLost()) {
                size = elements;
            }
            throw e;
        }
        segment = table.segment;
        capacity = newCapacity;
        size = elements;
        memory.releaseUnused();
    }

    private long byteSize(long elements) {
        // More elements than addresses always exceed the memory.
        long byteSize = Math.min(elements, Sizes.ADDRESSABLE / elementByteSize + 1) * elementByteSize;
        Sizes.checkAddressable(byteSize, byteAlignment);
        return byteSize;
    }
}
