package dev.arenakit.mapped.internal.image;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.data.DataFileParts;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileExtentSource;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads and maps the data files of an image that another arena writes or has written. Not thread-safe.
public final class DataFileReader implements Closeable {
    private static final ExtentSource EMPTY = (sink, skip, limit) -> 0;

    /// Bytes that are mapped at least behind an allocation. A mapping at least doubles the one before, so that there are
    /// few of them. The whole file is not mapped: a sparse file of 1 TiB takes a share of the address space. Linux aligns
    /// mappings of so many bytes to huge pages, as it does in the process that writes the image.
    private static final long MIN_READ_AHEAD = 2 << 20;

    private final Path base;
    private final boolean writable;
    private final Map<Mapping, MemorySegment> mappings = new HashMap<>();

    /// The file that was read last: consecutive allocations are in the same file.
    private @Nullable FileExtentSource open;
    private int openNumber;

    /// Makes a reader of the data files of an image.
    ///
    /// @param writable whether segments may be written to
    public DataFileReader(Path base, boolean writable) {
        this.base = base;
        this.writable = writable;
    }

    /// Opens a data file, which stays open until another data file is requested.
    FileExtentSource file(int number) throws IOException {
        FileExtentSource file = open;
        if (file == null || openNumber != number) {
            close();
            file = FileExtentSource.open(ImagePaths.data(base, number));
            open = file;
            openNumber = number;
        }
        return file;
    }

    public ExtentSource source(Allocation allocation) throws IOException {
        List<AllocationPart> parts = allocation.parts();
        if (parts.isEmpty()) {
            return EMPTY;
        }
        file(allocation.file());
        return (sink, skip, limit) -> transfer(parts, sink, skip, limit);
    }

    /// Passes the bytes of all parts, or the bytes up to the end of the first truncated file.
    private long transfer(List<AllocationPart> parts, ExtentSource.Sink sink, long skip, long limit)
            throws IOException {
        long skipped = 0;
        long left = limit;
        for (AllocationPart part : parts) {
            long skippedHere = Math.min(skip - skipped, part.byteSize());
            long byteSize = Math.min(left, part.byteSize() - skippedHere);
            long start = part.byteOffset();
            FileExtentSource file = file(part.file());
            skipped += Math.max(0, file.transferTo(sink, start + skippedHere, byteSize) - start);
            left -= byteSize;
            if (left == 0 || file.byteSize() < start + part.byteSize()) {
                break;
            }
        }
        return skipped;
    }

    /// Reads a range of an allocation.
    ///
    /// @return false if a file is truncated
    public boolean read(Allocation allocation, long byteOffset, ByteBuffer into) throws IOException {
        int limit = into.limit();
        long start = 0;
        for (AllocationPart part : allocation.parts()) {
            long from = byteOffset + into.position() - start;
            if (into.hasRemaining() && from < part.byteSize()) {
                into.limit((int) Math.min(limit, into.position() + part.byteSize() - from));
                if (!file(part.file()).read(part.byteOffset() + from, into)) {
                    return false;
                }
                into.limit(limit);
            }
            start += part.byteSize();
        }
        return true;
    }

    /// Returns the offset of the first byte of an allocation at or after an offset that is outside of holes, or the size
    /// of the allocation if there is none.
    long nextData(Allocation allocation, long byteOffset) throws IOException {
        long start = 0;
        for (AllocationPart part : allocation.parts()) {
            long from = Math.max(0, byteOffset - start);
            if (from < part.byteSize()) {
                long data = file(part.file()).nextData(part.byteOffset() + from).orElse(Long.MAX_VALUE)
                        - part.byteOffset();
                if (data < part.byteSize()) {
                    return start + data;
                }
            }
            start += part.byteSize();
        }
        return allocation.byteSize();
    }

    public MemorySegment segment(Allocation allocation, Arena arena) throws IOException {
        return segment(allocation, allocation.byteSize(), arena);
    }

    /// Maps the first bytes of an allocation. Its file may end behind them. An allocation of several files is mapped
    /// completely, because each call maps them again.
    public MemorySegment segment(Allocation allocation, long byteSize, Arena arena) throws IOException {
        if (allocation.file() < 0) {
            MemorySegment empty = arena.allocate(0, allocation.byteAlignment());
            return writable ? empty : empty.asReadOnly();
        }
        if (allocation.partByteSize() > 0
                || DataFileParts.areNeeded(base, allocation.byteOffset(), allocation.byteAlignment())) {
            return DataFileParts.map(base, allocation.parts(), allocation.byteSize(),
                    number -> FileIdentity.ofAny(ImagePaths.data(base, number)), writable, arena);
        }
        mappings.keySet().removeIf(mapping -> !mapping.scope.isAlive());
        Mapping key = new Mapping(allocation.file(), arena.scope());
        MemorySegment whole = mappings.get(key);
        long end = allocation.byteOffset() + byteSize;
        if (whole == null || whole.byteSize() < end) {
            whole = map(allocation.file(), end, arena);
            mappings.put(key, whole);
        }
        return DataFileParts.aligned(base, whole.asSlice(allocation.byteOffset(), byteSize),
                allocation.byteAlignment());
    }

    private MemorySegment map(int number, long end, Arena arena) throws IOException {
        Path path = ImagePaths.data(base, number);
        return SafeFiles.withChannel(() -> writable ? SafeFiles.open(path) : SafeFiles.openToRead(path), channel -> {
            long byteSize = channel.size();
            if (byteSize < end) {
                throw new EOFException(FileErrors.truncated(path, byteSize, end)
                        + "; copy it again, or read what is left of it with source()");
            }
            long more = Math.min(byteSize - end, Math.max(end, MIN_READ_AHEAD));
            return channel.map(writable ? MapMode.READ_WRITE : MapMode.READ_ONLY, 0, end + more, arena);
        });
    }

    @Override
    public void close() throws IOException {
        FileExtentSource file = open;
        open = null;
        if (file != null) {
            file.close();
        }
    }

    private record Mapping(int file, MemorySegment.Scope scope) {}
}
