package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.testing.Threads;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Concurrent calls of allocate, free, reallocate, adopt, release and close on shared arenas.
@EnumSource(value = MallocKind.class, names = {"SHARED", "CHECKED_SHARED"})
class MallocArenaThreadTest extends CountedMallocArena {
    private static final int THREADS = 4;
    /// Over libc, a block that is freed twice terminates the JVM.
    private static final NativeAllocator LIBC = NativeAllocator.libc();

    MallocArenaThreadTest(MallocKind kind) {
        super(kind);
    }

    @Test
    void free_oneBlockFromManyThreads_succeedsInOneOfThem() {
        int blocks = kind.checked ? 50 : 300;
        AtomicInteger freed = new AtomicInteger();
        AtomicInteger losses = new AtomicInteger();
        List<MemorySegment> segments = IntStream.range(0, blocks).mapToObj(_ -> arena.allocate(100, 8)).toList();
        Threads.race(THREADS, _ -> {
            for (MemorySegment segment : segments) {
                try {
                    arena.free(segment);
                    freed.incrementAndGet();
                } catch (IllegalArgumentException e) {
                    // Another thread was first. The address may be live again by now: as the table of blocks.
                    losses.incrementAndGet();
                }
            }
        });
        assertThat(freed).hasValue(blocks);
        assertThat(losses).hasValue((THREADS - 1) * blocks);
        assertThat(counting.blocks()).as("the block table").isEqualTo(kind.checked ? 0 : 1);
    }

    @Test
    void anyOperations_inManyThreads_loseNothing() {
        int operations = kind.checked ? 100 : 2_000;
        Queue<MemorySegment> passedOn = new ConcurrentLinkedQueue<>();
        Threads.race(THREADS, index -> {
            Random random = new Random(index);
            for (int i = 0; i < operations; i++) {
                operate(arena, passedOn, random);
            }
        });
        for (MemorySegment segment : passedOn) {
            assertThat(Bytes.areFilled(segment, (int) segment.byteSize(), segment.byteSize())).isTrue();
        }
        assertThat(counting.blocks()).as("live blocks, and the block table")
                .isEqualTo(passedOn.size() + (kind.checked ? 0L : 1L));
        counting.assertNoViolations();
    }

    /// Allocates a block, or frees or resizes a block of any thread.
    private static void operate(MallocArena arena, Queue<MemorySegment> passedOn, Random random) {
        int choice = random.nextInt(5);
        MemorySegment segment = choice < 2 ? null : passedOn.poll();
        if (segment == null) {
            passedOn.add(filled(arena.allocate(random.nextInt(1, 200), 8)));
            return;
        }
        assertThat(Bytes.areFilled(segment, (int) segment.byteSize(), segment.byteSize())).isTrue();
        if (choice == 2) {
            passedOn.add(filled(arena.reallocate(segment, random.nextInt(1, 200))));
        } else {
            arena.free(segment);
        }
    }

    private static MemorySegment filled(MemorySegment segment) {
        Bytes.fill(segment, (int) segment.byteSize());
        return segment;
    }

    @Test
    @Tag("full")
    void close_againstAnyOperations_freesEachBlockOnce() {
        for (int round = 0; round < 20; round++) {
            MallocArena arena = open();
            CountDownLatch underWay = new CountDownLatch(100);
            AtomicBoolean closing = new AtomicBoolean();
            Threads.race(THREADS, index -> {
                if (index == 0) {
                    underWay.await();
                    closing.set(true);
                    arena.close();
                } else {
                    operateUntilClosed(arena, underWay, closing);
                }
            });
            counting.assertNothingHeld();
        }
    }

    private void operateUntilClosed(MallocArena arena, CountDownLatch underWay, AtomicBoolean closing) {
        try {
            while (true) {
                MemorySegment first = arena.allocate(100, 8);
                MemorySegment second = arena.allocateZeroed(100, 8);
                try {
                    MemorySegment third = arena.reallocate(first, 200);
                    arena.free(second);
                    arena.free(third);
                } catch (IllegalArgumentException e) {
                    assertThat(kind.checked).as("a close ends the blocks first: %s", e).isTrue();
                }
                MemorySegment left = arena.allocate(50, 64);
                assertThat(left.byteSize()).isEqualTo(50);
                underWay.countDown();
            }
        } catch (IllegalStateException e) {
            // A checked arena rejects blocks before the last ones have ended.
            boolean rejects = kind.checked ? closing.get() : !arena.scope().isAlive();
            assertThat(rejects).as("rejected by an open arena: %s", e).isTrue();
        } finally {
            // The closing thread must not wait forever if this one has failed.
            while (underWay.getCount() > 0) {
                underWay.countDown();
            }
        }
    }

    @Test
    void adopt_oneBlockByManyThreads_succeedsInOneOfThem() {
        AtomicInteger adopted = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        try (MallocArena arena = kind.open(counting.allocator())) {
            List<MemorySegment> blocks = IntStream.range(0, 50).mapToObj(_ -> block()).toList();
            Threads.race(THREADS, _ -> {
                for (MemorySegment block : blocks) {
                    try {
                        assertThat(arena.adopt(block).byteSize()).isEqualTo(100);
                        adopted.incrementAndGet();
                    } catch (IllegalArgumentException e) {
                        refused.incrementAndGet();
                    }
                }
            });
            assertThat(arena.stats().liveBlocks()).isEqualTo(blocks.size());
        }
        assertThat(adopted).hasValue(50);
        assertThat(refused).hasValue(50 * (THREADS - 1));
    }

    @Test
    void adopt_besideClose_isFreedByTheArenaOrLeftToTheCaller() {
        for (int round = 0; round < 8; round++) {
            MallocArena arena = kind.open(counting.allocator());
            Threads.race(THREADS, index -> {
                if (index == 0) {
                    arena.close();
                    return;
                }
                // Few blocks: each takes a handshake to be freed in a checked arena.
                for (int i = 0; i < 20; i++) {
                    MemorySegment block = block();
                    try {
                        arena.adopt(block);
                    } catch (IllegalStateException e) {
                        counting.allocator().free(block.address(), 100, 1);
                    }
                }
            });
            counting.assertNothingHeld();
        }
    }

    @Test
    void release_oneBlockByManyThreads_succeedsInOneOfThem() {
        Queue<MemorySegment> released = new ConcurrentLinkedQueue<>();
        try (MallocArena arena = kind.open(LIBC)) {
            List<MemorySegment> blocks = IntStream.range(0, 50).mapToObj(_ -> arena.allocate(100)).toList();
            Threads.race(THREADS, _ -> {
                for (MemorySegment block : blocks) {
                    try {
                        released.add(arena.release(block));
                    } catch (IllegalArgumentException e) {
                        // Another thread was first. Nothing is freed meanwhile, so that no address is live again.
                        assertThat(e).hasMessageStartingWith("Not a live block");
                    }
                }
            });
            assertThat(released).hasSize(blocks.size());
            assertThat(arena.stats().liveBlocks()).isZero();
        }
        released.forEach(block -> LIBC.free(block.address(), 100, 1));
    }

    @Test
    void release_besideClose_givesEachBlockToOneSide() {
        for (int round = 0; round < 8; round++) {
            MallocArena arena = kind.open(LIBC);
            List<MemorySegment> blocks = IntStream.range(0, 60).mapToObj(i -> filled(arena.allocate(100), i)).toList();
            Threads.race(THREADS, index -> {
                if (index == 0) {
                    arena.close();
                    return;
                }
                for (int i = index; i < blocks.size(); i += THREADS - 1) {
                    try {
                        MemorySegment released = arena.release(blocks.get(i));
                        assertThat(Bytes.areFilled(released, i, 100)).isTrue();
                        LIBC.free(released.address(), 100, 1);
                    } catch (IllegalStateException | IllegalArgumentException e) {
                        // The arena has freed the block: a checked arena ends the blocks first.
                        Thread.onSpinWait();
                    }
                }
            });
        }
    }

    /// A block of the allocator, as a native call returns it.
    private MemorySegment block() {
        return Memory.segment(counting.allocator().allocate(100, 1), 100);
    }

    private static MemorySegment filled(MemorySegment segment, int seed) {
        Bytes.fill(segment, seed);
        return segment;
    }
}
