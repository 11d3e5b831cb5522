package dev.arenakit.internal.freelist;

import dev.arenakit.FreeListStatistics;
import dev.arenakit.internal.OutOfLine;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.internal.freelist.SizeClasses.KINDS;
import static dev.arenakit.internal.freelist.SizeClasses.LARGE;
import static dev.arenakit.internal.freelist.SizeClasses.LAST;
import static dev.arenakit.internal.freelist.SizeClasses.NONE;
import static dev.arenakit.internal.freelist.SizeClasses.SLAB_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SizeClasses.SLAB_SHIFT;

/// The blocks of an allocator, by [position][Tables]. Each thread has stacks of free blocks; the depot behind them is
/// guarded by a lock.
///
/// The fast paths take a block from a stack, and put it back. Whatever a fast path does not do, it leaves to a slow
/// path: an empty or a full stack, a large block, an address that is no block, a closed scope. Callers have checked
/// their arguments.
@SuppressWarnings("ReferenceEquality") // A thread is equal to itself only, unless a subclass claims otherwise.
public final class FreeLists {
    /// The size of a block that is freed by its position alone.
    public static final long ANY_SIZE = -1;
    /// The result of [#resize] for a block that is not live.
    public static final long NOT_LIVE = -1;
    /// One of so many refills also empties a stack, one class after the other: blocks that nobody needs do not keep
    /// their slabs.
    private static final int REFILLS_PER_TRIM = 4;

    private final Tables tables;
    private final Space space;
    private final Depot depot;
    private final MemorySegment view;
    private final MemorySegment.Scope scope;
    /// The thread that may use the memory, or null if all threads may.
    private final @Nullable Thread owner;
    private final Source source;
    /// The stacks of an allocator for one thread, or of all threads that have none.
    private final Stacks common;
    /// The stacks of threads, or null.
    private final @Nullable StackTable threads;
    private final Object lock = new Object();
    /// Blocks between the depot and a stack.
    private final long[] batch = new long[64];
    private int refills;
    private int trimmed;
    /// All stacks are emptied when more slabs are used.
    private int nextTrim = 64;
    /// The depot's number of returns when all stacks were emptied in vain.
    private long refusedAt = -1;

    private FreeLists(Tables tables, Space space, Runs runs, MemorySegment view, Source source, boolean shared) {
        this.tables = tables;
        this.space = space;
        this.source = source;
        this.view = view;
        depot = new Depot(tables, space, runs);
        scope = view.scope();
        owner = view.isAccessibleBy(new Thread()) ? null : Thread.currentThread();
        threads = shared ? new StackTable() : null;
        Stacks stacks = source.tryCreateStacks();
        if (stacks == null) {
            throw source.full(Stacks.BYTE_SIZE, 1);
        }
        common = stacks;
    }

    /// Creates the blocks of a segment.
    public static FreeLists ofSegment(MemorySegment segment, boolean shared, boolean atomic) {
        SegmentSpace space = new SegmentSpace(segment, atomic);
        return new FreeLists(space.tables, space, space.runs, segment, Source.ofCollected(), shared);
    }

    /// Creates the blocks of an arena.
    public static FreeLists ofRanges(MemorySegment view, Source source, boolean shared, boolean atomic) {
        RangeSpace space = new RangeSpace(source, shared, atomic);
        return new FreeLists(space.tables, space, space.runs, view, source, shared);
    }

    /// The address of position 0.
    public long origin() {
        return space instanceof SegmentSpace segment ? segment.origin : 0;
    }

    /// Whether the memory belongs to this thread, and is open. No other thread can close it meanwhile.
    private boolean isOwnerOfOpen() {
        return owner == Thread.currentThread() && scope.isAlive();
    }

    /// Allocates a block that is [small][SizeClasses#isSmall].
    ///
    /// @return the block, or 0 if there is no memory left
    public long tryAllocate(long byteSize, long byteAlignment) {
        int sizeClass = SizeClasses.classOf(byteSize, byteAlignment);
        long block = isOwnerOfOpen() ? pop(common, sizeClass) : popShared(sizeClass);
        if (block == 0) {
            block = allocateSlowly(OutOfLine.CALLS, this, sizeClass);
        }
        return block;
    }

    private long pop(Stacks stacks, int sizeClass) {
        long block = stacks.pop(sizeClass);
        if (block != 0) {
            tables.setLive(block);
        }
        return block;
    }

    private long popShared(int sizeClass) {
        StackTable threads = this.threads;
        if (threads == null) {
            return owner == null && scope.isAlive() ? pop(common, sizeClass) : 0;
        }
        Stacks stacks = threads.find();
        if (stacks == null) {
            return 0;
        }
        try {
            stacks.busy = true;
            // No instructions on x86, but limits for the compiler: the mark comes before the look.
            VarHandle.releaseFence();
            VarHandle.acquireFence();
            long block = threads.isSuspended() || !scope.isAlive() ? 0 : pop(stacks, sizeClass);
            VarHandle.releaseFence();
            return block;
        } finally {
            stacks.busy = false;
        }
    }

    /// Frees a block.
    ///
    /// @param byteSize a size that the block must have at least; 0 if its segment has the size 0; or [#ANY_SIZE]
    /// @return whether a live block starts at the position
    public boolean free(long block, long byteSize) {
        return (isOwnerOfOpen() ? push(common, block, byteSize) : pushShared(block, byteSize))
                || freeSlowly(OutOfLine.CALLS, this, block, byteSize);
    }

    private boolean pushShared(long block, long byteSize) {
        StackTable threads = this.threads;
        if (threads == null) {
            return owner == null && scope.isAlive() && push(common, block, byteSize);
        }
        Stacks stacks = threads.find();
        if (stacks == null) {
            return false;
        }
        try {
            stacks.busy = true;
            VarHandle.releaseFence();
            VarHandle.acquireFence();
            boolean freed = !threads.isSuspended() && scope.isAlive() && push(stacks, block, byteSize);
            VarHandle.releaseFence();
            return freed;
        } finally {
            stacks.busy = false;
        }
    }

    private boolean push(Stacks stacks, long block, long byteSize) {
        if (byteSize == 0 || !tables.contains(block) || !tables.isLive(block, false)) {
            return false;
        }
        int kind = tables.kindOf(block);
        if (SizeClasses.isListed(byteSize)) {
            int sizeClass = SizeClasses.listedClassOf(byteSize);
            if (sizeClass == kind) {
                // The class is known without a load by position: the address of the stack does not wait for it.
                return push(stacks, block, sizeClass);
            }
        }
        return byteSize <= SizeClasses.byteSizeOf(kind) && push(stacks, block, kind);
    }

    private boolean push(Stacks stacks, long block, int kind) {
        if (stacks.isFull(kind)) {
            return false;
        }
        if (!tables.isAtomic()) {
            tables.clearLive(block);
        } else if (!tables.end(block, false)) {
            return false;
        } else if (tables.kindOf(block) != kind) {
            // Another thread has freed the block, too, and its slab was used again: this is a later block.
            giveSlowly(OutOfLine.CALLS, this, block);
            return true;
        }
        stacks.push(kind, block);
        return true;
    }

    private static long allocateSlowly(int calls, FreeLists lists, int sizeClass) {
        return calls > 0 ? allocateSlowly(calls - 1, lists, sizeClass) : lists.allocateLocked(sizeClass);
    }

    private long allocateLocked(int sizeClass) {
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
                tables.setLive(block);
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
        if (taken == 0 && space.grow(SizeClasses.slabsOf(sizeClass), 1)) {
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
                    || space.grow(length, 1) && depot.open(sizeClass, length) != null) {
                block = takeOne(sizeClass);
            }
        }
        return block;
    }

    private long takeOne(int sizeClass) {
        return depot.take(sizeClass, batch, 1) == 0 ? 0 : batch[0];
    }

    /// Empties the stacks of all other threads, unless that would not help: nothing was given back since they were
    /// emptied, and no thread has freed a block of the class.
    private void drainOthers(Stacks own, int kind) {
        if (own != common) {
            drainAll(common);
        }
        if (threads == null || refusedAt == depot.returns() && !threads.hasAny(kind)) {
            return;
        }
        threads.drainUnowned(this::drainAll);
        threads.suspend();
        try {
            threads.forEach(this::drainAll);
        } finally {
            threads.resume();
        }
        refusedAt = depot.returns();
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
    public long tryAllocateLarge(long byteSize, long byteAlignment) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        long length = SizeClasses.slabsFor(byteSize);
        long slabAlignment = Math.max(1, byteAlignment >>> SLAB_SHIFT);
        synchronized (lock) {
            Scopes.checkOpen(view);
            long block = depot.takeLarge(length, byteAlignment);
            if (block == 0 && threads != null) {
                threads.drainUnowned(this::drainAll);
                block = depot.takeLarge(length, byteAlignment);
            }
            if (block == 0 && space.grow(length, slabAlignment)) {
                block = depot.takeLarge(length, byteAlignment);
            }
            if (block == 0) {
                Stacks own = ownStacks();
                drainAll(own);
                drainOthers(own, LARGE);
                block = depot.takeLarge(length, byteAlignment);
                if (block == 0 && space.grow(length, slabAlignment)) {
                    block = depot.takeLarge(length, byteAlignment);
                }
            }
            if (block != 0) {
                tables.setLive(block);
            }
            return block;
        }
    }

    private static boolean freeSlowly(int calls, FreeLists lists, long block, long byteSize) {
        return calls > 0
                ? freeSlowly(calls - 1, lists, block, byteSize)
                : lists.freeLocked(block, byteSize);
    }

    private boolean freeLocked(long block, long byteSize) {
        synchronized (lock) {
            Scopes.checkOpen(view);
            long least = Math.max(byteSize, 0);
            if (!tables.contains(block)) {
                return false;
            }
            boolean zeroLength = isZeroLength(block, byteSize);
            int kind = tables.kindOf(block);
            if (kind == NONE || !tables.isLive(block, zeroLength)) {
                return false;
            }
            if (kind == LARGE) {
                Slab slab = depot.slabOf(block);
                if (slab.start != block || least > (long) slab.length << SLAB_SHIFT || !tables.end(block, zeroLength)) {
                    return false;
                }
                depot.giveLarge(slab);
                return true;
            }
            if (least > SizeClasses.byteSizeOf(kind)) {
                return false;
            }
            Stacks own = ownStacks();
            if (own.isFull(kind)) {
                drain(own, kind, Stacks.depth(kind) / 2);
            }
            if (!tables.end(block, zeroLength)) {
                return false;
            }
            own.push(kind, block);
            return true;
        }
    }

    private boolean isZeroLength(long block, long byteSize) {
        return byteSize == 0 || byteSize == ANY_SIZE && tables.isLive(block, true);
    }

    private static void giveSlowly(int calls, FreeLists lists, long block) {
        if (calls > 0) {
            giveSlowly(calls - 1, lists, block);
            return;
        }
        synchronized (lists.lock) {
            lists.depot.give(block);
        }
    }

    /// Whether a new block must be [recorded][#record].
    public static boolean isRecorded(long byteSize, long byteAlignment) {
        return byteSize == 0 || byteAlignment > Tables.LARGEST_UNRECORDED;
    }

    /// Records that a block was allocated for a segment: what alignment it has, and whether its size is 0.
    public void record(long block, long byteSize, long byteAlignment) {
        tables.recordAlignment(block, byteAlignment);
        if (byteSize == 0) {
            tables.setLive(block, true);
        }
    }

    /// The number of bytes that a live block holds, or [#NOT_LIVE].
    ///
    /// @param byteSize as for [#free]
    public long byteSizeOf(long block, long byteSize) {
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
        if (!tables.contains(block) || !tables.isLive(block, isZeroLength(block, byteSize))) {
            return NONE;
        }
        int kind = tables.kindOf(block);
        if (kind == LARGE) {
            Slab slab = depot.slabOf(block);
            return slab.start == block && byteSize <= (long) slab.length << SLAB_SHIFT ? LARGE : NONE;
        }
        return byteSize <= SizeClasses.byteSizeOf(kind) ? kind : NONE;
    }

    /// Resizes a live block where it is, if it can be: to a size of the same class, or, if it is large, by slabs that
    /// are free.
    ///
    /// @param byteSize as for [#free]
    /// @return 0 if the block has been resized; the alignment that it needs elsewhere; or [#NOT_LIVE]
    public long resize(long block, long byteSize, long newByteSize) {
        if (isOwnerOfOpen() && tables.contains(block) && byteSize != 0 && newByteSize != 0
                && tables.isLive(block, false)) {
            int kind = tables.kindOf(block);
            if (kind != LARGE && byteSize <= SizeClasses.byteSizeOf(kind) && fits(block, kind, newByteSize)) {
                return 0;
            }
        }
        return resizeSlowly(OutOfLine.CALLS, this, block, byteSize, newByteSize);
    }

    private static long resizeSlowly(int calls, FreeLists lists, long block, long byteSize, long newByteSize) {
        return calls > 0
                ? resizeSlowly(calls - 1, lists, block, byteSize, newByteSize)
                : lists.resizeLocked(block, byteSize, newByteSize);
    }

    private long resizeLocked(long block, long byteSize, long newByteSize) {
        synchronized (lock) {
            Scopes.checkOpen(view);
            int kind = liveKindOf(block, byteSize);
            if (kind == NONE) {
                return NOT_LIVE;
            }
            boolean resized;
            if (kind == LARGE) {
                Slab slab = depot.slabOf(block);
                resized = !SizeClasses.isSmall(newByteSize, slab.byteAlignment)
                        && depot.resizeLarge(slab, SizeClasses.slabsFor(newByteSize));
                if (!resized) {
                    return slab.byteAlignment;
                }
            } else {
                resized = fits(block, kind, newByteSize);
            }
            if (resized && byteSize != ANY_SIZE) {
                tables.setLive(block, newByteSize == 0);
            }
            return resized ? 0 : alignmentOf(block, kind);
        }
    }

    private boolean fits(long block, int kind, long newByteSize) {
        long byteAlignment = alignmentOf(block, kind);
        return SizeClasses.isSmall(newByteSize, byteAlignment)
                && SizeClasses.classOf(newByteSize, byteAlignment) == kind;
    }

    /// The alignment that a block keeps.
    private long alignmentOf(long block, int kind) {
        // A block whose class is a multiple of 16 may have been requested with that alignment.
        return Math.max(tables.alignmentOf(block), SizeClasses.byteSizeOf(kind) % 16 == 0 ? 16 : 8);
    }

    /// {@return the statistics} They are approximate if other threads use the allocator at the same time.
    public FreeListStatistics stats() {
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
        return new FreeListStatistics(count, byteSize, slabByteSize + largeByteSize, space.heldByteSize(), sizeClasses);
    }

    /// The exception after [#tryAllocate] or [#tryAllocateLarge] has returned 0.
    public RuntimeException full(long byteSize, long byteAlignment) {
        synchronized (lock) {
            return space.full(Math.max(byteSize, SLAB_BYTE_SIZE), byteAlignment);
        }
    }

    /// Frees all memory of an arena, whose scope has ended.
    public void close() {
        synchronized (lock) {
            if (threads != null) {
                threads.awaitIdle();
                threads.free(source);
            }
            space.close();
            source.free(common);
        }
        source.close();
    }
}
