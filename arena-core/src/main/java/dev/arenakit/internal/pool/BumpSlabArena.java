package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.NotInlined;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.pool.memory.LargeAllocation;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.pool.stock.ThreadSlabCache;
import dev.arenakit.internal.scope.ConfinedArena;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A slab arena without a lock: for one thread, or for the holder of the lock of [SharedSlabs].
public sealed class BumpSlabArena extends ConfinedArena implements SlabArena {
    /// The second receiver of the call that [ConfinedArena] describes.
    private static final BumpSlabArena SECOND = new Second();

    /// The value of `openFrames` from the close on.
    private static final int CLOSING = Integer.MIN_VALUE;
    /// The value of `openFrames` after this arena was detached.
    private static final int DETACHED = Integer.MIN_VALUE + 1;

    /// The thread whose arena this is.
    final @Nullable Thread owner;

    /*
     * The bump pointer is the end of the used part of the top slab. It is in the arena, not in the slab, and nothing
     * that changes it lets this arena escape: methods that C2 does not inline are called with parts of this arena,
     * never with the arena itself. C2 then keeps all fields in registers and allocates no object at all, even in a
     * program that allocates a large block now and then.
     */
    private Slab slab;
    /// A multiple of 8, so that most alignments need no instruction.
    private long bumpPointer;
    private long limit;
    /// Up to this bump pointer, the release is short: there is one slab, and no large allocation. It is 0 if there has
    /// been another slab or a large allocation.
    private long shortEnd;
    /// The number of open frames. It is negative while the top frame is being closed. The arena has no reference to a
    /// frame: a frame that it referred to would be an object on the heap.
    int openFrames;

    BumpSlabArena(@Nullable Thread owner, Slab slab, Arena delegate, MemorySegment view) {
        super(delegate, view);
        this.owner = owner;
        this.slab = slab;
        this.bumpPointer = slab.address;
        this.limit = slab.limit;
        this.shortEnd = slab.shortEnd;
    }

    /// A receiver of [#endScope()] that is no arena.
    @SuppressWarnings("NullAway")
    private BumpSlabArena() {
        this.owner = null;
    }

    public static BumpSlabArena confined(SlabCache cache, ThreadSlabCache threadSlabs) {
        Slab slab = threadSlabs.acquire();
        if (slab == null) {
            slab = cache.acquirePrimary(NotInlined.CALLS);
        }
        return open(cache, slab);
    }

    /// Opens an arena of a pool in which no thread owns a slab.
    public static BumpSlabArena unowned(SlabCache cache) {
        Slab slab = cache.acquireSharedPrimary(true);
        BumpSlabArena arena = open(cache, slab);
        return cache.watchesAll() ? followed(arena) : arena;
    }

    /// Opens an arena over the slabs of a parcel.
    static BumpSlabArena attached(Slab top, long bumpPointer) {
        Arena delegate = Arena.ofConfined();
        MemorySegment view = Scopes.viewOf(delegate);
        BumpSlabArena arena = new BumpSlabArena(Thread.currentThread(), top, delegate, view);
        arena.bumpPointer = bumpPointer;
        arena.shortEnd = 0;
        return arena;
    }

    private static BumpSlabArena open(SlabCache cache, Slab slab) {
        try {
            Arena delegate = Arena.ofConfined();
            MemorySegment view = Scopes.viewOf(delegate);
            return new BumpSlabArena(Thread.currentThread(), slab, delegate, view);
        } catch (Throwable t) {
            cache.release(slab);
            throw t;
        }
    }

    /// Opens an arena of a pool that watches some of its arenas for leaks. The arena is the same in both cases: what is
    /// known of it is in its slab.
    public static BumpSlabArena sampled(SlabCache cache, ThreadSlabCache threadSlabs) {
        Slab slab = threadSlabs.acquire();
        if (slab == null) {
            slab = cache.acquirePrimary(NotInlined.CALLS);
        }
        if (slab.opens > slab.nextSample) {
            cache.sample(NotInlined.CALLS, slab, true);
        }
        return open(cache, slab);
    }

    /// Opens an arena of a pool that watches all of its arenas for leaks, and whether they are reachable. The arena is
    /// an object on the heap.
    public static BumpSlabArena watched(SlabCache cache, ThreadSlabCache threadSlabs) {
        return followed(sampled(cache, threadSlabs));
    }

    private static BumpSlabArena followed(BumpSlabArena arena) {
        try {
            Objects.requireNonNull(arena.slab.open).follow(arena);
            return arena;
        } catch (Throwable t) {
            arena.close();
            throw t;
        }
    }

    @Override
    public final MemorySegment allocate(long byteSize, long byteAlignment) {
        if (!Scopes.isCurrent(owner) || openFrames != 0) {
            throw allocateRefused(view, byteSize, byteAlignment);
        }
        return slice(view, byteSize, byteAlignment);
    }

    // The next two methods are the inherited ones, compiled for this class: in a program with several kinds of arenas,
    // the inherited method makes a call through the interface for each step.

    @Override
    public final MemorySegment allocateFrom(String text) {
        return SlabArena.super.allocateFrom(text);
    }

    @Override
    public final MemorySegment allocate(MemoryLayout layout) {
        return allocate(layout.byteSize(), layout.byteAlignment());
    }

    private static IllegalStateException allocateRefused(MemorySegment view, long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        return new IllegalStateException("Arena has a frame open: allocate from the frame, or close it first");
    }

    @Override
    public final SlabArena pushFrame() {
        Scopes.checkOpen(view);
        if (openFrames < 0) {
            // This is a cleanup of the top frame.
            throw Scopes.alreadyClosed();
        }
        Arena scope = Arena.ofConfined();
        MemorySegment frameView = Scopes.viewOf(scope);
        ArenaFrame pushed = new ArenaFrame(this, scope, frameView, openFrames + 1, slab, bumpPointer);
        // Aligned, so that the memory of the frame can be zeroed in whole blocks. The mark is the unaligned pointer.
        bumpPointer = Sizes.alignUp(bumpPointer, Memory.ZERO_BLOCK);
        openFrames++;
        return pushed;
    }

    /// Allocates a slice of the given view, which is the view of this arena or of its top frame.
    final MemorySegment slice(MemorySegment view, long byteSize, long byteAlignment) {
        return view.asSlice(bump(byteSize, byteAlignment), byteSize);
    }

    /// Advances the bump pointer, or makes a large allocation.
    ///
    /// @return the address of the new memory
    final long bump(long byteSize, long byteAlignment) {
        long start = (byteAlignment <= Long.BYTES ? bumpPointer : Sizes.alignUp(bumpPointer, byteAlignment))
                & Memory.ADDRESS_BITS;
        long end = start + reserved(byteSize);
        if (byteSize >= 0 && byteSize <= Slab.LARGEST_SLAB && byteAlignment <= Slab.LARGEST_SLAB && end <= limit
                && Sizes.isPowerOfTwo(byteAlignment)) {
            bumpPointer = end;
            return start;
        }
        // First: if the call fails, there may be a large allocation nevertheless.
        shortEnd = 0;
        Slab top = slab;
        top.bumpPointer = bumpPointer;
        top = top.home.allocateSlowly(NotInlined.CALLS, top, byteSize, byteAlignment);
        // No call from here on, so that no Error comes between these steps. All fields are loaded anew: a value that C2
        // had to keep during the call would be on the stack in all iterations of a loop that allocates.
        slab = top;
        limit = top.limit;
        bumpPointer = top.bumpPointer;
        return top.newest & Memory.ADDRESS_BITS;
    }

    /// Advances the bump pointer of [SharedSlabs] as [#bump] does, or returns 0 if the pool is full, which counts as no
    /// refusal. The arguments are valid.
    final long tryBump(long byteSize, long byteAlignment) {
        if (byteSize <= Slab.LARGEST_SLAB && byteAlignment <= Slab.LARGEST_SLAB
                && Sizes.alignUp(bumpPointer, byteAlignment) + reserved(byteSize) <= limit) {
            return bump(byteSize, byteAlignment);
        }
        Slab current = slab;
        current.bumpPointer = bumpPointer;
        Slab top = current.home.tryAllocateSlowly(current, byteSize, byteAlignment);
        if (top == null) {
            return 0;
        }
        // No call from here on, as in bump().
        slab = top;
        limit = top.limit;
        bumpPointer = top.bumpPointer;
        return top.newest;
    }

    /// Counts a refusal of [#tryBump] and returns its exception.
    final RuntimeException full(long byteSize, long byteAlignment) {
        Slab top = slab;
        return top.home.full(top, byteSize, byteAlignment);
    }

    /// The bytes that a block takes: at least one, so that no zero-length segment starts at the end of a slab.
    static long reserved(long byteSize) {
        return Math.max(byteSize, 1) + Long.BYTES - 1 & -Long.BYTES;
    }

    /// Releases everything that was allocated since a frame was pushed. The scope of the frame is dead, and the frame
    /// is no longer counted as open.
    ///
    /// If this method fails, the rest of the memory belongs to the arena, which releases it when it is closed.
    final void pop(Slab slabMark, @Nullable LargeAllocation largeMark, long bumpPointerMark) {
        Slab top = slab;
        if (top != slabMark) {
            top.home.emptyDownTo(NotInlined.CALLS, slabMark, top, bumpPointer);
            // Unlink the slab before it is released.
            slab = slabMark;
            limit = slabMark.limit;
            bumpPointer = slabMark.address + slabMark.usedByteSize;
            top.home.releaseUnlinked(NotInlined.CALLS, top);
        }
        long begin = Sizes.alignUp(bumpPointerMark, Memory.ZERO_BLOCK);
        if (slabMark.large != largeMark || bumpPointer - begin > Memory.LARGEST_MEMSET) {
            slabMark.home.empty(NotInlined.CALLS, slabMark, largeMark, begin, bumpPointer);
        } else if (slabMark.zeroed && bumpPointer > begin) {
            Memory.zeroShort(begin, bumpPointer - begin);
        }
        bumpPointer = bumpPointerMark;
    }

    @Override
    public final void close() {
        if (!Scopes.isCurrent(owner) || openFrames != 0) {
            refuseClose(view, openFrames);
            return;
        }
        openFrames = CLOSING;
        try {
            endScope(SECOND, this);
        } catch (Throwable t) {
            // First, in case the next call fails: a segment may be in use.
            openFrames = 0;
            if (!delegate.scope().isAlive()) {
                // A user's cleanup has thrown.
                openFrames = CLOSING;
                slab.home.releaseAll(NotInlined.CALLS, slab, bumpPointer);
            }
            throw t;
        }
        Slab slab = this.slab;
        long ownerId = slab.ownerId;
        if (bumpPointer > shortEnd || ownerId == 0) {
            slab.home.releaseAll(NotInlined.CALLS, slab, bumpPointer);
            return;
        }
        if (slab.zeroed && bumpPointer != slab.address) {
            Memory.zeroShort(slab.address, bumpPointer - slab.address);
        }
        slab.encodedState(ownerId);
        // No instruction on x86, but a limit for the compiler: the release comes first.
        VarHandle.releaseFence();
        VarHandle.acquireFence();
        if (slab.retired) {
            slab.home.releasedRetired(NotInlined.CALLS, slab);
        }
    }

    @Override
    public final SlabParcel detach() {
        if (!Scopes.isCurrent(owner) || openFrames != 0) {
            throw detachRefused(view, openFrames);
        }
        // First: there may be no heap memory for it.
        DetachedSlabs parcel = new DetachedSlabs(slab, bumpPointer, delegate.scope());
        slab.home.disown();
        openFrames = CLOSING;
        try {
            Scopes.closeConfined(delegate);
            parcel.detached();
        } catch (Throwable t) {
            // As in close().
            openFrames = 0;
            if (!delegate.scope().isAlive()) {
                openFrames = CLOSING;
                slab.home.releaseAll(0, slab, bumpPointer);
            }
            throw t;
        }
        openFrames = DETACHED;
        return parcel;
    }

    private static IllegalStateException detachRefused(MemorySegment view, int openFrames) {
        Scopes.checkOpen(view);
        return new IllegalStateException("Arena has open frames: openFrames=" + Math.abs(openFrames)
                + "; close them before the arena is detached");
    }

    /// Throws, unless the arena of this thread was detached, so that its close has no effect.
    private static void refuseClose(MemorySegment view, int openFrames) {
        if (openFrames == DETACHED && view.isAccessibleBy(Thread.currentThread())) {
            return;
        }
        // First: a closed arena, or an arena of another thread, has no frames to close.
        Scopes.checkOpen(view);
        throw new IllegalStateException("Arena has open frames: openFrames=" + Math.abs(openFrames)
                + "; close them before the arena");
    }

    /// Releases all memory of [SharedSlabs], whose scope is dead.
    void release() {
        slab.home.releaseAll(NotInlined.CALLS, slab, bumpPointer);
    }

    /// Holds all memory of [SharedSlabs] back, whose scope is still alive.
    ///
    /// @return the size of the memory
    long holdBack() {
        return slab.home.holdBack(slab);
    }

    private static final class Second extends BumpSlabArena {
        @Override
        protected void endScope() {
            // A constant receiver of a call that C2 omits.
        }
    }
}
