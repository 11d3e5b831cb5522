package dev.arenakit.sql.internal;

import dev.arenakit.internal.file.FileExtents;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.sql.SqlException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bytes of an allocation of an image. They are in one or several files, which are read, not mapped.
final class ImageBytes implements AutoCloseable {
    /// A part of the allocation.
    ///
    /// @param start the offset of the part in the allocation
    private record Part(Path path, FileChannel channel, @Nullable FileExtents extents, long start, long byteOffset,
            long byteSize) {
        long end() {
            return start + byteSize;
        }
    }

    private final List<Part> parts = new ArrayList<>();
    /// The open files. The list has room for all files: to add an open file must not need memory.
    private final List<Closeable> open;
    private final long byteSize;

    /// Opens the files.
    ///
    /// @param files the paths of the files of the parts
    ImageBytes(List<Path> files, List<AllocationPart> allocationParts) throws IOException {
        open = new ArrayList<>(2 * files.size());
        long start = 0;
        try {
            for (int i = 0; i < files.size(); i++) {
                AllocationPart part = allocationParts.get(i);
                FileChannel channel = open(files.get(i));
                Part found = new Part(files.get(i), channel, extents(files.get(i)), start, part.byteOffset(),
                        Math.clamp(channel.size() - part.byteOffset(), 0, part.byteSize()));
                parts.add(found);
                start = found.end();
                if (found.byteSize < part.byteSize()) {
                    // The file is truncated. The next part would have a wrong offset.
                    break;
                }
            }
            byteSize = start;
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    private FileChannel open(Path path) throws IOException {
        // Check first: opening a pipe waits for its writer.
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new IOException("Not a regular file: path=" + path);
        }
        try {
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
            open.add(channel);
            return channel;
        } catch (NoSuchFileException e) {
            throw new SqlException("Data file is missing: path=" + path, e);
        }
    }

    private @Nullable FileExtents extents(Path path) throws IOException {
        try {
            FileExtents extents = FileExtents.open(path);
            open.add(extents);
            return extents;
        } catch (UnsupportedOperationException | IllegalCallerException _) {
            return null;
        }
    }

    /// The number of bytes up to the end of the allocation, or up to the end of the first truncated file.
    long byteSize() {
        return byteSize;
    }

    /// Returns the offset of the first byte outside of holes, at or after the given offset, or the size if there is no
    /// such byte. Not thread-safe.
    long nextData(long offset) throws IOException {
        for (Part part : parts) {
            if (offset < part.end()) {
                FileExtents extents = part.extents;
                long from = Math.max(offset, part.start);
                if (extents == null) {
                    return from;
                }
                long data = extents.nextData(part.byteOffset + from - part.start);
                if (data >= 0 && data < part.byteOffset + part.byteSize) {
                    return data - part.byteOffset + part.start;
                }
            }
        }
        return byteSize;
    }

    /// Returns the offset of the first hole after a byte outside of holes, or the end of the byte's file. Not
    /// thread-safe.
    long nextHole(long offset) throws IOException {
        for (Part part : parts) {
            if (offset < part.end()) {
                FileExtents extents = part.extents;
                long hole = extents == null ? -1 : extents.nextHole(part.byteOffset + offset - part.start);
                return hole < 0 ? part.end() : Math.min(hole - part.byteOffset + part.start, part.end());
            }
        }
        return byteSize;
    }

    /// Reads bytes. Thread-safe.
    ///
    /// @throws EOFException if a file has been truncated since it was opened
    void read(long offset, MemorySegment to) throws IOException {
        ByteBuffer bytes = to.asByteBuffer();
        long at = offset;
        for (Part part : parts) {
            long end = Math.min(part.end(), offset + to.byteSize());
            bytes.limit((int) (Math.max(end, at) - offset));
            while (bytes.hasRemaining()) {
                int read = part.channel.read(bytes, part.byteOffset + at - part.start);
                if (read < 0) {
                    throw new EOFException("Data file was truncated during a query: path=" + part.path);
                }
                at += read;
            }
        }
    }

    @Override
    public void close() {
        for (Closeable file : open) {
            try {
                file.close();
            } catch (IOException _) {
                // The file was only read.
            }
        }
    }
}
