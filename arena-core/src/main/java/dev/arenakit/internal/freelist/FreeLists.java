package dev.arenakit.internal.freelist;

import dev.arenakit.FreeListStatistics;
import dev.arenakit.internal.NotInlined;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.internal.freelist.SizeClasses.NONE;

/// The free blocks of an allocator, on stacks of each thread, in front of a depot of slabs that a lock guards.
///
/// The fast paths here take a block from a stack, and put it back. Whatever they do not do, they leave to
/// [FreeListSlowPaths]: an empty or a full stack, a large block, an offset that is no block, a closed scope. Callers have
/// checked their arguments.
///
/// The fast paths need the tables of blocks at other addresses in a segment and in an arena. A caller knows which class
/// it calls, so that C2 inlines the methods of that class, whatever else a program uses.
@SuppressWarnings("ReferenceEquality") // A thread is equal to itself only, unless a subclass claims otherwise.
public abstract class FreeLists extends BlockTables {
    // Operations on stacks: numbers, so that the call of each is bound also where C2 does not inline useStacks.
    private static final int POP = 0;
    private static final int PUSH = 1;
    private static final int IS_RECORDED = 2;

    /// The size of a block that is freed by its address or offset alone.
    public static final long ANY_SIZE = -1;
    /// The result of [#resize] for a block that is not live.
    public static final long NOT_LIVE = -1;

    /// The thread that may use the memory, or null if all threads may.
    private final @Nullable Thread owner;
    private final MemorySegment.Scope scope;
    /// The stacks of an allocator for one thread, or of all threads that have none.
    private final long common;
    /// The stacks of threads, or null.
    private final @Nullable StackTable threads;
    /// Whether of two threads that free a block at the same time, one is refused.
    private final boolean atomic;
    private final FreeListSlowPaths locked;

    FreeLists(FreeSlabs runs, MemorySegment view, RangeProvider source, boolean shared, boolean atomic) {
        super(runs);
        scope = view.scope();
        owner = view.isAccessibleBy(new Thread()) ? null : Thread.currentThread();
        threads = shared ? new StackTable() : null;
        this.atomic = atomic;
        locked = new FreeListSlowPaths(this, view, source, threads, atomic);
        common = locked.common.address;
    }

    /// Whether the memory belongs to this thread, and is open. No other thread can close it meanwhile.
    private boolean isOwnerOfOpen() {
        return owner == Thread.currentThread() && scope.isAlive();
    }

    /// Performs an operation on the stacks of this thread, which are busy meanwhile, or on the stacks of all threads.
    /// Whoever closes the memory waits for busy stacks before it frees the tables.
    ///
    /// @return the result, or 0 if the thread may use no stacks without the lock
    private long useStacks(int operation, long block, long argument) {
        StackTable threads = this.threads;
        if (threads == null) {
            return owner == null && scope.isAlive() ? perform(operation, common, block, argument) : 0;
        }
        Stacks stacks = threads.find();
        if (stacks == null) {
            return 0;
        }
        try {
            stacks.busy = 1;
            // No instructions on x86, but limits for the compiler: the mark comes before the look.
            VarHandle.releaseFence();
            VarHandle.acquireFence();
            long result = threads.isSuspended() || !scope.isAlive()
                    ? 0
                    : perform(operation, stacks.address, block, argument);
            VarHandle.releaseFence();
            return result;
        } finally {
            stacks.busy = 0;
        }
    }

    private long perform(int operation, long stacks, long block, long argument) {
        return switch (operation) {
            case POP -> pop(stacks, (int) argument);
            case PUSH -> push(stacks, block, argument) ? 1 : 0;
            // The record becomes smaller only while the slab has no live block.
            default -> alignmentOf(block) >= argument ? 1 : 0;
        };
    }

    /// Allocates a block.
    ///
    /// @param sizeClass the [class][SizeClasses#classOf(long, long)] of its size
    /// @return the block, or 0 if there is no memory left
    public final long tryAllocate(int sizeClass) {
        long block = isOwnerOfOpen() ? pop(common, sizeClass) : useStacks(POP, 0, sizeClass);
        if (block == 0) {
            block = allocateSlowly(NotInlined.CALLS, locked, sizeClass);
        }
        return block;
    }

    private long pop(long stacks, int sizeClass) {
        int top = Stacks.top(stacks, sizeClass);
        long block = Stacks.block(stacks, top);
        if (block != 0) {
            Stacks.setTop(stacks, sizeClass, top - Stacks.PUSH);
            setLive(block, false);
        }
        return block;
    }

    /// Frees a block.
    ///
    /// @param byteSize a size that the block must have at least; 0 if its segment has the size 0; or [#ANY_SIZE]
    /// @return whether the block was live
    public final boolean free(long block, long byteSize) {
        return (isOwnerOfOpen() ? push(common, block, byteSize) : useStacks(PUSH, block, byteSize) != 0)
                || freeSlowly(NotInlined.CALLS, locked, block, byteSize);
    }

    private boolean push(long stacks, long block, long byteSize) {
        if (byteSize == 0 || !contains(block) || !isLive(block, false)) {
            return false;
        }
        int kind = kindOf(block);
        if (SizeClasses.isListed(byteSize)) {
            int sizeClass = SizeClasses.listedClassOf(byteSize);
            if (sizeClass == kind) {
                // The class is known without a load from the tables: the address of the stack does not wait for it.
                return push(stacks, block, sizeClass);
            }
        }
        return (byteSize == ANY_SIZE || byteSize <= SizeClasses.byteSizeOf(kind)) && push(stacks, block, kind);
    }

    /// Frees a live block. Between any two steps, an Error loses it.
    private boolean push(long stacks, long block, int kind) {
        int top = Stacks.top(stacks, kind) + Stacks.PUSH;
        if (top < 0) {
            return false;
        }
        if (!atomic) {
            clearLive(block);
        } else if (!endAtomically(block, false)) {
            return false;
        } else if (kindOf(block) != kind) {
            // Another thread has freed the block, too, and its slab was used again: this is a later block. The lock
            // is needed, but must not be waited for while the stacks are busy.
            setLive(block, false);
            return false;
        }
        Stacks.push(stacks, kind, top, block);
        return true;
    }

    private static long allocateSlowly(int calls, FreeListSlowPaths locked, int sizeClass) {
        return calls > 0 ? allocateSlowly(calls - 1, locked, sizeClass) : locked.allocate(sizeClass);
    }

    private static boolean freeSlowly(int calls, FreeListSlowPaths locked, long block, long byteSize) {
        return calls > 0 ? freeSlowly(calls - 1, locked, block, byteSize) : locked.free(block, byteSize);
    }

    /// Allocates a large block of a segment.
    ///
    /// @return the block, or 0 if no run is long enough
    public final long tryAllocateLarge(long byteSize, long byteAlignment) {
        return locked.allocateLarge(byteSize, byteAlignment);
    }

    /// Whether a new block must be [recorded][#record].
    public static boolean isRecorded(long byteSize, long byteAlignment) {
        return byteSize == 0 || byteAlignment > LARGEST_UNRECORDED;
    }

    /// Records that a block was allocated for a segment: what alignment it has, and whether its size is 0.
    public final void record(long block, long byteSize, long byteAlignment) {
        if (isOwnerOfOpen()) {
            recordUnlocked(block, byteSize, byteAlignment);
        } else if (byteSize == 0 || useStacks(IS_RECORDED, block, byteAlignment) == 0) {
            locked.record(block, byteSize, byteAlignment);
        }
    }

    final void recordUnlocked(long block, long byteSize, long byteAlignment) {
        recordAlignment(block, byteAlignment);
        if (byteSize == 0) {
            setLive(block, true);
        }
    }

    /// The number of bytes that a live block holds, or [#NOT_LIVE].
    ///
    /// @param byteSize as for [#free]
    public final long byteSizeOf(long block, long byteSize) {
        return locked.byteSizeOf(block, byteSize);
    }

    /// Resizes a live block where it is, if it can be: to a size of the same class, or, if it is large, by slabs that
    /// are free.
    ///
    /// @param byteSize as for [#free]
    /// @return 0 if the block has been resized; the alignment that it needs elsewhere; or [#NOT_LIVE]
    public final long resize(long block, long byteSize, long newByteSize) {
        if (isOwnerOfOpen() && contains(block) && byteSize != 0 && newByteSize != 0 && isLive(block, false)) {
            int kind = kindOf(block);
            if (byteSize <= SizeClasses.byteSizeOf(kind) && fits(block, kind, newByteSize)) {
                return 0;
            }
        }
        return resizeSlowly(NotInlined.CALLS, locked, block, byteSize, newByteSize);
    }

    private static long resizeSlowly(int calls, FreeListSlowPaths locked, long block, long byteSize, long newByteSize) {
        return calls > 0
                ? resizeSlowly(calls - 1, locked, block, byteSize, newByteSize)
                : locked.resize(block, byteSize, newByteSize);
    }

    /// Whether a block of a class can have a size without a move.
    final boolean fits(long block, int kind, long newByteSize) {
        return kind != NONE && SizeClasses.classOf(newByteSize, alignmentOf(block, kind)) == kind;
    }

    /// The alignment that a block keeps.
    final long alignmentOf(long block, int kind) {
        // A block whose class is a multiple of 16 may have been requested with that alignment.
        return Math.max(alignmentOf(block), SizeClasses.byteSizeOf(kind) % 16 == 0 ? 16 : 8);
    }

    /// {@return the statistics} They are approximate if other threads use the allocator at the same time.
    public final FreeListStatistics stats() {
        return locked.stats();
    }

    /// The exception after [#tryAllocate] or [#tryAllocateLarge] has returned 0.
    public final RuntimeException full(long byteSize, long byteAlignment) {
        return locked.full(byteSize, byteAlignment);
    }

    /// Frees all memory of an arena, whose scope has ended.
    public final void close() {
        locked.close();
    }
}
