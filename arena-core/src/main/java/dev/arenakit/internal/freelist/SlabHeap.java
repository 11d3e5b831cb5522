package dev.arenakit.internal.freelist;

import dev.arenakit.internal.OutOfLine;
import dev.arenakit.internal.ThreadTable;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.internal.freelist.SlabHeapFormat.BLOCK_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.BLOCK_COUNT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.BYTE_ALIGNMENT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.COUNTDOWN;
import static dev.arenakit.internal.freelist.SlabHeapFormat.CURRENT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.CURSOR;
import static dev.arenakit.internal.freelist.SlabHeapFormat.DESCRIPTOR;
import static dev.arenakit.internal.freelist.SlabHeapFormat.GROUP;
import static dev.arenakit.internal.freelist.SlabHeapFormat.GROUP_WORDS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.KIND;
import static dev.arenakit.internal.freelist.SlabHeapFormat.NEXT_RETURNED;
import static dev.arenakit.internal.freelist.SlabHeapFormat.NO_WORDS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.OWNER;
import static dev.arenakit.internal.freelist.SlabHeapFormat.PARTIAL;
import static dev.arenakit.internal.freelist.SlabHeapFormat.PARTIAL_SLAB;
import static dev.arenakit.internal.freelist.SlabHeapFormat.RECORD;
import static dev.arenakit.internal.freelist.SlabHeapFormat.RECORD_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.RECORD_SHIFT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.RETURNED;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SHAPE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SIZE_CLASS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB_SHIFT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.UNLISTED_SLAB;
import static dev.arenakit.internal.freelist.SlabHeapFormat.get;
import static dev.arenakit.internal.freelist.SlabHeapFormat.getVolatile;
import static dev.arenakit.internal.freelist.SlabHeapFormat.index;
import static dev.arenakit.internal.freelist.SlabHeapFormat.isBlock;
import static dev.arenakit.internal.freelist.SlabHeapFormat.product;
import static dev.arenakit.internal.freelist.SlabHeapFormat.put;
import static dev.arenakit.internal.freelist.SlabHeapFormat.reference;
import static dev.arenakit.internal.freelist.SlabLists.removeReturned;
import static dev.arenakit.internal.freelist.SlabWords.GROUP_LENGTH;
import static dev.arenakit.internal.freelist.SlabWords.collect;
import static dev.arenakit.internal.freelist.SlabWords.countFree;
import static dev.arenakit.internal.freelist.SlabWords.groups;

/// The slabs from which one thread allocates blocks of the size classes.
final class SlabHeap implements ThreadTable.Entry {
    /*
     * Each slab has blocks of one size class, and a bit for each free block. For each class, the heap has a current
     * slab, and in this slab a current group of 64 blocks. It allocates the first free block of the group. When no
     * block of the group is free, the heap continues with the next group (the sharding of D. Leijen, B. Zorn and L. de
     * Moura, "Mimalloc: Free List Sharding in Action", 2019, with bits instead of lists).
     *
     * A slab without free blocks is in no list. When one block in sixteen has become free, the heap looks at the
     * slab again, and adds it to the partial slabs of its class (J. Bonwick, "The Slab Allocator", 1994). When all
     * blocks are free, the slab goes back to the space. The countdown in the descriptor says when to look.
     *
     * A thread that frees a block of another heap sets a bit in a second word. When one block in sixteen of the 64 has
     * been returned in this way, or no block of the 64 is live, the thread adds the slab to the list of slabs that are
     * returned to the owner. The owner reads the list when it needs a slab.
     */
    /// The part of a slab that must be free before its blocks are allocated again.
    private static final int FREE_SHIFT = 4;
    /// More than the blocks of a slab: the heap looks at its current slabs when they are used up.
    private static final long NEVER = 1L << 40;

    private final SlabBlocks blocks;
    private final SlabSpace space;
    /// The address of the records of the size classes, by which slabs refer to this heap.
    final long records;
    /// The range in which this heap has freed a block last, and the descriptor of its first slab.
    private long start;
    private long length;
    private long table;
    /// Whether the thread is using this heap. The memory is not freed meanwhile.
    boolean busy;
    /// The id of the thread that this heap is of, or was of before it terminated.
    long threadId;
    private @Nullable WeakReference<Thread> thread;
    /// Whether a list of partial slabs is being changed. If an Error interrupts that, the lists cannot be used any
    /// more.
    private boolean changing;
    @SuppressWarnings("unused") // Keeps the heaps of two threads in different cache lines.
    private long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;

    SlabHeap(SlabBlocks blocks, SlabSpace space, long records) {
        this.blocks = blocks;
        this.space = space;
        this.records = records;
        for (long record = records; record < records + SlabSizeClasses.COUNT * RECORD; record += RECORD) {
            put(record + GROUP_WORDS, record + NO_WORDS);
        }
    }

    /// Makes this heap the heap of the current thread. The lock is held.
    void own(WeakReference<Thread> current, long id) {
        thread = current;
        threadId = id;
    }

    /// Whether the thread has not terminated. If it has, the caller sees everything that it has written.
    boolean isOwned() {
        Thread owner = thread == null ? null : thread.get();
        return owner != null && owner.isAlive();
    }

    /// Allocates a block of a size class.
    ///
    /// @param recordOffset  the offset of the record of the class
    /// @param byteAlignment an alignment that the blocks of the class have
    /// @return its address
    long allocate(char recordOffset, long byteAlignment) {
        long record = reference(records) + recordOffset;
        long words = reference(get(record + GROUP_WORDS));
        long free = get(words);
        // Two threads may have freed a block at the same time: collect returned blocks before they are allocated.
        return free == 0 || SlabWords.returned(words) != 0
                ? allocateFromNextGroup(OutOfLine.CALLS, this, record, byteAlignment)
                : take(record, words, free, byteAlignment);
    }

    private static long allocateFromNextGroup(int calls, SlabHeap heap, long record, long byteAlignment) {
        if (calls > 0) {
            return allocateFromNextGroup(calls - 1, heap, record, byteAlignment);
        }
        long words = heap.refill(record);
        return take(record, words, get(words), byteAlignment);
    }

    /// Allocates the first free block of the current group.
    private static long take(long record, long words, long free, long byteAlignment) {
        if (byteAlignment > SlabSizeClasses.LEAST) {
            noteAlignment(get(record + CURRENT), byteAlignment);
        }
        long address = get(record + GROUP) + Long.numberOfTrailingZeros(free) * get(record + RECORD_BYTE_SIZE);
        // Last: if an Error interrupts this method, the block is still free.
        put(words, free & (free - 1));
        return address;
    }

    private static void noteAlignment(long slab, long byteAlignment) {
        if (byteAlignment > get(slab + BYTE_ALIGNMENT)) {
            put(slab + BYTE_ALIGNMENT, byteAlignment);
        }
    }

    /// Frees a block of at least a number of bytes.
    ///
    /// @return whether the address is that of a live block of a size class
    boolean free(long address, long byteSize) {
        long relative = address - start;
        if (Long.compareUnsigned(relative, length) >= 0) {
            return freeElsewhere(OutOfLine.CALLS, this, address, byteSize);
        }
        long slab = reference(table + (relative >>> SLAB_SHIFT) * DESCRIPTOR);
        long shape = get(slab + SHAPE);
        long product = product(shape, address);
        long index = index(product);
        if (!isBlock(shape, product, byteSize) || index >= get(slab + BLOCK_COUNT)) {
            return blocks.freeFar(OutOfLine.CALLS, this, slab, address, byteSize);
        }
        return freeBlock(slab, index);
    }

    private static boolean freeElsewhere(int calls, SlabHeap heap, long address, long byteSize) {
        if (calls > 0) {
            return freeElsewhere(calls - 1, heap, address, byteSize);
        }
        if (heap.space.descriptorOf(address) == 0) {
            return false;
        }
        heap.start = heap.space.startOf(address);
        heap.length = heap.space.length();
        heap.table = heap.space.tableOf(heap.start);
        return heap.free(address, byteSize);
    }

    /// Forgets the range of the last freed block, because the range may end.
    void forgetRange() {
        length = 0;
    }

    /// Frees a block with a number.
    boolean freeBlock(long slab, long index) {
        if (get(slab + OWNER) != records) {
            return giveBack(slab, index);
        }
        long words = SlabWords.ofBlock(slab, index);
        long bit = SlabWords.bit(index);
        long free = get(words);
        if (((free | SlabWords.returned(words)) & bit) != 0) {
            return false;
        }
        // No other thread allocates the block before this step. If another one frees it at the same time, both succeed.
        put(words, free | bit);
        long countdown = get(slab + COUNTDOWN) - 1;
        put(slab + COUNTDOWN, countdown);
        if (countdown <= 0) {
            settle(OutOfLine.CALLS, this, slab);
        }
        return true;
    }

    private static boolean giveBack(long slab, long index) {
        int returned = SlabWords.giveBack(slab, index);
        if (returned > 0 && returned >= enough(Math.min(get(slab + BLOCK_COUNT), GROUP_LENGTH))
                && getVolatile(slab + NEXT_RETURNED) == 0) {
            SlabLists.addReturned(OutOfLine.CALLS, slab);
        }
        return returned > 0;
    }

    /// Looks at the slabs with blocks that other threads have freed.
    void collectReturned() {
        if (getVolatile(records + RETURNED) == 0) {
            return;
        }
        for (long slab = removeReturned(records); slab != 0; slab = removeReturned(records)) {
            if (get(slab + OWNER) == records) {
                SlabWords.collectAll(slab);
                settle(slab);
            } else {
                SlabLists.addReturned(0, slab);
            }
        }
    }

    /// Looks at a slab of this heap that may have enough free blocks.
    private static void settle(int calls, SlabHeap heap, long slab) {
        if (calls > 0) {
            settle(calls - 1, heap, slab);
            return;
        }
        heap.settle(slab);
    }

    private void settle(long slab) {
        if (changing) {
            // The lists cannot be changed, but a block has been freed: this slab keeps its free blocks.
            put(slab + COUNTDOWN, NEVER);
            return;
        }
        long count = get(slab + BLOCK_COUNT);
        long record = records + (get(slab + SIZE_CLASS) << RECORD_SHIFT);
        if (count == 0 || get(record + CURRENT) == slab) {
            put(slab + COUNTDOWN, NEVER);
            return;
        }
        long free = countFree(slab);
        long enough = enough(count);
        boolean listed = get(slab + KIND) == PARTIAL_SLAB;
        // A slab that other threads have returned goes back when it is taken from their list.
        if (free == count && getVolatile(slab + NEXT_RETURNED) == 0) {
            blocks.release(this, slab, listed ? record : 0);
        } else if (free < enough && !listed) {
            put(slab + COUNTDOWN, enough - free);
        } else {
            put(slab + COUNTDOWN, Math.max(1, count - free));
            if (!listed) {
                changing = true;
                SlabLists.link(record, slab);
                changing = false;
            }
        }
    }

    /// Removes a slab from the partial slabs of a size class.
    void unlink(long record, long slab) {
        checkWhole();
        changing = true;
        SlabLists.unlink(record, slab);
        changing = false;
    }

    /// Whether an Error has interrupted a change of the lists, so that they cannot be used any more.
    boolean isInterrupted() {
        return changing;
    }

    private void checkWhole() {
        if (changing) {
            throw SlabHeapFormat.interrupted();
        }
    }

    @Override
    public long threadId() {
        return threadId;
    }

    /// Gives back the current slabs that have no live block. The thread of this heap has terminated, and the lock is
    /// held.
    void releaseCurrent() {
        collectReturned();
        for (int sizeClass = 0; sizeClass < SlabSizeClasses.COUNT; sizeClass++) {
            long slab = get(records + ((long) sizeClass << RECORD_SHIFT) + CURRENT);
            if (slab != 0 && countFree(slab) == get(slab + BLOCK_COUNT)) {
                detach(slab);
                settle(slab);
            }
        }
    }

    /// Removes a slab of a size class that has free blocks from this heap, under the same conditions.
    ///
    /// @return the slab, or 0
    long handOver(int sizeClass) {
        long record = records + ((long) sizeClass << RECORD_SHIFT);
        long slab = get(record + PARTIAL);
        if (slab == 0) {
            slab = get(record + CURRENT);
        }
        if (slab == 0 || countFree(slab) == 0) {
            return 0;
        }
        detach(slab);
        return slab;
    }

    /// Removes a slab from its list, or from the current ones.
    void detach(long slab) {
        long record = records + (get(slab + SIZE_CLASS) << RECORD_SHIFT);
        if (get(record + CURRENT) == slab) {
            // First, so that no block is allocated from it.
            put(record + GROUP_WORDS, record + NO_WORDS);
            put(record + CURRENT, 0);
        }
        if (get(slab + KIND) == PARTIAL_SLAB) {
            unlink(record, slab);
        }
        put(slab + KIND, UNLISTED_SLAB);
    }

    /// Makes a group that has free blocks the current one of a size class.
    ///
    /// @return its words
    private long refill(long record) {
        long slab = get(record + CURRENT);
        if (slab != 0) {
            long next = nextGroup(record, slab, get(record + CURSOR));
            if (next != 0) {
                return next;
            }
            long enough = enough(get(slab + BLOCK_COUNT));
            long left = countFree(slab);
            if (left >= enough) {
                return nextGroup(record, slab, 0);
            }
            put(slab + KIND, UNLISTED_SLAB);
            put(slab + COUNTDOWN, enough - left);
            put(record + GROUP_WORDS, record + NO_WORDS);
            put(record + CURRENT, 0);
        }
        collectReturned();
        checkWhole();
        slab = get(record + PARTIAL);
        if (slab == 0) {
            slab = blocks.acquire(this, (int) ((record - records) >>> RECORD_SHIFT));
        } else {
            unlink(record, slab);
        }
        put(slab + COUNTDOWN, NEVER);
        put(record + CURRENT, slab);
        return nextGroup(record, slab, 0);
    }

    /// Makes the next group that has free blocks the current one.
    ///
    /// @return its words, or 0 if there is none
    private static long nextGroup(long record, long slab, long first) {
        long groups = groups(get(slab + BLOCK_COUNT));
        for (long group = first; group < groups; group++) {
            long words = collect(slab, group);
            if (get(words) != 0) {
                use(record, slab, group, words);
                return words;
            }
        }
        return 0;
    }

    private static void use(long record, long slab, long group, long words) {
        long size = get(slab + BLOCK_BYTE_SIZE);
        // First and last: if an Error interrupts this method, no block is allocated from a wrong group.
        put(record + GROUP_WORDS, record + NO_WORDS);
        put(record + CURSOR, group);
        put(record + RECORD_BYTE_SIZE, size);
        put(record + GROUP, get(slab + SLAB) + group * GROUP_LENGTH * size);
        put(record + GROUP_WORDS, words);
    }

    private static long enough(long blockCount) {
        return Math.max(1, blockCount >>> FREE_SHIFT);
    }
}
