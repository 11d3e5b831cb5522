package dev.arenakit;

import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.testing.Threads;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The blocks of a pool that are too large for a slab: which later arena gets them, zeroed, and which limits free them.
class SlabPoolLargeBlockTest {
    private static final long SLAB = 64 * 1024;
    private static final long BLOCK = 3 * SLAB;
    private static final long MIB = 1 << 20;

    private final CountingAllocator counting = new CountingAllocator();

    @AfterEach
    void everythingIsFreed() {
        counting.assertNothingHeld();
    }

    private SlabPool.Builder builder() {
        return SlabPool.builder().allocator(counting.allocator());
    }

    /// Fills a block of a closed arena with ones.
    ///
    /// @return its address
    private static long used(SlabPool pool, long byteSize) {
        try (SlabArena arena = pool.openConfined()) {
            return arena.allocate(byteSize, 8).fill((byte) 1).address();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {100_001, 5 * MIB})
    void allocate_ofABlockOfAClosedArena_isZeroed(long byteSize) {
        try (SlabPool pool = SlabPool.create()) {
            long address = used(pool, byteSize);
            // The smaller block is zeroed, and the rest of its memory is not until it is handed out.
            for (long next : new long[]{byteSize - byteSize / 3, byteSize}) {
                try (SlabArena arena = pool.openShared()) {
                    MemorySegment block = arena.allocate(next, 16);
                    assertThat(block.address()).isEqualTo(address);
                    assertThat(Bytes.allAre(block, (byte) 0)).isTrue();
                    block.fill((byte) 2);
                }
            }
        }
    }

    @Test
    void allocate_ofABlockWithAnotherSizeOrAlignment_isANewBlock() {
        try (SlabPool pool = builder().unzeroed().build()) {
            long address = used(pool, BLOCK);
            long[][] requests = {{BLOCK + 1, 8}, {BLOCK / 2 - 8, 8}, {BLOCK, 2 * Long.lowestOneBit(address)},
                    {BLOCK, 8}};
            List<Boolean> same = new ArrayList<>();
            for (long[] request : requests) {
                try (SlabArena arena = pool.openConfined()) {
                    same.add(arena.allocate(request[0], request[1]).address() == address);
                }
            }
            assertThat(same).containsExactly(false, false, false, true);
        }
    }

    @Test
    void release_ofASmallOrEmptyBlock_freesIt() {
        try (SlabPool pool = builder().slabByteSize(1024).build()) {
            used(pool, SLAB - 1);
            try (SlabArena arena = pool.openConfined()) {
                arena.allocate(0, 4 * SLAB);
            }
            assertThat(counting.bytes()).isEqualTo(pool.stats().idleByteSize()).isEqualTo(1024);
        }
    }

    @Test
    void stats_countAnIdleBlockAsIdleUntilTrim() {
        try (SlabPool pool = builder().build()) {
            used(pool, BLOCK);
            assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(0, 0, SLAB + BLOCK, Long.MAX_VALUE));
            try (SlabArena arena = pool.openConfined()) {
                arena.allocate(BLOCK - 1, 8);
                assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(1, SLAB + BLOCK, 0, Long.MAX_VALUE));
                assertThat(pool.stats().largeByteSize()).isEqualTo(BLOCK);
            }
            assertThat(pool.stats().peakByteSize()).isEqualTo(counting.bytes()).isEqualTo(SLAB + BLOCK);
            assertThat(pool.trim(SLAB)).isEqualTo(BLOCK);
            assertThat(counting.bytes()).isEqualTo(pool.stats().idleByteSize()).isEqualTo(SLAB);
        }
    }

    @Test
    void maxIdleByteSize_limitsIdleSlabsAndBlocksTogether() {
        try (SlabPool pool = builder().maxIdleByteSize(4 * SLAB).build()) {
            used(pool, BLOCK);
            assertThat(pool.stats().idleByteSize()).isEqualTo(SLAB + BLOCK);
            // The slabs of two arenas: one more than the limit leaves beside the block and the slab of this thread.
            List.of(pool.openShared(), pool.openShared()).forEach(SlabArena::close);
            assertThat(counting.bytes()).isEqualTo(pool.stats().idleByteSize()).isLessThanOrEqualTo(4 * SLAB);
            // The slab of another thread takes the place of the block.
            pool.trim();
            used(pool, BLOCK);
            try (SlabArena _ = pool.openConfined()) {
                Threads.race(1, _ -> used(pool, 8));
            }
            assertThat(counting.bytes()).isEqualTo(pool.stats().idleByteSize()).isLessThanOrEqualTo(4 * SLAB);
        }
        try (SlabPool pool = builder().maxIdleByteSize(BLOCK).build()) {
            for (int round = 0; round < 2; round++) {
                try (SlabArena arena = pool.openShared()) {
                    arena.allocate(BLOCK, 8);
                }
                // Without the slab, each arena would allocate a slab, even if it has no block.
                assertThat(counting.bytes()).isEqualTo(pool.stats().idleByteSize()).isEqualTo(SLAB);
            }
        }
        try (SlabPool pool = builder().maxIdleByteSize(0).build()) {
            used(pool, BLOCK);
            assertThat(counting.bytes()).isZero();
        }
    }

    @Test
    void fullPool_freesIdleBlocksForSlabsAndForOtherBlocks() {
        MemoryBudget budget = MemoryBudget.root("all", 5 * SLAB);
        for (SlabPool.Builder limited : List.of(builder().maxByteSize(5 * SLAB), builder().budget(budget))) {
            try (SlabPool pool = limited.build()) {
                used(pool, BLOCK);
                used(pool, 2 * SLAB - 8);
                List<SlabArena> arenas = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    arenas.add(pool.openShared());
                }
                assertThat(pool.stats().usedByteSize()).isEqualTo(5 * SLAB);
                arenas.forEach(SlabArena::close);
                assertThat(pool.stats().refusals()).isZero();
            }
        }
        assertThat(budget.stats().reservedByteSize()).isZero();
    }

    @Test
    void shutdown_withAnOpenArena_keepsNoBlock() {
        SlabPool pool = builder().build();
        SlabArena arena = pool.openConfined();
        used(pool, BLOCK);
        arena.allocate(2 * BLOCK, 8);
        pool.shutdown();
        assertThat(counting.bytes()).isEqualTo(2 * BLOCK + SLAB);
        try (SlabArena frame = arena.pushFrame()) {
            frame.allocate(BLOCK, 8);
        }
        assertThat(counting.bytes()).isEqualTo(2 * BLOCK + SLAB);
        arena.close();
        assertThat(counting.bytes()).isZero();
    }

    @Test
    void idleBlocks_ofSizesThatAreNoLongerUsed_makePlaceForOthers() {
        try (SlabPool pool = builder().build()) {
            for (long byteSize : new long[]{70 * MIB, 2 * SLAB, 10 * MIB, BLOCK}) {
                for (int round = 0; round < 2; round++) {
                    try (SlabArena arena = pool.openConfined()) {
                        for (int i = 0; i < (byteSize > MIB ? 2 : 20); i++) {
                            arena.allocate(byteSize, 8);
                        }
                    }
                    assertThat(pool.stats().idleByteSize()).isBetween(SLAB, 64 * MIB + SLAB);
                }
            }
            long before = counting.blocks();
            used(pool, BLOCK);
            assertThat(counting.blocks()).isEqualTo(before).isLessThanOrEqualTo(17);
        }
    }

    /// Each thread checks that no other one writes to its block.
    @Test
    void idleBlocks_ofManyThreads_belongToOneArenaAtATime() {
        try (SlabPool pool = SlabPool.builder().maxByteSize(40 * SLAB).build()) {
            Threads.race(4, thread -> {
                for (int i = 0; i < 100; i++) {
                    try (SlabArena arena = pool.openConfined()) {
                        MemorySegment block = arena.allocate(2 * SLAB - thread * 1000L, 8);
                        assertThat(Bytes.allAre(block, (byte) 0)).isTrue();
                        block.fill((byte) (thread + 1));
                        assertThat(Bytes.allAre(block, (byte) (thread + 1))).isTrue();
                    }
                }
            });
            assertThat(pool.stats().usedByteSize()).isZero();
        }
    }
}
