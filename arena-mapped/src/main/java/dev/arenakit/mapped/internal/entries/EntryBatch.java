package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.ImageEntries.Cursor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The entries that were read at once, with their positions. A subclass reads the next ones.
class EntryBatch implements Cursor {
    /// A buffer that begins with the entries.
    MemorySegment entries = MemorySegment.NULL;
    long[] positions = {};
    int count;
    private final long entryByteSize;

    EntryBatch(long entryByteSize) {
        this.entryByteSize = entryByteSize;
    }

    @Override
    public boolean next() throws IOException {
        return false;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public MemorySegment entries() {
        return entries.asSlice(0, count * entryByteSize);
    }

    @Override
    public long position(int index) {
        return positions[index];
    }
}
