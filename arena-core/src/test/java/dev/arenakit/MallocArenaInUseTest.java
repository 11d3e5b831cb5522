package dev.arenakit;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/// Operations that would end the lifetime of a segment while native code uses it. They are rejected, except that an
/// unchecked arena cannot detect it for a single block.
class MallocArenaInUseTest {
    private final CountingAllocator counting = new CountingAllocator();

    @AfterEach
    void nothingIsLeft() {
        counting.assertNothingHeld();
    }

    @ParameterizedTest
    @EnumSource
    void close_whileInUse_isIllegalStateAndFreesNothing(MallocKind kind) {
        try (MallocArena arena = kind.open(counting.allocator())) {
            MemorySegment used = filled(arena);
            ScopeAccess.runWhileInUse(used, () -> {
                long blocks = counting.blocks();
                assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
                assertThat(arena.scope().isAlive()).isTrue();
                assertThat(used.scope().isAlive()).isTrue();
                assertThat(counting.blocks()).isEqualTo(blocks);
                arena.allocate(10, 8).fill((byte) 1);
            });
            assertThat(Bytes.areFilled(used, 1, used.byteSize())).isTrue();
            arena.allocate(10, 8).fill((byte) 1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CHECKED", "CHECKED_SHARED"})
    void close_whileInUseAndACleanupHadThrown_reportsBoth(MallocKind kind) {
        try (MallocArena arena = kind.open(counting.allocator())) {
            MemorySegment used = filled(arena);
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
        } catch (IllegalCallerException e) {
            assertThat(e).hasMessage("by a cleanup");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CHECKED", "CHECKED_SHARED"})
    void close_whileInUse_namesTheNumberOfBlocksThatEnded(MallocKind kind) {
        List<Long> ended = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            try (MallocArena arena = kind.open(counting.allocator())) {
                List<MemorySegment> segments = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    segments.add(filled(arena));
                }
                MemorySegment used = segments.get(round * 40);
                ScopeAccess.runWhileInUse(used, () -> {
                    IllegalStateException refused = catchThrowableOfType(IllegalStateException.class, arena::close);
                    long dead = segments.stream().filter(segment -> !segment.scope().isAlive()).count();
                    if (dead > 0) {
                        assertThat(refused).hasMessageContaining("the arena remains open: endedBlocks=" + dead + ";");
                    }
                    ended.add(dead);
                    assertThat(arena.allocate(10, 8).byteSize()).isEqualTo(10);
                });
                assertThat(counting.blocks()).isEqualTo(101 - ended.getLast());
            }
        }
        assertThat(ended).as("at least one of these was not the first block").anyMatch(dead -> dead > 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"CHECKED", "CHECKED_SHARED"})
    void free_whileInUse_isIllegalStateAndTheBlockStays(MallocKind kind) {
        try (MallocArena arena = kind.open(counting.allocator())) {
            MemorySegment used = filled(arena);
            MemorySegment idle = filled(arena);
            ScopeAccess.runWhileInUse(used, () -> {
                assertThatThrownBy(() -> arena.free(used)).isInstanceOf(IllegalStateException.class);
                assertThat(counting.isLive(used.address())).isTrue();
                arena.free(idle);
            });
            assertThat(Bytes.areFilled(used, 1, used.byteSize())).isTrue();
            assertThat(counting.isLive(idle.address())).isFalse();
            arena.free(used);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CHECKED", "CHECKED_SHARED"})
    void release_whileInUse_isIllegalStateAndTheBlockStays(MallocKind kind) {
        try (MallocArena arena = kind.open(NativeAllocator.libc())) {
            MemorySegment used = filled(arena);
            ScopeAccess.runWhileInUse(used,
                    () -> assertThatThrownBy(() -> arena.release(used)).isInstanceOf(IllegalStateException.class));
            assertThat(Bytes.areFilled(used, 1, used.byteSize())).isTrue();
            MemorySegment released = arena.release(used);
            NativeAllocator.libc().free(released.address(), released.byteSize(), 1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CHECKED", "CHECKED_SHARED"})
    void reallocate_whileInUse_isIllegalStateAndTheBlockStays(MallocKind kind) {
        try (MallocArena arena = kind.open(counting.allocator())) {
            MemorySegment used = filled(arena);
            arena.free(filled(arena));
            ScopeAccess.runWhileInUse(used, () -> {
                long blocks = counting.blocks();
                assertThatThrownBy(() -> arena.reallocate(used, 1_000)).isInstanceOf(IllegalStateException.class);
                assertThat(counting.blocks()).isEqualTo(blocks);
            });
            assertThat(Bytes.areFilled(used, 1, used.byteSize())).isTrue();
            arena.free(arena.reallocate(used, 1_000));
        }
    }

    private static MemorySegment filled(MallocArena arena) {
        MemorySegment segment = arena.allocate(100, 8);
        Bytes.fill(segment, 1);
        return segment;
    }
}
