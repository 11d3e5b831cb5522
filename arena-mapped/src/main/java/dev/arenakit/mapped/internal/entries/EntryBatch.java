package dev.arenakit.mapped.internal.entries;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The entries that were read at once, with their positions. A subclass reads the next ones.
public class EntryBatch {
    /// A buffer that begins with the entries.
    public MemorySegment entries = MemorySegment.NULL;
    public long[] positions = {};
    public int count;

    /// Reads the next entries.
    ///
    /// @return false if there are no more
    public boolean next() throws IOException {
        return false;
    }
}
