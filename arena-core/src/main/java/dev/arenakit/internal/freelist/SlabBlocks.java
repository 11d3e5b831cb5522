package dev.arenakit.internal.freelist;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.FreeListStatistics;
import dev.arenakit.internal.OutOfLine;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.internal.freelist.SlabHeapFormat.BLOCK_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.BLOCK_COUNT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.BYTE_ALIGNMENT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.KIND;
import static dev.arenakit.internal.freelist.SlabHeapFormat.LARGE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.LENGTH;
import static dev.arenakit.internal.freelist.SlabHeapFormat.MOST_IN_OWN_WORDS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.OWNER;
import static dev.arenakit.internal.freelist.SlabHeapFormat.OWN_WORDS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.RESERVED;
import static dev.arenakit.internal.freelist.SlabHeapFormat.RETURNED;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SHAPE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SIZE_CLASS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB_SHIFT;
import static dev.arenakit.internal.freelist.SlabHeapFormat.UNLISTED_SLAB;
import static dev.arenakit.internal.freelist.SlabHeapFormat.WORDS;
import static dev.arenakit.internal.freelist.SlabHeapFormat.get;
import static dev.arenakit.internal.freelist.SlabHeapFormat.put;
import static dev.arenakit.internal.freelist.SlabHeapFormat.shape;
import static dev.arenakit.internal.freelist.SlabWords.countFree;

/// The blocks of an allocator: blocks of the size classes in the slabs of heaps, and large blocks, which are runs of
/// slabs.
///
/// The callers have checked their arguments.
@SuppressWarnings("ReferenceEquality") // A thread is equal to itself only, unless a subclass claims otherwise.
public final class SlabBlocks {
    private static final int NO_CLASS = -1;
    /// Blocks of more bytes are few, and a slab has no shape for them.
    private static final long LARGEST_SHAPED = 8 * 1024;

    final SlabSpace space;
    private final MemorySegment.Scope scope;
    /// The thread that may use the memory, or null if all threads may.
    private final @Nullable Thread owner;
    /// The heap of an allocator for one thread, or the heap that all threads without an own heap share.
    private final SlabHeap common;
    /// The heaps of threads, or null.
    private final @Nullable SlabHeapTable threads;
    /// Guards the space and the table of heaps. A thread that needs the lock of the common heap acquires it before this
    /// lock.
    private final Object lock = new Object();
    public final SlabLookup lookup;

    public SlabBlocks(SlabSpace space, boolean shared) {
        this.space = space;
        scope = space.view.scope();
        owner = space.view.isAccessibleBy(new Thread()) ? null : Thread.currentThread();
        common = new SlabHeap(this, space, space.prepareRecords() - RETURNED);
        space.useRecords();
        lookup = new SlabLookup(space, lock);
        threads = shared ? new SlabHeapTable(this, lock) : null;
    }

    /// Creates a heap for a thread in the [next records][SlabSpace#prepareRecords], or returns null if there is no
    /// memory for them. The lock is held.
    @Nullable
    SlabHeap prepareHeap() {
        try {
            long prepared = space.prepareRecords();
            return prepared == 0 ? null : new SlabHeap(this, space, prepared - RETURNED);
        } catch (CapacityExceededException | OutOfMemoryError e) {
            // The thread uses the common heap. It may only free blocks, which needs no memory.
            return null;
        }
    }

    /// Allocates a block that is [small][SlabSizeClasses#isSmall].
    public long allocate(long byteSize, long byteAlignment) {
        long last = Sizes.alignUp(byteSize, byteAlignment) - 1;
        char record = SlabSizeClasses.isListed(last)
                ? SlabSizeClasses.listedRecordOf(last)
                : SlabSizeClasses.recordOf(SlabSizeClasses.indexOf(
                        Sizes.alignUp(Math.max(byteSize, 1), byteAlignment)));
        return isOwnerOfOpen() ? common.allocate(record, byteAlignment) : allocateShared(record, byteAlignment);
    }

    private long allocateShared(char record, long byteAlignment) {
        SlabHeap heap = enter();
        if (heap == null) {
            return allocateLocked(OutOfLine.CALLS, record, byteAlignment);
        }
        try {
            checkOpen();
            long address = heap.allocate(record, byteAlignment);
            VarHandle.releaseFence();
            return address;
        } finally {
            heap.busy = false;
        }
    }

    private long allocateLocked(int calls, char record, long byteAlignment) {
        if (calls > 0) {
            return allocateLocked(calls - 1, record, byteAlignment);
        }
        synchronized (common) {
            space.checkOpen();
            return common.allocate(record, byteAlignment);
        }
    }

    /// Frees a block.
    ///
    /// @param byteSize a size that the block must have at least
    /// @return whether the address is that of a live block
    public boolean free(long address, long byteSize) {
        return isOwnerOfOpen() ? common.free(address, byteSize) : freeShared(address, byteSize);
    }

    private boolean freeShared(long address, long byteSize) {
        SlabHeap heap = enter();
        if (heap == null) {
            return freeLocked(OutOfLine.CALLS, address, byteSize);
        }
        try {
            checkOpen();
            boolean freed = heap.free(address, byteSize);
            VarHandle.releaseFence();
            return freed;
        } finally {
            heap.busy = false;
        }
    }

    private boolean freeLocked(int calls, long address, long byteSize) {
        if (calls > 0) {
            return freeLocked(calls - 1, address, byteSize);
        }
        synchronized (common) {
            space.checkOpen();
            return common.free(address, byteSize);
        }
    }

    /// Whether the memory belongs to this thread, and is open. No other thread can close it meanwhile.
    private boolean isOwnerOfOpen() {
        return owner == Thread.currentThread() && scope.isAlive();
    }

    /// Returns the heap of this thread, which is then busy, or null if this thread uses the common heap behind the
    /// lock.
    private @Nullable SlabHeap enter() {
        SlabHeap heap = heapOfThread();
        if (heap != null) {
            heap.busy = true;
        }
        return heap;
    }

    private @Nullable SlabHeap heapOfThread() {
        if (threads != null) {
            return threads.current();
        }
        if (owner != null) {
            space.checkOpen();
        }
        return common;
    }

    /// Checks that the memory is not about to be freed. Closing a scope for all threads performs a handshake with every
    /// thread: either this thread sees here that the scope has ended, or the thread that has closed it sees that the
    /// heap is busy (see `ThreadSlabCache`). A check of the scope takes few loads, because all scopes have one type.
    /// A check of a segment would first have to find out the segment's class.
    private void checkOpen() {
        // No instructions, but limits for the compiler: the heap is marked first.
        VarHandle.releaseFence();
        VarHandle.acquireFence();
        if (!scope.isAlive()) {
            space.checkOpen();
        }
    }

    /// Allocates a run of slabs.
    public long allocateLarge(long byteSize, long byteAlignment) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        space.checkOpen();
        try {
            return takeLarge(byteSize, byteAlignment);
        } catch (CapacityExceededException | OutOfMemoryError e) {
            SlabHeap heap = threads == null ? common : threads.current();
            reclaim(heap == null ? common : heap, NO_CLASS);
            return takeLarge(byteSize, byteAlignment);
        }
    }

    private long takeLarge(long byteSize, long byteAlignment) {
        long slabs = SlabLookup.slabsFor(byteSize);
        synchronized (lock) {
            space.checkOpen();
            if (threads != null && !space.hasRun(slabs)) {
                threads.forEachUnowned(SlabHeap::releaseCurrent);
            }
            long run = byteAlignment <= SLAB_BYTE_SIZE ? space.take(slabs) : space.take(slabs, byteAlignment);
            put(run + SIZE_CLASS, byteAlignment);
            put(run + KIND, LARGE);
            return get(run + SLAB);
        }
    }

    /// Frees a large block, or a block of a slab that has no shape or is not the first slab of its run.
    ///
    /// @return false if there is no such block
    boolean freeFar(int calls, SlabHeap heap, long slab, long address, long byteSize) {
        if (calls > 0) {
            return freeFar(calls - 1, heap, slab, address, byteSize);
        }
        if (get(slab + KIND) == LARGE) {
            return freeLarge(slab, address, byteSize);
        }
        long first = SlabLookup.firstOf(slab);
        long index = SlabLookup.indexOf(first, address);
        return index >= 0 && byteSize <= get(first + BLOCK_BYTE_SIZE) && heap.freeBlock(first, index);
    }

    private boolean freeLarge(long run, long address, long byteSize) {
        synchronized (lock) {
            if (get(run + KIND) != LARGE || get(run + SLAB) != address
                    || byteSize > get(run + LENGTH) << SLAB_SHIFT) {
                return false;
            }
            put(run + KIND, RESERVED);
            space.giveBack(run);
            return true;
        }
    }

    /// Acquires a slab with free blocks for a heap: a free slab, a slab of a terminated thread, or a new slab. If there
    /// is no such slab, this method searches for any slab with a free block. If that fails, too, it takes a shorter run
    /// of slabs, which holds fewer blocks.
    long acquire(SlabHeap heap, int sizeClass) {
        long byteSize = SlabSizeClasses.byteSize(sizeClass);
        long slabs = SlabSizeClasses.slabsOf(byteSize);
        try {
            return acquire(heap, sizeClass, byteSize, slabs);
        } catch (CapacityExceededException | OutOfMemoryError e) {
            long reclaimed = reclaim(heap, sizeClass);
            if (reclaimed != 0) {
                return reclaimed;
            }
            for (long fewer = slabs; fewer > 1; fewer >>= 1) {
                try {
                    return acquire(heap, sizeClass, byteSize, fewer);
                } catch (CapacityExceededException | OutOfMemoryError _) {
                    // Try a shorter one.
                }
            }
            return acquire(heap, sizeClass, byteSize, 1);
        }
    }

    private long acquire(SlabHeap heap, int sizeClass, long byteSize, long slabs) {
        synchronized (lock) {
            space.checkOpen();
            if (threads != null && !space.hasRun(slabs)) {
                long left = threads.takeOver(sizeClass);
                if (left != 0) {
                    put(left + OWNER, heap.records);
                    return left;
                }
            }
            long slab = space.take(slabs);
            initialize(slab, slabs << SLAB_SHIFT, sizeClass, byteSize);
            put(slab + OWNER, heap.records);
            return slab;
        }
    }

    /// Looks at each slab of a heap, of the common heap, and of the heaps of terminated threads. Gives slabs without
    /// live blocks back.
    ///
    /// @return a slab of a size class with a free block, which the heap owns from now on, or 0
    private long reclaim(SlabHeap heap, int sizeClass) {
        SlabReclaim reclaim = new SlabReclaim(space, heap, sizeClass);
        synchronized (common) {
            synchronized (lock) {
                space.checkOpen();
                reclaim.accept(heap);
                if (heap != common) {
                    reclaim.accept(common);
                }
                if (threads != null) {
                    threads.forEachUnowned(reclaim);
                }
                return reclaim.handOver(heap);
            }
        }
    }

    private void initialize(long slab, long slabByteSize, int sizeClass, long byteSize) {
        long start = get(slab + SLAB);
        long count = slabByteSize / byteSize;
        long words = count <= MOST_IN_OWN_WORDS ? slab + OWN_WORDS : space.wordsOf(start);
        SlabWords.initialize(words, count);
        put(slab + SHAPE, slabByteSize == SLAB_BYTE_SIZE && byteSize <= LARGEST_SHAPED ? shape(byteSize) : 0);
        put(slab + BLOCK_BYTE_SIZE, byteSize);
        put(slab + WORDS, words);
        put(slab + SIZE_CLASS, sizeClass);
        put(slab + BYTE_ALIGNMENT, SlabSizeClasses.LEAST);
        put(slab + KIND, UNLISTED_SLAB);
        put(slab + BLOCK_COUNT, count);
    }

    /// Gives a slab of a heap back to the space. All its blocks are free.
    ///
    /// @param record the record whose list of partial slabs the slab is in, or 0
    void release(SlabHeap heap, long slab, long record) {
        synchronized (lock) {
            if (record != 0) {
                heap.unlink(record, slab);
            }
            retire(slab);
            // First: its range may be freed, and then belongs to somebody else.
            heap.forgetRange();
            space.giveBack(slab);
        }
    }

    /// Ends the use of a slab for blocks.
    static void retire(long slab) {
        put(slab + OWNER, 0);
        put(slab + SHAPE, 0);
        put(slab + BLOCK_COUNT, 0);
        put(slab + KIND, RESERVED);
    }

    /// {@return the statistics} They are approximate if other threads use the allocator at the same time.
    public FreeListStatistics stats() {
        long[] classes = new long[SlabSizeClasses.COUNT];
        long[] large = new long[3];
        synchronized (lock) {
            space.checkOpen();
            if (threads != null) {
                threads.forEachUnowned(SlabHeap::releaseCurrent);
            }
            space.forEach(slab -> {
                long kind = get(slab + KIND);
                long count = get(slab + BLOCK_COUNT);
                if (kind == LARGE) {
                    large[0]++;
                    large[1] += get(slab + LENGTH) << SLAB_SHIFT;
                } else if (count > 0) {
                    classes[(int) get(slab + SIZE_CLASS)] += count - countFree(slab);
                    large[2] += get(slab + LENGTH) << SLAB_SHIFT;
                }
            });
            return SlabSizeClasses.statistics(classes, large[0], large[1], large[2] + large[1],
                    space.heldByteSize());
        }
    }

    /// Frees all memory that is from a source. The scope has ended.
    public void close() {
        if (threads != null) {
            threads.awaitIdle();
        }
        synchronized (common) {
            synchronized (lock) {
                space.close();
            }
        }
    }
}
