package dev.arenakit.examples.calls;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Reads blocks from many positions of a file. A reader belongs to the thread that has created it.
interface BlockReader extends AutoCloseable {
    /// Reads blocks of equal size.
    ///
    /// @param positions the positions of the blocks in the file: native memory with a long for each block
    /// @param blocks    receives the blocks, one after the other: native memory that lives at least until the reader is
    ///                  closed
    /// @throws java.io.EOFException if a block is not entirely within the file
    void read(MemorySegment positions, MemorySegment blocks) throws IOException;

    @Override
    void close() throws IOException;

    /// Returns the size of each block, after checks that native code cannot make.
    static long blockByteSize(MemorySegment positions, MemorySegment blocks) {
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
