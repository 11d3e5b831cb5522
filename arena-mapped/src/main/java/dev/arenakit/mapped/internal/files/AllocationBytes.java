package dev.arenakit.mapped.internal.files;

import dev.arenakit.internal.file.FileExtents;
import dev.arenakit.mapped.AllocationPart;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bytes of an allocation of an image. They are in one or several files, which are read, not mapped. Native access
/// is used to find holes only.
public final class AllocationBytes implements AutoCloseable {
    /// A part of the allocation.
    ///
    /// @param start the offset of the part in the allocation
    private record Part(Path path, OpenedFile file, long start, long byteOffset, long byteSize) {
        long end() {
            return start + byteSize;
        }
    }

    private final List<Part> parts = new ArrayList<>();
    /// The extents of the parts, from the first search for a hole; null where holes are not known.
    private @Nullable FileExtents @Nullable [] extents;
    /// The open files. The list has room for all files: to add an open file must not need memory.
    private final List<Closeable> open;
    private final long byteSize;

    /// Opens the files.
    ///
    /// @param files the paths of the files of the parts
    /// @throws NoSuchFileException if a file is missing
    public AllocationBytes(List<Path> files, List<AllocationPart> allocationParts) throws IOException {
        open = new ArrayList<>(2 * files.size());
        long start = 0;
        try {
            for (int i = 0; i < files.size(); i++) {
                AllocationPart part = allocationParts.get(i);
                OpenedFile file = OpenedFile.regular(files.get(i));
                open.add(file);
                Part found = new Part(files.get(i), file, start, part.byteOffset(),
                        Math.clamp(file.size() - part.byteOffset(), 0, part.byteSize()));
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

    private @Nullable FileExtents extents(int part) throws IOException {
        @Nullable
        FileExtents[] known = extents;
        if (known == null) {
            known = new FileExtents[parts.size()];
            for (int i = 0; i < known.length; i++) {
                known[i] = extents(parts.get(i).path);
            }
            extents = known;
        }
        return known[part];
    }

    private @Nullable FileExtents extents(Path path) throws IOException {
        try {
            FileExtents opened = FileExtents.open(path);
            open.add(opened);
            return opened;
        } catch (UnsupportedOperationException | IllegalCallerException _) {
            return null;
        }
    }

    /// The number of bytes up to the end of the allocation, or up to the end of the first truncated file.
    public long byteSize() {
        return byteSize;
    }

    /// Returns the offset of the first byte outside of holes, at or after the given offset, or the size if there is no
    /// such byte. Not thread-safe.
    public long nextData(long offset) throws IOException {
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (offset < part.end()) {
                FileExtents known = extents(i);
                long from = Math.max(offset, part.start);
                if (known == null) {
                    return from;
                }
                long data = known.nextData(part.byteOffset + from - part.start);
                if (data >= 0 && data < part.byteOffset + part.byteSize) {
                    return data - part.byteOffset + part.start;
                }
            }
        }
        return byteSize;
    }

    /// Returns the offset of the first hole after a byte outside of holes, or the end of the byte's file. Not
    /// thread-safe.
    public long nextHole(long offset) throws IOException {
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (offset < part.end()) {
                FileExtents known = extents(i);
                long hole = known == null ? -1 : known.nextHole(part.byteOffset + offset - part.start);
                return hole < 0 ? part.end() : Math.min(hole - part.byteOffset + part.start, part.end());
            }
        }
        return byteSize;
    }

    /// Reads bytes. Thread-safe.
    ///
    /// @throws EOFException if a file has been truncated since it was opened
    public void read(long offset, MemorySegment to) throws IOException {
        ByteBuffer bytes = to.asByteBuffer();
        long at = offset;
        for (Part part : parts) {
            long end = Math.min(part.end(), offset + to.byteSize());
            bytes.limit((int) (Math.max(end, at) - offset));
            while (bytes.hasRemaining()) {
                int read = part.file.read(bytes, part.byteOffset + at - part.start);
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
