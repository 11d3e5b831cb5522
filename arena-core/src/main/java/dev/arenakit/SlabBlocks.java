package dev.arenakit;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.SlabHeapFormat.BLOCK_BYTE_SIZE;
import static dev.arenakit.SlabHeapFormat.BLOCK_COUNT;
import static dev.arenakit.SlabHeapFormat.CONTINUATION;
import static dev.arenakit.SlabHeapFormat.DESCRIPTOR;
import static dev.arenakit.SlabHeapFormat.DISTANCE;
import static dev.arenakit.SlabHeapFormat.FIRST;
import static dev.arenakit.SlabHeapFormat.FREE_STATE;
import static dev.arenakit.SlabHeapFormat.GROUP_LENGTH;
import static dev.arenakit.SlabHeapFormat.KIND;
import static dev.arenakit.SlabHeapFormat.LARGE;
import static dev.arenakit.SlabHeapFormat.LENGTH;
import static dev.arenakit.SlabHeapFormat.OWNER;
import static dev.arenakit.SlabHeapFormat.OWN_STATES;
import static dev.arenakit.SlabHeapFormat.RECIPROCAL;
import static dev.arenakit.SlabHeapFormat.RECIPROCAL_SHIFT;
import static dev.arenakit.SlabHeapFormat.RECORDS_BYTE_SIZE;
import static dev.arenakit.SlabHeapFormat.REMOTE_FREES;
import static dev.arenakit.SlabHeapFormat.RESERVED;
import static dev.arenakit.SlabHeapFormat.RETURNED;
import static dev.arenakit.SlabHeapFormat.SIZE_CLASS;
import static dev.arenakit.SlabHeapFormat.SLAB;
import static dev.arenakit.SlabHeapFormat.SLAB_BYTE_SIZE;
import static dev.arenakit.SlabHeapFormat.SLAB_SHIFT;
import static dev.arenakit.SlabHeapFormat.STATES;
import static dev.arenakit.SlabHeapFormat.UNLISTED_SLAB;
import static dev.arenakit.SlabHeapFormat.alignmentOf;
import static dev.arenakit.SlabHeapFormat.countFree;
import static dev.arenakit.SlabHeapFormat.get;
import static dev.arenakit.SlabHeapFormat.initializeStates;
import static dev.arenakit.SlabHeapFormat.liveState;
import static dev.arenakit.SlabHeapFormat.put;
import static dev.arenakit.SlabHeapFormat.state;

/// The blocks of an allocator: those of the size classes in the slabs of heaps, and large ones, which are runs of slabs.
///
/// The callers have checked their arguments, and that the memory is accessible.
final class SlabBlocks {
    /// More stack than any of the steps below needs, in calls of [#reserveStack]: an interpreted access to memory makes
    /// some twenty calls.
    private static final int STACK = 60;

    final SlabSpace space;
    private final @Nullable MemorySegment memory;
    private final boolean shared;
    /// The heap of an allocator for one thread, or the one of all threads that have none of their own.
    private final SlabHeap common;
    /// The heaps of threads, or null.
    private final @Nullable SlabHeapTable threads;
    /// Guards the space and the table of heaps. The heap that threads have in common is a lock that is acquired before.
    private final Object lock = new Object();

    SlabBlocks(SlabSpace space, boolean shared) {
        this.space = space;
        memory = space.memory;
        this.shared = shared;
        common = newHeap(space.allocateRecords(RECORDS_BYTE_SIZE));
        threads = shared ? new SlabHeapTable(this, lock) : null;
    }

    private SlabHeap newHeap(long allocated) {
        return new SlabHeap(this, space, allocated - RETURNED, shared);
    }

    /// Creates a heap for a thread, or returns null if there is no memory for its records. The lock is held.
    @Nullable
    SlabHeap newHeap() {
        try {
            long allocated = space.allocateRecords(RECORDS_BYTE_SIZE);
            return allocated == 0 ? null : newHeap(allocated);
        } catch (CapacityExceededException | OutOfMemoryError e) {
            // The thread uses the common heap. It may only free blocks, which needs no memory.
            return null;
        }
    }

    /// Whether a block belongs to a size class.
    static boolean isSmall(long byteSize, long byteAlignment) {
        return byteSize <= SlabSizeClasses.LARGEST && byteAlignment <= SlabSizeClasses.LARGEST;
    }

    /// Allocates a block that [#isSmall].
    long allocate(long byteSize, long byteAlignment) {
        int sizeClass = SlabSizeClasses.indexOf(Sizes.alignUp(byteSize == 0 ? 1 : byteSize, byteAlignment));
        byte state = liveState(byteAlignment);
        return threads == null ? common.allocate(sizeClass, state) : allocateShared(threads, sizeClass, state);
    }

    /// Frees a block.
    ///
    /// @param byteSize a size that the block must have at least
    /// @return whether the offset is that of a live block
    boolean free(long offset, long byteSize) {
        return threads == null ? common.free(offset, byteSize) : freeShared(threads, offset, byteSize);
    }

    private long allocateShared(SlabHeapTable threads, int sizeClass, byte state) {
        SlabHeap heap = threads.current();
        if (heap == null) {
            synchronized (common) {
                space.checkOpen();
                return common.allocate(sizeClass, state);
            }
        }
        heap.busy = true;
        try {
            checkOpen();
            long offset = heap.allocate(sizeClass, state);
            VarHandle.releaseFence();
            return offset;
        } finally {
            heap.busy = false;
        }
    }

    private boolean freeShared(SlabHeapTable threads, long offset, long byteSize) {
        SlabHeap heap = threads.current();
        if (heap == null) {
            synchronized (common) {
                space.checkOpen();
                return common.free(offset, byteSize);
            }
        }
        heap.busy = true;
        try {
            checkOpen();
            boolean freed = heap.free(offset, byteSize);
            VarHandle.releaseFence();
            return freed;
        } finally {
            heap.busy = false;
        }
    }

    /// Checks that the memory is not about to be freed. Closing a scope for all threads performs a handshake with every
    /// thread: either this thread sees here that the scope has ended, or the thread that has closed it sees that the
    /// heap is busy (see [AsymmetricBarrier]).
    private void checkOpen() {
        // No instructions, but limits for the compiler: the heap is marked first.
        VarHandle.releaseFence();
        VarHandle.acquireFence();
        space.checkOpen();
    }

    /// Allocates a run of slabs.
    long allocateLarge(long byteSize, long byteAlignment) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        long slabs = slabsFor(byteSize);
        synchronized (lock) {
            reserveStack(STACK);
            space.checkOpen();
            long run = byteAlignment <= SLAB_BYTE_SIZE ? space.take(slabs) : space.take(slabs, byteAlignment);
            put(memory, run + SIZE_CLASS, byteAlignment);
            put(memory, run + KIND, LARGE);
            return get(memory, run + SLAB);
        }
    }

    /// Frees a block that is not in the first slab of a size class, or is no block.
    boolean freeFar(int calls, SlabHeap heap, long slab, long offset, long byteSize) {
        if (calls > 0) {
            return freeFar(calls - 1, heap, slab, offset, byteSize);
        }
        if (get(memory, slab + KIND) == LARGE) {
            return freeLarge(slab, offset, byteSize);
        }
        long first = firstOf(slab);
        long state = stateOf(first, offset);
        return state != 0 && byteSize <= get(memory, first + BLOCK_BYTE_SIZE) && heap.freeBlock(first, state);
    }

    private boolean freeLarge(long run, long offset, long byteSize) {
        synchronized (lock) {
            reserveStack(STACK);
            if (get(memory, run + KIND) != LARGE || get(memory, run + SLAB) != offset
                    || byteSize > get(memory, run + LENGTH) << SLAB_SHIFT) {
                return false;
            }
            put(memory, run + KIND, RESERVED);
            space.giveBack(run);
            return true;
        }
    }

    /// The first slab of the run of a slab.
    private long firstOf(long slab) {
        return get(memory, slab + KIND) == CONTINUATION ? slab - get(memory, slab + DISTANCE) * DESCRIPTOR : slab;
    }

    /// The offset of the state of the block at an offset, or 0 if no block of the slab starts there.
    private long stateOf(long slab, long offset) {
        long index = ((offset - get(memory, slab + FIRST)) * get(memory, slab + RECIPROCAL)) >>> RECIPROCAL_SHIFT;
        return index < get(memory, slab + BLOCK_COUNT)
                && offset == get(memory, slab + FIRST) + index * get(memory, slab + BLOCK_BYTE_SIZE)
                        ? get(memory, slab + STATES) + index
                        : 0;
    }

    /// Looks at the live block at an offset.
    ///
    /// @return the number of bytes that the block holds, or -1 if there is no live block
    long byteSizeAt(long offset) {
        synchronized (lock) {
            space.checkOpen();
            long slab = find(offset);
            return slab == 0 ? -1 : byteSize(slab);
        }
    }

    /// Looks at the live block at an offset, which is to be resized.
    ///
    /// @return 0 if the block holds the new size and remains where it is, or otherwise the alignment of the block
    long alignmentToMove(long offset, long newByteSize) {
        synchronized (lock) {
            space.checkOpen();
            long slab = find(offset);
            if (slab == 0) {
                throw new IllegalArgumentException("Block is being freed by another thread: offset=" + offset);
            }
            long byteAlignment = byteAlignment(slab, offset);
            return fits(slab, newByteSize, byteAlignment) ? 0 : byteAlignment;
        }
    }

    /// The slab of the live block at an offset, or 0 if there is none.
    private long find(long offset) {
        long slab = space.descriptorOf(offset);
        if (slab == 0) {
            return 0;
        }
        if (get(memory, slab + KIND) == LARGE) {
            return get(memory, slab + SLAB) == offset ? slab : 0;
        }
        long first = firstOf(slab);
        long state = stateOf(first, offset);
        return state != 0 && state(memory, state) != FREE_STATE ? first : 0;
    }

    private long byteSize(long slab) {
        return get(memory, slab + KIND) == LARGE
                ? get(memory, slab + LENGTH) << SLAB_SHIFT
                : get(memory, slab + BLOCK_BYTE_SIZE);
    }

    /// The alignment that a live block was allocated with.
    private long byteAlignment(long slab, long offset) {
        return get(memory, slab + KIND) == LARGE
                ? get(memory, slab + SIZE_CLASS)
                : alignmentOf(state(memory, stateOf(slab, offset)));
    }

    /// Whether a block of a slab remains where it is when it is resized: its new size has the same size class.
    private boolean fits(long slab, long newByteSize, long byteAlignment) {
        boolean large = get(memory, slab + KIND) == LARGE;
        if (large || !isSmall(newByteSize, byteAlignment)) {
            return large && !isSmall(newByteSize, byteAlignment)
                    && slabsFor(newByteSize) == get(memory, slab + LENGTH);
        }
        return SlabSizeClasses.indexOf(Sizes.alignUp(Math.max(newByteSize, 1), byteAlignment)) == get(memory,
                slab + SIZE_CLASS);
    }

    private static long slabsFor(long byteSize) {
        return Math.max(1, (byteSize + SLAB_BYTE_SIZE - 1) >>> SLAB_SHIFT);
    }

    /// Acquires a slab for a heap. All its blocks are free.
    long acquire(SlabHeap heap, int sizeClass) {
        long byteSize = SlabSizeClasses.byteSize(sizeClass);
        long slabs = SlabSizeClasses.slabsOf(byteSize);
        synchronized (lock) {
            reserveStack(STACK);
            space.checkOpen();
            long slab = space.take(slabs);
            initialize(slab, slabs << SLAB_SHIFT, sizeClass, byteSize);
            put(memory, slab + OWNER, heap.records);
            return slab;
        }
    }

    private void initialize(long slab, long slabByteSize, int sizeClass, long byteSize) {
        long start = get(memory, slab + SLAB);
        long count = slabByteSize / byteSize;
        long states = count <= GROUP_LENGTH ? slab + OWN_STATES : space.statesOf(start);
        initializeStates(memory, states, count);
        put(memory, slab + FIRST, start);
        put(memory, slab + RECIPROCAL, ((1L << RECIPROCAL_SHIFT) + byteSize - 1) / byteSize);
        put(memory, slab + BLOCK_BYTE_SIZE, byteSize);
        put(memory, slab + STATES, states);
        put(memory, slab + SIZE_CLASS, sizeClass);
        put(memory, slab + REMOTE_FREES, 0);
        put(memory, slab + KIND, UNLISTED_SLAB);
        put(memory, slab + BLOCK_COUNT, count);
    }

    /// Gives a slab of a heap back to the space. All its blocks are free.
    ///
    /// @param record the record whose list of partial slabs the slab is in, or 0
    void release(SlabHeap heap, long slab, long record) {
        synchronized (lock) {
            reserveStack(STACK);
            if (record != 0) {
                heap.unlink(record, slab);
            }
            put(memory, slab + OWNER, 0);
            put(memory, slab + BLOCK_COUNT, 0);
            put(memory, slab + KIND, RESERVED);
            space.giveBack(slab);
        }
    }

    /// {@return the statistics} They are approximate if other threads use the allocator at the same time.
    SlabAllocatorStatistics stats() {
        long[] classes = new long[SlabSizeClasses.COUNT];
        long[] large = new long[3];
        synchronized (lock) {
            space.checkOpen();
            space.forEach(slab -> {
                long kind = get(memory, slab + KIND);
                long count = get(memory, slab + BLOCK_COUNT);
                if (kind == LARGE) {
                    large[0]++;
                    large[1] += get(memory, slab + LENGTH) << SLAB_SHIFT;
                } else if (count > 0) {
                    classes[(int) get(memory, slab + SIZE_CLASS)] += count - countFree(memory, slab);
                    large[2] += get(memory, slab + LENGTH) << SLAB_SHIFT;
                }
            });
            return SlabAllocatorStatistics.of(classes, large[0], large[1], large[2] + large[1],
                    space.slabs() << SLAB_SHIFT);
        }
    }

    /// Frees all memory that is from a source. The scope has ended.
    void close() {
        if (threads != null) {
            threads.awaitIdle();
        }
        synchronized (common) {
            synchronized (lock) {
                space.close();
            }
        }
    }

    /// Throws a StackOverflowError if there is not enough stack for what follows, of which nothing has happened yet.
    private static int reserveStack(int calls) {
        return calls == 0 ? 0 : 1 + reserveStack(calls - 1);
    }
}
