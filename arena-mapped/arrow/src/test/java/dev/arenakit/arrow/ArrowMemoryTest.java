package dev.arenakit.arrow;

import dev.arenakit.BlockAllocator;
import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.diagnostics.BudgetExceededException;
import dev.arenakit.diagnostics.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Arrow's vectors in blocks of our arenas. `docs/migration.md` names the factory as an example.
class ArrowMemoryTest {
    private static final int COUNT = 10_000;

    /// Gives Arrow one block for each of its buffers.
    record BlockFactory(BlockAllocator blocks) implements AllocationManager.Factory {
        @Override
        public AllocationManager create(BufferAllocator allocator, long byteSize) {
            MemorySegment block = blocks.allocate(byteSize, 64);
            return new AllocationManager(allocator) {
                @Override
                public long getSize() {
                    return block.byteSize();
                }

                @Override
                protected long memoryAddress() {
                    return block.address();
                }

                @Override
                protected void release0() {
                    blocks.free(block);
                }
            };
        }

        @Override
        public ArrowBuf empty() {
            return new ArrowBuf(ReferenceManager.NO_OP, null, 0, 0);
        }
    }

    static RootAllocator allocator(BlockAllocator blocks) {
        AllocationManager.Factory factory = new BlockFactory(blocks);
        return new RootAllocator(RootAllocator.configBuilder().allocationManagerFactory(factory).build());
    }

    private static BigIntVector prices(BufferAllocator allocator) {
        BigIntVector prices = new BigIntVector("price", allocator);
        for (int i = 0; i < COUNT; i++) {
            prices.setSafe(i, i);
        }
        prices.setValueCount(COUNT);
        return prices;
    }

    private static long sum(BigIntVector vector) {
        long sum = 0;
        for (int i = 0; i < vector.getValueCount(); i++) {
            sum += vector.get(i);
        }
        return sum;
    }

    @Test
    void vector_inAMallocArena_freesItsBlocks() {
        try (MallocArena arena = MallocArena.ofShared();
                BufferAllocator allocator = allocator(arena)) {
            try (BigIntVector prices = prices(allocator)) {
                assertThat(sum(prices)).isEqualTo(COUNT * (COUNT - 1L) / 2);
                assertThat(arena.stats().liveByteSize()).isEqualTo(allocator.getAllocatedMemory())
                        .isGreaterThan(COUNT * 8);
            }
            assertThat(arena.stats().liveBlocks()).isZero();
        }
    }

    @Test
    void vector_inAPool_freesItsBlocks() {
        try (SlabPool pool = SlabPool.create();
                FreeListArena arena = FreeListArena.builder().shared().pool(pool).build();
                BufferAllocator allocator = allocator(arena)) {
            try (BigIntVector prices = prices(allocator)) {
                assertThat(sum(prices)).isEqualTo(COUNT * (COUNT - 1L) / 2);
                assertThat(arena.stats().liveBlocks()).isPositive();
                assertThat(pool.stats().openArenas()).isEqualTo(1);
            }
            assertThat(arena.stats().liveBlocks()).isZero();
        }
    }

    @Test
    @SuppressWarnings("resource") // The vector is what is not closed.
    void vector_thatIsNotClosed_isALeakForArrowAndEndsWithTheArena() {
        MemoryBudget budget = MemoryBudget.root("arrow", 1 << 20);
        try (MallocArena arena = MallocArena.builder().shared().budget(budget).build()) {
            BufferAllocator allocator = allocator(arena);
            BigIntVector _ = prices(allocator);
            assertThatThrownBy(allocator::close).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Memory was leaked");
            assertThat(arena.stats().liveBlocks()).isPositive();
        }
        assertThatCode(budget::close).as("no byte is reserved").doesNotThrowAnyException();
    }

    @Test
    void arena_thatIsClosedFirst_refusesTheRelease() {
        MallocArena arena = MallocArena.ofShared();
        BigIntVector prices = prices(allocator(arena));
        arena.close();
        assertThatThrownBy(prices::close).isInstanceOf(IllegalStateException.class).hasMessage("Already closed");
    }

    @Test
    void confinedArena_refusesNothingButTheReleaseByAnotherThread() {
        try (MallocArena arena = MallocArena.ofConfined()) {
            BigIntVector prices = prices(allocator(arena));
            assertThat(CompletableFuture.supplyAsync(() -> prices.get(42)).join()).isEqualTo(42);
            assertThatThrownBy(() -> CompletableFuture.runAsync(prices::close).join())
                    .hasCauseInstanceOf(WrongThreadException.class);
            assertThat(arena.stats().liveBlocks()).isPositive();
        }
    }

    @Test
    void buffer_outOfBounds_throws() {
        try (MallocArena arena = MallocArena.ofShared();
                BufferAllocator allocator = allocator(arena);
                ArrowBuf buffer = allocator.buffer(64)) {
            assertThatThrownBy(() -> buffer.getLong(57)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void budget_thatIsExceeded_leavesNothingAllocated() {
        try (MemoryBudget budget = MemoryBudget.root("arrow", 64 << 10);
                MallocArena arena = MallocArena.builder().shared().budget(budget).build();
                BufferAllocator allocator = allocator(arena)) {
            assertThatThrownBy(() -> allocator.buffer(1 << 20)).isInstanceOf(BudgetExceededException.class);
            assertThat(allocator.getAllocatedMemory()).isZero();
            assertThat(arena.stats().liveBlocks()).isZero();
        }
    }
}
