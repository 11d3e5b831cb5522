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
    /// Null if the file does not exist, or if its holes are unknown.
    private final @Nullable DataExtents extents;
    private final long byteSize;

    private DataFile(AllocationState state, @Nullable SparseFile file) throws IOException {
        this.state = state;
        this.file = file;
        byteSize = file == null ? 0 : file.byteSize();
        extents = file == null || file.holesUnknown().isPresent() ? null : new DataExtents(file);
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
    AllocationUsage measure(long start, long size) throws IOException {
        if (file == null) {
            return new AllocationUsage(state, new DiskUsage(size, OptionalLong.of(0), OptionalLong.of(0)));
        }
        DiskUsage usage = extents == null
                ? new DiskUsage(size, OptionalLong.empty(), OptionalLong.empty())
                : extents.between(start, start + size);
        boolean isTruncated = FileTruncation.remaining(start, size, byteSize) < size;
        return new AllocationUsage(isTruncated ? AllocationState.TRUNCATED : state, usage);
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
