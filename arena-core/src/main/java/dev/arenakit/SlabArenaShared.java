package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A slab arena for all threads, which locks around another one.
final class SlabArenaShared implements SlabArena {
    /*
     * This is a class of its own rather than a branch in the other one: C2 compiles what it has seen, and in a program
     * that has opened shared arenas, ten blocks of a confined one would cost 90 ns and 560 bytes, instead of 13 ns and
     * none.
     */
    /// Also the lock: nothing else refers to it.
    private final SlabArena arena;

    /// @param arena an arena in a shared scope
    SlabArenaShared(SlabArena arena) {
        this.arena = arena;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        synchronized (arena) {
            return arena.allocate(byteSize, byteAlignment);
        }
    }

    @Override
    public Arena pushFrame() {
        throw new UnsupportedOperationException(
                "A shared arena has no frames: open a confined arena of the pool in the thread that needs a frame");
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    @Override
    public void close() {
        synchronized (arena) {
            arena.close();
        }
    }
}
