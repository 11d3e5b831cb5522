package dev.arenakit;

import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A frame of a confined [SlabArena]: the position of the arena when the frame was pushed, and a scope for later
/// allocations.
final class SlabFrame implements Arena {
    private final SlabArenaImpl arena;
    private final Arena delegate;
    private final MemorySegment view;

    /// The number of open frames, this one included, when the frame was pushed.
    private final int depth;

    final Slab slabMark;
    final long bumpPointerMark;
    final @Nullable LargeAllocation largeMark;

    SlabFrame(SlabArenaImpl arena, Arena delegate, MemorySegment view, int depth, Slab slabMark, long bumpPointerMark,
            @Nullable LargeAllocation largeMark) {
        this.arena = arena;
        this.delegate = delegate;
        this.view = view;
        this.depth = depth;
        this.slabMark = slabMark;
        this.bumpPointerMark = bumpPointerMark;
        this.largeMark = largeMark;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        checkTop("allocate from the top frame, or close it first");
        return arena.slice(view, byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    @Override
    public void close() {
        Scopes.checkOpen(view);
        checkTop("close frames in reverse order");
        try {
            delegate.close();
        } finally {
            if (!delegate.scope().isAlive()) {
                arena.pop(this);
            }
        }
    }

    private void checkTop(String remedy) {
        if (arena.depth() != depth) {
            throw new IllegalStateException("Another frame is open above this one: " + remedy);
        }
    }
}
