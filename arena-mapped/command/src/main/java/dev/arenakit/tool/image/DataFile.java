package dev.arenakit.tool.image;

import dev.arenakit.mapped.io.SparseFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A data file of an image, which may be missing or unreadable.
public final class DataFile implements Closeable {
    private final AllocationState state;
    private final @Nullable SparseFile file;
    private final long byteSize;
    /// The extent that was found last: there is a hole from `holeStart` to `start`, and data from `start` to `end`.
    /// Consecutive allocations often share an extent, and some file systems read a whole extent to find its end.
    private long holeStart;
    private long start;
    private long end;

    private DataFile(AllocationState state, @Nullable SparseFile file) throws IOException {
        this.state = state;
        this.file = file;
        byteSize = file == null ? 0 : file.byteSize();
    }

    /// Opens a file if that is possible.
    ///
    /// @param warning is printed if the file system does not report holes
    public static DataFile open(Path path, UnknownHolesWarning warning) throws IOException {
        try {
            SparseFile file = SparseFile.open(path);
            warning.check(file);
            return new DataFile(AllocationState.LIVE, file);
        } catch (NoSuchFileException e) {
            return new DataFile(AllocationState.MISSING, null);
        } catch (IOException e) {
            return new DataFile(AllocationState.UNREADABLE, null);
        }
    }

    /// Measures the part of the file that an allocation occupies.
    AllocationUsage measure(long byteOffset, long size) throws IOException {
        if (file == null) {
            return new AllocationUsage(state, new DiskUsage(size, OptionalLong.of(0), OptionalLong.of(0)));
        }
        DiskUsage usage = file.holesUnknown().isPresent()
                ? new DiskUsage(size, OptionalLong.empty(), OptionalLong.empty())
                : data(file, byteOffset, byteOffset + size);
        boolean isTruncated = FileTruncation.remaining(byteOffset, size, byteSize) < size;
        return new AllocationUsage(isTruncated ? AllocationState.TRUNCATED : state, usage);
    }

    /// Measures the data in a range.
    private DiskUsage data(SparseFile file, long from, long to) throws IOException {
        long stored = 0;
        long extents = 0;
        for (long at = from; at < to; at = end) {
            if (at < holeStart || at >= end) {
                OptionalLong data = file.nextData(at);
                holeStart = at;
                start = data.orElse(Long.MAX_VALUE);
                // If the extent has no end, the file was truncated meanwhile: go on with the next byte.
                end = data.isEmpty() ? Long.MAX_VALUE : file.nextHole(start).orElse(start + 1);
            }
            long overlap = Math.min(to, end) - Math.max(at, start);
            if (overlap > 0) {
                stored += overlap;
                extents++;
            }
        }
        return new DiskUsage(to - from, OptionalLong.of(stored), OptionalLong.of(extents));
    }

    /// The file, or empty if it cannot be read.
    public Optional<SparseFile> file() {
        return Optional.ofNullable(file);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
