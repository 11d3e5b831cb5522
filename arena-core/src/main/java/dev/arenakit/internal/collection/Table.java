package dev.arenakit.internal.collection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Memory of a structure, obtained from its [TableMemory].
public final class Table {
    /// The memory, or a segment of size 0 if the table has none.
    public MemorySegment segment = MemorySegment.NULL;
    /// The memory that begins with the segment, if the memory will be reused after this table.
    MemorySegment whole = MemorySegment.NULL;
    /// The arena that contains only this table, or null.
    @Nullable
    Arena arena;
    /// Whether the memory can be released: the structure has not received this table yet, or has released it.
    public boolean isUnused = true;
    /// The next older table that has not been released, or null.
    @Nullable
    Table next;

    Table() {}
}
