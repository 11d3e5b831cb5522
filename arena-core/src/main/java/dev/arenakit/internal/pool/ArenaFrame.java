package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.pool.memory.LargeAllocation;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.scope.ConfinedArena;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A frame of a confined [SlabArena]: the position of the arena when the frame was pushed, and a scope for later
/// allocations.
public sealed class ArenaFrame extends ConfinedArena implements SlabArena {
    /// The second receiver of the call that [ConfinedArena] describes.
    private static final ArenaFrame SECOND = new Second();

    /// The depth of a frame that is closed.
    private static final int CLOSED = Integer.MAX_VALUE;

    private final BumpSlabArena arena;

    /// The number of open frames, this one included, when the frame was pushed, or CLOSED.
    private int depth;
    private final Slab slabMark;
    private final long bumpPointerMark;
    private final @Nullable LargeAllocation largeMark;

    ArenaFrame(BumpSlabArena arena, Arena delegate, MemorySegment view, int depth, Slab slabMark,
            long bumpPointerMark) {
        super(delegate, view);
        this.arena = arena;
        this.depth = depth;
        this.slabMark = slabMark;
        this.bumpPointerMark = bumpPointerMark;
        this.largeMark = slabMark.large;
    }

    /// A receiver of [#endScope()] that is no frame.
    @SuppressWarnings("NullAway")
    private ArenaFrame() {
        this.arena = null;
        this.slabMark = null;
        this.bumpPointerMark = 0;
        this.largeMark = null;
    }

    @Override
    public final MemorySegment allocate(long byteSize, long byteAlignment) {
        if (!Scopes.isCurrent(arena.owner) || arena.openFrames != depth) {
            throw allocateRefused(view, depth, arena.openFrames, byteSize, byteAlignment);
        }
        return arena.slice(view, byteSize, byteAlignment);
    }

    private static IllegalStateException allocateRefused(MemorySegment view, int depth, int openFrames, long byteSize,
            long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        return notTop(view, depth, openFrames, "allocate from the top frame, or close it first");
    }

    private static IllegalStateException notTop(MemorySegment view, int depth, int openFrames, String remedy) {
        Scopes.checkOpen(view);
        return new IllegalStateException("Another frame is open above this one: openFrames="
                + (Math.abs(openFrames) - depth) + "; " + remedy);
    }

    @Override
    public final SlabArena pushFrame() {
        Scopes.checkOpen(view);
        return arena.pushFrame();
    }

    @Override
    public final SlabParcel detach() {
        throw new UnsupportedOperationException("A frame is a part of its arena: close it, and detach the arena");
    }

    @Override
    public final void close() {
        int depth = this.depth;
        if (!Scopes.isCurrent(arena.owner) || arena.openFrames != depth) {
            throw notTop(view, depth, arena.openFrames, "close frames in reverse order");
        }
        arena.openFrames = -depth;
        try {
            endScope(SECOND, this);
        } catch (Throwable t) {
            // First, in case the next call fails: a segment may be in use.
            arena.openFrames = depth;
            if (!delegate.scope().isAlive()) {
                // A user's cleanup has thrown.
                this.depth = CLOSED;
                arena.openFrames = depth - 1;
                arena.pop(slabMark, largeMark, bumpPointerMark);
            }
            throw t;
        }
        // From here on, the memory of the frame belongs to the arena, even if the rest fails.
        this.depth = CLOSED;
        arena.openFrames = depth - 1;
        arena.pop(slabMark, largeMark, bumpPointerMark);
    }

    private static final class Second extends ArenaFrame {
        @Override
        protected void endScope() {
            // A constant receiver of a call that C2 omits.
        }
    }
}
