package dev.arenakit.examples.calls;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Name;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Reads blocks that follow each other in the file by one call of `preadv`, even if they do not follow each other in
/// memory. A call has only one position, so each block at a random position takes a call of its own.
final class PreadvReader implements BlockReader {
    /// The limit of Linux for one call: UIO_MAXIOV of linux/uio.h.
    private static final int MOST = 1024;

    private static final RecordMapper<Vector> VECTORS = RecordMapper.of(Vector.class);

    private final NativeFile file;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment vectors = VECTORS.allocate(arena, MOST);

    PreadvReader(Path path) throws IOException {
        try {
            file = NativeFile.open(path);
        } catch (Throwable t) {
            arena.close();
            throw t;
        }
    }

    /// A range of memory.
    @Name("iovec")
    record Vector(@Name("iov_base") long address, @Name("iov_len") long byteSize) {}

    @Override
    public void read(MemorySegment positions, MemorySegment blocks) throws IOException {
        long byteSize = BlockReader.blockByteSize(positions, blocks);
        long all = blocks.byteSize();
        // Both count bytes of blocks: up to done they are read, up to end the vectors of the next call reach.
        long done = 0;
        while (done < all) {
            long position = position(positions, done, byteSize);
            long end = done;
            int count = 0;
            do {
                long size = byteSize - end % byteSize;
                VECTORS.setAtIndex(vectors, count++, new Vector(blocks.address() + end, size));
                end += size;
            } while (count < MOST && end < all && position(positions, end, byteSize) == position + end - done);
            long bytes = file.calls().preadv(file.descriptor(), vectors, count, position);
            if (bytes == 0) {
                throw file.end();
            }
            if (bytes != -SystemCalls.EINTR) {
                done += file.check(bytes, "preadv");
            }
        }
    }

    /// Returns the position in the file of a byte of the blocks.
    private static long position(MemorySegment positions, long offset, long byteSize) {
        return positions.getAtIndex(JAVA_LONG, offset / byteSize) + offset % byteSize;
    }

    @Override
    public void close() {
        arena.close();
        file.close();
    }

    @Override
    public String toString() {
        return "preadv";
    }
}
