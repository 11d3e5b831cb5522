package dev.arenakit;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/// Operations that would end the lifetime of a block while native code uses it. They are rejected. An unchecked arena
/// cannot detect it for a single block.
@EnumSource(value = MallocKind.class, names = {"CHECKED", "CHECKED_SHARED"})
class MallocArenaInUseTest extends CountedMallocArena {
    private final MemorySegment used = filled(arena);

    MallocArenaInUseTest(MallocKind kind) {
        super(kind);
    }

    @Test
    void close_whileInUseAndACleanupHadThrown_reportsBoth() {
        // With so many blocks, some are closed before the one that is in use.
        for (int i = 0; i < 100; i++) {
            ScopeAccess.addCleanup(arena.allocate(100, 8).scope(), () -> {
                throw new IllegalCallerException("by a cleanup");
            });
        }
        ScopeAccess.runWhileInUse(used, () -> assertThatThrownBy(arena::close)
                .isInstanceOf(IllegalStateException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasOnlyElementsOfType(IllegalCallerException.class)));
        assertThat(Bytes.areFilled(used, 1, used.byteSize())).isTrue();
        arena.free(used);
        try {
            arena.close();
        } catch (IllegalCallerException e) {
            assertThat(e).hasMessage("by a cleanup");
        }
    }

    @Test
    void close_whileInUse_namesTheNumberOfBlocksThatEnded() {
        List<Long> ended = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            try (MallocArena arena = open()) {
                long before = counting.blocks();
                List<MemorySegment> segments = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    segments.add(filled(arena));
                }
                ScopeAccess.runWhileInUse(segments.get(round * 40), () -> {
                    IllegalStateException refused = catchThrowableOfType(IllegalStateException.class, arena::close);
                    long dead = segments.stream().filter(segment -> !segment.scope().isAlive()).count();
                    if (dead > 0) {
                        assertThat(refused).hasMessageContaining("the arena remains open: endedBlocks=" + dead + ";");
                    }
                    ended.add(dead);
                    assertThat(arena.allocate(10, 8).byteSize()).isEqualTo(10);
                });
                assertThat(counting.blocks() - before).isEqualTo(101 - ended.getLast());
            }
        }
        assertThat(ended).as("at least one of these was not the first block").anyMatch(dead -> dead > 0);
    }

    @Test
    void freeAndReallocate_whileInUse_areIllegalStateAndTheBlockStays() {
        MemorySegment idle = filled(arena);
        ScopeAccess.runWhileInUse(used, () -> {
            assertThatThrownBy(() -> arena.free(used)).isInstanceOf(IllegalStateException.class);
            assertThat(counting.isLive(used.address())).isTrue();
            arena.free(idle);
            long blocks = counting.blocks();
            assertThatThrownBy(() -> arena.reallocate(used, 1_000)).isInstanceOf(IllegalStateException.class);
            assertThat(counting.blocks()).isEqualTo(blocks);
        });
        assertThat(Bytes.areFilled(used, 1, used.byteSize())).isTrue();
        assertThat(counting.isLive(idle.address())).isFalse();
        arena.free(arena.reallocate(used, 1_000));
    }

    @Test
    void release_whileInUse_isIllegalStateAndTheBlockStays() {
        NativeAllocator libc = NativeAllocator.libc();
        try (MallocArena arena = kind.open(libc)) {
            MemorySegment used = filled(arena);
            ScopeAccess.runWhileInUse(used,
                    () -> assertThatThrownBy(() -> arena.release(used)).isInstanceOf(IllegalStateException.class));
            assertThat(Bytes.areFilled(used, 1, used.byteSize())).isTrue();
            MemorySegment released = arena.release(used);
            libc.free(released.address(), released.byteSize(), 1);
        }
    }

    private static MemorySegment filled(MallocArena arena) {
        MemorySegment segment = arena.allocate(100, 8);
        Bytes.fill(segment, 1);
        return segment;
    }
}
