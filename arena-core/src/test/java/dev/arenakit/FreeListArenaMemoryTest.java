package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The memory that arenas take from a pool or from the system, and give back.
class FreeListArenaMemoryTest {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    private static SlabPool pool(long maxByteSize) {
        return SlabPool.builder().slabByteSize(4 * KIB).maxByteSize(maxByteSize).build();
    }

    private static FreeListArena open(SlabPool pool, boolean shared) {
        FreeListArena.Builder builder = FreeListArena.builder().pool(pool);
        return (shared ? builder.shared() : builder).build();
    }

    private static List<MemorySegment> fill(FreeListArena arena, long byteSize) {
        List<MemorySegment> blocks = new ArrayList<>();
        for (MemorySegment block = arena.tryAllocate(byteSize, 1); block != null; block = arena.tryAllocate(byteSize,
                1)) {
            blocks.add(block.fill((byte) 1));
        }
        return blocks;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allocate_untilAPoolOfAnySizeIsFull_takesAllThatItHas(boolean shared) {
        for (long maxByteSize : new long[]{300 * KIB, MIB, 4 * MIB, 5 * MIB + 4 * KIB}) {
            try (SlabPool pool = pool(maxByteSize)) {
                for (long byteSize : new long[]{1_000, 20_000}) {
                    try (FreeListArena arena = open(pool, shared)) {
                        List<MemorySegment> blocks = fill(arena, byteSize);
                        assertThat(pool.stats().usedByteSize())
                                .as("limit %d, size %d", maxByteSize, byteSize)
                                .isBetween(maxByteSize - 128 * KIB, maxByteSize);
                        blocks.forEach(arena::free);
                        assertThat(fill(arena, byteSize)).hasSameSizeAs(blocks);
                    }
                    assertThat(pool.stats().usedByteSize()).isZero();
                }
            }
        }
    }

    @Test
    void open_ofAPoolWithoutMemoryForStacks_isRefusedOnceAndTakesNothing() {
        try (SlabPool pool = pool(16 * KIB)) {
            assertThatThrownBy(() -> open(pool, false)).isInstanceOf(CapacityExceededException.class);
            assertThat(pool.stats().refusals()).isEqualTo(1);
            assertThat(pool.stats().usedByteSize()).isZero();
            assertThat(pool.stats().openArenas()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allocate_fromAFullPool_countsOneRefusal(boolean shared) {
        try (SlabPool pool = pool(MIB); FreeListArena arena = open(pool, shared)) {
            MemorySegment block = arena.allocate(8);
            long refusals = 0;
            for (long byteSize : new long[]{100, 1_000, 60_000, 100_000, 2 * MIB}) {
                fill(arena, byteSize);
                SlabPoolStatistics before = pool.stats();
                assertThat(before.refusals()).as("tried size %d", byteSize).isEqualTo(refusals);
                assertThat(arena.tryAllocate(byteSize, 8)).isNull();
                assertThat(pool.stats()).isEqualTo(before);
                assertThatThrownBy(() -> arena.allocate(byteSize)).isInstanceOf(CapacityExceededException.class);
                assertThat(pool.stats().refusals()).as("size %d", byteSize).isEqualTo(++refusals);
            }
            assertThatThrownBy(() -> arena.reallocate(block, 2 * MIB)).isInstanceOf(CapacityExceededException.class);
            assertThat(pool.stats().refusals()).isEqualTo(refusals + 1);
            arena.free(block);
        }
    }

    @Test
    void tryAllocate_whenTheAllocatorHasNoMemory_returnsNull() {
        CountingAllocator counting = new CountingAllocator();
        try (FreeListArena arena = FreeListArena.builder().allocator(counting.allocator()).build()) {
            counting.refuseAfter(0);
            for (long byteSize : new long[]{0, 16, 60_000, 100_000}) {
                assertThat(arena.tryAllocate(byteSize, 1)).isNull();
                assertThatThrownBy(() -> arena.allocate(byteSize)).isInstanceOf(OutOfMemoryError.class);
            }
            counting.refuseNothing();
            assertThat(arena.tryAllocate(16, 1)).isNotNull();
        }
        counting.assertNothingHeld();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @EnabledOnOs(OS.LINUX)
    void reallocate_ofAMappingToFewerPages_givesTheOthersBack(boolean shared) {
        try (SlabPool pool = pool(64 * MIB)) {
            try (FreeListArena arena = open(pool, shared)) {
                long before = pool.stats().usedByteSize();
                MemorySegment block = arena.allocate(8 * MIB, 64).fill((byte) 1);
                MemorySegment smaller = arena.reallocate(block, 3 * MIB + 1);
                assertThat(smaller.address()).isEqualTo(block.address());
                assertThat(smaller.byteSize()).isEqualTo(3 * MIB + 1);
                assertThat(Bytes.allAre(smaller, (byte) 1)).isTrue();
                assertThat(pool.stats().usedByteSize() - before).isBetween(3 * MIB + 1, 3 * MIB + 64 * KIB);
                assertThat(arena.stats().liveByteSize()).isEqualTo(3 * MIB + 1);
                assertThatThrownBy(() -> arena.free(block)).isInstanceOf(IllegalArgumentException.class);
                assertThat(arena.reallocate(smaller, 3 * MIB + 1)).isEqualTo(smaller);
                MemorySegment moved = arena.reallocate(smaller, MIB);
                assertThat(moved.address()).isNotEqualTo(block.address());
                assertThat(Bytes.allAre(moved, (byte) 1)).isTrue();
                MemorySegment grown = arena.reallocate(moved, 4 * MIB);
                assertThat(Bytes.allAre(grown.asSlice(0, MIB), (byte) 1)).isTrue();
                arena.reallocate(grown, 2 * MIB);
            }
            assertThat(pool.stats().usedByteSize()).isZero();
        }
    }

    /// In a JVM of its own, whose memory nothing else changes.
    @Test
    @EnabledOnOs(OS.LINUX)
    @Tag("full")
    void free_ofMostBlocks_givesTheirPagesBack() {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED").run(FreeListArenaPagesSession.class))
                .isEqualTo(new ChildJvm.Result(0, "given back\n"));
    }

    /// In a JVM of its own, with a small heap. Without buffers of threads, no object fits into a full heap.
    @Test
    @Tag("full")
    void open_inAHeapWithoutMemoryForAllObjects_takesNothingFromThePool() {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xint", "-Xms8m", "-Xmx8m",
                "-XX:+UseSerialGC", "-XX:-UseTLAB").run(FreeListArenaHeapSession.class))
                .isEqualTo(new ChildJvm.Result(0, "nothing lost\n"));
    }

    /// A block of size 0, and an alignment, are recorded after the block has been allocated.
    @Test
    void allocate_ofEmptyAndAlignedBlocksWhileAnotherThreadCloses_endsWithAnExceptionAlone() {
        for (int i = 0; i < 20; i++) {
            FreeListArena arena = FreeListArena.ofShared();
            int round = i;
            Threads.race(3, index -> {
                if (index == 0) {
                    for (int j = 0; j < round * 20; j++) {
                        arena.allocate(1);
                    }
                    arena.close();
                    return;
                }
                assertThatThrownBy(() -> {
                    while (true) {
                        MemorySegment block = arena.allocate(index == 1 ? 0 : 64, index == 1 ? 1 : 64);
                        if (index == 2) {
                            arena.free(block);
                        }
                    }
                }).isInstanceOf(IllegalStateException.class);
            });
        }
    }
}
