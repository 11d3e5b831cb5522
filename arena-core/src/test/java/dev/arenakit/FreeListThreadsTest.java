package dev.arenakit;

import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Shared allocators under many threads, and under threads of all kinds.
class FreeListThreadsTest {
    /// The longest table of threads.
    private static final int LONGEST_TABLE = 4_096;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("full")
    void blocks_ofManyThreadsAtTheSameTime_areNeverInUseTwiceAndAreNotLost(boolean virtual) throws Exception {
        int threads = 300;
        try (FreeListArena arena = FreeListArena.ofShared()) {
            CountDownLatch all = new CountDownLatch(threads);
            List<Throwable> thrown = new CopyOnWriteArrayList<>();
            List<Thread> started = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int seed = i;
                Runnable work = () -> {
                    try {
                        use(arena, seed, 100);
                        all.countDown();
                        // All threads have stacks at the same time.
                        all.await();
                        use(arena, seed, 100);
                    } catch (Throwable t) {
                        all.countDown();
                        thrown.add(t);
                    }
                };
                started.add(virtual && i % 2 == 0 ? Thread.ofVirtual().start(work) : Thread.ofPlatform().start(work));
            }
            for (Thread thread : started) {
                thread.join();
            }
            assertThat(thrown).isEmpty();
            assertThat(arena.stats().liveBlocks()).isZero();
            assertThat(arena.stats().usedByteSize()).isZero();
        }
    }

    /// Allocates, checks and frees blocks. The content of each is its address.
    private static void use(BlockAllocator allocator, int seed, int count) {
        Random random = new Random(seed);
        List<MemorySegment> live = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MemorySegment block = allocator.allocate(8 + random.nextInt(1 << (1 + random.nextInt(11))), 8);
            block.set(JAVA_LONG, 0, block.address());
            block.set(JAVA_LONG, (block.byteSize() - 8) & -8, block.address());
            live.add(block);
            if (random.nextBoolean()) {
                free(allocator, live.remove(random.nextInt(live.size())));
            }
        }
        live.forEach(block -> free(allocator, block));
    }

    private static void free(BlockAllocator allocator, MemorySegment block) {
        long address = block.address();
        if (block.get(JAVA_LONG, 0) != address || block.get(JAVA_LONG, (block.byteSize() - 8) & -8) != address) {
            throw new AssertionError("In use twice: " + block);
        }
        allocator.free(block);
    }

    @Test
    void blocks_ofThreadsWhoseIdsAreEqualModuloTheLengthOfAnyTable_areNeverInUseTwiceAndAreNotLost()
            throws InterruptedException {
        try (Arena memory = Arena.ofShared()) {
            OffsetAllocator allocator = OffsetAllocator.overShared(memory.allocate(8 << 20));
            CyclicBarrier barrier = new CyclicBarrier(3);
            AtomicInteger done = new AtomicInteger();
            Runnable work = () -> {
                try {
                    for (int i = 0; i < 50; i++) {
                        barrier.await(1, TimeUnit.MINUTES);
                        use(allocator, i, 200);
                    }
                    done.incrementAndGet();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            };
            List<Thread> colliding = new ArrayList<>();
            colliding.add(Thread.ofPlatform().unstarted(work));
            while (colliding.size() < 3) {
                // A thread gets its id when it is created.
                Thread next = Thread.ofPlatform().unstarted(work);
                if ((next.threadId() - colliding.getFirst().threadId()) % LONGEST_TABLE == 0) {
                    colliding.add(next);
                }
            }
            colliding.forEach(Thread::start);
            for (Thread thread : colliding) {
                thread.join();
            }
            assertThat(done).hasValue(3);
            assertThat(allocator.stats().liveBlocks()).isZero();
        }
    }

    @Test
    @Tag("full")
    void blocks_ofThreadsThatTakeEachOthersFreeBlocks_areNeverInUseTwiceAndAreNotLost() {
        useFullSegment(3_000);
    }

    @Test
    @Tag("slow")
    void blocks_ofThreadsThatTakeEachOthersFreeBlocksForLong_areNeverInUseTwiceAndAreNotLost() {
        for (int i = 0; i < 20; i++) {
            useFullSegment(100_000);
        }
    }

    /// Each thread allocates until the segment is full, which takes the free blocks of all threads, and then frees some
    /// of its blocks.
    private static void useFullSegment(int count) {
        try (Arena memory = Arena.ofShared()) {
            OffsetAllocator allocator = OffsetAllocator.overShared(memory.allocate(1 << 20));
            Threads.race(3, index -> {
                Random random = new Random(index);
                List<MemorySegment> live = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    long byteSize = random.nextInt(20) == 0
                            ? 70_000
                            : 8 + random.nextInt(1 << (3 + random.nextInt(12)));
                    MemorySegment block = allocator.tryAllocate(byteSize, 8);
                    if (block != null) {
                        live.add(block);
                        block.set(JAVA_LONG, 0, block.address());
                        block.set(JAVA_LONG, (byteSize - 8) & -8, block.address());
                    }
                    for (int j = block == null ? 1 + random.nextInt(8) : 0; j > 0 && !live.isEmpty(); j--) {
                        free(allocator, live.remove(random.nextInt(live.size())));
                    }
                }
                live.forEach(block -> free(allocator, block));
            });
            FreeListStatistics stats = allocator.stats();
            assertThat(stats.liveBlocks()).isZero();
            assertThat(stats.usedByteSize()).isZero();
            assertThat(allocator.tryAllocateRaw(14 << 16)).isPositive();
        }
    }

    @Test
    void free_atomicallyOfABlockByTwoThreadsAtTheSameTime_isRefusedOnce() {
        try (Arena memory = Arena.ofShared();
                FreeListArena arena = FreeListArena.builder().shared().atomicFree().build()) {
            freeTwice(OffsetAllocator.overSharedAtomic(memory.allocate(1 << 20)));
            freeTwice(arena);
            assertThat(arena.stats().liveBlocks()).isZero();
        }
    }

    private static void freeTwice(BlockAllocator allocator) {
        AtomicReference<MemorySegment> shared = new AtomicReference<>();
        AtomicInteger freed = new AtomicInteger();
        Phaser phaser = new Phaser(2);
        Threads.race(2, index -> {
            try {
                for (int round = 1; round <= 1_000; round++) {
                    if (index == 0) {
                        // Small, of several slabs, or large.
                        shared.set(allocator.allocate(round % 10 == 0 ? 70_000 : 1L << round % 14, 8));
                    }
                    phaser.arriveAndAwaitAdvance();
                    freed.addAndGet(freeIfLive(allocator, shared.get()) ? 1 : 0);
                    phaser.arriveAndAwaitAdvance();
                    assertThat(freed).hasValue(round);
                    // The next round changes the number.
                    phaser.arriveAndAwaitAdvance();
                }
            } finally {
                phaser.forceTermination();
            }
        });
    }

    private static boolean freeIfLive(BlockAllocator allocator, MemorySegment block) {
        try {
            allocator.free(block);
            return true;
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("live block");
            return false;
        }
    }
}
