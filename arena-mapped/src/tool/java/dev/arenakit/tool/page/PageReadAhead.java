package dev.arenakit.tool.page;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.SparseFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Reads the bytes of files ahead: a hundred consecutive small allocations are read at once.
final class PageReadAhead implements ExtentSource.Sink {
    /// The largest number of bytes of one read.
    static final int BYTE_SIZE = 1 << 14;

    private final byte[] bytes = new byte[BYTE_SIZE];
    private @Nullable SparseFile file;
    private long start;
    private int count;

    /// Reads a range, or as much of it as the file contains.
    byte[] read(SparseFile from, long offset, long byteSize) throws IOException {
        if (file != from || offset < start || offset + byteSize > start + BYTE_SIZE) {
            file = from;
            start = offset;
            count = 0;
            from.transferTo(this, offset, BYTE_SIZE);
        }
        int at = (int) (offset - start);
        return at >= count
                ? new byte[0]
                : Arrays.copyOfRange(bytes, at, (int) Math.min(count, at + byteSize));
    }

    @Override
    public void data(MemorySegment data) {
        int size = (int) data.byteSize();
        MemorySegment.copy(data, JAVA_BYTE, 0, bytes, count, size);
        count += size;
    }

    @Override
    public void zeros(long byteSize) {
        Arrays.fill(bytes, count, count + (int) byteSize, (byte) 0);
        count += (int) byteSize;
    }
}
