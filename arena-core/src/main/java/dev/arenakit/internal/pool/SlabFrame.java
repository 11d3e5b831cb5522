package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.internal.OutOfLine;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A frame of a confined [SlabArena]: the position of the arena when the frame was pushed, and a scope for later
/// allocations.
public final class SlabFrame implements SlabArena {
    private final ConfinedSlabArena arena;
    private final Arena delegate;
    private final MemorySegment view;

    /// The number of open frames, this one included, when the frame was pushed.
    private final int depth;
    private final Slab slabMark;
    private final long bumpPointerMark;
    private final LargeAllocations.@Nullable Block largeMark;

    SlabFrame(ConfinedSlabArena arena, Arena delegate, MemorySegment view, int depth, Slab slabMark,
            long bumpPointerMark) {
        this.arena = arena;
        this.delegate = delegate;
        this.view = view;
        this.depth = depth;
        this.slabMark = slabMark;
        this.bumpPointerMark = bumpPointerMark;
        this.largeMark = slabMark.large;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        checkTop("allocate from the top frame, or close it first");
        return arena.slice(view, byteSize, byteAlignment);
    }

    @Override
    public SlabArena pushFrame() {
        Scopes.checkOpen(view);
        return arena.pushFrame();
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    @Override
    public void close() {
        Scopes.checkOpen(view);
        checkTop("close frames in reverse order");
        arena.openFrames = -depth;
        Throwable thrown = null;
        try {
            delegate.close();
        } catch (Throwable t) {
            arena.openFrames = depth;
            if (delegate.scope().isAlive()) {
                // A segment is in use.
                throw t;
            }
            thrown = t;
        }
        // From here on, the memory of the frame belongs to the arena, even if the rest fails.
        arena.openFrames = depth - 1;
        ConfinedSlabArena.pop(OutOfLine.CALLS, arena, slabMark, largeMark, bumpPointerMark);
        if (thrown != null) {
            throw OutOfLine.rethrow(thrown);
        }
    }

    private void checkTop(String remedy) {
        if (arena.openFrames != depth) {
            throw new IllegalStateException("Another frame is open above this one: openFrames="
                    + (Math.abs(arena.openFrames) - depth) + "; " + remedy);
        }
    }
}
