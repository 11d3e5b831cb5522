package dev.arenakit.internal.freelist;

import dev.arenakit.internal.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// The off-heap data of a `OffsetAllocator`: a descriptor for each slab of 64 KiB, two bits for each block, and a
/// record of each size class for each heap.
///
/// All references are addresses, or 0 for none. The callers guarantee that the memory is not freed meanwhile. C2 omits
/// the checks of bounds if it knows that an address is not negative, such as a [#reference].
///
/// ```
///   descriptor of a slab, 256 bytes
///     0  shape        of blocks in one slab: 2^32 / blockByteSize, rounded up, and 2^32 * blockByteSize; otherwise 0
///    16  blockByteSize
///    24  blockCount   0, unless this is the first slab of blocks of a size class
///    32  words        address of the words of the first 64 blocks (see SlabWords)
///    40  owner        address of the records of the heap that allocates from this slab
///    48  sizeClass
///    56  slab         address of the slab
///    64  countdown    the number of blocks that the owner frees until it looks at this slab again
///    72  next         in a list of slabs, or of free runs
///    80  previous
///    88  length       of a run, in slabs
///    96  distance     from the first slab of a run
///   104  kind
///   112  byteAlignment  the largest that was requested for a block
///   120  nextReturned and whether this slab is in such a list, in the lowest bit
///   128  words        of up to 512 blocks; for more blocks, they are in a part of the memory of their own
///
///   record of a size class, 64 bytes
///     0  words        address of the words of the current group (see SlabWords), or of those of no block
///     8  group        address of the first of the 64 blocks of the current group
///    16  blockByteSize
///    24  current      descriptor of the slab of the group
///    32  partial      first of a list of slabs that have free blocks
///    40  cursor       number of the group in its slab
///    48  noWords      0 and 0: the words of no block
/// ```
final class SlabHeapFormat {
    static final int SLAB_SHIFT = 16;
    static final long SLAB_BYTE_SIZE = 1L << SLAB_SHIFT;

    static final long DESCRIPTOR = 256;
    static final long SHAPE = 0;
    static final long BLOCK_BYTE_SIZE = 16;
    static final long BLOCK_COUNT = 24;
    static final long WORDS = 32;
    static final long OWNER = 40;
    static final long SIZE_CLASS = 48;
    static final long SLAB = 56;
    static final long COUNTDOWN = 64;
    static final long NEXT = 72;
    static final long PREVIOUS = 80;
    static final long LENGTH = 88;
    static final long DISTANCE = 96;
    static final long KIND = 104;
    static final long BYTE_ALIGNMENT = 112;
    static final long NEXT_RETURNED = 120;
    static final long OWN_WORDS = 128;
    static final long MOST_IN_OWN_WORDS = 512;

    /// The kinds of slabs: part of a run that is free, not for blocks, the first of one large block, not the first of
    /// its run, with blocks and in a list, and with blocks and in no list.
    static final long FREE = 0;
    static final long RESERVED = 1;
    static final long LARGE = 2;
    static final long CONTINUATION = 3;
    static final long PARTIAL_SLAB = 4;
    static final long UNLISTED_SLAB = 5;

    /// The product of an offset in a slab, below 2^16, and a rounded reciprocal has the number of the block in its
    /// upper half, and in its lower half less than the reciprocal if and only if a block starts there: for q * size +
    /// r, the product is q * 2^32 + q * e + r * reciprocal, where e = size * reciprocal - 2^32 is below the size, so
    /// that q * e is below 2^16, and no reciprocal of a size up to 8 KiB is below 2^19.
    private static final int RECIPROCAL_BITS = 32;
    private static final long RECIPROCAL_MASK = (1L << RECIPROCAL_BITS) - 1;

    static final long RECORD = 64;
    static final int RECORD_SHIFT = 6;
    static final long GROUP_WORDS = 0;
    static final long GROUP = 8;
    static final long RECORD_BYTE_SIZE = 16;
    static final long CURRENT = 24;
    static final long PARTIAL = 32;
    static final long CURSOR = 40;
    static final long NO_WORDS = 48;

    /// The slabs that other threads have returned to a heap: a list, before the records.
    static final long RETURNED = -64;
    static final long RECORDS_BYTE_SIZE = 64 + SlabSizeClasses.COUNT * RECORD;

    // A handle takes fewer calls than a method of the segment: C2 inlines no more than 15 within one another.
    private static final VarHandle LONG = ValueLayout.JAVA_LONG_UNALIGNED.varHandle().withInvokeExactBehavior();
    private static final VarHandle ATOMIC = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final MemorySegment ALL = Scopes.viewOf(Arena.global());

    /// More than an address has, and so few that the address of no field is negative.
    private static final long ADDRESS_BITS = (1L << 56) - 1;

    private SlabHeapFormat() {}

    /// The exception of a structure that is no longer right.
    static IllegalStateException interrupted() {
        return new IllegalStateException("A StackOverflowError or an OutOfMemoryError has interrupted a change of the "
                + "free memory of this allocator; close it or discard it");
    }

    static long get(long address) {
        return (long) LONG.get(ALL, address);
    }

    static void put(long address, long value) {
        LONG.set(ALL, address, value);
    }

    /// Returns the address in a form that tells C2 that it is not negative.
    static long reference(long address) {
        return address & ADDRESS_BITS;
    }

    static long getVolatile(long address) {
        return (long) ATOMIC.getVolatile(ALL, address);
    }

    static void putVolatile(long address, long value) {
        ATOMIC.setVolatile(ALL, address, value);
    }

    static long getAndClear(long address, long bits) {
        return (long) ATOMIC.getAndBitwiseAnd(ALL, address, ~bits);
    }

    static boolean compareAndSet(long address, long expected, long value) {
        return ATOMIC.compareAndSet(ALL, address, expected, value);
    }

    /// The shape of a slab of blocks.
    static long shape(long blockByteSize) {
        return blockByteSize << RECIPROCAL_BITS | ((1L << RECIPROCAL_BITS) + blockByteSize - 1) / blockByteSize;
    }

    /// The offset of a block in its slab, in which the blocks have a shape, multiplied by the reciprocal.
    static long product(long shape, long address) {
        return (address & (SLAB_BYTE_SIZE - 1)) * (shape & RECIPROCAL_MASK);
    }

    /// Whether a block of at least so many bytes starts at the offset of a product.
    static boolean isBlock(long shape, long product, long byteSize) {
        return (product & RECIPROCAL_MASK) < (shape & RECIPROCAL_MASK) && byteSize <= shape >>> RECIPROCAL_BITS;
    }

    /// The number of the block.
    static long index(long product) {
        return product >>> RECIPROCAL_BITS;
    }
}
