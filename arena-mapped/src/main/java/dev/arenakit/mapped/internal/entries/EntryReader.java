package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.ImageEntries.Cursor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Reads the entries of one kind of structure with positional reads.
interface EntryReader {
    /// The number of entries that the structure has recorded. It can be wrong unless the structure is closed.
    long recordedCount() throws IOException;

    /// The number of entries for which there is space at most.
    long capacity() throws IOException;

    /// Begins to read the entries, in the order of the table or of the keys.
    ///
    /// @throws IOException if the structure is damaged
    Cursor cursor() throws IOException;

    /// Reads the entry at a position that a cursor has returned.
    void read(long position, MemorySegment into) throws IOException;

    /// Checks all entries. The structure is not changed meanwhile.
    ///
    /// @return the number of intact entries
    long check(ProblemList problems) throws IOException;
}
