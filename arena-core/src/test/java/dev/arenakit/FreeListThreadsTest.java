package dev.arenakit;

import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Shared allocators under threads, also threads that free a block twice. Each block has its own address as content, at
/// both ends.
class FreeListThreadsTest {
    private static final int THREADS = 4;
    /// The longest table of threads.
    private static final int LONGEST_TABLE = 4_096;

    @AutoClose
    private final FreeListArena arena = FreeListArena.ofShared();

    @Test
    void blocks_thatAnyThreadFrees_areNeverInUseTwiceAndAreNotLost() {
        passBlocks(arena, 10_000, false);
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
            inThread(virtual && index % 2 == 0, () -> work(allocator, count, index, queues));
        });
        for (BlockingQueue<MemorySegment> queue : queues) {
            queue.forEach(block -> free(allocator, block));
        }
    }

    private static void work(BlockAllocator allocator, int count, int index,
            List<BlockingQueue<MemorySegment>> queues) {
        Random random = new Random(index);
        List<MemorySegment> own = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MemorySegment block = allocate(allocator, random);
            if (random.nextBoolean()) {
                own.add(block);
            } else if (!queues.get(random.nextInt(THREADS)).offer(block)) {
                free(allocator, block);
            }
            for (int j = random.nextInt(3); j > 0; j--) {
                MemorySegment received = queues.get(index).poll();
                if (received != null) {
                    free(allocator, received);
                }
            }
            if (own.size() > random.nextInt(200)) {
                free(allocator, own.remove(random.nextInt(own.size())));
            }
        }
        own.forEach(block -> free(allocator, block));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("full")
    void blocks_ofManyThreadsAtTheSameTime_areNeverInUseTwiceAndAreNotLost(boolean virtual) {
        int threads = 300;
        Phaser all = new Phaser(threads);
        Threads.race(threads, index -> inThread(virtual && index % 2 == 0, () -> {
            try {
                use(arena, index, 100);
                // All threads have stacks at the same time.
                all.arriveAndAwaitAdvance();
                use(arena, index, 100);
            } finally {
                all.arriveAndDeregister();
            }
        }));
        assertThat(arena.stats().liveBlocks()).isZero();
        assertThat(arena.stats().usedByteSize()).isZero();
    }

    private static void inThread(boolean virtual, Runnable action) {
        if (virtual) {
            Threads.inVirtualThread(action);
        } else {
            action.run();
        }
    }

    /// Allocates, checks and frees blocks. The content of each is its address.
    private static void use(BlockAllocator allocator, int seed, int count) {
        Random random = new Random(seed);
        List<MemorySegment> live = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            live.add(allocate(allocator, random));
            if (random.nextBoolean()) {
                free(allocator, live.remove(random.nextInt(live.size())));
            }
        }
        live.forEach(block -> free(allocator, block));
    }

    private static MemorySegment allocate(BlockAllocator allocator, Random random) {
        return marked(allocator.allocate(8 + random.nextInt(1 << (1 + random.nextInt(11))), 8));
    }

    private static MemorySegment marked(MemorySegment block) {
        block.set(JAVA_LONG, 0, block.address());
        block.set(JAVA_LONG, (block.byteSize() - 8) & -8, block.address());
        return block;
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
                        live.add(marked(block));
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
                for (int round = 1; round <= 300; round++) {
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

    /// The memory that one thread allocates and another one frees is used again.
    @Test
    void free_byAnotherThreadAlways_doesNotLetTheMemoryGrow() throws InterruptedException {
        BlockingQueue<MemorySegment> queue = new ArrayBlockingQueue<>(100);
        Threads.race(2, index -> {
            for (int i = 0; i < 40_000; i++) {
                if (index == 0) {
                    queue.put(arena.allocate(100 + i % 900));
                } else {
                    MemorySegment block = queue.poll(1, TimeUnit.MINUTES);
                    arena.free(block);
                }
            }
        });
        assertThat(arena.stats().liveBlocks()).isZero();
        // 20 MB have been allocated, and 100 blocks are live at most, of 30 size classes.
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

    private static final int SLABS = 64;
    private static final int SLAB_SHIFT = 16;
    private static final int LIVE = 512;
    private static final int SMALL = 64;
    private static final int LARGER = 4_096;
    private static final Set<Integer> REUSED = Set.of(5, 15, 25, 35);

    @Test
    @Tag("full")
    void freeRaw_ofOldBlocksWhileTheirSlabIsUsedAgain_changesNoOtherSlab() {
        freeOldBlocks(100, 16, 64);
        freeOldBlocks(100, 832, 838);
    }

    @Test
    @Tag("slow")
    void freeRaw_ofOldBlocksWhileTheirSlabIsUsedAgainForLong_changesNoOtherSlab() {
        freeOldBlocks(30_000, 16, 64);
        freeOldBlocks(30_000, 832, 838);
        freeOldBlocks(30_000, 576, 1_024);
    }

    /// One thread uses a slab for two size classes in turn, while others free small blocks of it. All other slabs are
    /// full of live blocks, which remain so.
    @SuppressWarnings("ThreadPriorityCheck") // Others get a turn on a machine with few processors.
    private static void freeOldBlocks(int rounds, int firstIndex, int endIndex) {
        try (Arena arena = Arena.ofShared()) {
            OffsetAllocator allocator = OffsetAllocator.overSharedAtomic(
                    arena.allocate((SLABS + 1L) << SLAB_SHIFT, 1 << SLAB_SHIFT));
            TreeMap<Long, List<Long>> slabs = new TreeMap<>();
            for (int i = 0; i < SLABS << SLAB_SHIFT; i += LIVE) {
                long block = allocator.allocateRaw(LIVE);
                slabs.computeIfAbsent(block >> SLAB_SHIFT, _ -> new ArrayList<>()).add(block);
            }
            List<Long> old = new ArrayList<>();
            List<Long> all = new ArrayList<>(slabs.keySet());
            for (int index : REUSED) {
                long slab = all.get(index);
                Objects.requireNonNull(slabs.remove(slab)).forEach(allocator::freeRaw);
                for (long i = firstIndex; i < endIndex; i++) {
                    old.add((slab << SLAB_SHIFT) + i * SMALL);
                }
            }
            AtomicBoolean done = new AtomicBoolean();
            Threads.race(5, index -> {
                if (index > 0) {
                    Random random = new Random(index);
                    while (!done.get()) {
                        free(allocator, old.get(random.nextInt(old.size())));
                    }
                    return;
                }
                try {
                    for (int i = 0; i < rounds; i++) {
                        useSlabs(allocator, slabs.keySet());
                        if (i % 8 == 0) {
                            Thread.yield();
                        }
                    }
                } finally {
                    done.set(true);
                }
            });
            refillEverySecond(allocator, slabs);
        }
    }

    private static void useSlabs(OffsetAllocator allocator, Set<Long> full) {
        for (int byteSize : new int[]{SMALL, LARGER}) {
            List<Long> blocks = new ArrayList<>();
            for (int i = 0; i <= (1 << SLAB_SHIFT) / byteSize; i++) {
                long block = allocator.allocateRaw(byteSize);
                assertThat(full).doesNotContain(block >> SLAB_SHIFT);
                blocks.add(block);
            }
            blocks.reversed().forEach(block -> free(allocator, block));
        }
    }

    /// Frees the blocks of half of the slabs. These blocks, and no others, are then allocated again.
    private static void refillEverySecond(OffsetAllocator allocator, Map<Long, List<Long>> slabs) {
        Set<Long> live = new TreeSet<>();
        int i = 0;
        for (List<Long> blocks : new HashMap<>(slabs).values()) {
            if (i++ % 2 == 0) {
                blocks.forEach(allocator::freeRaw);
            } else {
                live.addAll(blocks);
            }
        }
        boolean full = false;
        while (!full) {
            try {
                assertThat(live.add(allocator.allocateRaw(LIVE))).isTrue();
            } catch (CapacityExceededException e) {
                full = true;
            }
        }
        assertThat(live).hasSizeGreaterThanOrEqualTo(slabs.size() * (1 << SLAB_SHIFT) / LIVE);
    }

    private static void free(OffsetAllocator allocator, long block) {
        try {
            allocator.freeRaw(block);
        } catch (IllegalArgumentException e) {
            // Refused, or freed by another thread.
            assertThat(e).hasMessageContaining("Not a live block");
        }
    }
}
