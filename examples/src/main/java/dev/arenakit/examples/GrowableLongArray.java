package dev.arenakit.examples;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A growable array of longs outside the heap, over whatever gives memory: a recipe for structures that grow.
///
/// A structure that is full moves to a larger table. What becomes of the old one is a question of lifetimes: an arena gives
/// memory back when it is closed, all at once, so a table can go early only if it has an arena of its own. There are three
/// ways to arrange that:
///
/// | made by | an old table | memory held | good for |
/// |---|---|---|---|
/// | [#in] | stays until the allocator's lifetime ends | up to twice the table | structures that share one short lifetime |
/// | [#owning] | is given back once its values are copied | the table; while it grows, the old one too | structures that live long |
/// | [#in] with room for all that may ever come | there is none | over sparse files, the pages written | the largest; what must not move |
///
/// What else to take from here:
///
/// - It takes a [SegmentAllocator], so that its user chooses the memory: any arena, a slice of a larger segment, a test that
///   counts or refuses.
/// - It doubles. Then the old tables together are smaller than the table, and an added value is moved about once.
/// - It allocates and copies first and changes itself last, so that a refusal leaves it as it was.
/// - It reads nothing that it has not written, so that the memory need not be zeroed.
/// - Layouts are constants and indices are longs; either makes the difference between a memory access and a slow call.
///
/// It may be used by one thread at a time, among those that may use its memory.
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
    private Table table;
    private long size;

    private GrowableLongArray(LongFunction<Table> tables, long capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("Capacity is not positive: capacity=" + capacity);
        }
        this.tables = tables;
        this.table = tables.apply(capacity);
    }

    /// Makes an array whose tables all come from one allocator, and live until its memory ends.
    ///
    /// @param allocator gives every table
    /// @param capacity  how many values there is room for at first; above 0
    /// @return the array, which need not be closed
    public static GrowableLongArray in(SegmentAllocator allocator, long capacity) {
        Objects.requireNonNull(allocator, "allocator");
        return new GrowableLongArray(longs -> new Table(allocator.allocate(JAVA_LONG, longs), null), capacity);
    }

    /// Makes an array each of whose tables has an arena of its own, closed as soon as the array has grown out of it.
    ///
    /// @param arenas   opens a new arena at each call: `Arena::ofConfined`, `MallocArena::ofConfined`, `pool::openConfined`
    /// @param capacity how many values there is room for at first; above 0
    /// @return the array, to be closed
    public static GrowableLongArray owning(Supplier<? extends Arena> arenas, long capacity) {
        Objects.requireNonNull(arenas, "arenas");
        return new GrowableLongArray(longs -> Table.owned(arenas.get(), longs), capacity);
    }

    /// Adds a value at the end, and grows first if there is no room.
    ///
    /// @param value the value
    /// @throws IllegalStateException when the array has to leave a table that somebody is inside just now, such as a
    ///                               native call; nothing has changed then, as with any other failure to grow
    public void add(long value) {
        if (size == capacity()) {
            grow();
        }
        table.longs.setAtIndex(JAVA_LONG, size, value);
        size++;
    }

    /// {@return a value}
    ///
    /// @param index its index, below [#size()]
    public long get(long index) {
        return table.longs.getAtIndex(JAVA_LONG, Objects.checkIndex(index, size));
    }

    /// Replaces a value.
    ///
    /// @param index its index, below [#size()]
    /// @param value the new one
    public void set(long index, long value) {
        table.longs.setAtIndex(JAVA_LONG, Objects.checkIndex(index, size), value);
    }

    /// {@return how many values there are}
    public long size() {
        return size;
    }

    /// {@return how many values there is room for before the array grows}
    public long capacity() {
        return table.longs.byteSize() / JAVA_LONG.byteSize();
    }

    /// {@return the values as they lie in memory, to be given to a native call} Once the array has grown, this is an old
    /// table: an owning array's then throws, any other's no longer changes.
    public MemorySegment asSegment() {
        return table.longs.asSlice(0, size * JAVA_LONG.byteSize());
    }

    /// Gives the table of an owning array back. Does nothing to others: their memory ends with its allocator.
    @Override
    public void close() {
        table.close();
    }

    private void grow() {
        Table larger = tables.apply(2 * capacity());
        try {
            MemorySegment.copy(table.longs, 0, larger.longs, 0, size * JAVA_LONG.byteSize());
            table.close();
        } catch (Throwable t) {
            larger.close();
            throw t;
        }
        table = larger;
    }

    /// Memory for values, and the arena that ends with it, if it has one of its own.
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
