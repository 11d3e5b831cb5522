package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.internal.scope.SharedClose;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A slab arena for all threads, with a scope of its own.
public final class SharedSlabArena implements SlabArena {
    private final Arena delegate;
    private final SharedSlabs memory;
    private final SharedClose closing;

    private SharedSlabArena(Arena delegate, SharedSlabs memory) {
        this.delegate = delegate;
        this.memory = memory;
        closing = new SharedClose(delegate, true, delegate::close, memory::release);
    }

    /// Opens an arena.
    public static SharedSlabArena open(SlabCache cache) {
        Slab slab = cache.acquireSharedPrimary();
        try {
            return over(slab);
        } catch (Throwable t) {
            cache.release(slab);
            throw t;
        }
    }

    /// Opens an arena with this slab as its first one. If this method fails, the caller releases the slab.
    static SharedSlabArena over(Slab slab) {
        Arena delegate = Arena.ofShared();
        SharedSlabArena arena = new SharedSlabArena(delegate, new SharedSlabs(slab, delegate, Scopes.viewOf(delegate)));
        if (slab.home.watchesAll()) {
            Objects.requireNonNull(slab.open).follow(arena);
        }
        return arena;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return memory.allocate(byteSize, byteAlignment);
    }

    @Override
    public SlabArena pushFrame() {
        throw framesRefused();
    }

    @Override
    public SlabParcel detach() {
        throw detachRefused();
    }

    static UnsupportedOperationException framesRefused() {
        return new UnsupportedOperationException(
                "A shared arena has no frames: open a confined arena of the pool in the thread that needs a frame");
    }

    static UnsupportedOperationException detachRefused() {
        return new UnsupportedOperationException(
                "A shared arena is not detached: any thread can use it and close it");
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    @Override
    public void close() {
        closing.close();
    }
}
