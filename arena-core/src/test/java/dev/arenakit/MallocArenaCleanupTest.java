package dev.arenakit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Cleanups that users attach to the scope of an arena, and that throw.
@EnumSource(MallocKind.class)
class MallocArenaCleanupTest extends CountedMallocArena {
    MallocArenaCleanupTest(MallocKind kind) {
        super(kind);
        arena.allocate(100, 8);
        arena.allocate(100, 8);
    }

    @Test
    void close_whenACleanupOfTheArenaThrowsAnError_freesAllAndRethrowsIt() {
        ScopeAccess.addCleanup(arena.scope(), () -> {
            throw new LinkageError("by a cleanup");
        });
        assertThatThrownBy(arena::close).isInstanceOf(LinkageError.class);
        counting.assertNothingHeld();
    }
}
