package dev.arenakit.mapped.internal.data;

import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.DiskFullException;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.files.FileExtentSource.ZeroRange;
import dev.arenakit.mapped.internal.reservation.DiskReservation;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A mapped file with a bump pointer, from which allocations are sliced in ascending order.
///
/// Addresses are aligned, not offsets in the file: a mapping may begin at any page.
public final class Chunk {
    /// A chunk that is refused is halved down to this size. A smaller chunk would be refused for another reason.
    public static final long LEAST_BYTE_SIZE = 1L << 30;

    /// The largest alignment in a chunk: the size of a huge page.
    public static final long LARGEST_ALIGNMENT = 2L << 20;

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
    private final int file;
    /// Null if blocks are not reserved.
    private final @Nullable DiskReservation reservation;
    /// Null if the whole file is zero behind the bump pointer.
    private final @Nullable ZeroSearch zeros;

    /// The end of the range that is known to be zero. Guarded by the lock of the arena.
    private long zeroEnd;

    /// The end of the range from which allocations are made: the end of the file, of its reserved blocks, or of its
    /// zeros. It grows under the lock of the arena. A thread that sees an earlier value goes on under the lock.
    private long limit;
    private final long partByteSize;

    /// The offset of the first free byte.
    private long bumpPointer;

    /// Makes a chunk that may be handed out as a whole.
    ///
    /// @param segment     the mapping of the whole file
    /// @param file        the number of the file
    /// @param bumpPointer the offset of the first free byte
    public Chunk(MemorySegment segment, int file, long bumpPointer) {
        this(segment, file, bumpPointer, segment.byteSize(), null, null, 0);
    }

    /// @param limit       the end of the range whose blocks are reserved
    /// @param reservation reserves further blocks, or null if blocks are not reserved
    public Chunk(MemorySegment segment, int file, long bumpPointer, long limit, @Nullable DiskReservation reservation) {
        this(segment, file, bumpPointer, limit, reservation, null, 0);
    }

    /// Finds zeros in the rest of a chunk that a previous owner has made.
    @FunctionalInterface
    interface ZeroSearch {
        /// Returns the first range at or after an offset that is zero, and has the least size or ends with the file.
        ZeroRange next(long byteOffset, long leastByteSize);
    }

    /// A chunk that a previous owner has made. Allocations are made where it is zero: if records were lost when the
    /// machine failed, their allocations may have been written to.
    ///
    /// @param start       the end of the recorded allocations
    /// @param reservation reserves blocks, or null if blocks are not reserved
    static Chunk resumed(MemorySegment segment, int file, long start, @Nullable DiskReservation reservation,
            ZeroSearch zeros) {
        return new Chunk(segment, file, start, start, reservation, zeros, 0);
    }

    /// A chunk in several files, which contain one allocation.
    ///
    /// @param segment      the mapping of consecutive files
    /// @param file         the number of the first file
    /// @param partByteSize the size of each file except for the last one, a power of two
    public static Chunk ofParts(MemorySegment segment, int file, long partByteSize) {
        return new Chunk(segment, file, 0, segment.byteSize(), null, null, partByteSize);
    }

    private Chunk(MemorySegment segment, int file, long bumpPointer, long limit, @Nullable DiskReservation reservation,
            @Nullable ZeroSearch zeros, long partByteSize) {
        this.segment = segment;
        this.address = segment.address();
        this.file = file;
        this.partByteSize = partByteSize;
        this.bumpPointer = bumpPointer;
        this.limit = limit;
        this.reservation = reservation;
        this.zeros = zeros;
        zeroEnd = zeros == null ? segment.byteSize() : bumpPointer;
    }

    /// The number of the file.
    public int file() {
        return file;
    }

    /// The mapping of the whole file.
    public MemorySegment segment() {
        return segment;
    }

    public long byteSize() {
        return segment.byteSize();
    }

    /// The end of the range from which allocations are made. The lock of the arena is held.
    public long limit() {
        return limit;
    }

    /// Prepares room for an allocation that has not found it before the limit: finds zeros, and reserves their blocks.
    /// The lock of the arena is held.
    ///
    /// @return whether there may be room now
    /// @throws DiskFullException            if the disk has no room for the blocks; nothing is handed out
    /// @throws java.io.UncheckedIOException if the file of a previous owner cannot be read
    public boolean reserve(long byteSize, long byteAlignment) {
        long end = byteSize();
        while (true) {
            long seen = (long) BUMP_POINTER.getVolatile(this);
            if ((reservation == null && zeros == null) || byteSize > end - align(seen, byteAlignment)) {
                return false;
            }
            // A run needs room for any padding.
            long needed = seen + byteSize + byteAlignment - 1;
            if (needed <= limit) {
                return true;
            }
            if (limit == end) {
                return false;
            }
            long to = Math.min(needed, end);
            if (zeros == null || to <= zeroEnd || findZeros(zeros, to)) {
                limit = reservation == null ? zeroEnd : reservation.extend(limit, to, zeroEnd);
                return true;
            }
        }
    }

    /// Extends the range that is known to be zero, or else skips bytes that are not zero, and what is before them.
    ///
    /// @return false if bytes were skipped
    private boolean findZeros(ZeroSearch search, long to) {
        ZeroRange zero = search.next(zeroEnd, to - zeroEnd);
        boolean isNext = zero.start() == zeroEnd;
        if (!isNext) {
            // Other threads allocate before the limit alone, which grows only after the pointer has moved.
            long seen;
            do {
                seen = (long) BUMP_POINTER.getVolatile(this);
            } while (!BUMP_POINTER.compareAndSet(this, seen, zero.start()));
            VarHandle.fullFence();
            limit = zero.start();
        }
        zeroEnd = zero.end();
        return isNext;
    }

    /// The size of each of its files except for the last one, or 0 if there is one file.
    public long partByteSize() {
        return partByteSize;
    }

    /// Allocates in a chunk that only one thread uses.
    ///
    /// @return the offset of the allocation, or -1 if it does not fit
    public long bump(long byteSize, long byteAlignment) {
        long start = align(bumpPointer, byteAlignment);
        if (byteSize > limit - start) {
            return -1;
        }
        bumpPointer = start + byteSize;
        return start;
    }

    /// Allocates in a chunk that several threads use.
    ///
    /// @return the offset of the allocation, or -1 if it does not fit
    public long bumpAtomically(long byteSize, long byteAlignment) {
        while (true) {
            long seen = (long) BUMP_POINTER.getOpaque(this);
            long start = align(seen, byteAlignment);
            if (byteSize > limit - start) {
                return -1;
            }
            if (BUMP_POINTER.compareAndSet(this, seen, start + byteSize)) {
                return start;
            }
        }
    }

    /// Claims a range from which one thread will allocate.
    ///
    /// @param start     the start of the unused rest of the previous range of the thread, or -1; if no other range
    ///                  follows the rest, it becomes the start of the new range
    /// @param end       the end of the previous range
    /// @param byteSize  the size of the range; it is smaller at the limit of the chunk
    /// @param leastSize the smallest size
    /// @return the offset of the range, or -1 if there is no room
    public long claim(long start, long end, long byteSize, long leastSize) {
        while (true) {
            long seen = (long) BUMP_POINTER.getVolatile(this);
            long from = seen == end && start >= 0 ? start : seen;
            long claimed = Math.min(byteSize, limit - from);
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
    public boolean giveBack(long start, long end) {
        return BUMP_POINTER.compareAndSet(this, end, start);
    }

    /// The address of the start of the file, modulo [CatalogFormat#BASE_ADDRESS_MODULO].
    public int baseAddress() {
        return (int) (address % CatalogFormat.BASE_ADDRESS_MODULO);
    }

    /// {@return the memory of an allocation}
    public MemorySegment slice(long offset, long byteSize) {
        return segment.asSlice(offset, byteSize);
    }

    private long align(long offset, long byteAlignment) {
        return Sizes.alignUp(address + offset, byteAlignment) - address;
    }
}
