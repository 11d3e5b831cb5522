package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// Blocks of size 0, and segments of size 0 at the start of other blocks.
class OffsetAllocatorEmptyBlockTest {
    enum Kind {
        OFFSETS, OFFSETS_SHARED, OFFSETS_ATOMIC, ARENA, ARENA_SHARED, ARENA_ATOMIC
    }

    /// Runs a test, which frees all blocks that it allocates.
    private static void run(Kind kind, Consumer<BlockAllocator> test) {
        switch (kind) {
            case OFFSETS -> runOver(OffsetAllocator::over, test);
            case OFFSETS_SHARED -> runOver(OffsetAllocator::overShared, test);
            case OFFSETS_ATOMIC -> runOver(OffsetAllocator::overSharedAtomic, test);
            case ARENA -> run(FreeListArena.ofConfined(), test);
            case ARENA_SHARED -> run(FreeListArena.ofShared(), test);
            case ARENA_ATOMIC -> run(FreeListArena.builder().shared().atomicFree().build(), test);
        }
    }

    private static void runOver(Function<MemorySegment, OffsetAllocator> over, Consumer<BlockAllocator> test) {
        try (Arena arena = Arena.ofShared()) {
            OffsetAllocator allocator = over.apply(arena.allocate(4 << 20));
            test.accept(allocator);
            assertThat(allocator.stats().liveBlocks()).isZero();
        }
    }

    private static void run(FreeListArena arena, Consumer<BlockAllocator> test) {
        try (arena) {
            test.accept(arena);
            assertThat(arena.stats().liveBlocks()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void free_ofTheEmptySliceBehindABlock_doesNotFreeItsNeighbour(Kind kind) {
        run(kind, blocks -> {
            MemorySegment block = blocks.allocate(16);
            MemorySegment neighbour = blocks.allocate(16);
            while (neighbour.address() != block.address() + 16) {
                blocks.free(block);
                block = neighbour;
                neighbour = blocks.allocate(16);
            }
            for (MemorySegment empty : new MemorySegment[]{block.asSlice(16, 0), block.asSlice(0, 0),
                    block.asSlice(8, 0), neighbour.asSlice(0, 0)}) {
                assertThatIllegalArgumentException().isThrownBy(() -> blocks.free(empty));
                assertThatIllegalArgumentException().isThrownBy(() -> blocks.reallocate(empty, 10));
            }
            blocks.free(neighbour);
            blocks.free(block);
        });
    }

    @ParameterizedTest
    @EnumSource
    void free_ofABlockThatIsOrBecameEmpty_freesIt(Kind kind) {
        run(kind, blocks -> {
            for (long byteAlignment : new long[]{1, 8, 16, 64, 4_096, 1 << 17}) {
                MemorySegment empty = blocks.allocate(0, byteAlignment);
                blocks.free(empty);
                assertThatIllegalArgumentException().isThrownBy(() -> blocks.free(empty));
                MemorySegment grown = blocks.reallocate(blocks.allocate(0, byteAlignment), 10);
                assertThat(grown.byteSize()).isEqualTo(10);
                assertThatIllegalArgumentException().isThrownBy(() -> blocks.free(grown.asSlice(0, 0)));
                blocks.free(grown);
                MemorySegment shrunk = blocks.reallocate(blocks.allocate(10, byteAlignment), 0);
                assertThat(shrunk.byteSize()).isZero();
                assertThat(shrunk.address() % byteAlignment).isZero();
                blocks.free(shrunk);
                assertThatIllegalArgumentException().isThrownBy(() -> blocks.free(shrunk));
            }
        });
    }
}
