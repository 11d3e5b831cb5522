package dev.arenakit.mapped;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A mapped file with a bump pointer, from which allocations are sliced in ascending order.
///
/// Addresses are aligned, not offsets in the file: a mapping may begin at any page.
final class Chunk {
    /// The default size of a chunk. A chunk of this size is rarely filled, and 80 of them fit into the address space.
    static final long DEFAULT_BYTE_SIZE = 1L << 40;

    /// A chunk that is refused is halved down to this size. A smaller chunk would be refused for another reason.
    static final long LEAST_BYTE_SIZE = 1L << 30;

    /// The largest alignment in a chunk: the size of a huge page.
    static final long LARGEST_ALIGNMENT = 2L << 20;

    private static final VarHandle BUMP_POINTER;

    static {
        try {
            BUMP_POINTER = MethodHandles.lookup()
                    .findVarHandle(Chunk.class, "bumpPointer", long.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemorySegment segment;
    private final long address;
    private final long byteSize;
    private final int file;
    private final long partByteSize;

    /// The offset of the first free byte.
    private long bumpPointer;

    /// @param segment     the mapping of the whole file
    /// @param file        the number of the file
    /// @param bumpPointer the offset of the first free byte
    Chunk(MemorySegment segment, int file, long bumpPointer) {
        this(segment, file, bumpPointer, 0);
    }

    /// @param segment      the mapping of consecutive files, which contain one allocation
    /// @param file         the number of the first file
    /// @param partByteSize the size of each file except for the last one, a power of two, or 0 if there is one
    Chunk(MemorySegment segment, int file, long bumpPointer, long partByteSize) {
        this.segment = segment;
        this.address = segment.address();
        this.byteSize = segment.byteSize();
        this.file = file;
        this.partByteSize = partByteSize;
        this.bumpPointer = bumpPointer;
    }

    /// The number of the file.
    int file() {
        return file;
    }

    long byteSize() {
        return byteSize;
    }

    /// The size of each of its files except for the last one, or 0 if there is one file.
    long partByteSize() {
        return partByteSize;
    }

    /// Allocates in a chunk that only one thread uses.
    ///
    /// @return the offset of the allocation, or -1 if it does not fit
    long bump(long byteSize, long byteAlignment) {
        long start = align(bumpPointer, byteAlignment);
        if (byteSize > this.byteSize - start) {
            return -1;
        }
        bumpPointer = start + byteSize;
        return start;
    }

    /// Allocates in a chunk that several threads use.
    ///
    /// @return the offset of the allocation, or -1 if it does not fit
    long bumpAtomically(long byteSize, long byteAlignment) {
        while (true) {
            long seen = (long) BUMP_POINTER.getOpaque(this);
            long start = align(seen, byteAlignment);
            if (byteSize > this.byteSize - start) {
                return -1;
            }
            if (BUMP_POINTER.compareAndSet(this, seen, start + byteSize)) {
                return start;
            }
        }
    }

    /// Claims a range that one thread will allocate from.
    ///
    /// @param start     the offset of a range that the thread has not used up, whose rest is claimed again if no other
    ///                  range follows, or -1
    /// @param end       the end of that range
    /// @param byteSize  the size of the range; it is smaller at the end of the chunk
    /// @param leastSize the smallest size
    /// @return the offset of the range, or -1 if there is no room
    long claim(long start, long end, long byteSize, long leastSize) {
        while (true) {
            long seen = (long) BUMP_POINTER.getVolatile(this);
            long from = seen == end && start >= 0 ? start : seen;
            long claimed = Math.min(byteSize, this.byteSize - from);
            if (claimed < leastSize) {
                return -1;
            }
            if (BUMP_POINTER.compareAndSet(this, seen, from + claimed)) {
                return from;
            }
        }
    }

    /// Gives back the rest of a claimed range, if no other range follows.
    ///
    /// @return whether it was given back
    boolean giveBack(long start, long end) {
        return BUMP_POINTER.compareAndSet(this, end, start);
    }

    /// The address of the start of the file, modulo [CatalogFormat#BASE_ADDRESS_MODULO].
    int baseAddress() {
        return (int) (address % CatalogFormat.BASE_ADDRESS_MODULO);
    }

    /// {@return the memory of an allocation}
    MemorySegment slice(long offset, long byteSize) {
        return segment.asSlice(offset, byteSize);
    }

    private long align(long offset, long byteAlignment) {
        return Sizes.alignUp(address + offset, byteAlignment) - address;
    }
}
