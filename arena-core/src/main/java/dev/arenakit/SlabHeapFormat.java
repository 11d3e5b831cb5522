package dev.arenakit;

import dev.arenakit.internal.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The off-heap data of a [SlabAllocator]: a descriptor for each slab of 64 KiB, a state byte for each block, and a
/// record of each size class for each heap.
///
/// All references are offsets in the memory of the allocator, or 0 for none. If the memory is null, offsets are
/// addresses: C2 then omits the checks of scope and bounds, which take three quarters of the time of an allocation. The
/// callers guarantee that the memory is not freed meanwhile.
///
/// ```
///   descriptor of a slab, 192 bytes
///     0  first        offset of block 0
///     8  reciprocal   2^40 / blockByteSize, rounded up
///    16  blockByteSize
///    24  blockCount   0, unless this is the first slab of blocks of a size class
///    32  states       offset of the state byte of block 0
///    40  owner        offset of the records of the heap that allocates from this slab
///    48  sizeClass
///    56  slab         offset of the slab
///    64  countdown    the number of blocks that the owner frees until it looks at this slab again
///    72  next         in a list of slabs, or of free runs
///    80  previous
///    88  length       of a run, in slabs
///    96  distance     from the first slab of a run
///   104  kind
///   112  remoteFrees  by other threads, since the owner has looked at this slab
///   120  nextReturned and whether this slab is in such a list, in the lowest bit
///   128  states       of up to 64 blocks; for more blocks, they are in a part of the memory of their own
///
///   state byte:  0 = free, 1 + log2(byteAlignment) = live; after the last block, 127
///
///   record of a size class, 64 bytes
///     0  available    a bit for each block of the current group that can be allocated
///     8  group        offset of the first of the 64 blocks of the current group
///    16  blockByteSize
///    24  states       offset of the state byte of the first block of the group
///    32  current      descriptor of the slab of the group
///    40  partial      first of a list of slabs that have free blocks
///    48  cursor       number of the group in its slab
/// ```
final class SlabHeapFormat {
    static final int SLAB_SHIFT = 16;
    static final long SLAB_BYTE_SIZE = 1L << SLAB_SHIFT;

    static final long DESCRIPTOR = 192;
    static final long FIRST = 0;
    static final long RECIPROCAL = 8;
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

    /// The kinds of slabs: part of a run that is free, not for blocks, the first of one large block, not the first of
    /// its run, with blocks and in a list, and with blocks and in no list.
    static final long FREE = 0;
    static final long RESERVED = 1;
    static final long LARGE = 2;
    static final long CONTINUATION = 3;
    static final long PARTIAL_SLAB = 4;
    static final long UNLISTED_SLAB = 5;

    /// The product of an offset in the largest slab, below 2^20, and a block size, below 2^17, is below 2^40, so that the
    /// product with the rounded reciprocal gives the exact quotient.
    static final int RECIPROCAL_SHIFT = 40;

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
    private static final byte NO_BLOCK = 127;

    /// The slabs that other threads have returned to a heap: a list, before the records.
    static final long RETURNED = -64;
    static final long RECORDS_BYTE_SIZE = 64 + SlabSizeClasses.COUNT * RECORD;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withByteAlignment(1);
    private static final ValueLayout.OfLong STATES_LONG = LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle ATOMIC = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final VarHandle ATOMIC_INT = ValueLayout.JAVA_INT.varHandle().withInvokeExactBehavior();
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final MemorySegment ALL = Scopes.viewOf(Arena.global());

    private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
    /// Moves the lowest bits of eight bytes to the highest byte.
    private static final long GATHER = 0x0102040810204080L;

    private SlabHeapFormat() {}

    static long get(@Nullable MemorySegment memory, long offset) {
        return memory == null ? ALL.get(LONG, offset) : memory.get(LONG, offset);
    }

    static void put(@Nullable MemorySegment memory, long offset, long value) {
        if (memory == null) {
            ALL.set(LONG, offset, value);
        } else {
            memory.set(LONG, offset, value);
        }
    }

    private static MemorySegment segment(@Nullable MemorySegment memory) {
        return memory == null ? ALL : memory;
    }

    static long getVolatile(@Nullable MemorySegment memory, long offset) {
        return (long) ATOMIC.getVolatile(segment(memory), offset);
    }

    static void putVolatile(@Nullable MemorySegment memory, long offset, long value) {
        ATOMIC.setVolatile(segment(memory), offset, value);
    }

    static long getAndAdd(@Nullable MemorySegment memory, long offset, long value) {
        return (long) ATOMIC.getAndAdd(segment(memory), offset, value);
    }

    static long getAndSet(@Nullable MemorySegment memory, long offset, long value) {
        return (long) ATOMIC.getAndSet(segment(memory), offset, value);
    }

    static boolean compareAndSet(@Nullable MemorySegment memory, long offset, long expected, long value) {
        return ATOMIC.compareAndSet(segment(memory), offset, expected, value);
    }

    static byte state(@Nullable MemorySegment memory, long offset) {
        return memory == null ? ALL.get(BYTE, offset) : memory.get(BYTE, offset);
    }

    /// Sets the state of a block. What this thread has read and written before comes before it for a thread that sees it.
    static void setState(@Nullable MemorySegment memory, long offset, byte state) {
        VarHandle.releaseFence();
        if (memory == null) {
            ALL.set(BYTE, offset, state);
        } else {
            memory.set(BYTE, offset, state);
        }
    }

    /// Sets the state of a block to free, as one atomic step.
    ///
    /// @return whether the block was live
    static boolean clearState(@Nullable MemorySegment memory, long offset) {
        MemorySegment segment = segment(memory);
        // States are in memory that is aligned to a cache line, but the offset may be relative to other memory.
        long inInt = (segment.address() + offset) & (Integer.BYTES - 1);
        long shift = Byte.SIZE * (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? inInt : 3 - inInt);
        int mask = 0xFF << shift;
        return ((int) ATOMIC_INT.getAndBitwiseAnd(segment, offset - inInt, ~mask) & mask) != 0;
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
    static void initializeStates(@Nullable MemorySegment memory, long states, long blockCount) {
        long end = groups(blockCount) << GROUP_SHIFT;
        for (long i = 0; i < end; i += Long.BYTES) {
            put(memory, states + i, 0);
        }
        for (long i = blockCount; i < end; i++) {
            setState(memory, states + i, NO_BLOCK);
        }
    }

    /// The free blocks of a group as bits.
    static long freeBlocks(@Nullable MemorySegment memory, long groupStates) {
        long free = 0;
        for (int i = 0; i < GROUP_LENGTH; i += Long.BYTES) {
            long states = memory == null
                    ? ALL.get(STATES_LONG, groupStates + i)
                    : memory.get(STATES_LONG, groupStates + i);
            // The highest bit of each byte that is 0, and of no other.
            long zeros = ~(((states & LOW_BITS) + LOW_BITS) | states | LOW_BITS);
            free |= (((zeros >>> 7) * GATHER) >>> 56) << i;
        }
        // After a load of the state: the block is not written to before its last user has freed it.
        VarHandle.acquireFence();
        return free;
    }

    /// The number of free blocks of a slab.
    static long countFree(@Nullable MemorySegment memory, long descriptor) {
        long states = get(memory, descriptor + STATES);
        long groups = groups(get(memory, descriptor + BLOCK_COUNT));
        long count = 0;
        for (long i = 0; i < groups; i++) {
            count += Long.bitCount(freeBlocks(memory, states + (i << GROUP_SHIFT)));
        }
        return count;
    }
}
