package dev.arenakit.tool;

import dev.arenakit.mapped.SparseFile;
import dev.arenakit.tool.AllocationUse.State;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A data file of an image, which may be missing.
final class DataFile implements Closeable {
    private final State state;
    private final @Nullable SparseFile file;
    private final @Nullable DataMap data;
    private final long byteSize;

    private DataFile(State state, @Nullable SparseFile file) throws IOException {
        this.state = state;
        this.file = file;
        byteSize = file == null ? 0 : file.byteSize();
        data = file == null || file.holesUnknown().isPresent() ? null : new DataMap(file);
    }

    /// Opens a file, if it can be opened.
    ///
    /// @param warnings says so where holes are not known
    static DataFile open(Path path, DiskUses warnings) throws IOException {
        try {
            SparseFile file = SparseFile.open(path);
            warnings.warn(file);
            return new DataFile(State.LIVE, file);
        } catch (NoSuchFileException e) {
            return new DataFile(State.MISSING, null);
        } catch (IOException e) {
            return new DataFile(State.UNREADABLE, null);
        }
    }

    /// What a part of the file takes on disk.
    AllocationUse use(long start, long size) throws IOException {
        if (file == null) {
            return new AllocationUse(state, new DiskUse(size, OptionalLong.of(0), OptionalLong.of(0)));
        }
        DiskUse use = data == null
                ? new DiskUse(size, OptionalLong.empty(), OptionalLong.empty())
                : data.between(start, start + size);
        return new AllocationUse(start > byteSize - size ? State.TRUNCATED : state, use);
    }

    /// The file, where it can be read.
    Optional<SparseFile> file() {
        return Optional.ofNullable(file);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
