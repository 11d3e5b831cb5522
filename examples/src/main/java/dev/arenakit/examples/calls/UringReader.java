package dev.arenakit.examples.calls;

import dev.arenakit.examples.calls.RingStructs.Completion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Reads blocks from many positions of a file through [IoUring]. A reader belongs to the thread that has created it. Up to
/// 128 reads are in progress at a time, and one system call submits up to 128 reads.
final class UringReader implements AutoCloseable {
    /// The number of reads in progress, with which the table in `docs/calls.md` was measured.
    private static final int ENTRIES = 128;

    private final NativeFile file;
    private final IoUring ring;

    /// @throws UnsupportedOperationException if the system has no `io_uring`, or does not allow it
    UringReader(Path path) throws IOException {
        file = NativeFile.open(path);
        try {
            ring = IoUring.open(ENTRIES);
        } catch (Throwable t) {
            file.close();
            throw t;
        }
    }

    /// Reads blocks of equal size.
    ///
    /// @param positions the positions of the blocks in the file: native memory with a long for each block
    /// @param blocks    receives the blocks, one after the other: native memory that lives at least until the reader is
    ///                  closed
    /// @throws java.io.EOFException if a block is not entirely within the file
    void read(MemorySegment positions, MemorySegment blocks) throws IOException {
        if (ring.hasReads()) {
            throw new IllegalStateException("An earlier read has failed, and the reader can only be closed");
        }
        long byteSize = blockByteSize(positions, blocks);
        long all = blocks.byteSize();
        long next = 0;
        IOException failure = null;
        while (next < all || ring.hasReads()) {
            while (next < all && !ring.isFull()) {
                add(positions, blocks, byteSize, next);
                next += byteSize;
            }
            ring.submit();
            for (Completion completion = ring.poll(); completion != null; completion = ring.poll()) {
                try {
                    long done = completion.tag() + bytes(completion.result());
                    // After a part of a block, the rest of it is next. There is space, as a completion was taken.
                    if (failure == null && (done % byteSize != 0 || done == completion.tag())) {
                        add(positions, blocks, byteSize, done);
                    }
                } catch (IOException e) {
                    failure = e;
                    next = all; // No further blocks are added, but the reads in progress are awaited.
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /// Adds a read from an offset in the blocks up to the end of its block. The offset is the tag.
    private void add(MemorySegment positions, MemorySegment blocks, long byteSize, long offset) {
        long begun = offset % byteSize;
        ring.read(file.descriptor(), positions.getAtIndex(JAVA_LONG, offset / byteSize) + begun,
                blocks.address() + offset, (int) (byteSize - begun), offset);
    }

    /// Returns the number of bytes that were read; 0 if the read has to be repeated.
    private int bytes(int result) throws IOException {
        return switch (result) {
            case 0 -> throw file.end();
            case -SystemCalls.EINTR, -SystemCalls.EAGAIN -> 0;
            default -> (int) file.check(result, "io_uring");
        };
    }

    @Override
    public void close() {
        ring.close(); // First, because the kernel may still read the file.
        file.close();
    }

    /// Returns the size of each block, after checks that native code cannot make.
    private static long blockByteSize(MemorySegment positions, MemorySegment blocks) {
        long count = positions.byteSize() / JAVA_LONG.byteSize();
        if (!positions.isNative() || !blocks.isNative() || blocks.isReadOnly() || count == 0
                || positions.byteSize() % JAVA_LONG.byteSize() != 0 || blocks.byteSize() % count != 0
                || blocks.byteSize() / count == 0 || blocks.byteSize() / count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Not native memory of some longs, and of as many blocks: positions="
                    + positions + ", blocks=" + blocks);
        }
        if (!positions.isAccessibleBy(Thread.currentThread()) || !blocks.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("Memory belongs to another thread: positions=" + positions + ", blocks="
                    + blocks);
        }
        if (!positions.scope().isAlive() || !blocks.scope().isAlive()) {
            throw new IllegalStateException("Memory is closed: positions=" + positions + ", blocks=" + blocks);
        }
        return blocks.byteSize() / count;
    }
}
