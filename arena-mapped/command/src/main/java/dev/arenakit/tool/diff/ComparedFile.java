package dev.arenakit.tool.diff;

import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.image.DataExtents;
import dev.arenakit.tool.image.ReadAhead;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A data file of a compared image.
///
/// @param isChunk whether the file contains many allocations; small ones are then read ahead
record ComparedFile(DataExtents extents, ReadAhead ahead, boolean isChunk) implements Closeable {
    /// Larger allocations are read on their own, without their holes.
    private static final int MAX_AHEAD = ReadAhead.BYTE_SIZE / 4;

    SparseFile file() {
        return extents.file();
    }

    /// Whether an allocation of this size is read ahead.
    boolean isAhead(long byteSize) {
        return isChunk && byteSize <= MAX_AHEAD;
    }

    /// Reads bytes ahead. If the file ends earlier, there are fewer bytes.
    MemorySegment readAhead(long byteOffset, long byteSize) throws IOException {
        return ahead.read(file(), byteOffset, byteSize);
    }

    /// The size of the file, or the end of a part that was read in full.
    long byteSizeFor(AllocationPart part) throws IOException {
        return isAhead(part.byteSize()) && readAhead(part.byteOffset(), part.byteSize()).byteSize() == part.byteSize()
                ? part.byteOffset() + part.byteSize()
                : file().byteSize();
    }

    @Override
    public void close() throws IOException {
        extents.close();
    }
}
