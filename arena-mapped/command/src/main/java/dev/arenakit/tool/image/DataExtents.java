package dev.arenakit.tool.image;

import dev.arenakit.mapped.io.SparseFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.OptionalLong;

/// The extents of a sparse file, which are the ranges of data between its holes.
///
/// The last extent is cached. Consecutive allocations of a chunk often share an extent, and some file systems read a
/// whole extent to find its end.
public final class DataExtents implements Closeable {
    private final SparseFile file;
    /// The cached extent: there is a hole from `holeStart` to `start`, and data from `start` to `end`.
    private long holeStart;
    private long start;
    private long end;

    /// @param file is closed with this object
    public DataExtents(SparseFile file) {
        this.file = file;
    }

    public SparseFile file() {
        return file;
    }

    /// The start of the extent that contains an offset or else follows it; [Long#MAX_VALUE] if there is none.
    public long start(long byteOffset) throws IOException {
        find(byteOffset);
        return start;
    }

    /// The end of the extent that contains an offset or else follows it; [Long#MAX_VALUE] if there is none.
    public long end(long byteOffset) throws IOException {
        find(byteOffset);
        return end;
    }

    /// Measures the data in a range.
    DiskUsage between(long from, long to) throws IOException {
        long stored = 0;
        long extents = 0;
        for (long at = from; at < to; at = end) {
            find(at);
            long overlap = Math.min(to, end) - Math.max(at, start);
            if (overlap > 0) {
                stored += overlap;
                extents++;
            }
        }
        return new DiskUsage(to - from, OptionalLong.of(stored), OptionalLong.of(extents));
    }

    private void find(long byteOffset) throws IOException {
        if (byteOffset >= holeStart && byteOffset < end) {
            return;
        }
        OptionalLong data = file.nextData(byteOffset);
        holeStart = byteOffset;
        start = data.orElse(Long.MAX_VALUE);
        // If the extent has no end, the file was truncated meanwhile: go on with the next byte.
        end = data.isEmpty() ? Long.MAX_VALUE : file.nextHole(start).orElse(start + 1);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
