package dev.arenakit.tool.image;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.io.SparseFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Reads the bytes of files ahead: a hundred consecutive small allocations are read at once.
///
/// The bytes may be as old as an earlier read, so this class suits commands that read each allocation once.
public final class ReadAhead implements ExtentSource.Sink {
    /// The largest number of bytes of one read.
    public static final int BYTE_SIZE = 1 << 14;
    /// The size of the largest allocation that is read ahead. Larger allocations are read on their own, without their
    /// holes.
    public static final int MAX_ALLOCATION = BYTE_SIZE / 4;

    private final MemorySegment bytes = MemorySegment.ofArray(new byte[BYTE_SIZE]);
    private @Nullable SparseFile file;
    private long start;
    private long count;

    /// Reads a range, or as much of it as the file contains.
    ///
    /// @param byteSize at most [#BYTE_SIZE]
    /// @return the bytes, which the next read may change
    public MemorySegment read(SparseFile from, long offset, long byteSize) throws IOException {
        if (file != from || offset < start || offset + byteSize > start + BYTE_SIZE) {
            // If reading fails, nothing is remembered.
            file = null;
            start = offset;
            count = 0;
            from.transferTo(this, offset, BYTE_SIZE);
            file = from;
        }
        long at = Math.min(count, offset - start);
        return bytes.asSlice(at, Math.min(byteSize, count - at));
    }

    @Override
    public void data(MemorySegment data) {
        MemorySegment.copy(data, 0, bytes, count, data.byteSize());
        count += data.byteSize();
    }

    @Override
    public void zeros(long byteSize) {
        bytes.asSlice(count, byteSize).fill((byte) 0);
        count += byteSize;
    }
}
