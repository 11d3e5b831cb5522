package dev.arenakit;

import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A frame of a confined [SlabArena]: how far the arena had got when the frame was pushed, and a scope for what comes
/// after.
final class SlabFrame implements Arena {
    private final PlainSlabArena arena;
    private final Arena delegate;
    private final MemorySegment view;

    /// How many frames were open when this one was.
    private final int depth;

    final Slab slabMark;
    final long cursorMark;
    final @Nullable NativeBlock blockMark;

    SlabFrame(PlainSlabArena arena, Arena delegate, MemorySegment view, int depth, Slab slabMark, long cursorMark,
            @Nullable NativeBlock blockMark) {
        this.arena = arena;
        this.delegate = delegate;
        this.view = view;
        this.depth = depth;
        this.slabMark = slabMark;
        this.cursorMark = cursorMark;
        this.blockMark = blockMark;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        checkTop("allocate from the top frame, or close it first");
        return arena.carve(view, byteSize, byteAlignment);
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
