package dev.arenakit;

import dev.arenakit.internal.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The off-heap data of a [SlabAllocator]: a descriptor for each slab of 64 KiB, a state byte for each block, and a
/// record of each size class for each heap.
///
/// All references are addresses, or 0 for none. The callers guarantee that the memory is not freed meanwhile. C2 omits the
/// checks of bounds if it knows that an address is not negative, as that of a [#reference].
///
/// ```
///   descriptor of a slab, 256 bytes
///     0  shape        of blocks in one slab: 2^32 / blockByteSize, rounded up, and 2^32 * blockByteSize; otherwise 0
///    16  blockByteSize
///    24  blockCount   0, unless this is the first slab of blocks of a size class
///    32  states       address of the state byte of block 0
///    40  owner        address of the records of the heap that allocates from this slab
///    48  sizeClass
///    56  slab         address of the slab
///    64  countdown    the number of blocks that the owner frees until it looks at this slab again
///    72  next         in a list of slabs, or of free runs
///    80  previous
///    88  length       of a run, in slabs
///    96  distance     from the first slab of a run
///   104  kind
///   112  remoteFrees  by other threads, since the owner has looked at this slab
///   120  nextReturned and whether this slab is in such a list, in the lowest bit
///   128  states       of up to 128 blocks; for more blocks, they are in a part of the memory of their own
///
///   state byte:  0 = free, 1 + log2(byteAlignment) = live; after the last block, -1
///
///   record of a size class, 64 bytes
///     0  available    a bit for each block of the current group that can be allocated
///     8  group        address of the first of the 64 blocks of the current group
///    16  blockByteSize
///    24  states       address of the state byte of the first block of the group
///    32  current      descriptor of the slab of the group
///    40  partial      first of a list of slabs that have free blocks
///    48  cursor       number of the group in its slab
/// ```
final class SlabHeapFormat {
    static final int SLAB_SHIFT = 16;
    static final long SLAB_BYTE_SIZE = 1L << SLAB_SHIFT;

    static final long DESCRIPTOR = 256;
    static final long SHAPE = 0;
    static final long BLOCK_BYTE_SIZE = 16;
    static final long BLOCK_COUNT = 24;
    static final long STATES = 32;
    static final long OWNER = 40;
    static final long SIZE_CLASS = 48;
    static final long SLAB = 56;
    static final long COUNTDOWN = 64;
    static final long NEXT = 72;
    static final long PREVIOUS = 80;
    static final long LENGTH = 88;
    static final long DISTANCE = 96;
    static final long KIND = 104;
    static final long REMOTE_FREES = 112;
    static final long NEXT_RETURNED = 120;
    static final long OWN_STATES = 128;
    static final long MOST_OWN_STATES = 128;

    /// The kinds of slabs: part of a run that is free, not for blocks, the first of one large block, not the first of
    /// its run, with blocks and in a list, and with blocks and in no list.
    static final long FREE = 0;
    static final long RESERVED = 1;
    static final long LARGE = 2;
    static final long CONTINUATION = 3;
    static final long PARTIAL_SLAB = 4;
    static final long UNLISTED_SLAB = 5;

    /// The product of an offset in a slab, below 2^16, and a rounded reciprocal has the number of the block in its upper
    /// half, and in its lower half less than the reciprocal if and only if a block starts there: for q * size + r, the
    /// product is q * 2^32 + q * e + r * reciprocal, where e = size * reciprocal - 2^32 is below the size, so that q * e
    /// is below 2^16, and no reciprocal of a size up to 8 KiB is below 2^19.
    private static final int RECIPROCAL_BITS = 32;
    private static final long RECIPROCAL_MASK = (1L << RECIPROCAL_BITS) - 1;

    static final long RECORD = 64;
    static final int RECORD_SHIFT = 6;
    static final long AVAILABLE = 0;
    static final long GROUP = 8;
    static final long RECORD_BYTE_SIZE = 16;
    static final long GROUP_STATES = 24;
    static final long CURRENT = 32;
    static final long PARTIAL = 40;
    static final long CURSOR = 48;

    /// How many blocks a group has: one for each bit of a long.
    static final long GROUP_LENGTH = 64;
    private static final int GROUP_SHIFT = 6;

    static final byte FREE_STATE = 0;
    private static final byte NO_BLOCK = -1;

    /// The slabs that other threads have returned to a heap: a list, before the records.
    static final long RETURNED = -64;
    static final long RECORDS_BYTE_SIZE = 64 + SlabSizeClasses.COUNT * RECORD;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withByteAlignment(1);
    private static final ValueLayout.OfLong STATES_LONG = LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle ATOMIC = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final VarHandle ATOMIC_INT = ValueLayout.JAVA_INT.varHandle().withInvokeExactBehavior();
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final MemorySegment ALL = Scopes.viewOf(Arena.global());

    /// More than an address has, and so few that the address of no field is negative.
    private static final long ADDRESS_BITS = (1L << 56) - 1;

    private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
    /// Moves the lowest bits of eight bytes to the highest byte.
    private static final long GATHER = 0x0102040810204080L;

    private SlabHeapFormat() {}

    static long get(long address) {
        return ALL.get(LONG, address);
    }

    static void put(long address, long value) {
        ALL.set(LONG, address, value);
    }

    /// An address of which C2 knows that it is one.
    static long reference(long address) {
        return address & ADDRESS_BITS;
    }

    static long getVolatile(long address) {
        return (long) ATOMIC.getVolatile(ALL, address);
    }

    static void putVolatile(long address, long value) {
        ATOMIC.setVolatile(ALL, address, value);
    }

    static long getAndAdd(long address, long value) {
        return (long) ATOMIC.getAndAdd(ALL, address, value);
    }

    static long getAndSet(long address, long value) {
        return (long) ATOMIC.getAndSet(ALL, address, value);
    }

    static boolean compareAndSet(long address, long expected, long value) {
        return ATOMIC.compareAndSet(ALL, address, expected, value);
    }

    static byte state(long address) {
        return ALL.get(BYTE, address);
    }

    static void setState(long address, byte state) {
        ALL.set(BYTE, address, state);
    }

    /// Sets the state of a block of another heap to free, as one atomic step, after all accesses of this thread to the
    /// block. No other state than that of a live block is changed, even if another thread frees the block, too.
    ///
    /// @return whether the block was live
    static boolean clearState(long address) {
        long inInt = address & (Integer.BYTES - 1);
        long shift = Byte.SIZE * (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? inInt : 3 - inInt);
        int mask = 0xFF << shift;
        while (true) {
            int states = (int) ATOMIC_INT.getVolatile(ALL, address - inInt);
            if ((byte) (states >>> shift) <= FREE_STATE) {
                return false;
            }
            if (ATOMIC_INT.compareAndSet(ALL, address - inInt, states, states & ~mask)) {
                return true;
            }
        }
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

    /// The state of a live block.
    static byte liveState(long byteAlignment) {
        return (byte) (1 + Long.numberOfTrailingZeros(byteAlignment));
    }

    static long alignmentOf(byte liveState) {
        return 1L << (liveState - 1);
    }

    static long groups(long blockCount) {
        return (blockCount + GROUP_LENGTH - 1) >>> GROUP_SHIFT;
    }

    /// Sets the states of new blocks to free. Those after the last block, up to the end of its group, are never free.
    static void initializeStates(long states, long blockCount) {
        long end = groups(blockCount) << GROUP_SHIFT;
        for (long i = 0; i < end; i += Long.BYTES) {
            put(states + i, 0);
        }
        for (long i = blockCount; i < end; i++) {
            setState(states + i, NO_BLOCK);
        }
    }

    /// The free blocks of a group as bits.
    static long freeBlocks(long groupStates) {
        long free = 0;
        for (int i = 0; i < GROUP_LENGTH; i += Long.BYTES) {
            long states = ALL.get(STATES_LONG, groupStates + i);
            // The highest bit of each byte that is 0, and of no other.
            long zeros = ~(((states & LOW_BITS) + LOW_BITS) | states | LOW_BITS);
            free |= (((zeros >>> 7) * GATHER) >>> 56) << i;
        }
        // After a load of the state: the block is not written to before its last user has freed it.
        VarHandle.acquireFence();
        return free;
    }

    /// The number of free blocks of a slab.
    static long countFree(long descriptor) {
        long states = get(descriptor + STATES);
        long groups = groups(get(descriptor + BLOCK_COUNT));
        long count = 0;
        for (long i = 0; i < groups; i++) {
            count += Long.bitCount(freeBlocks(states + (i << GROUP_SHIFT)));
        }
        return count;
    }
}
