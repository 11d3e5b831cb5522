package dev.arenakit;

import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.nativecall.NativeFunctions;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Blocks that an arena gives away. Most tests run over libc, which terminates the JVM if a block is freed twice, and
/// count the blocks on a budget. [NativeAllocatorLibraryTest] runs [ReleaseSession] over a malloc that finds every
/// wrong `free`.
@ParameterizedClass
@EnumSource(MallocKind.class)
class MallocArenaReleaseTest {
    private static final NativeAllocator LIBC = NativeAllocator.libc();
    private static final boolean HAS_ALIGNED_ALLOC = NativeFunctions.libc().find("aligned_alloc").isPresent();

    private final MallocKind kind;
    private final MemoryBudget budget = MemoryBudget.root("releasing", 1 << 30);

    MallocArenaReleaseTest(MallocKind kind) {
        this.kind = kind;
    }

    @AfterEach
    void budgetIsGivenBack() {
        assertThat(budget.stats().reservedByteSize()).isZero();
        budget.close();
    }

    @Test
    void release_anyBlock_canBeFreedByC() {
        assumeTrue(HAS_ALIGNED_ALLOC, "needs aligned_alloc");
        ReleaseSession.releaseAll(kind, LIBC);
    }

    @Test
    void release_oneBlock_endsItForTheArena() {
        try (MallocArena arena = open()) {
            MemorySegment other = filled(arena.allocate(100), 1);
            MemorySegment block = filled(arena.allocate(100), 2);
            MemorySegment released = arena.release(block);
            assertThat(released.scope()).isEqualTo(Arena.global().scope());
            assertThat(Bytes.areFilled(released, 2, 100)).isTrue();
            assertThat(Bytes.areFilled(other, 1, 100)).isTrue();
            assertThat(arena.stats().liveBlocks()).isEqualTo(1);
            assertThatIllegalArgumentException().isThrownBy(() -> arena.release(block));
            assertThatIllegalArgumentException().isThrownBy(() -> arena.free(block));
            assertThatIllegalArgumentException().isThrownBy(() -> arena.reallocate(block, 1));
            assertThat(block.scope().isAlive()).isEqualTo(!kind.checked);
            if (kind.checked) {
                assertThatIllegalStateException().isThrownBy(() -> block.get(JAVA_BYTE, 0));
            }
            arena.free(other);
            freeByC(released);
        }
    }

    @Test
    void release_inAnArenaWithABudget_givesBackAllOfTheBlock() {
        assumeTrue(HAS_ALIGNED_ALLOC, "needs aligned_alloc");
        try (MallocArena arena = open()) {
            // Makes the index.
            arena.free(arena.adopt(MemorySegment.ofAddress(LIBC.allocate(1, 1))));
            long empty = budget.stats().reservedByteSize();
            for (long byteAlignment : new long[]{1, 8, 64, 4096}) {
                for (long byteSize : new long[]{0, 1, 1_000, 100_000}) {
                    MemorySegment released = arena.release(arena.allocate(byteSize, byteAlignment));
                    assertThat(budget.stats().reservedByteSize()).isEqualTo(empty);
                    assertThat(released.address() % byteAlignment).isZero();
                    MemorySegment adopted = arena.adopt(released);
                    assertThat(budget.stats().reservedByteSize()).isEqualTo(empty + Math.max(byteSize, 1));
                    freeByC(arena.release(adopted));
                    assertThat(budget.stats().reservedByteSize()).isEqualTo(empty);
                }
            }
        }
    }

    @Test
    void release_byAnArenaOverAnotherAllocator_isUnsupportedAndChangesNothing() {
        CountingAllocator counting = new CountingAllocator();
        // Without anonymous mappings, both are the same.
        NativeAllocator pages = PageMappings.isSupported() ? NativeAllocator.pages() : counting.allocator();
        for (NativeAllocator allocator : List.of(counting.allocator(), pages)) {
            try (MallocArena arena = kind.open(allocator)) {
                MemorySegment block = filled(arena.allocate(100), 1);
                assertThatThrownBy(() -> arena.release(block)).isInstanceOf(UnsupportedOperationException.class)
                        .hasMessage("The free of C does not free blocks of this allocator: allocator=" + allocator
                                + "; use an arena over NativeAllocator.libc()");
                assertThat(Bytes.areFilled(block, 1, 100)).isTrue();
                arena.free(block);
            }
        }
        counting.assertNothingHeld();
    }

    @Test
    void release_whatIsNoBlock_isRefused() {
        try (MallocArena arena = open(); MallocArena sibling = open()) {
            MemorySegment block = arena.allocate(64);
            for (MemorySegment other : List.of(block.asSlice(0, 32), block.asSlice(16), block.asReadOnly(),
                    sibling.allocate(64), MemorySegment.ofAddress(block.address()), MemorySegment.NULL,
                    Scopes.viewOf(arena).asSlice(block.address(), 1L << 50), MemorySegment.ofArray(new byte[64]))) {
                assertRefused(() -> arena.release(other), "Not a live block of this arena");
            }
            assertThat(arena.stats().liveBlocks()).isEqualTo(1);
            arena.free(block);
        }
    }

    @Test
    void release_ofAClosedArenaOrByAnotherThread_isAsTheKindPromises() {
        MallocArena arena = open();
        MemorySegment block = arena.allocate(64);
        Throwable thrown = Threads.thrownBy(() -> freeByC(arena.release(block)));
        if (kind.shared) {
            assertThat(thrown).isNull();
        } else {
            assertThat(thrown).isInstanceOf(WrongThreadException.class);
        }
        MemorySegment left = arena.allocate(64);
        arena.close();
        assertThatIllegalStateException().isThrownBy(() -> arena.release(left));
    }

    @Test
    void release_withoutNativeMemoryForTheIndex_changesNothing() {
        boolean[] refusing = new boolean[1];
        try (MallocArena arena = kind.open(NativeAllocator.failing(LIBC, _ -> refusing[0]))) {
            List<MemorySegment> blocks = IntStream.range(0, 3)
                    .mapToObj(seed -> filled(arena.allocate(64), seed))
                    .toList();
            refusing[0] = true;
            List<MemorySegment> refused = new ArrayList<>();
            for (MemorySegment block : blocks) {
                try {
                    freeByC(arena.release(block));
                } catch (OutOfMemoryError e) {
                    refused.add(block);
                }
            }
            refusing[0] = false;
            assertThat(refused).isEqualTo(switch (kind) {
                // The first block of a confined arena needs no index.
                case CONFINED -> blocks.subList(1, 3);
                case SHARED -> blocks;
                // The index of a checked arena is on the heap.
                case CHECKED, CHECKED_SHARED -> List.of();
            });
            for (MemorySegment block : refused) {
                int seed = blocks.indexOf(block);
                MemorySegment released = arena.release(block);
                assertThat(Bytes.areFilled(released, seed, 64)).isTrue();
                freeByC(released);
            }
        }
    }

    private MallocArena open() {
        return kind.builder().budget(budget).build();
    }

    private static MemorySegment filled(MemorySegment segment, int seed) {
        Bytes.fill(segment, seed);
        return segment;
    }

    private static void freeByC(MemorySegment released) {
        LIBC.free(released.address(), released.byteSize(), 1);
    }
}
