package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A slab arena that takes no lock: for one thread, or for a [LockedSlabArena] around it.
final class PlainSlabArena implements SlabArena {
    private final Arena delegate;
    private final MemorySegment view;

    /*
     * The bump state: what is handed out of the top slab ends at the cursor. It stands here and not in the slab, and
     * nothing that changes it lets this arena escape: what C2 may choose not to inline is called with parts of this arena,
     * never with the arena itself. Then C2 keeps all of it in registers and makes no object at all, also in a program that
     * allocates a large block now and then (ten small blocks cost 41 ns there, instead of 66 and 160 bytes). Where the arena
     * escapes it costs an object of 40 bytes, among 160 for all that it has.
     */
    private Slab slab;
    private long cursor;
    /// The last block that the native allocator gave to this arena, or null.
    private @Nullable NativeBlock blocks;
    private @Nullable FrameStack frames;

    private PlainSlabArena(Slab slab, Arena delegate, MemorySegment view) {
        this.delegate = delegate;
        this.view = view;
        this.slab = slab;
        this.cursor = slab.address;
    }

    static PlainSlabArena confined(SlabDepot depot) {
        Slab slab = depot.lendFirst();
        try {
            Arena delegate = Arena.ofConfined();
            MemorySegment view = Scopes.viewOf(delegate);
            return new PlainSlabArena(slab, delegate, view);
        } catch (Throwable t) {
            depot.giveBack(slab);
            throw t;
        }
    }

    /// An arena in a shared scope, whose callers take turns.
    static PlainSlabArena shared(SlabDepot depot) {
        Slab slab = depot.lendFromStore(Slab.FIRST);
        try {
            Arena delegate = Arena.ofShared();
            return new PlainSlabArena(slab, delegate, Scopes.viewOf(delegate));
        } catch (Throwable t) {
            depot.giveBack(slab);
            throw t;
        }
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        if (depth() > 0) {
            throw new IllegalStateException("Arena has a frame open: allocate from the frame, or close it first");
        }
        return carve(view, byteSize, byteAlignment);
    }

    @Override
    public Arena pushFrame() {
        Scopes.checkOpen(view);
        if (frames == null) {
            frames = new FrameStack();
        }
        // A cleanup of the top frame's scope may call this while that frame is being closed.
        frames.checkTopIsOpen();
        Arena scope = Arena.ofConfined();
        MemorySegment frameView = Scopes.viewOf(scope);
        SlabFrame pushed = new SlabFrame(this, scope, frameView, frames.push(scope), slab, cursor, blocks);
        // So that what the frame has used can be zeroed in whole blocks; the mark keeps the cursor as it was.
        cursor = Sizes.alignUp(cursor, Memory.ZERO_BLOCK);
        return pushed;
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    /// Takes memory for this arena or its top frame, whose view of memory is given.
    MemorySegment carve(MemorySegment view, long byteSize, long byteAlignment) {
        return view.asSlice(take(byteSize, byteAlignment), byteSize);
    }

    /// The address of memory that nobody else has.
    private long take(long byteSize, long byteAlignment) {
        if (slab.isTooSmallFor(byteSize, byteAlignment)) {
            Sizes.checkAddressable(byteSize, byteAlignment);
            NativeBlock block = slab.depot.lendBlock(byteSize, byteAlignment, blocks);
            blocks = block;
            return block.address;
        }
        // At least one byte each, so that no zero-length segment lies at the end of a slab.
        long reserved = byteSize == 0 ? 1 : byteSize;
        long start = Sizes.alignUp(cursor, byteAlignment);
        if (start + reserved > slab.limit) {
            slab = slab.depot.lendFurther(slab, cursor);
            start = Sizes.alignUp(slab.address, byteAlignment);
        }
        cursor = start + reserved;
        return start;
    }

    /// How many frames are open.
    int depth() {
        return frames == null ? 0 : frames.depth();
    }

    /// Takes back what was carved since a frame was pushed. The scope of the frame is dead.
    void pop(SlabFrame popped) {
        Objects.requireNonNull(frames).pop();
        slab.depot.giveBack(blocks, popped.blockMark);
        blocks = popped.blockMark;
        if (slab != popped.slabMark) {
            slab.depot.giveBack(slab, cursor, popped.slabMark);
            slab = popped.slabMark;
            cursor = slab.address + slab.used;
        }
        long begin = Sizes.alignUp(popped.cursorMark, Memory.ZERO_BLOCK);
        slab.clean(begin, cursor - begin);
        cursor = popped.cursorMark;
    }

    @Override
    public void close() {
        Throwable thrown = depth() > 0 ? closeFrames() : null;
        boolean wasAlive = delegate.scope().isAlive();
        try {
            delegate.close();
        } catch (Throwable t) {
            if (thrown != null) {
                t.addSuppressed(thrown);
            }
            // Still alive: somebody is inside. Dead: a cleanup of the user's threw. Another thread's close of a confined
            // arena fails too, and must not meet the owner's.
            if (wasAlive && !delegate.scope().isAlive() && view.isAccessibleBy(Thread.currentThread())) {
                giveBack();
            }
            throw t;
        }
        giveBack();
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
    }

    private @Nullable Throwable closeFrames() {
        // First of all: another thread must not come as far as the scopes of the owner's frames.
        Scopes.checkOpen(view);
        return Objects.requireNonNull(frames).closeFrames();
    }

    private void giveBack() {
        // C2 inlines no method whose signature names a class that is not loaded, as that of blocks often is.
        if (blocks != null) {
            slab.depot.giveBack(blocks, null);
        }
        if (slab.below == null) {
            // As nearly always: no list to walk, and nothing to write into it.
            slab.clean(slab.address, cursor - slab.address);
            slab.depot.giveBack(slab);
        } else {
            slab.depot.giveBack(slab, cursor, null);
        }
    }
}
