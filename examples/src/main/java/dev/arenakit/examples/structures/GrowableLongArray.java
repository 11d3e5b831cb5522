package dev.arenakit.examples.structures;

import dev.arenakit.mapped.GrowableSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A growable array of longs outside the heap, over any [SegmentAllocator]: a recipe for structures that grow.
///
/// A structure that is full moves to a larger table. An arena releases all its memory when it is closed, so that the
/// old table can be released earlier only if it has an arena of its own. If the table grows in place, there is no old
/// one. There are three ways to arrange this:
///
/// | created by | an old table | memory held | suits |
/// |---|---|---|---|
/// | [#in] | remains until the allocator's lifetime ends | up to twice the table | structures that share one short lifetime |
/// | [#owning] | is released once its values are copied | the table, and the old table during growth | structures that live long |
/// | [#inPlace] | does not exist: no value is copied | the pages written | the largest structures, and those that must not move |
///
/// The recipe has five more rules:
///
/// - The structure takes a [SegmentAllocator], so that its user chooses the memory: any arena, a slice of a larger
///   segment, or a test allocator that counts or refuses.
/// - It doubles its capacity. Then all old tables together are smaller than the table, and each value is copied about
///   once.
/// - It allocates and copies first, and changes its own fields last, so that a failure leaves it unchanged.
/// - It reads only what it has written, so that the memory need not be zeroed.
/// - Layouts are constants and indices are longs: each of these turns a slow call into a memory access.
///
/// One thread at a time may use the array, among the threads that may access its memory.
///
/// {@snippet :
/// try (GrowableLongArray squares = GrowableLongArray.owning(MallocArena::ofConfined, 16)) {
///     for (long i = 0; i < 1_000_000; i++) {
///         squares.add(i * i);
///     }
/// }
/// }
public final class GrowableLongArray implements AutoCloseable {
    private final LongFunction<Table> tables;
    /// Whether a larger table starts with the memory of the smaller table.
    private final boolean isInPlace;
    private Table table;
    private long size;

    private GrowableLongArray(LongFunction<Table> tables, long capacity, boolean isInPlace) {
        if (capacity < 1) {
            throw new IllegalArgumentException("Capacity is not positive: capacity=" + capacity);
        }
        this.tables = tables;
        this.isInPlace = isInPlace;
        this.table = tables.apply(capacity);
    }

    /// Creates an array whose tables all come from one allocator, and live as long as its memory.
    ///
    /// @param allocator the allocator of every table
    /// @param capacity  the initial capacity, above 0
    /// @return the array, which need not be closed
    public static GrowableLongArray in(SegmentAllocator allocator, long capacity) {
        Objects.requireNonNull(allocator, "allocator");
        return new GrowableLongArray(longs -> new Table(allocator.allocate(JAVA_LONG, longs), null), capacity,
                false);
    }

    /// Creates an array whose table grows in place: no value is copied, and its address never changes.
    ///
    /// @param memory   the memory of the table, which belongs to this array
    /// @param capacity the initial capacity, above 0
    /// @return the array, which need not be closed
    public static GrowableLongArray inPlace(GrowableSegment memory, long capacity) {
        Objects.requireNonNull(memory, "memory");
        return new GrowableLongArray(longs -> new Table(memory.grow(longs * JAVA_LONG.byteSize()), null), capacity,
                true);
    }

    /// Creates an array whose tables have an arena each. The array closes the arena of a table when it has moved to a
    /// larger table.
    ///
    /// @param arenas   opens a new arena at each call: `Arena::ofConfined`, `MallocArena::ofConfined`,
    ///                 `pool::openConfined`
    /// @param capacity the initial capacity, above 0
    /// @return the array, to be closed
    public static GrowableLongArray owning(Supplier<? extends Arena> arenas, long capacity) {
        Objects.requireNonNull(arenas, "arenas");
        return new GrowableLongArray(longs -> Table.owned(arenas.get(), longs), capacity, false);
    }

    /// Adds a value at the end. The array grows first if it is full.
    ///
    /// @param value the value
    /// @throws IllegalStateException if the array has to grow while its table is in use, for example by a native
    ///                               call; the array is unchanged then, as after any other failure to grow
    public void add(long value) {
        if (size == capacity()) {
            grow(2 * capacity());
        }
        table.longs.setAtIndex(JAVA_LONG, size, value);
        size++;
    }

    /// {@return a value}
    ///
    /// @param index the index of the value, below [#size()]
    public long get(long index) {
        return table.longs.getAtIndex(JAVA_LONG, Objects.checkIndex(index, size));
    }

    /// Replaces a value.
    ///
    /// @param index the index of the value, below [#size()]
    /// @param value the new value
    public void set(long index, long value) {
        table.longs.setAtIndex(JAVA_LONG, Objects.checkIndex(index, size), value);
    }

    /// {@return the number of values}
    public long size() {
        return size;
    }

    /// {@return the number of values that the array can hold before it grows}
    public long capacity() {
        return table.longs.byteSize() / JAVA_LONG.byteSize();
    }

    /// Grows the array, so that it can hold a number of values before it grows again.
    ///
    /// @param capacity the number of values
    public void ensureCapacity(long capacity) {
        if (capacity > capacity()) {
            grow(capacity);
        }
    }

    /// {@return the memory of the values, for a native call} Once the array has grown, the segment is a slice of an old
    /// table: access to it throws if the array is an owning one, and otherwise it no longer changes.
    public MemorySegment asSegment() {
        return table.longs.asSlice(0, size * JAVA_LONG.byteSize());
    }

    /// Releases the table of an owning array. Does nothing for other arrays: their memory lives as long as its
    /// allocator.
    @Override
    public void close() {
        table.close();
    }

    private void grow(long capacity) {
        Table larger = tables.apply(capacity);
        if (isInPlace) {
            table = larger;
            return;
        }
        try {
            MemorySegment.copy(table.longs, 0, larger.longs, 0, size * JAVA_LONG.byteSize());
            table.close();
        } catch (Throwable t) {
            larger.close();
            throw t;
        }
        table = larger;
    }

    /// Memory for values, and the arena of that memory if the table owns it.
    private record Table(MemorySegment longs, @Nullable Arena arena) implements AutoCloseable {
        static Table owned(Arena arena, long longs) {
            try {
                return new Table(arena.allocate(JAVA_LONG, longs), arena);
            } catch (Throwable t) {
                arena.close();
                throw t;
            }
        }

        @Override
        public void close() {
            if (arena != null) {
                arena.close();
            }
        }
    }
}
