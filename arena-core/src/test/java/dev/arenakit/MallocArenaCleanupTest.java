package dev.arenakit;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/// Cleanups that users attach to the scope of an arena, and that throw or use the arena.
@EnumSource(MallocKind.class)
class MallocArenaCleanupTest extends CountedMallocArena {
    private final MemorySegment first;

    MallocArenaCleanupTest(MallocKind kind) {
        super(kind);
        first = arena.allocate(100, 8);
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

    @Test
    void close_whenACleanupOfTheArenaComesBack_refusesIt() {
        List<@Nullable Throwable> refusals = new ArrayList<>();
        ScopeAccess.addCleanup(arena.scope(), () -> {
            refusals.add(catchThrowable(() -> arena.allocate(100, 8)));
            refusals.add(catchThrowable(() -> arena.free(first)));
            refusals.add(catchThrowable(() -> arena.reallocate(first, 10)));
            refusals.add(catchThrowable(arena::close));
        });
        arena.close();
        assertThat(refusals).hasSize(4).allSatisfy(t -> assertThat(t).isInstanceOf(IllegalStateException.class));
        counting.assertNothingHeld();
    }
}
