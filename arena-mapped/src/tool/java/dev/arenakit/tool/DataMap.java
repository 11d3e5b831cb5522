package dev.arenakit.tool;

import dev.arenakit.mapped.SparseFile;
import java.io.IOException;
import java.util.OptionalLong;

/// The data and the holes of a file, of which the last stretch that was asked about is remembered: the allocations of a chunk
/// follow each other, and many share a stretch, so that the system is asked once for each stretch and not for each of them.
final class DataMap {
    private final SparseFile file;
    /// A hole, or nothing, up to `dataStart`, then data up to `dataEnd`.
    private long holeStart;
    private long dataStart;
    private long dataEnd;

    DataMap(SparseFile file) {
        this.file = file;
    }

    /// How much of a range is data, and in how many pieces.
    DiskUse between(long start, long end) throws IOException {
        long stored = 0;
        long extents = 0;
        for (long at = start; at < end; at = dataEnd) {
            if (at < holeStart || at >= dataEnd) {
                seek(at);
            }
            long overlap = Math.min(end, dataEnd) - Math.max(at, dataStart);
            if (overlap > 0) {
                stored += overlap;
                extents++;
            }
        }
        return new DiskUse(end - start, OptionalLong.of(stored), OptionalLong.of(extents));
    }

    private void seek(long at) throws IOException {
        OptionalLong data = file.nextData(at);
        holeStart = at;
        // Without data before the end, and behind the end, there is nothing but hole.
        dataStart = data.orElse(Long.MAX_VALUE);
        dataEnd = data.isEmpty() ? Long.MAX_VALUE : file.nextHole(dataStart).orElse(Long.MAX_VALUE);
    }
}
