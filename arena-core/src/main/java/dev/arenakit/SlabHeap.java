package dev.arenakit;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.SlabHeapFormat.AVAILABLE;
import static dev.arenakit.SlabHeapFormat.BLOCK_BYTE_SIZE;
import static dev.arenakit.SlabHeapFormat.BLOCK_COUNT;
import static dev.arenakit.SlabHeapFormat.COUNTDOWN;
import static dev.arenakit.SlabHeapFormat.CURRENT;
import static dev.arenakit.SlabHeapFormat.CURSOR;
import static dev.arenakit.SlabHeapFormat.FIRST;
import static dev.arenakit.SlabHeapFormat.FREE_STATE;
import static dev.arenakit.SlabHeapFormat.GROUP;
import static dev.arenakit.SlabHeapFormat.GROUP_LENGTH;
import static dev.arenakit.SlabHeapFormat.GROUP_STATES;
import static dev.arenakit.SlabHeapFormat.KIND;
import static dev.arenakit.SlabHeapFormat.NEXT;
import static dev.arenakit.SlabHeapFormat.NEXT_RETURNED;
import static dev.arenakit.SlabHeapFormat.OWNER;
import static dev.arenakit.SlabHeapFormat.PARTIAL;
import static dev.arenakit.SlabHeapFormat.PARTIAL_SLAB;
import static dev.arenakit.SlabHeapFormat.PREVIOUS;
import static dev.arenakit.SlabHeapFormat.RECIPROCAL;
import static dev.arenakit.SlabHeapFormat.RECIPROCAL_SHIFT;
import static dev.arenakit.SlabHeapFormat.RECORD_BYTE_SIZE;
import static dev.arenakit.SlabHeapFormat.RECORD_SHIFT;
import static dev.arenakit.SlabHeapFormat.REMOTE_FREES;
import static dev.arenakit.SlabHeapFormat.RETURNED;
import static dev.arenakit.SlabHeapFormat.SIZE_CLASS;
import static dev.arenakit.SlabHeapFormat.STATES;
import static dev.arenakit.SlabHeapFormat.UNLISTED_SLAB;
import static dev.arenakit.SlabHeapFormat.clearState;
import static dev.arenakit.SlabHeapFormat.compareAndSet;
import static dev.arenakit.SlabHeapFormat.countFree;
import static dev.arenakit.SlabHeapFormat.freeBlocks;
import static dev.arenakit.SlabHeapFormat.get;
import static dev.arenakit.SlabHeapFormat.getAndAdd;
import static dev.arenakit.SlabHeapFormat.getAndSet;
import static dev.arenakit.SlabHeapFormat.getVolatile;
import static dev.arenakit.SlabHeapFormat.groups;
import static dev.arenakit.SlabHeapFormat.put;
import static dev.arenakit.SlabHeapFormat.putVolatile;
import static dev.arenakit.SlabHeapFormat.setState;
import static dev.arenakit.SlabHeapFormat.state;

/// The slabs from which one thread allocates blocks of the size classes.
final class SlabHeap {
    /*
     * Each slab has blocks of one size class, each with a state byte: that alone says which blocks are free. For each
     * class, the heap has a current slab, and in it a current group of 64 blocks. When it comes to a group, it reads
     * the states, and from then on takes one after the other of the blocks that were free. So an allocation neither
     * reads the memory of a block nor waits for what the last free has written (the sharding of D. Leijen, B. Zorn
     * and L. de Moura, "Mimalloc: Free List Sharding in Action", 2019, with bits instead of lists).
     *
     * A slab without free blocks is in no list. When one block in sixteen has become free, the heap looks at the
     * slab again, and adds it to the partial slabs of its class (J. Bonwick, "The Slab Allocator", 1994). When all
     * blocks are free, the slab goes back to the space. The countdown in the descriptor says when to look. It may be
     * wrong, if the stack has overflowed between two steps, but the states are not.
     *
     * To free a block of another heap is to set its state. The thread counts such blocks, and when it has freed one in
     * sixteen of a slab, or goes on to another slab, it adds their number to the descriptor. If the owner has a
     * sixteenth to look at, the thread adds the slab to the list of slabs that are returned to the owner, who reads
     * it when it needs a slab. A count that is lost, as that of a thread that has terminated, delays this only.
     */
    /// A group is used again at once if it has so many free blocks: its memory is in the cache.
    private static final int ENOUGH_BLOCKS = 16;
    /// The part of a slab that must be free before its blocks are allocated again.
    private static final int FREE_SHIFT = 4;
    /// More than the blocks of a slab: the heap looks at its current slabs when they are used up.
    private static final long NEVER = 1L << 40;
    /// Marks a slab that is in the list of returned slabs. Descriptors are aligned to more than that.
    private static final long IS_RETURNED = 1;

    private final SlabBlocks blocks;
    private final SlabSpace space;
    private final @Nullable MemorySegment memory;
    /// The offset of the records of the size classes, by which slabs refer to this heap.
    final long records;
    /// Whether there are heaps of other threads, so that two threads may free a block at the same time.
    private final boolean shared;
    /// Whether the thread is using this heap. The memory is not freed meanwhile.
    boolean busy;
    /// The slab of another heap that this thread has freed blocks of, and how many it has not reported.
    private long remoteSlab;
    private long remoteFrees;
    @SuppressWarnings("unused") // Keeps the heaps of two threads in different cache lines.
    private long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;

    SlabHeap(SlabBlocks blocks, SlabSpace space, long records, boolean shared) {
        this.shared = shared;
        this.blocks = blocks;
        this.space = space;
        this.memory = space.memory;
        this.records = records;
    }

    /// Allocates a block of a size class.
    ///
    /// @return its offset
    long allocate(int sizeClass, byte liveState) {
        long record = records + ((long) sizeClass << RECORD_SHIFT);
        long available = get(memory, record + AVAILABLE);
        if (available == 0) {
            available = refill(OutOfLine.CALLS, this, sizeClass);
        }
        long index = Long.numberOfTrailingZeros(available);
        // First, so that the block is not lost if the second step fails: it is allocated again.
        setState(memory, get(memory, record + GROUP_STATES) + index, liveState);
        put(memory, record + AVAILABLE, available & (available - 1));
        return get(memory, record + GROUP) + index * get(memory, record + RECORD_BYTE_SIZE);
    }

    /// Frees a block of at least a number of bytes.
    ///
    /// @return whether the offset is that of a live block of a size class
    boolean free(long offset, long byteSize) {
        long slab = space.descriptorOf(offset);
        if (slab == 0) {
            return false;
        }
        long first = get(memory, slab + FIRST);
        long size = get(memory, slab + BLOCK_BYTE_SIZE);
        long index = ((offset - first) * get(memory, slab + RECIPROCAL)) >>> RECIPROCAL_SHIFT;
        if (index >= get(memory, slab + BLOCK_COUNT) || index * size != offset - first || byteSize > size) {
            return blocks.freeFar(OutOfLine.CALLS, this, slab, offset, byteSize);
        }
        return freeBlock(slab, get(memory, slab + STATES) + index);
    }

    /// Frees a block whose state is at an offset.
    boolean freeBlock(long slab, long state) {
        if (state(memory, state) == FREE_STATE) {
            return false;
        }
        if (!shared) {
            setState(memory, state, FREE_STATE);
        } else if (!clearState(memory, state)) {
            return false;
        }
        if (get(memory, slab + OWNER) == records) {
            long countdown = get(memory, slab + COUNTDOWN) - 1;
            put(memory, slab + COUNTDOWN, countdown);
            if (countdown <= 0) {
                settle(OutOfLine.CALLS, this, slab);
            }
        } else {
            if (slab != remoteSlab) {
                report();
                remoteSlab = slab;
            }
            if (++remoteFrees << FREE_SHIFT >= get(memory, slab + BLOCK_COUNT)) {
                report();
            }
        }
        return true;
    }

    /// Reports the blocks that this thread has freed in a slab of another heap.
    private void report() {
        long slab = remoteSlab;
        long count = remoteFrees;
        remoteFrees = 0;
        if (count > 0) {
            report(OutOfLine.CALLS, memory, slab, count);
        }
    }

    private static void report(int calls, @Nullable MemorySegment memory, long slab, long count) {
        if (calls > 0) {
            report(calls - 1, memory, slab, count);
            return;
        }
        long all = count + getAndAdd(memory, slab + REMOTE_FREES, count);
        if (all << FREE_SHIFT >= get(memory, slab + BLOCK_COUNT)) {
            addReturned(memory, slab);
        }
    }

    /// Adds a slab to the list of its owner, unless it is in a list.
    private static void addReturned(@Nullable MemorySegment memory, long slab) {
        long owner = get(memory, slab + OWNER);
        if (owner == 0 || !compareAndSet(memory, slab + NEXT_RETURNED, 0, IS_RETURNED)) {
            return;
        }
        long next;
        do {
            next = getVolatile(memory, owner + RETURNED);
            putVolatile(memory, slab + NEXT_RETURNED, next | IS_RETURNED);
        } while (!compareAndSet(memory, owner + RETURNED, next, slab));
    }

    /// Looks at the slabs of which other threads have freed blocks.
    private void collectReturned() {
        if (getVolatile(memory, records + RETURNED) == 0) {
            return;
        }
        long slab = getAndSet(memory, records + RETURNED, 0);
        while (slab != 0) {
            long next = getVolatile(memory, slab + NEXT_RETURNED) & ~IS_RETURNED;
            putVolatile(memory, slab + REMOTE_FREES, 0);
            // From here on, other threads can add it again: read the states after this.
            putVolatile(memory, slab + NEXT_RETURNED, 0);
            if (get(memory, slab + OWNER) == records) {
                settle(0, this, slab);
            } else {
                addReturned(memory, slab);
            }
            slab = next;
        }
    }

    /// Looks at a slab of this heap of which enough blocks may have been freed.
    private static void settle(int calls, SlabHeap heap, long slab) {
        if (calls > 0) {
            settle(calls - 1, heap, slab);
            return;
        }
        heap.settle(slab);
    }

    private void settle(long slab) {
        long count = get(memory, slab + BLOCK_COUNT);
        long record = records + (get(memory, slab + SIZE_CLASS) << RECORD_SHIFT);
        if (count == 0 || get(memory, record + CURRENT) == slab) {
            put(memory, slab + COUNTDOWN, NEVER);
            return;
        }
        long free = countFree(memory, slab);
        long enough = enough(count);
        boolean listed = get(memory, slab + KIND) == PARTIAL_SLAB;
        // A slab that other threads have returned goes back when it is taken from their list.
        if (free == count && getVolatile(memory, slab + NEXT_RETURNED) == 0) {
            blocks.release(this, slab, listed ? record : 0);
        } else if (free < enough && !listed) {
            put(memory, slab + COUNTDOWN, enough - free);
        } else {
            put(memory, slab + COUNTDOWN, Math.max(1, count - free));
            if (!listed) {
                link(record, slab);
            }
        }
    }

    private void link(long record, long slab) {
        long next = get(memory, record + PARTIAL);
        put(memory, slab + NEXT, next);
        put(memory, slab + PREVIOUS, 0);
        put(memory, slab + KIND, PARTIAL_SLAB);
        if (next != 0) {
            put(memory, next + PREVIOUS, slab);
        }
        put(memory, record + PARTIAL, slab);
    }

    void unlink(long record, long slab) {
        long next = get(memory, slab + NEXT);
        long previous = get(memory, slab + PREVIOUS);
        // The comparisons hold unless the stack has overflowed between two of these steps before.
        if (next != 0 && get(memory, next + PREVIOUS) == slab) {
            put(memory, next + PREVIOUS, previous);
        }
        if (get(memory, record + PARTIAL) == slab) {
            put(memory, record + PARTIAL, next);
        } else if (previous != 0 && get(memory, previous + NEXT) == slab) {
            put(memory, previous + NEXT, next);
        }
        put(memory, slab + KIND, UNLISTED_SLAB);
    }

    /// Whether a slab of the list of a size class can be used: not, if the list is wrong after an overflow of the stack.
    private boolean isPartial(long slab, int sizeClass) {
        return get(memory, slab + KIND) == PARTIAL_SLAB && get(memory, slab + OWNER) == records
                && get(memory, slab + SIZE_CLASS) == sizeClass && countFree(memory, slab) > 0;
    }

    /// Chooses the next group of a size class.
    ///
    /// @return its free blocks
    private static long refill(int calls, SlabHeap heap, int sizeClass) {
        return calls > 0 ? refill(calls - 1, heap, sizeClass) : heap.refill(sizeClass);
    }

    private long refill(int sizeClass) {
        long record = records + ((long) sizeClass << RECORD_SHIFT);
        long slab = get(memory, record + CURRENT);
        if (slab != 0) {
            long free = nextGroup(record, slab);
            if (free != 0) {
                return free;
            }
            long count = get(memory, slab + BLOCK_COUNT);
            long left = countFree(memory, slab);
            if (left >= enough(count)) {
                return start(record, slab);
            }
            put(memory, slab + KIND, UNLISTED_SLAB);
            put(memory, slab + COUNTDOWN, enough(count) - left);
            put(memory, record + CURRENT, 0);
        }
        collectReturned();
        slab = get(memory, record + PARTIAL);
        if (slab == 0 || !isPartial(slab, sizeClass)) {
            put(memory, record + PARTIAL, 0);
            slab = blocks.acquire(this, sizeClass);
        } else {
            unlink(record, slab);
        }
        put(memory, slab + COUNTDOWN, NEVER);
        put(memory, record + CURRENT, slab);
        return start(record, slab);
    }

    /// Uses the first group of a slab that has a free block. There is one.
    private long start(long record, long slab) {
        put(memory, record + CURSOR, -1);
        long free = use(record, slab, 0);
        return free != 0 ? free : nextGroup(record, slab);
    }

    /// Uses the same group again if it has enough free blocks, or the next one that has any.
    private long nextGroup(long record, long slab) {
        long cursor = get(memory, record + CURSOR);
        long states = get(memory, slab + STATES);
        long blockCount = get(memory, slab + BLOCK_COUNT);
        long enough = Math.min(ENOUGH_BLOCKS, enough(blockCount) * 2);
        if (cursor >= 0 && Long.bitCount(freeBlocks(memory, states + cursor * GROUP_LENGTH)) >= enough) {
            return use(record, slab, cursor);
        }
        long groups = groups(blockCount);
        for (long group = cursor + 1; group < groups; group++) {
            long free = use(record, slab, group);
            if (free != 0) {
                return free;
            }
        }
        return 0;
    }

    /// Makes a group the current one of a size class, if it has free blocks.
    private long use(long record, long slab, long group) {
        long states = get(memory, slab + STATES) + group * GROUP_LENGTH;
        long free = freeBlocks(memory, states);
        long size = get(memory, slab + BLOCK_BYTE_SIZE);
        put(memory, record + CURSOR, group);
        put(memory, record + RECORD_BYTE_SIZE, size);
        put(memory, record + GROUP_STATES, states);
        put(memory, record + GROUP, get(memory, slab + FIRST) + group * GROUP_LENGTH * size);
        put(memory, record + AVAILABLE, free);
        return free;
    }

    private static long enough(long blockCount) {
        return Math.max(1, blockCount >>> FREE_SHIFT);
    }
}
