package dev.arenakit.mapped.internal.entries;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Reads the entries of one kind of structure with positional reads.
public interface EntryReader {
    /// The number of entries that the structure has recorded. It can be wrong unless the structure is closed.
    ///
    /// @throws IOException if the structure is damaged
    long recordedCount() throws IOException;

    /// Begins to read the entries, in the order of the table or of the keys.
    ///
    /// @param first   the index of the first row of a table; maps and trees are read from their first entries on
    /// @param members the names of the members; the bytes of the others may be zeros
    /// @throws IOException if the structure is damaged
    EntryBatch entries(long first, Predicate<String> members) throws IOException;

    /// Reads the entry at a position that a batch has had.
    void read(long position, MemorySegment into) throws IOException;

    /// Checks all entries. The structure is not changed meanwhile.
    ///
    /// @return the number of intact entries
    long check(Consumer<? super String> problems) throws IOException;
}
