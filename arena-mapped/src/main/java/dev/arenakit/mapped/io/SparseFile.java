package dev.arenakit.mapped.io;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.internal.files.FileExtentSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// A reader of a regular file that skips holes. It reports a hole as zeros without reading it, so that a dump of the
/// terabytes of an [InfiniteArena] takes milliseconds.
///
/// **Flags.** On Linux (x86-64 and aarch64), native calls find the holes. Pass `--enable-native-access=dev.arenakit`,
/// or `ALL-UNNAMED` on the class path, to avoid Java's warning. If native access is denied, and on other systems, the
/// file is read in full, and [#holesUnknown] returns the reason.
///
/// **Concurrent changes.** The file is read and not mapped. If another process truncates it meanwhile, reading ends
/// early. If the file grows, it is read up to the size that it had when reading began. If the file is being written,
/// bytes at different offsets may be from different times.
///
/// **Threads.** Instances are not thread-safe. An interrupt ends no call. If it comes while bytes are read, the file is
/// opened again, and must have kept its name.
///
/// {@snippet file="dev/arenakit/mapped/io/SparseFileExample.java" region="example"}
public final class SparseFile implements ExtentSource, Closeable {
    private final FileExtentSource reader;

    private SparseFile(FileExtentSource reader) {
        this.reader = reader;
    }

    /// Opens a file for reading.
    ///
    /// @param path the file
    /// @return the file, which the caller closes
    /// @throws IOException if there is no such file, it cannot be read, or it is not a regular file
    public static SparseFile open(Path path) throws IOException {
        return new SparseFile(FileExtentSource.open(path));
    }

    /// {@return the size of the file, holes included}
    ///
    /// @throws IOException if the file is closed or cannot be read
    public long byteSize() throws IOException {
        return reader.byteSize();
    }

    /// {@return the number of bytes that the file occupies on the disk, as `du` prints it; empty if it is not known}
    ///
    /// @throws IOException if the file is closed or cannot be read
    public OptionalLong storedByteSize() throws IOException {
        return reader.storedByteSize();
    }

    /// Finds data at or after an offset. If holes are not known, the whole file counts as data.
    ///
    /// @param byteOffset the offset at which the search starts, not negative
    /// @return the offset of the first byte that may not be zero; empty if there is none before the end of the file
    /// @throws IllegalArgumentException if the offset is negative
    /// @throws IOException              if the file is closed or cannot be read
    public OptionalLong nextData(long byteOffset) throws IOException {
        return reader.nextData(byteOffset);
    }

    /// Finds a hole at or after an offset. The end of the file counts as a hole.
    ///
    /// @param byteOffset the offset at which the search starts, not negative
    /// @return the offset of the first byte that was never written; empty if `byteOffset` is not before the end of the
    ///         file
    /// @throws IllegalArgumentException if the offset is negative
    /// @throws IOException              if the file is closed or cannot be read
    public OptionalLong nextHole(long byteOffset) throws IOException {
        return reader.nextHole(byteOffset);
    }

    /// {@return the number of extents of data between the holes; empty if it is not known}
    ///
    /// @throws IOException if the file is closed or cannot be read
    public OptionalLong extentCount() throws IOException {
        return reader.extentCount();
    }

    /// {@return the reason why holes are not known and every byte is read; empty if they are known}
    public Optional<String> holesUnknown() {
        return reader.holesUnknown();
    }

    @Override
    public long transferTo(Sink sink, long skip, long limit) throws IOException {
        return reader.transferTo(sink, skip, limit);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
