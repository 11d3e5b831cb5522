package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.GrowableSegment;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.tool.console.Counts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// A new image with one allocation, which grows with its rows. The image is removed if it is not completed.
final class AllocationTarget implements ImportTarget {
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

    private final Path base;
    private final long structByteSize;
    private final InfiniteArena arena;
    private final GrowableSegment memory;
    private final FileIdentity identity;
    private final FileChannel file;
    private final ByteBuffer buffer;
    /// The offset of the buffer in the file.
    private long bufferAt;
    private long rows;
    private boolean isComplete;

    private AllocationTarget(Path base, InfiniteArena arena, String name, StructType type) throws IOException {
        this.base = base;
        this.arena = arena;
        structByteSize = type.byteSize();
        memory = growable(arena, name, type);
        try (ArenaImage image = ArenaImage.open(base)) {
            identity = FileIdentity.of(image.file(image.find(name).orElseThrow().file()));
            file = identity.open();
        }
        buffer = ByteBuffer.allocate((int) Math.max(BUFFER / structByteSize * structByteSize, structByteSize));
    }

    /// Makes the image.
    ///
    /// @param builder builds the arena
    /// @param type    a type whose size is above 0
    static AllocationTarget create(Path base, InfiniteArena.Builder builder, String name, StructType type)
            throws IOException {
        InfiniteArena arena = builder.build();
        boolean made = false;
        try {
            AllocationTarget target = new AllocationTarget(base, arena, name, type);
            made = true;
            return target;
        } finally {
            if (!made) {
                arena.close();
                ArenaImage.delete(base);
            }
        }
    }

    /// Reserves as large a range of addresses as the system gives.
    private static GrowableSegment growable(InfiniteArena arena, String name, StructType type) throws IOException {
        long byteSize = LARGEST;
        while (true) {
            try {
                return arena.growable(name, type, Math.max(1, byteSize / type.byteSize()));
            } catch (OutOfMemoryError e) {
                if (byteSize <= LEAST) {
                    throw new IOException(e.getMessage(), e);
                }
                byteSize /= 2;
            }
        }
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public void check(long first, long count) throws ImportException {
        if (first < rows) {
            throw ImportException.row("index " + first + " after " + (rows - 1) + ": rows must be in the order of their"
                    + " indexes");
        }
        if (count < 1 || first > memory.maxByteSize() / structByteSize - count) {
            throw ImportException
                    .row("index " + Long.toUnsignedString(first + count - 1) + " is too large: the allocation can have "
                            + memory.maxByteSize() / structByteSize + " structs");
        }
    }

    /// Adds a struct. Structs between the previous struct and this struct are zero.
    @Override
    public void add(long index, byte[] struct) throws IOException {
        long at = index * structByteSize;
        long gap = at - bufferAt - buffer.position();
        if (gap > 0 && gap < SMALLEST_HOLE && gap + structByteSize <= buffer.remaining()) {
            buffer.put(ZEROS, 0, (int) gap);
        } else if (gap != 0 || !buffer.hasRemaining()) {
            flush();
            bufferAt = at;
        }
        buffer.put(struct);
        rows = index + 1;
    }

    @Override
    public void addZeros(long first, long count) {
        rows = first + count;
    }

    private void flush() throws IOException {
        if (buffer.position() > 0) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                file.write(buffer, bufferAt + buffer.position());
            }
        }
        buffer.clear();
    }

    /// Completes the image, and writes it to the device. Until then, its catalog does not record the rows, and the
    /// writes extend the file.
    @Override
    public void complete() throws IOException {
        flush();
        // The rows are on the device before the catalog records them, even after a power loss.
        file.force(true);
        identity.check();
        try {
            memory.grow(rows * structByteSize);
            arena.force();
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
        isComplete = true;
    }

    @Override
    public String counted(long number) {
        return Counts.of(number, "struct");
    }

    @Override
    public void close() throws IOException {
        try (file) {
            arena.close();
        } finally {
            if (!isComplete) {
                ArenaImage.delete(base);
            }
        }
    }
}
