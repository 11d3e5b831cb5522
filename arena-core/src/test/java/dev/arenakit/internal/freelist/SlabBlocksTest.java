package dev.arenakit.internal.freelist;

import dev.arenakit.CountingAllocator;
import dev.arenakit.FreeListArena;
import dev.arenakit.SlabPool;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

import static dev.arenakit.internal.freelist.SlabHeapFormat.DESCRIPTOR;
import static dev.arenakit.internal.freelist.SlabHeapFormat.get;
import static org.assertj.core.api.Assertions.assertThat;

/// The steps of threads that free blocks of the slabs of another one.
class SlabBlocksTest {
    private static final long MIB = 1 << 20;

    /// A thread that frees a block twice has looked at the descriptor before the slab got a class with fewer blocks.
    @Test
    void giveBack_ofABlockThatTheSlabHasNoLonger_allocatesNothingOutsideTheSlab() {
        try (Arena arena = Arena.ofShared()) {
            SlabSpace space = new SlabSpace(arena.allocate(MIB), true);
            SlabHeap heap = heap(space);
            List<Long> blocks = allocate(heap, 16, 4_096);
            long start = blocks.getFirst();
            long slab = space.descriptorOf(start);
            assertThat(SlabWords.giveBack(slab, 40)).isPositive();
            blocks.addAll(allocate(heap, 1, 4_096));
            assertThat(SlabWords.giveBack(slab, 41)).isPositive();
            assertThat(SlabWords.countFree(slab)).isZero();
            assertThat(heap.free(start, 0)).isTrue();
            assertThat(SlabWords.countFree(slab)).isOne();
            blocks.removeFirst();
            blocks.addAll(allocate(heap, 31, 4_096));
            assertThat(blocks).doesNotHaveDuplicates().allMatch(block -> block >= start && block < start + 0x30000);
            assertThat(blocks).filteredOn(block -> space.descriptorOf(block) == slab).hasSizeLessThanOrEqualTo(16);
        }
    }

    @Test
    void giveBack_ofABlockWhoseWordsWereNotInTheDescriptor_changesNoOtherDescriptor() {
        try (Arena arena = Arena.ofShared()) {
            SlabSpace space = new SlabSpace(arena.allocate(MIB), true);
            SlabHeap heap = heap(space);
            long slab = space.descriptorOf(allocate(heap, 1, 4_096).getFirst());
            allocate(heap, 16 * 8, 4_096);
            long[] before = descriptors(slab + DESCRIPTOR);
            for (long index = SlabHeapFormat.MOST_IN_OWN_WORDS; index < 8_192; index++) {
                assertThat(SlabWords.giveBack(slab, index)).isZero();
            }
            assertThat(descriptors(slab + DESCRIPTOR)).isEqualTo(before);
        }
    }

    /// The owner of slabs frees most of the blocks. Another thread frees the last three, fewer than one sixteenth.
    @Test
    void allocate_afterAnotherThreadHasFreedTheLastBlocksOfSlabs_givesTheSlabsBack() {
        try (FreeListArena arena = FreeListArena.ofShared()) {
            List<MemorySegment> blocks = new ArrayList<>();
            for (int i = 0; i < 20 * 64; i++) {
                blocks.add(arena.allocate(1_024));
            }
            List<MemorySegment> last = new ArrayList<>();
            for (int i = 0; i < blocks.size(); i++) {
                if (i % 64 < 3) {
                    last.add(blocks.get(i));
                } else {
                    arena.free(blocks.get(i));
                }
            }
            assertThat(Threads.thrownBy(() -> last.forEach(arena::free))).isNull();
            assertThat(arena.stats().usedByteSize()).isGreaterThanOrEqualTo(20 << 16);
            arena.allocate(2_048);
            // The slab of this block, and an empty one.
            assertThat(arena.stats().usedByteSize()).isLessThanOrEqualTo(2 << 16);
        }
    }

    @Test
    void close_ofAnArenaOfAPool_countsItsMemoryUntilItIsFreed() {
        CountingAllocator counting = new CountingAllocator();
        List<Long> used = new ArrayList<>();
        try (SlabPool pool = SlabPool.builder().allocator(counting.allocator()).build()) {
            try (FreeListArena arena = FreeListArena.builder().pool(pool).build()) {
                arena.allocate(8);
                counting.beforeFree(() -> used.add(pool.stats().usedByteSize()));
            }
            counting.beforeFree(() -> {});
            assertThat(used).hasSize(1).allMatch(byteSize -> byteSize >= 2 * MIB);
        }
        counting.assertNothingHeld();
    }

    @Test
    void allocate_byManyThreads_takesLittleMemoryForTheirData() {
        CountingAllocator counting = new CountingAllocator();
        try (SlabPool pool = SlabPool.builder().allocator(counting.allocator()).build()) {
            try (FreeListArena arena = FreeListArena.builder().shared().pool(pool).build()) {
                int threads = 90;
                CountDownLatch live = new CountDownLatch(threads);
                Threads.race(threads, _ -> {
                    arena.allocate(8);
                    live.countDown();
                    live.await();
                });
                assertThat(arena.stats().liveBlocks()).isEqualTo(threads);
                // A slab of 64 KiB for each thread, thirty slabs in 2 MiB, and 8 KiB of data for each thread.
                assertThat(arena.stats().heldByteSize()).isLessThanOrEqualTo(7 * MIB);
                assertThat(pool.stats().usedByteSize()).isBetween(arena.stats().heldByteSize(), 8 * MIB);
            }
        }
        counting.assertNothingHeld();
    }

    private static SlabHeap heap(SlabSpace space) {
        return Objects.requireNonNull(new SlabBlocks(space, true).prepareHeap());
    }

    private static List<Long> allocate(SlabHeap heap, int count, long byteSize) {
        List<Long> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(heap.allocate(SlabSizeClasses.recordOf(SlabSizeClasses.indexOf(byteSize)), 1));
        }
        return blocks;
    }

    private static long[] descriptors(long first) {
        long[] content = new long[(int) (8 * DESCRIPTOR / Long.BYTES)];
        for (int i = 0; i < content.length; i++) {
            content[i] = get(first + (long) i * Long.BYTES);
        }
        return content;
    }
}
