package dev.arenakit;

import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/// Cleanups that users attach to the scope of a block, and that throw or use the arena.
@EnumSource(value = MallocKind.class, names = {"CHECKED", "CHECKED_SHARED"})
class MallocArenaBlockCleanupTest extends CountedMallocArena {
    private static final NativeAllocator LIBC = NativeAllocator.libc();

    private final MemorySegment first;
    private final MemorySegment second;

    MallocArenaBlockCleanupTest(MallocKind kind) {
        super(kind);
        first = arena.allocate(100, 8);
        second = arena.allocate(100, 8);
    }

    @Test
    void close_whenCleanupsOfBlocksThrow_freesAllAndRethrowsAll() {
        addThrowing(first.scope(), new IllegalCallerException("first"));
        ScopeAccess.addCleanup(second.scope(), () -> {
            throw new LinkageError("second");
        });
        addThrowing(arena.scope(), new IllegalCallerException("arena"));
        assertThat(all(Objects.requireNonNull(catchThrowable(arena::close)))).extracting(Throwable::getMessage)
                .containsExactlyInAnyOrder("first", "second", "arena");
        assertThat(arena.scope().isAlive()).isFalse();
        counting.assertNothingHeld();
    }

    @Test
    void close_whenCleanupsThrowTheSameException_rethrowsIt() {
        IllegalCallerException same = new IllegalCallerException("the same");
        for (MemorySegment.Scope scope : List.of(first.scope(), second.scope(), arena.scope())) {
            addThrowing(scope, same);
        }
        assertThatThrownBy(arena::close).isSameAs(same).hasNoSuppressedExceptions();
        counting.assertNothingHeld();
    }

    @Test
    void close_whenACleanupFreesAnotherBlock_freesEachOnce() {
        // The scope that is closed first closes the other.
        List<MemorySegment> refused = new ArrayList<>();
        for (MemorySegment segment : List.of(first, second)) {
            MemorySegment other = segment.equals(first) ? second : first;
            ScopeAccess.addCleanup(segment.scope(), () -> {
                if (catchThrowable(() -> arena.free(other)) != null) {
                    refused.add(other);
                }
            });
        }
        arena.close();
        assertThat(refused).as("the block whose cleanup was running").hasSize(1);
        counting.assertNothingHeld();
    }

    @Test
    void close_whenACleanupOfABlockCloses_freesEachBlockOnce() {
        ScopeAccess.addCleanup(first.scope(), arena::close);
        // The inner call has closed the arena, so that the outer one is a second close.
        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
        assertThat(arena.scope().isAlive()).isFalse();
        assertThat(second.scope().isAlive()).isFalse();
        counting.assertNothingHeld();
    }

    @Test
    void free_whenTheCleanupThrows_freesTheBlockAndTheArenaGoesOn() {
        addThrowing(first.scope(), new IllegalCallerException("by a cleanup"));
        assertThatThrownBy(() -> arena.free(first)).hasMessage("by a cleanup");
        assertThat(counting.isLive(first.address())).isFalse();
        assertThatThrownBy(() -> arena.free(first)).isInstanceOf(IllegalArgumentException.class);
        assertThat(second.scope().isAlive()).isTrue();
        arena.free(second);
    }

    @Test
    void free_whenTheCleanupFreesAndResizesTheSameBlock_freesItOnce() {
        List<@Nullable Throwable> refusals = new ArrayList<>();
        List<MemorySegment> allocated = new ArrayList<>();
        ScopeAccess.addCleanup(first.scope(), () -> {
            refusals.add(catchThrowable(() -> arena.free(first)));
            refusals.add(catchThrowable(() -> arena.reallocate(first, 10)));
            // A block of the same size would get the address if that were already free.
            allocated.add(arena.allocate(100, 8));
        });
        arena.free(first);
        assertThat(refusals).hasSize(2).allSatisfy(t -> assertThat(t).isInstanceOf(IllegalArgumentException.class));
        assertThat(counting.isLive(first.address())).isFalse();
        allocated.getFirst().set(ValueLayout.JAVA_LONG, 0, 1);
        assertThat(counting.isLive(allocated.getFirst().address())).isTrue();
        arena.free(allocated.getFirst());
    }

    @Test
    void free_whenTheCleanupFreesOthersAndAllocates_losesNothing() {
        List<MemorySegment> allocated = new ArrayList<>();
        ScopeAccess.addCleanup(first.scope(), () -> {
            arena.free(second);
            for (int i = 0; i < 100; i++) {
                allocated.add(arena.allocate(100, 8));
            }
        });
        arena.free(first);
        assertThat(counting.isLive(first.address())).isFalse();
        assertThatThrownBy(() -> arena.free(second)).isInstanceOf(IllegalArgumentException.class);
        allocated.forEach(arena::free);
        assertThat(counting.blocks()).isZero();
    }

    @Test
    void freeAndReallocate_whenTheCleanupCloses_freeEachBlockOnce() {
        ScopeAccess.addCleanup(first.scope(), arena::close);
        arena.free(first);
        assertThat(second.scope().isAlive()).isFalse();
        counting.assertNothingHeld();

        MallocArena resizing = open();
        MemorySegment block = resizing.allocate(100, 8);
        ScopeAccess.addCleanup(block.scope(), resizing::close);
        assertThat(resizing.reallocate(block, 200).scope().isAlive()).isFalse();
        counting.assertNothingHeld();
    }

    @Test
    void reallocate_whenTheCleanupThrows_endsBothBlocks() {
        addThrowing(first.scope(), new IllegalCallerException("by a cleanup"));
        long before = counting.blocks();
        assertThatThrownBy(() -> arena.reallocate(first, 200)).hasMessage("by a cleanup");
        assertThat(first.scope().isAlive()).isFalse();
        assertThat(counting.isLive(first.address())).isFalse();
        assertThat(counting.blocks()).as("both the old and the new block are freed")
                .isEqualTo(before - 1);
    }

    @Test
    void release_whenTheCleanupThrows_freesTheBlock() {
        try (MallocArena releasing = kind.open(LIBC)) {
            MemorySegment block = releasing.allocate(64);
            addThrowing(block.scope(), new IllegalCallerException("by a cleanup"));
            assertThatThrownBy(() -> releasing.release(block)).hasMessage("by a cleanup");
            assertThat(releasing.stats()).isEqualTo(new MallocArenaStatistics("", 0, 0, 0));
        }
    }

    @Test
    void release_whenTheCleanupFreesReleasesOrAdopts_givesTheBlockOnce() {
        List<@Nullable Throwable> refusals = new ArrayList<>();
        try (MallocArena releasing = kind.open(LIBC)) {
            MemorySegment block = filled(releasing.allocate(64));
            releasing.allocate(100);
            ScopeAccess.addCleanup(block.scope(), () -> {
                refusals.add(catchThrowable(() -> releasing.free(block)));
                refusals.add(catchThrowable(() -> releasing.release(block)));
                MemorySegment again = Scopes.viewOf(Arena.global()).asSlice(block.address(), 64);
                refusals.add(catchThrowable(() -> releasing.adopt(again)));
            });
            freeByC(releasing.release(block));
        }
        assertThat(refusals).hasSize(3).allSatisfy(t -> assertThat(t).isInstanceOf(IllegalArgumentException.class));
    }

    @Test
    void release_whenTheCleanupCloses_givesTheBlockOnce() {
        MallocArena releasing = kind.open(LIBC);
        MemorySegment block = filled(releasing.allocate(64));
        releasing.allocate(100);
        ScopeAccess.addCleanup(block.scope(), releasing::close);
        MemorySegment released = releasing.release(block);
        assertThat(releasing.scope().isAlive()).isFalse();
        freeByC(released);
    }

    private static void addThrowing(MemorySegment.Scope scope, RuntimeException thrown) {
        ScopeAccess.addCleanup(scope, () -> {
            throw thrown;
        });
    }

    private static MemorySegment filled(MemorySegment block) {
        Bytes.fill(block, 1);
        return block;
    }

    private static void freeByC(MemorySegment released) {
        assertThat(Bytes.areFilled(released, 1, 64)).isTrue();
        LIBC.free(released.address(), released.byteSize(), 1);
    }

    private static List<Throwable> all(Throwable thrown) {
        List<Throwable> all = new ArrayList<>(List.of(thrown));
        for (Throwable suppressed : thrown.getSuppressed()) {
            all.addAll(all(suppressed));
        }
        return all;
    }
}
