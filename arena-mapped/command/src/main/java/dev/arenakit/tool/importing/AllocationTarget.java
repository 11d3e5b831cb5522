package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.GrowableSegment;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.internal.files.FileIdentity;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// An allocation, which grows with its rows.
final class AllocationTarget extends ImportTarget {
    /*
     * The rows are written to the file, not to mapped memory: on a full disk, a store to mapped memory would kill the
     * process.
     */

    private static final long LARGEST = 1L << 43;
    private static final long LEAST = 1L << 30;
    private static final int BUFFER = 1 << 20;
    /// A shorter gap between rows does not contain a whole page, so it cannot become a hole.
    private static final int SMALLEST_HOLE = 1 << 12;
    private static final byte[] ZEROS = new byte[SMALLEST_HOLE];

    private final long structByteSize;
    private final GrowableSegment memory;
    private final FileIdentity identity;
    private final FileChannel file;
    private final BufferedOutputStream out;
    /// The end of the last row in the file.
    private long end;

    AllocationTarget(Path base, InfiniteArena arena, String name, StructType type) throws IOException {
        super(base, arena);
        structByteSize = type.byteSize();
        memory = growable(arena, name, type);
        try (ArenaImage image = ArenaImage.open(base)) {
            identity = FileIdentity.of(image.file(image.find(name).orElseThrow().file()));
            file = identity.open();
        }
        out = new BufferedOutputStream(Channels.newOutputStream(file), BUFFER);
    }

    /// Reserves as large a range of addresses as the system gives.
    private static GrowableSegment growable(InfiniteArena arena, String name, StructType type) throws IOException {
        for (long byteSize = LARGEST;; byteSize /= 2) {
            try {
                return arena.names().growable(name, type, Math.max(1, byteSize / type.byteSize()));
            } catch (OutOfMemoryError e) {
                if (byteSize <= LEAST) {
                    throw new IOException(e.getMessage(), e);
                }
            }
        }
    }

    private void check(long first, long count) throws ImportException {
        if (first < rows) {
            throw new ImportException("index " + first + " after " + (rows - 1)
                    + ": rows must be in the order of their indexes");
        }
        long largest = memory.maxByteSize() / structByteSize;
        if (count < 1 || first > largest - count) {
            throw new ImportException("index " + Long.toUnsignedString(first + count - 1)
                    + " is too large: the allocation can have " + largest + " structs");
        }
    }

    /// Adds a struct. Structs between the previous struct and this struct are zero.
    @Override
    void add(long index, byte[] struct) throws IOException, ImportException {
        check(index, 1);
        long gap = index * structByteSize - end;
        if (gap < SMALLEST_HOLE) {
            out.write(ZEROS, 0, (int) gap);
        } else {
            out.flush();
            file.position(end + gap);
        }
        out.write(struct);
        end += gap + structByteSize;
        rows = index + 1;
    }

    @Override
    void addZeros(long first, long count) throws ImportException {
        check(first, count);
        rows = first + count;
    }

    /// Completes the image, and writes it to the device. Until then, its catalog does not record the rows, and the
    /// writes extend the file.
    @Override
    void complete() throws IOException {
        out.flush();
        // The rows are on the device before the catalog records them, even after a power loss.
        file.force(true);
        identity.check();
        try {
            memory.grow(rows * structByteSize);
            memory.elementCount(rows);
            super.complete();
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        try (file) {
            super.close();
        }
    }
}
