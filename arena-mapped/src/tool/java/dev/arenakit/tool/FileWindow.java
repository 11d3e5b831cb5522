package dev.arenakit.tool;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.SparseFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Bytes of files, read ahead: of small allocations in a row a hundred are read at once.
final class FileWindow implements ExtentSource.Sink {
    /// What one call may ask for.
    static final int BYTE_SIZE = 1 << 14;

    private final byte[] bytes = new byte[BYTE_SIZE];
    private @Nullable SparseFile file;
    private long start;
    private int count;

    /// Reads a range, or as much of it as there is before the end of the file.
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
