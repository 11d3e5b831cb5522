package dev.arenakit.mapped;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// One mapped file out of which allocations are cut, front to back.
///
/// Alignment is that of addresses, not of offsets in the file: a mapping begins at a page, wherever that is.
final class Chunk {
    private static final VarHandle POSITION;

    static {
        try {
            POSITION = MethodHandles.lookup()
                    .findVarHandle(Chunk.class, "position", long.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemorySegment segment;
    private final long address;
    private final long byteSize;
    private final int file;

    /// Where the free part begins.
    private long position;

    /// @param segment  the file, mapped
    /// @param file     its number
    /// @param position where its free part begins
    Chunk(MemorySegment segment, int file, long position) {
        this.segment = segment;
        this.address = segment.address();
        this.byteSize = segment.byteSize();
        this.file = file;
        this.position = position;
    }

    /// The number of the file.
    int file() {
        return file;
    }

    long byteSize() {
        return byteSize;
    }

    /// Takes a piece for the one thread that uses this chunk.
    ///
    /// @return the offset of the piece, or -1 when it does not fit
    long take(long byteSize, long byteAlignment) {
        long start = startAfter(position, byteAlignment);
        if (byteSize > this.byteSize - start) {
            return -1;
        }
        position = start + byteSize;
        return start;
    }

    /// Takes a piece against other threads that do the same.
    ///
    /// @return the offset of the piece, or -1 when it does not fit
    long takeAtomically(long byteSize, long byteAlignment) {
        while (true) {
            long seen = (long) POSITION.getOpaque(this);
            long start = startAfter(seen, byteAlignment);
            if (byteSize > this.byteSize - start) {
                return -1;
            }
            if (POSITION.compareAndSet(this, seen, start + byteSize)) {
                return start;
            }
        }
    }

    /// The piece at an offset that was taken.
    MemorySegment slice(long offset, long byteSize) {
        return segment.asSlice(offset, byteSize);
    }

    private long startAfter(long position, long byteAlignment) {
        return Sizes.alignUp(address + position, byteAlignment) - address;
    }
}
