package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// A segment that is full, or nearly so.
class OffsetAllocatorFullTest {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final long SLAB = 64 * KIB;

    @AutoClose
    private final Arena arena = Arena.ofShared();

    /// A segment with so many slabs.
    private MemorySegment slabs(long count) {
        return arena.allocate((count + 1) * SLAB, SLAB);
    }

    private static List<Long> fill(OffsetAllocator allocator, long byteSize) {
        List<Long> blocks = new ArrayList<>();
        for (long block = allocator.tryAllocateRaw(byteSize); block != -1; block = allocator.tryAllocateRaw(byteSize)) {
            blocks.add(block);
        }
        assertThat(blocks).doesNotHaveDuplicates();
        return blocks;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("full")
    void tryAllocate_whenTheSegmentIsFull_returnsNothingAndLosesNothing(boolean shared) {
        for (long byteSize : new long[]{1, 16, 1_000, 20_000, SLAB, 100_000}) {
            MemorySegment memory = slabs(16);
            OffsetAllocator allocator = shared ? OffsetAllocator.overShared(memory) : OffsetAllocator.over(memory);
            List<Long> blocks = fill(allocator, byteSize);
            FreeListStatistics full = allocator.stats();
            for (int i = 0; i < 10; i++) {
                assertThat(allocator.tryAllocateRaw(byteSize)).isEqualTo(-1);
                assertThat(allocator.tryAllocate(byteSize, 1)).isNull();
                assertThat(allocator.tryAllocate(byteSize, 4 * KIB)).isNull();
                assertThat(allocator.tryAllocate(2 * MIB, 1)).isNull();
            }
            assertThatThrownBy(() -> allocator.allocateRaw(byteSize)).isInstanceOf(CapacityExceededException.class);
            assertThat(allocator.stats()).isEqualTo(full);
            allocator.freeRaw(blocks.getLast());
            assertThat(allocator.tryAllocateRaw(byteSize)).isEqualTo(blocks.getLast());
            blocks.forEach(allocator::freeRaw);
            assertThat(fill(allocator, byteSize)).hasSameSizeAs(blocks);
        }
    }

    @Test
    void tryAllocate_ofMoreThanTheAddressSpace_returnsNothing() {
        for (OffsetAllocator allocator : List.of(OffsetAllocator.over(slabs(2)),
                OffsetAllocator.overShared(slabs(2)))) {
            assertThat(allocator.tryAllocateRaw(Long.MAX_VALUE)).isEqualTo(-1);
            assertThat(allocator.tryAllocate(Long.MAX_VALUE, 1L << 62)).isNull();
            assertThat(allocator.tryAllocate(1, 1L << 62)).isNull();
            assertThatThrownBy(() -> allocator.allocateRaw(Long.MAX_VALUE)).isInstanceOf(OutOfMemoryError.class);
            assertThat(allocator.tryAllocateRaw(2 * SLAB)).isPositive();
        }
    }

    @Test
    void tryAllocate_ofWrongArguments_throws() {
        OffsetAllocator allocator = OffsetAllocator.over(slabs(1));
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.tryAllocateRaw(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.tryAllocate(-1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.tryAllocate(1, 3));
    }

    @Test
    void reallocate_ofALargeBlock_shrinksAndGrowsInPlace() {
        OffsetAllocator allocator = OffsetAllocator.over(slabs(256));
        long block = allocator.allocateRaw(10 * MIB);
        assertThat(allocator.reallocateRaw(block, 8 * MIB)).isEqualTo(block);
        assertThat(allocator.byteSizeRaw(block)).isEqualTo(8 * MIB);
        // What the block has left serves others, and what they leave serves the block.
        long next = allocator.allocateRaw(8 * MIB);
        assertThat(next).isEqualTo(block + 8 * MIB);
        allocator.freeRaw(next);
        assertThat(allocator.reallocateRaw(block, 16 * MIB)).isEqualTo(block);
        assertThat(allocator.tryAllocateRaw(1)).isEqualTo(-1);
        assertThat(allocator.reallocateRaw(block, 65 * KIB)).isEqualTo(block);
        assertThat(allocator.stats().usedByteSize()).isEqualTo(2 * SLAB);
        allocator.freeRaw(block);
        assertThat(allocator.stats().liveBlocks()).isZero();
    }

    @Test
    void reallocate_ofALargeBlockBeforeSlabsThatWereNeverUsed_growsInPlace() {
        OffsetAllocator allocator = OffsetAllocator.over(slabs(256));
        long block = allocator.allocateRaw(10 * MIB);
        assertThat(allocator.reallocateRaw(block, 10 * MIB + 1)).isEqualTo(block);
        assertThat(allocator.reallocateRaw(block, 16 * MIB)).isEqualTo(block);
        assertThatThrownBy(() -> allocator.reallocateRaw(block, 16 * MIB + 1))
                .isInstanceOf(CapacityExceededException.class);
        assertThat(allocator.byteSizeRaw(block)).isEqualTo(16 * MIB);
    }

    @Test
    void reallocate_ofALargeBlockBeforeAnother_movesIt() {
        OffsetAllocator allocator = OffsetAllocator.over(slabs(64));
        MemorySegment block = allocator.allocate(MIB, 1).fill((byte) 1);
        MemorySegment next = allocator.allocate(MIB, 1).fill((byte) 2);
        MemorySegment moved = allocator.reallocate(block, MIB + 1);
        assertThat(moved.address()).isNotEqualTo(block.address());
        assertThat(Bytes.allAre(moved.asSlice(0, MIB), (byte) 1)).isTrue();
        moved.fill((byte) 3);
        assertThat(Bytes.allAre(next, (byte) 2)).isTrue();
        assertThat(allocator.stats().liveBlocks()).isEqualTo(2);
        allocator.free(moved);
        allocator.free(next);
    }

    @Test
    void reallocate_ofALargeBlockForWhichThereIsNoRoom_throwsAndLeavesItAsItIs() {
        OffsetAllocator allocator = OffsetAllocator.over(slabs(64));
        MemorySegment block = allocator.allocate(2 * MIB, MIB).fill((byte) 1);
        MemorySegment next = allocator.allocate(MIB, 1).fill((byte) 2);
        FreeListStatistics before = allocator.stats();
        assertThatThrownBy(() -> allocator.reallocate(block, 3 * MIB))
                .isInstanceOf(CapacityExceededException.class);
        assertThat(allocator.stats()).isEqualTo(before);
        assertThat(Bytes.allAre(block, (byte) 1)).isTrue();
        assertThat(allocator.reallocate(block, MIB).address()).isEqualTo(block.address());
        allocator.free(block.asSlice(0, MIB));
        allocator.free(next);
        assertThat(allocator.stats().liveBlocks()).isZero();
    }

    /// A thread that lives on and has blocks on its stacks.
    private static final class Other implements AutoCloseable {
        private final ExecutorService executor = Executors.newSingleThreadExecutor();

        void run(Runnable action) {
            Future<?> future = executor.submit(action);
            try {
                future.get(1, TimeUnit.MINUTES);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            executor.close();
        }
    }

    @Test
    void tryAllocate_whenFreeBlocksAreOnStacksOfALiveThread_takesThem() {
        try (Other other = new Other()) {
            for (long byteSize : new long[]{16, 100, 8_192, 20_000, SLAB}) {
                OffsetAllocator allocator = OffsetAllocator.overShared(slabs(16));
                List<Long> blocks = new ArrayList<>();
                other.run(() -> blocks.addAll(fill(allocator, byteSize)));
                other.run(() -> blocks.forEach(allocator::freeRaw));
                List<Long> taken = fill(allocator, byteSize);
                assertThat(taken).as("size %d", byteSize).hasSameSizeAs(blocks);
                // The other thread has none of them any more.
                other.run(() -> assertThat(allocator.tryAllocateRaw(byteSize)).isEqualTo(-1));
                taken.forEach(allocator::freeRaw);
                assertThat(allocator.stats().liveBlocks()).isZero();
            }
        }
    }

    @Test
    void tryAllocate_ofALargeBlockWhenFreeBlocksAreOnStacksOfALiveThread_takesTheirSlabs() {
        try (Other other = new Other()) {
            OffsetAllocator allocator = OffsetAllocator.overShared(slabs(16));
            other.run(() -> fill(allocator, 20_000).forEach(allocator::freeRaw));
            assertThat(allocator.tryAllocateRaw(16 * SLAB)).isPositive();
        }
    }

    /// The freed block may be of another size class: it is the last of its slab.
    @ParameterizedTest
    @ValueSource(longs = {2 * SLAB, 1_000})
    void tryAllocate_afterItWasRefusedAndALiveThreadHasFreedABlock_succeeds(long byteSize) {
        try (Other other = new Other()) {
            OffsetAllocator allocator = OffsetAllocator.overShared(slabs(2));
            for (int i = 0; i < 3; i++) {
                long[] small = new long[1];
                other.run(() -> small[0] = allocator.allocateRaw(16));
                List<Long> blocks = fill(allocator, byteSize);
                assertThat(allocator.tryAllocateRaw(byteSize)).isEqualTo(-1);
                other.run(() -> allocator.freeRaw(small[0]));
                long block = allocator.tryAllocateRaw(byteSize);
                assertThat(block).isPositive();
                allocator.freeRaw(block);
                blocks.forEach(allocator::freeRaw);
            }
        }
    }

    @Test
    void tryAllocate_whenFreeBlocksAreOnStacksOfManyTerminatedThreads_takesThem() {
        int threads = 700;
        OffsetAllocator allocator = OffsetAllocator.overShared(slabs(128));
        List<Long> freed = Collections.synchronizedList(new ArrayList<>());
        CyclicBarrier barrier = new CyclicBarrier(threads);
        Threads.race(threads, _ -> {
            long block = allocator.allocateRaw(8_192);
            barrier.await(1, TimeUnit.MINUTES);
            allocator.freeRaw(block);
            freed.add(block);
        });
        assertThat(freed).hasSize(threads).doesNotHaveDuplicates();
        assertThat(allocator.stats().liveBlocks()).isZero();
        assertThat(fill(allocator, 8_192)).hasSize(128 * 8);
    }

    /// In a JVM of its own, with a small heap.
    @Test
    @EnabledOnOs(OS.LINUX)
    void allocate_ofABlockWhoseDataDoesNotFitIntoTheHeap_throwsAndLosesNothing() {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xmx24m")
                .run(OffsetAllocatorHeapSession.class)).isEqualTo(new ChildJvm.Result(0, "refused\n"));
    }
}
