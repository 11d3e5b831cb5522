package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.OutOfLine;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A slab arena without a lock: for one thread, or for the holder of the lock of a [SharedSlabArena].
public final class ConfinedSlabArena implements SlabArena {
    private final Arena delegate;
    private final MemorySegment view;

    /*
     * The bump pointer is the end of the used part of the top slab. It is in the arena, not in the slab, and nothing
     * that changes it lets this arena escape: methods that C2 does not inline are called with parts of this arena,
     * never with the arena itself. C2 then keeps all fields in registers and allocates no object at all, even in a
     * program that allocates a large block now and then (ten small blocks cost 41 ns there, instead of 66 ns and 160
     * bytes).
     */
    private Slab slab;
    private long bumpPointer;
    private long limit;
    private final long largest;
    /// The number of open frames. It is negative while the top frame is being closed. The arena has no reference to a
    /// frame: a frame that it referred to would be an object on the heap.
    int openFrames;

    ConfinedSlabArena(Slab slab, Arena delegate, MemorySegment view) {
        this.delegate = delegate;
        this.view = view;
        this.slab = slab;
        this.bumpPointer = slab.address;
        this.limit = slab.limit;
        this.largest = slab.largest();
    }

    public static ConfinedSlabArena confined(SlabCache cache) {
        Slab slab = cache.acquirePrimary();
        try {
            Arena delegate = Arena.ofConfined();
            MemorySegment view = Scopes.viewOf(delegate);
            return new ConfinedSlabArena(slab, delegate, view);
        } catch (Throwable t) {
            cache.release(slab);
            throw t;
        }
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        if (openFrames != 0) {
            throw new IllegalStateException("Arena has a frame open: allocate from the frame, or close it first");
        }
        return slice(view, byteSize, byteAlignment);
    }

    @Override
    public SlabArena pushFrame() {
        Scopes.checkOpen(view);
        if (openFrames < 0) {
            // This is a cleanup of the top frame.
            throw Scopes.alreadyClosed();
        }
        Arena scope = Arena.ofConfined();
        MemorySegment frameView = Scopes.viewOf(scope);
        SlabFrame pushed = new SlabFrame(this, scope, frameView, openFrames + 1, slab, bumpPointer);
        // Aligned, so that the memory of the frame can be zeroed in whole blocks. The mark is the unaligned pointer.
        bumpPointer = Sizes.alignUp(bumpPointer, Memory.ZERO_BLOCK);
        openFrames++;
        return pushed;
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    /// Allocates a slice of the given view, which is the view of this arena or of its top frame.
    MemorySegment slice(MemorySegment view, long byteSize, long byteAlignment) {
        return view.asSlice(bump(byteSize, byteAlignment), byteSize);
    }

    /// Advances the bump pointer, or makes a large allocation.
    ///
    /// @return the address of the new memory
    long bump(long byteSize, long byteAlignment) {
        // At least one byte each, so that no zero-length segment starts at the end of a slab.
        long reserved = byteSize == 0 ? 1 : byteSize;
        long start = Sizes.alignUp(bumpPointer, byteAlignment);
        if (byteSize <= largest && byteAlignment <= largest && start + reserved <= limit) {
            bumpPointer = start + reserved;
            return start;
        }
        Slab next = slab.cache.allocateSlowly(OutOfLine.CALLS, slab, bumpPointer, byteSize, byteAlignment);
        if (next == slab) {
            return next.largeAddress();
        }
        start = Sizes.alignUp(next.address, byteAlignment);
        // No call from here on, so that no Error comes between these steps.
        slab = next;
        limit = next.limit;
        bumpPointer = start + reserved;
        return start;
    }

    /// Releases everything that was allocated since a frame was pushed. The scope of the frame is dead, and the frame
    /// is no longer counted as open.
    ///
    /// If this method fails, the rest of the memory belongs to the arena, which releases it when it is closed.
    static void pop(int calls, ConfinedSlabArena arena, Slab slabMark, LargeAllocations.@Nullable Block largeMark,
            long bumpPointerMark) {
        if (calls > 0) {
            pop(calls - 1, arena, slabMark, largeMark, bumpPointerMark);
            return;
        }
        Slab top = arena.slab;
        SlabCache cache = top.cache;
        if (top != slabMark) {
            cache.releaseBetween(slabMark, top);
            cache.freeLarge(top, null);
            top.zero(top.address, arena.bumpPointer - top.address);
            // Unlink the slab before it is released.
            arena.slab = slabMark;
            arena.limit = slabMark.limit;
            arena.bumpPointer = slabMark.address + slabMark.usedByteSize;
            top.previous = null;
            cache.release(top);
        }
        cache.freeLarge(slabMark, largeMark);
        long begin = Sizes.alignUp(bumpPointerMark, Memory.ZERO_BLOCK);
        slabMark.zero(begin, arena.bumpPointer - begin);
        arena.bumpPointer = bumpPointerMark;
    }

    @Override
    public void close() {
        if (openFrames != 0) {
            throw framesOpen();
        }
        Throwable thrown = Scopes.endConfined(delegate, view);
        release();
        if (thrown != null) {
            throw OutOfLine.rethrow(thrown);
        }
    }

    /// Releases all memory. The scope is dead.
    void release() {
        slab.cache.releaseAll(OutOfLine.CALLS, slab, bumpPointer);
    }

    private IllegalStateException framesOpen() {
        // Check first: a closed arena, or an arena of another thread, has no frames to close.
        Scopes.checkOpen(view);
        return new IllegalStateException("Arena has open frames: openFrames=" + Math.abs(openFrames)
                + "; close them before the arena");
    }
}
