package dev.arenakit.internal.collection;

import dev.arenakit.BlockAllocator;
import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.scope.LeasedRange;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Allocates and releases the tables of one structure.
///
/// | source | an old table | [#close()] |
/// |---|---|---|
/// | a [SegmentAllocator] | is used again for each later table that fits, and remains until the allocator's lifetime ends | releases nothing |
/// | a [BlockAllocator] | is freed, or grows in place | frees the tables |
/// | a supplier of arenas, one for each table | is released with its arena | closes the arenas |
///
/// A structure allocates a table and fills it. Then it changes its own fields, marks the new table as used and the old
/// table as unused, without a call in between, and releases unused tables last. A failure before the change leaves the
/// structure as it was, and a failure after it loses nothing. If a table cannot be released because native code uses it,
/// in a call or by a [lease][LeasedRange], a later call releases it. If an Error interrupts the release of a block, the
/// block may remain until the end of its allocator's lifetime.
///
/// The memory of a table is not zeroed.
public final class TableMemory implements AutoCloseable {
    /// At least the range of the first access that any operation makes in a closed structure.
    private static final long CLOSED_BYTE_SIZE = 64;
    /// A segment whose lifetime has ended, for the fields of a closed structure.
    public static final MemorySegment CLOSED = closedSegment();

    private final TableSource source;
    /// The tables that have not been released, the newest first.
    private @Nullable Table tables;

    private TableMemory(TableSource source) {
        this.source = source;
    }

    public static TableMemory of(SegmentAllocator allocator) {
        Objects.requireNonNull(allocator, "allocator");
        return new TableMemory(allocator instanceof BlockAllocator blocks
                ? new TableSource.Blocks(blocks)
                : new TableSource.Bound(allocator));
    }

    public static TableMemory owning(Supplier<? extends Arena> arenas) {
        return new TableMemory(new TableSource.Owning(Objects.requireNonNull(arenas, "arenas")));
    }

    /// Allocates an unused table. The structure will soon use all of it.
    public Table allocate(long byteSize, long byteAlignment) {
        return allocate(byteSize, byteAlignment, byteSize);
    }

    /// Allocates an unused table.
    ///
    /// @param usedByteSize the number of bytes at the beginning of the table that the structure will soon use
    Table allocate(long byteSize, long byteAlignment, long usedByteSize) {
        Table table = new Table();
        table.next = tables;
        tables = table;
        try {
            source.allocate(table, byteSize, byteAlignment);
        } catch (IndexOutOfBoundsException e) {
            releaseUnused();
            throw full(byteSize, e);
        } catch (Throwable t) {
            // If this fails too, a later call releases the table.
            releaseUnused();
            throw t;
        }
        advise(table, usedByteSize);
        return table;
    }

    /// Returns whether the memory of a table that is no longer used becomes free for others. If not, it makes no sense
    /// to shrink a table.
    public boolean canRelease() {
        return source.canRelease();
    }

    /// Moves the contents of a table to a table of another size, or resizes the table in place. If this method throws,
    /// the table is unchanged or [lost][Table#isLost()].
    ///
    /// @param usedByteSize the number of bytes at the beginning of the table that have contents
    /// @return the same table with another segment, or a new table; in that case, the old table is unused
    public Table resize(Table table, long usedByteSize, long newByteSize, long byteAlignment) {
        try {
            if (!LeasedRange.isIn(table.segment) && source.reallocate(table, newByteSize)) {
                advise(table, newByteSize);
                return table;
            }
        } catch (IndexOutOfBoundsException e) {
            throw full(newByteSize, e);
        }
        Table other = allocate(newByteSize, byteAlignment);
        MemorySegment.copy(table.segment, 0, other.segment, 0, usedByteSize);
        other.isUnused = false;
        table.isUnused = true;
        return other;
    }

    private void advise(Table table, long usedByteSize) {
        try {
            source.advise(table, usedByteSize);
        } catch (Throwable t) {
            // The table is as good without advice.
        }
    }

    /// Checks that the present thread can access all tables. A structure calls this before it changes anything to close
    /// itself.
    public void checkThread() {
        for (Table table = tables; table != null; table = table.next) {
            if (!table.segment.isAccessibleBy(Thread.currentThread())) {
                throw new WrongThreadException("Closed by a thread that may not access the memory of the structure: "
                        + Scopes.threads(table.segment) + "; close it in its owner");
            }
        }
    }

    /// Releases all tables.
    ///
    /// @throws IllegalStateException if a table is in use, or the allocator refuses to free it; the other tables have
    ///                               been released, and a further call tries again
    /// @throws WrongThreadException  if the present thread cannot access a table; nothing has been released
    @Override
    public void close() {
        checkThread();
        for (Table table = tables; table != null; table = table.next) {
            table.isUnused = true;
        }
        releaseUnused();
        if (tables != null) {
            throw new IllegalStateException(
                    "The memory of the structure cannot be freed: it is in use, for example by a"
                            + " native call, or an Error has interrupted its allocator; close the structure again later, or the"
                            + " allocator");
        }
    }

    /// Returns the exception that replaces the exception of a full slicing allocator.
    private CapacityExceededException full(long byteSize, IndexOutOfBoundsException cause) {
        long used = 0;
        for (Table table = tables; table != null; table = table.next) {
            used += table.segment.byteSize();
        }
        CapacityExceededException full = new CapacityExceededException("The allocator of the structure is full",
                CapacityExceededException.UNKNOWN, used, byteSize, "give the structure an allocator with more memory");
        full.initCause(cause);
        return full;
    }

    /// Releases all unused tables that can be released. If a user's cleanup throws an exception, it is rethrown at the
    /// end.
    public void releaseUnused() {
        RuntimeException thrown = null;
        for (Table table = tables; table != null; table = table.next) {
            if (table.isUnused && !LeasedRange.isIn(table.segment)) {
                try {
                    if (source.release(table)) {
                        unlink(table);
                    }
                } catch (RuntimeException e) {
                    thrown = e;
                }
            }
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    /// Removes a table from the list. The cleanup of its arena may have added tables meanwhile.
    private void unlink(Table released) {
        if (tables == released) {
            tables = released.next;
            return;
        }
        for (Table table = tables; table != null; table = table.next) {
            if (table.next == released) {
                table.next = released.next;
            }
        }
    }

    /// Memory of a structure.
    public static final class Table {
        /// The memory, or a segment of size 0 if the table has none.
        public MemorySegment segment = MemorySegment.NULL;
        /// The memory that begins with the segment, if the memory will be reused after this table.
        MemorySegment whole = MemorySegment.NULL;
        /// The arena that contains only this table, or null.
        @Nullable
        Arena arena;
        /// Whether the memory can be released: the structure does not use this table yet, or no longer.
        public boolean isUnused = true;
        /// The next older table that has not been released, or null.
        @Nullable
        Table next;

        /// Returns whether the memory may have been freed, because an Error interrupted its growth.
        public boolean isLost() {
            return segment.byteSize() == 0;
        }
    }

    private static MemorySegment closedSegment() {
        // The arena is shared, so that every thread gets the message that the structure is closed.
        try (Arena arena = Arena.ofShared()) {
            // The segment is not empty, because an access checks the bounds before it checks the lifetime.
            return arena.allocate(CLOSED_BYTE_SIZE, CLOSED_BYTE_SIZE);
        }
    }
}
