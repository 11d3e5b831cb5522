package dev.arenakit.internal.freelist;

import dev.arenakit.FreeListStatistics;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.internal.freelist.FreeLists.ANY_SIZE;
import static dev.arenakit.internal.freelist.FreeLists.NOT_LIVE;
import static dev.arenakit.internal.freelist.SizeClasses.KINDS;
import static dev.arenakit.internal.freelist.SizeClasses.LARGE;
import static dev.arenakit.internal.freelist.SizeClasses.LAST;
import static dev.arenakit.internal.freelist.SizeClasses.NONE;
import static dev.arenakit.internal.freelist.SizeClasses.SLAB_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SizeClasses.SLAB_SHIFT;

/// What the fast paths of [FreeLists] leave: each method takes the lock, and checks that the memory is open.
final class FreeListSlowPaths {
    /// One of so many refills also empties a stack, one class after the other: blocks that nobody needs do not keep
    /// their slabs.
    private static final int REFILLS_PER_TRIM = 4;

    private final FreeLists lists;
    private final SlabDepot depot;
    private final MemorySegment view;
    private final RangeProvider source;
    private final boolean atomic;
    /// The stacks of an allocator for one thread, or of all threads that have none.
    final Stacks common;
    /// The stacks of threads, or null.
    private final @Nullable StackTable threads;
    private final Object lock = new Object();
    /// Blocks between the depot and a stack.
    private final long[] batch = new long[64];
    private int refills;
    private int looks;
    private int trimmed;
    /// All stacks are emptied when more slabs are used.
    private int nextTrim = 64;

    FreeListSlowPaths(FreeLists lists, MemorySegment view, RangeProvider source, @Nullable StackTable threads,
            boolean atomic) {
        this.lists = lists;
        this.view = view;
        this.source = source;
        this.threads = threads;
        this.atomic = atomic;
        depot = new SlabDepot(lists);
        common = source.createStacks();
    }

    /// Allocates a block.
    ///
    /// @return the block, or 0 if there is no memory left
    long allocate(int sizeClass) {
        synchronized (lock) {
            Scopes.checkOpen(view);
            Stacks own = ownStacks();
            long block = own.pop(sizeClass);
            if (block == 0) {
                block = refill(own, sizeClass);
            }
            if (block == 0) {
                block = allocateFull(own, sizeClass);
            }
            if (block != 0) {
                lists.setLive(block, false);
            }
            return block;
        }
    }

    /// The stacks that this thread uses while it holds the lock.
    private Stacks ownStacks() {
        if (threads == null) {
            return common;
        }
        Stacks stacks = threads.find();
        if (stacks == null) {
            stacks = threads.create(source);
        }
        return stacks == null ? common : stacks;
    }

    /// Fills half of an empty stack.
    ///
    /// @return another block, or 0
    private long refill(Stacks own, int sizeClass) {
        if (++refills % REFILLS_PER_TRIM == 0) {
            trimmed = trimmed % LAST + 1;
            drain(own, trimmed, 0);
        }
        int count = (Stacks.depth(sizeClass) + 1) / 2;
        int taken = depot.take(sizeClass, batch, count);
        if (taken == 0) {
            // Before more memory is used for the first time.
            if (threads != null) {
                threads.drainUnowned(this::drainAll);
            }
            if (depot.usedSlabs() >= nextTrim) {
                drainAll(own);
                nextTrim = depot.usedSlabs() + Math.max(16, depot.usedSlabs() / 8);
            }
            taken = depot.take(sizeClass, batch, count);
        }
        if (taken == 0 && lists.grow(SizeClasses.slabsOf(sizeClass), 1)) {
            taken = depot.take(sizeClass, batch, count);
        }
        for (int i = taken - 1; i > 0; i--) {
            own.push(sizeClass, batch[i]);
        }
        return taken == 0 ? 0 : batch[0];
    }

    /// Allocates a block when there is no memory left but what is on stacks, or in runs that are shorter than usual.
    private long allocateFull(Stacks own, int sizeClass) {
        drainAll(own);
        long block = takeOne(sizeClass);
        if (block == 0) {
            drainOthers(own, sizeClass);
            block = takeOne(sizeClass);
        }
        for (int length = SizeClasses.slabsOf(sizeClass) / 2; block == 0 && length > 0; length /= 2) {
            if (depot.open(sizeClass, length) != null
                    || (lists.grow(length, 1) && depot.open(sizeClass, length) != null)) {
                block = takeOne(sizeClass);
            }
        }
        return block;
    }

    private long takeOne(int sizeClass) {
        return depot.take(sizeClass, batch, 1) == 0 ? 0 : batch[0];
    }

    /// Empties the stacks of all other threads, unless that makes no block of a kind possible.
    private void drainOthers(Stacks own, int kind) {
        if (own != common) {
            drainAll(common);
        }
        if (threads == null) {
            return;
        }
        threads.drainUnowned(this::drainAll);
        looks++;
        if (!threads.anyMatch(stacks -> isWorthDraining(stacks, kind))) {
            return;
        }
        threads.suspend();
        try {
            threads.forEach(this::drainAll);
        } finally {
            threads.resume();
        }
    }

    /// Whether stacks have a free block of a kind, or all blocks that a slab of another one lacks to be free. Owners
    /// use their stacks meanwhile: a block that is overlooked has been live at some time of this call.
    private boolean isWorthDraining(Stacks stacks, int kind) {
        for (int other = 1; other <= LAST; other++) {
            int count = stacks.copy(other, batch);
            if (other == kind && count > 0) {
                return true;
            }
            for (int i = 0; i < count; i++) {
                if (depot.isLastOfSlab(batch[i], looks)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void drainAll(Stacks stacks) {
        for (int kind = 1; kind <= LAST; kind++) {
            drain(stacks, kind, 0);
        }
    }

    /// Gives the older blocks of a stack back to the depot.
    private void drain(Stacks stacks, int kind, int left) {
        int count = stacks.drain(kind, left, batch);
        for (int i = 0; i < count; i++) {
            depot.give(batch[i]);
        }
    }

    /// Allocates a large block of a segment.
    ///
    /// @return the block, or 0 if no run is long enough
    long allocateLarge(long byteSize, long byteAlignment) {
        long length = SizeClasses.slabsFor(byteSize);
        long slabAlignment = Math.max(1, byteAlignment >>> SLAB_SHIFT);
        synchronized (lock) {
            Scopes.checkOpen(view);
            long block = depot.takeLarge(length, byteAlignment);
            if (block == 0 && threads != null) {
                threads.drainUnowned(this::drainAll);
                block = depot.takeLarge(length, byteAlignment);
            }
            if (block == 0 && lists.grow(length, slabAlignment)) {
                block = depot.takeLarge(length, byteAlignment);
            }
            if (block == 0) {
                Stacks own = ownStacks();
                drainAll(own);
                drainOthers(own, LARGE);
                block = depot.takeLarge(length, byteAlignment);
                if (block == 0 && lists.grow(length, slabAlignment)) {
                    block = depot.takeLarge(length, byteAlignment);
                }
            }
            if (block != 0) {
                lists.setLive(block, false);
            }
            return block;
        }
    }

    /// Frees a block, as [FreeLists#free].
    boolean free(long block, long byteSize) {
        synchronized (lock) {
            Scopes.checkOpen(view);
            int kind = liveKindOf(block, byteSize);
            if (kind == NONE) {
                return false;
            }
            boolean zeroLength = isZeroLength(block, byteSize);
            if (kind == LARGE) {
                boolean isEnded = end(block, zeroLength);
                if (isEnded) {
                    depot.release(depot.slabOf(block));
                }
                return isEnded;
            }
            Stacks own = ownStacks();
            if (own.isFull(kind)) {
                drain(own, kind, Stacks.depth(kind) / 2);
            }
            boolean isEnded = end(block, zeroLength);
            if (isEnded) {
                own.push(kind, block);
            }
            return isEnded;
        }
    }

    private boolean end(long block, boolean zeroLength) {
        if (atomic) {
            return lists.endAtomically(block, zeroLength);
        }
        boolean live = lists.isLive(block, zeroLength);
        if (live) {
            lists.clearLive(block);
        }
        return live;
    }

    private boolean isZeroLength(long block, long byteSize) {
        return byteSize == 0 || (byteSize == ANY_SIZE && lists.isLive(block, true));
    }

    /// Records what is special about a block, as [FreeLists#record]. The memory may have been closed since the block was
    /// allocated, and threads may record alignments of the same slab.
    void record(long block, long byteSize, long byteAlignment) {
        synchronized (lock) {
            Scopes.checkOpen(view);
            lists.recordUnlocked(block, byteSize, byteAlignment);
        }
    }

    /// The number of bytes that a live block holds, or [FreeLists#NOT_LIVE].
    ///
    /// @param byteSize as for [FreeLists#free]
    long byteSizeOf(long block, long byteSize) {
        synchronized (lock) {
            Scopes.checkOpen(view);
            int kind = liveKindOf(block, byteSize);
            return kind == NONE
                    ? NOT_LIVE
                    : kind == LARGE ? (long) depot.slabOf(block).length << SLAB_SHIFT : SizeClasses.byteSizeOf(kind);
        }
    }

    /// The kind of a live block of at least a size, or [SizeClasses#NONE].
    private int liveKindOf(long block, long byteSize) {
        if (!lists.contains(block) || !lists.isLive(block, isZeroLength(block, byteSize))) {
            return NONE;
        }
        int kind = lists.kindOf(block);
        if (kind == LARGE) {
            BlockSlab slab = depot.slabOf(block);
            return slab.start == block && byteSize <= (long) slab.length << SLAB_SHIFT ? LARGE : NONE;
        }
        return byteSize <= SizeClasses.byteSizeOf(kind) ? kind : NONE;
    }

    /// Resizes a block where it is, as [FreeLists#resize].
    long resize(long block, long byteSize, long newByteSize) {
        synchronized (lock) {
            Scopes.checkOpen(view);
            int kind = liveKindOf(block, byteSize);
            if (kind == NONE) {
                return NOT_LIVE;
            }
            boolean resized;
            if (kind == LARGE) {
                BlockSlab slab = depot.slabOf(block);
                resized = SizeClasses.classOf(newByteSize, slab.byteAlignment) == NONE
                        && depot.resizeLarge(slab, SizeClasses.slabsFor(newByteSize));
                if (!resized) {
                    return slab.byteAlignment;
                }
            } else {
                resized = lists.fits(block, kind, newByteSize);
            }
            if (resized && byteSize != ANY_SIZE) {
                lists.setLive(block, newByteSize == 0);
            }
            return resized ? 0 : lists.alignmentOf(block, kind);
        }
    }

    /// {@return the statistics} They are approximate if other threads use the allocator at the same time.
    FreeListStatistics stats() {
        synchronized (lock) {
            Scopes.checkOpen(view);
            if (threads != null) {
                threads.drainUnowned(this::drainAll);
            }
            drainAll(ownStacks());
            drainAll(common);
            long[] blocks = new long[KINDS];
            long[] used = new long[2];
            depot.forEach(slab -> {
                used[slab.kind == LARGE ? 1 : 0] += slab.length;
                blocks[slab.kind] += slab.kind == LARGE ? 1 : slab.used();
            });
            if (threads != null) {
                threads.forEach(stacks -> {
                    for (int kind = 1; kind <= LAST; kind++) {
                        blocks[kind] -= stacks.count(kind);
                    }
                });
            }
            return statistics(blocks, used[1] << SLAB_SHIFT, used[0] << SLAB_SHIFT);
        }
    }

    private FreeListStatistics statistics(long[] blocks, long largeByteSize, long slabByteSize) {
        List<FreeListStatistics.SizeClass> sizeClasses = new ArrayList<>();
        long count = blocks[LARGE];
        long byteSize = largeByteSize;
        for (int kind = 1; kind <= LAST; kind++) {
            if (blocks[kind] > 0) {
                sizeClasses.add(new FreeListStatistics.SizeClass(SizeClasses.byteSizeOf(kind), blocks[kind]));
                count += blocks[kind];
                byteSize += blocks[kind] * SizeClasses.byteSizeOf(kind);
            }
        }
        return new FreeListStatistics("", count, byteSize, slabByteSize + largeByteSize, lists.heldByteSize(),
                sizeClasses);
    }

    /// The exception after an allocation has returned 0.
    RuntimeException full(long byteSize, long byteAlignment) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        synchronized (lock) {
            return lists.exhausted(Math.max(byteSize, SLAB_BYTE_SIZE), byteAlignment);
        }
    }

    /// Frees all memory of an arena, whose scope has ended.
    void close() {
        synchronized (lock) {
            if (threads != null) {
                threads.awaitIdle();
                threads.free(source);
            }
            lists.freeAll();
            source.free(common);
        }
        source.close();
    }
}
