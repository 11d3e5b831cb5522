package dev.arenakit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

/// Tests of an arena of some kinds over an allocator that counts blocks. After each test, the arena is closed, and no
/// block is left.
@ParameterizedClass
abstract class CountedMallocArena {
    final MallocKind kind;
    final CountingAllocator counting = new CountingAllocator();
    final MallocArena arena;

    CountedMallocArena(MallocKind kind) {
        this.kind = kind;
        arena = open();
    }

    /// Opens another arena.
    final MallocArena open() {
        return kind.open(counting.allocator());
    }

    @AfterEach
    void nothingIsLeft() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        counting.assertNothingHeld();
    }
}
