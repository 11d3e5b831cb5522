package dev.arenakit;

import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Shared allocators under threads, beside a model: each block has its own address as content, at both ends.
class FreeListArenaThreadTest {
    private static final int THREADS = 4;

    @AutoClose
    private final FreeListArena arena = FreeListArena.ofShared();

    @Test
    void blocks_thatAnyThreadFrees_areNeverInUseTwiceAndAreNotLost() {
        passBlocks(arena, 30_000, false);
        assertThat(arena.stats().liveBlocks()).isZero();
    }

    @Test
    @Tag("full")
    void blocks_ofPlatformAndVirtualThreads_areNeverInUseTwiceAndAreNotLost() {
        try (Arena arena = Arena.ofShared()) {
            OffsetAllocator allocator = OffsetAllocator.overShared(arena.allocate(64 << 20));
            passBlocks(allocator, 10_000, true);
            assertThat(allocator.stats().liveBlocks()).isZero();
        }
    }

    @Test
    @Tag("slow")
    void blocks_thatAnyThreadFreesForLong_areNeverInUseTwiceAndAreNotLost() {
        for (int i = 0; i < 20; i++) {
            try (FreeListArena arena = FreeListArena.ofShared()) {
                passBlocks(arena, 1_000_000, i % 2 == 0);
                assertThat(arena.stats().liveBlocks()).isZero();
            }
        }
    }

    /// Each thread allocates blocks, frees some of its own blocks, and frees the blocks that it gets from other
    /// threads.
    private static void passBlocks(BlockAllocator allocator, int count, boolean virtual) {
        List<BlockingQueue<MemorySegment>> queues = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            queues.add(new ArrayBlockingQueue<>(1_000));
        }
        Threads.race(THREADS, index -> {
            if (virtual && index % 2 == 0) {
                Threads.inVirtualThread(() -> work(allocator, count, index, queues));
            } else {
                work(allocator, count, index, queues);
            }
        });
        for (BlockingQueue<MemorySegment> queue : queues) {
            queue.forEach(block -> release(allocator, block));
        }
    }

    private static void work(BlockAllocator allocator, int count, int index,
            List<BlockingQueue<MemorySegment>> queues) {
        Random random = new Random(index);
        List<MemorySegment> own = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MemorySegment block = allocator.allocate(16 + random.nextInt(1 << (1 + random.nextInt(11))), 8);
            block.set(JAVA_LONG, 0, block.address());
            block.set(JAVA_LONG, (block.byteSize() - 8) & -8, block.address());
            if (random.nextBoolean()) {
                own.add(block);
            } else if (!queues.get(random.nextInt(THREADS)).offer(block)) {
                release(allocator, block);
            }
            for (int j = random.nextInt(3); j > 0; j--) {
                MemorySegment received = queues.get(index).poll();
                if (received != null) {
                    release(allocator, received);
                }
            }
            if (own.size() > random.nextInt(200)) {
                release(allocator, own.remove(random.nextInt(own.size())));
            }
        }
        own.forEach(block -> release(allocator, block));
    }

    private static void release(BlockAllocator allocator, MemorySegment block) {
        long address = block.address();
        if (block.get(JAVA_LONG, 0) != address || block.get(JAVA_LONG, (block.byteSize() - 8) & -8) != address) {
            throw new AssertionError("In use twice: " + block);
        }
        allocator.free(block);
    }

    /// The owner frees two blocks, and allocates one of them, while another thread frees the first block, too: an error
    /// of the program. If the free is atomic, each block is then allocated once.
    @Test
    @Tag("full")
    void free_atomicallyByTheOwnerAndAnotherThreadAtTheSameTime_makesTheBlockAvailableOnce() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(1 << 20);
            AtomicReference<OffsetAllocator> shared = new AtomicReference<>();
            AtomicLong freed = new AtomicLong();
            CyclicBarrier barrier = new CyclicBarrier(2);
            Threads.race(2, index -> {
                for (int round = 0; round < 2_000; round++) {
                    if (index == 1) {
                        barrier.await(1, TimeUnit.MINUTES);
                        freeIfLive(shared.get(), freed.get());
                        barrier.await(1, TimeUnit.MINUTES);
                        continue;
                    }
                    OffsetAllocator allocator = OffsetAllocator.overSharedAtomic(memory);
                    Set<Long> live = new TreeSet<>();
                    // A slab.
                    allocateInto(allocator, live, 8);
                    long block = new ArrayList<>(live).getLast();
                    shared.set(allocator);
                    freed.set(block);
                    barrier.await(1, TimeUnit.MINUTES);
                    freeIfLive(allocator, block);
                    live.remove(block);
                    long other = new ArrayList<>(live).getFirst();
                    allocator.freeRaw(other);
                    live.remove(other);
                    allocateInto(allocator, live, 1);
                    barrier.await(1, TimeUnit.MINUTES);
                    allocateInto(allocator, live, 30);
                    assertThat(allocator.stats().liveBlocks()).isEqualTo(37);
                }
            });
        }
    }

    private static void allocateInto(OffsetAllocator allocator, Set<Long> live, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(live.add(allocator.allocateRaw(8_192))).isTrue();
        }
    }

    private static void freeIfLive(OffsetAllocator allocator, long block) {
        try {
            allocator.freeRaw(block);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("Not a live block");
        }
    }

    /// The memory that one thread allocates and another one frees is used again.
    @Test
    void free_byAnotherThreadAlways_doesNotLetTheMemoryGrow() throws InterruptedException {
        BlockingQueue<MemorySegment> queue = new ArrayBlockingQueue<>(100);
        Threads.race(2, index -> {
            for (int i = 0; i < 200_000; i++) {
                if (index == 0) {
                    queue.put(arena.allocate(100 + i % 900));
                } else {
                    MemorySegment block = queue.poll(1, TimeUnit.MINUTES);
                    arena.free(block);
                }
            }
        });
        assertThat(arena.stats().liveBlocks()).isZero();
        // 100 MB have been allocated, and 100 blocks are live at most, of 30 size classes.
        assertThat(arena.stats().heldByteSize()).isLessThanOrEqualTo(10 << 20);
    }

    @Test
    void threads_thatTerminate_leaveTheirSlabsToOthers() {
        for (int i = 0; i < 200; i++) {
            assertThat(Threads.thrownBy(() -> {
                for (int j = 0; j < 100; j++) {
                    arena.free(arena.allocate(100 + j));
                    arena.allocate(10);
                }
            })).isNull();
        }
        assertThat(arena.stats().liveBlocks()).isEqualTo(20_000);
        assertThat(arena.stats().heldByteSize()).isLessThanOrEqualTo(6 << 20);
    }

    @Test
    void close_whileThreadsAllocateAndFree_endsThemWithAnExceptionAlone() {
        for (int i = 0; i < 30; i++) {
            FreeListArena arena = FreeListArena.ofShared();
            AtomicBoolean closed = new AtomicBoolean();
            int round = i;
            Threads.race(3, index -> {
                if (index == 0) {
                    Thread.sleep(round % 10);
                    closed.set(true);
                    arena.close();
                    return;
                }
                Random random = new Random(index);
                List<MemorySegment> blocks = new ArrayList<>();
                try {
                    while (true) {
                        blocks.add(arena.allocate(random.nextInt(3_000)));
                        if (random.nextBoolean()) {
                            arena.free(blocks.removeLast());
                        }
                    }
                } catch (IllegalStateException e) {
                    assertThat(closed).isTrue();
                }
            });
        }
    }
}
