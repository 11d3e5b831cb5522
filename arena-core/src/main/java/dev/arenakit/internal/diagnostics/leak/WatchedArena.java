package dev.arenakit.internal.diagnostics.leak;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An arena that counts what another arena allocates, and is watched until it is closed.
public final class WatchedArena implements Arena {
    private final Arena arena;
    private final LeakWatch open;

    public WatchedArena(Arena arena, LeakWatch open) {
        this.arena = arena;
        this.open = open;
        // Whoever has the arena itself can still close it: it is followed instead of this object.
        open.follow(arena);
        open.register();
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        MemorySegment segment = arena.allocate(byteSize, byteAlignment);
        open.add(byteSize);
        return segment;
    }

    /// What is known of this arena.
    public LeakWatch opening() {
        return open;
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    @Override
    public void close() {
        try {
            arena.close();
        } finally {
            // If a cleanup of a user has thrown, the arena is closed nevertheless.
            if (!arena.scope().isAlive()) {
                open.closed();
            }
        }
    }
}
