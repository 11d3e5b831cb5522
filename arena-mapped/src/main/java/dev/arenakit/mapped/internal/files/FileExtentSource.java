package dev.arenakit.mapped.internal.files;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.internal.file.FileExtents;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Reads a regular file and skips its holes. Where holes are not known, the whole file is read. Not thread-safe.
public final class FileExtentSource implements ExtentSource, Closeable {
    /// A buffer larger than 64 KiB does not read faster.
    private static final int BUFFER_SIZE = 1 << 17;
    /// The number of bytes that a search for zeros reads at once: some milliseconds.
    private static final long SEARCH_STEP = 16L << 20;

    /// The largest file that is read only to learn whether it is zero.
    private static final long LARGEST_READ = 1L << 30;

    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[BUFFER_SIZE]).asReadOnly();

    private final OpenedFile file;
    private final @Nullable FileExtents extents;
    private final String reason;

    private FileExtentSource(OpenedFile file, @Nullable FileExtents extents, String reason) {
        this.file = file;
        this.extents = extents;
        this.reason = reason;
    }

    /// Opens a file for reading.
    ///
    /// @param path the file
    /// @return the file, which the caller closes
    /// @throws IOException if there is no such file, it cannot be read, or it is not a regular file
    public static FileExtentSource open(Path path) throws IOException {
        OpenedFile file = OpenedFile.toRead(path);
        try {
            return new FileExtentSource(file, FileExtents.open(path), "");
        } catch (UnsupportedOperationException | IllegalCallerException e) {
            return new FileExtentSource(file, null, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    /// {@return the size of the file, holes included}
    ///
    /// @throws IOException if the file is closed or cannot be read
    public long byteSize() throws IOException {
        return file.size();
    }

    /// {@return the number of bytes that the file occupies on the disk, as `du` prints it; empty if it is not known}
    ///
    /// @throws IOException if the file is closed or cannot be read
    public OptionalLong storedByteSize() throws IOException {
        return extents == null ? OptionalLong.empty() : extents.storedByteSize();
    }

    /// Finds data at or after an offset. If holes are not known, the whole file counts as data.
    ///
    /// @param byteOffset the offset at which the search starts, not negative
    /// @return the offset of the first byte that may not be zero; empty if there is none before the end of the file
    /// @throws IOException if the file is closed or cannot be read
    public OptionalLong nextData(long byteOffset) throws IOException {
        checkOffset(byteOffset);
        if (extents == null) {
            return byteOffset < byteSize() ? OptionalLong.of(byteOffset) : OptionalLong.empty();
        }
        return found(extents.nextData(byteOffset));
    }

    /// Finds a hole at or after an offset. The end of the file counts as a hole.
    ///
    /// @param byteOffset the offset at which the search starts, not negative
    /// @return the offset of the first byte that was never written; empty if `byteOffset` is not before the end of the
    ///         file
    /// @throws IOException if the file is closed or cannot be read
    public OptionalLong nextHole(long byteOffset) throws IOException {
        checkOffset(byteOffset);
        if (extents == null) {
            return byteOffset < byteSize() ? OptionalLong.of(byteSize()) : OptionalLong.empty();
        }
        return found(extents.nextHole(byteOffset));
    }

    private static void checkOffset(long byteOffset) {
        if (byteOffset < 0) {
            throw new IllegalArgumentException("Offset is negative: byteOffset=" + byteOffset);
        }
    }

    private static OptionalLong found(long byteOffset) {
        return byteOffset < 0 ? OptionalLong.empty() : OptionalLong.of(byteOffset);
    }

    /// Whether a file has no data.
    public static boolean isEmpty(Path file) throws IOException {
        try (FileExtentSource reader = open(file)) {
            return reader.nextData(0).isEmpty();
        }
    }

    /// Whether a file contains zeros only: reserved blocks count as data on ext4 if somebody has read them. Where holes
    /// are not known, a large file, which would take minutes to read, counts as one that does not.
    public static boolean isZero(Path file) throws IOException {
        try (FileExtentSource reader = open(file)) {
            long byteSize = reader.byteSize();
            return (reader.extents != null || byteSize <= LARGEST_READ)
                    && reader.nextZeros(0, byteSize, byteSize).start() == 0;
        }
    }

    /// A range of a file that is zero.
    public record ZeroRange(long start, long end) {}

    /// Finds the first range at or after an offset that is zero, and has a size, or else ends where the search ends. The
    /// range is longer where that costs little.
    ///
    /// @param end the end of the search
    /// @throws IOException if the file cannot be read, or ends before the search
    public ZeroRange nextZeros(long byteOffset, long leastByteSize, long end) throws IOException {
        ZeroSink zeros = new ZeroSink(byteOffset);
        while (zeros.end - zeros.start < leastByteSize && zeros.end < end) {
            long before = zeros.end;
            long data = Math.min(nextData(before).orElse(end), end);
            if (data > before) {
                zeros.zeros(data - before);
            } else {
                transferTo(zeros, before, Math.min(SEARCH_STEP, end - before));
            }
            if (zeros.end == before) {
                throw new EOFException("File has ended early: byteSize=" + byteSize() + ", needed=" + end);
            }
        }
        return new ZeroRange(zeros.start, zeros.end);
    }

    /// Finds the zeros at the end of the bytes that it gets. A buffer that is not zero counts as a whole.
    private static final class ZeroSink implements Sink {
        private long start;
        private long end;

        ZeroSink(long byteOffset) {
            start = byteOffset;
            end = byteOffset;
        }

        @Override
        public void data(MemorySegment bytes) {
            end += bytes.byteSize();
            if (bytes.mismatch(ZEROS.asSlice(0, bytes.byteSize())) >= 0) {
                start = end;
            }
        }

        @Override
        public void zeros(long byteSize) {
            end += byteSize;
        }
    }

    /// {@return the number of extents of data between the holes; empty if it is not known}
    ///
    /// @throws IOException if the file is closed or cannot be read
    public OptionalLong extentCount() throws IOException {
        if (extents == null) {
            return OptionalLong.empty();
        }
        long count = 0;
        for (long data = extents.nextData(0); data >= 0;) {
            count++;
            long hole = extents.nextHole(data);
            data = hole < 0 ? hole : extents.nextData(hole);
        }
        return OptionalLong.of(count);
    }

    /// {@return the reason why holes are not known and every byte is read; empty if they are known}
    public Optional<String> holesUnknown() {
        return extents == null ? Optional.of(reason) : Optional.empty();
    }

    /// Reads a range, holes included.
    ///
    /// @param into gets the bytes
    /// @return false if the file has ended early
    public boolean read(long byteOffset, ByteBuffer into) throws IOException {
        long at = byteOffset;
        while (into.hasRemaining()) {
            int read = file.read(into, at);
            if (read < 0) {
                return false;
            }
            at += read;
        }
        return true;
    }

    @Override
    public long transferTo(Sink sink, long skip, long limit) throws IOException {
        long byteSize = byteSize();
        if (skip >= byteSize) {
            return byteSize;
        }
        long end = limit < byteSize - skip ? skip + limit : byteSize;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.min(BUFFER_SIZE, end - skip));
            if (extents == null) {
                transferData(sink, buffer, skip, end);
            } else {
                transferExtents(extents, sink, buffer, skip, end);
            }
        }
        return skip;
    }

    private void transferExtents(FileExtents extents, Sink sink, MemorySegment buffer, long start, long end)
            throws IOException {
        for (long at = start; at < end;) {
            long data = extents.nextData(at);
            // If there is no more data, the hole ends at the end of the file, which may have been truncated.
            long holeEnd = Math.min(end, data < 0 ? byteSize() : data);
            if (holeEnd > at) {
                sink.zeros(holeEnd - at);
            }
            if (data < 0 || data >= end) {
                return;
            }
            // Reading so few bytes is faster than finding the end of the data on tmpfs, which visits each page.
            long hole = end - data <= BUFFER_SIZE ? end : extents.nextHole(data);
            if (hole < 0 || !transferData(sink, buffer, data, Math.min(end, hole))) {
                return;
            }
            at = hole;
        }
    }

    /// Returns false if the file has ended early.
    private boolean transferData(Sink sink, MemorySegment buffer, long start, long end) throws IOException {
        ByteBuffer bytes = buffer.asByteBuffer();
        for (long at = start; at < end;) {
            bytes.clear().limit((int) Math.min(bytes.capacity(), end - at));
            int read = file.read(bytes, at);
            if (read < 0) {
                return false;
            }
            if (read > 0) {
                sink.data(buffer.asSlice(0, read));
                at += read;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        if (extents != null) {
            extents.close();
        }
        file.close();
    }
}
