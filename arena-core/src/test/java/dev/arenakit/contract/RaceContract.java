package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Several threads at the same time: in arenas of their own, and in one that they share.
interface RaceContract extends ArenaUnderTest {
    /// More than the processors of a small machine, so that threads are also suspended in the middle of their work.
    int THREADS = 4;

    /// The most arenas that the suite has open at a time.
    int ARENAS = 3;

    int ROUNDS = 10;

    /// Often served in another way than small blocks, which takes longer: a wider window for other threads.
    long LARGE = 40_000;

    @Test
    default void open_inSeveralThreadsAtOnce_neverSharesMemory() {
        long before = held().orElse(0);
        Phaser phaser = new Phaser(ARENAS);
        Elsewhere.race(ARENAS, index -> openAndAllocate(index, phaser)).join();
        assertThat(held().orElse(0)).as("memory held in the end").isEqualTo(before);
    }

    @Test
    default void open_inSeveralVirtualThreadsAtOnce_neverSharesMemory() {
        long before = held().orElse(0);
        Phaser phaser = new Phaser(ARENAS);
        Elsewhere.raceOfVirtualThreads(ARENAS, index -> openAndAllocate(index, phaser)).join();
        assertThat(held().orElse(0)).as("memory held in the end").isEqualTo(before);
    }

    private void openAndAllocate(int index, Phaser phaser) {
        try {
            for (int round = 0; round < ROUNDS; round++) {
                try (Arena arena = open()) {
                    LiveSegments live = new LiveSegments(80 * index);
                    for (long byteSize : new long[]{8, 100, 1_000, 1_000, 20_000}) {
                        live.add(arena.allocate(byteSize, 8));
                    }
                    // Nobody looks before all have written, and nobody closes before all have looked.
                    phaser.arriveAndAwaitAdvance();
                    live.assertDisjointAndIntact();
                    phaser.arriveAndAwaitAdvance();
                }
            }
        } finally {
            phaser.arriveAndDeregister();
        }
    }

    @Test
    default void allocate_inSeveralThreadsAtOnce_neverOverlapsAndLosesNothing() {
        assumeTrue(capabilities().shared(), "only one thread may allocate");
        long before = held().orElse(0);
        for (int round = 0; round < ROUNDS; round++) {
            Arena arena = open();
            List<LiveSegments> lives = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                lives.add(new LiveSegments(60 * i));
            }
            Elsewhere.race(THREADS, index -> {
                for (int i = 0; i < capabilities().allocations() / THREADS; i++) {
                    lives.get(index).add(arena.allocate(i % 16 == 0 ? LARGE : 1 + i % 100, 1L << i % 4));
                }
            }).join();
            LiveSegments all = new LiveSegments();
            lives.forEach(all::addAll);
            all.assertDisjointAndIntact();
            arena.close();
            all.assertDead();
            assertThat(held().orElse(0)).as("memory held after close").isEqualTo(before);
        }
    }

    @Test
    default void allocate_againstClose_succeedsOrIsIllegalStateAndLosesNothing() {
        assumeTrue(capabilities().shared(), "only one thread may allocate and close");
        long before = held().orElse(0);
        for (int round = 0; round < ROUNDS; round++) {
            Arena arena = open();
            List<LiveSegments> lives = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                lives.add(new LiveSegments());
            }
            CountDownLatch underWay = new CountDownLatch(THREADS);
            Elsewhere.Race race = Elsewhere.race(THREADS, index -> {
                try {
                    for (int i = 0; i < capabilities().allocations() / THREADS; i++) {
                        lives.get(index).add(arena.allocate(i % 2 == 0 ? 100 : LARGE, 8));
                        underWay.countDown();
                    }
                } catch (IllegalStateException e) {
                    assertThat(arena.scope().isAlive()).as("refused by an open arena: %s", e).isFalse();
                } finally {
                    underWay.countDown();
                }
            });
            await(underWay);
            arena.close();
            // This one is lent the memory of the closed one while the losers of the race are still running.
            try (Arena next = open()) {
                LiveSegments live = new LiveSegments();
                for (int i = 0; i < 50; i++) {
                    MemorySegment segment = next.allocate(100, 8);
                    if (capabilities().zeroed()) {
                        assertThat(LiveSegments.holdsOnly(segment, (byte) 0)).as("%s is zeroed", segment).isTrue();
                    }
                    live.add(segment);
                }
                race.join();
                live.assertDisjointAndIntact();
            }
            lives.forEach(LiveSegments::assertDead);
            assertThat(held().orElse(0)).as("memory held in the end").isEqualTo(before);
        }
    }

    @Test
    default void access_againstClose_neverReachesMemoryLentAgain() {
        assumeTrue(capabilities().shared(), "only one thread may access and close");
        for (int round = 0; round < ROUNDS; round++) {
            Arena arena = open();
            MemorySegment old = arena.allocate(4_096, 8);
            CountDownLatch underWay = new CountDownLatch(2);
            Elsewhere.Race race = Elsewhere.race(2, index -> {
                if (index == 0) {
                    assertThatThrownBy(() -> {
                        while (true) {
                            old.fill((byte) 0xFF);
                            underWay.countDown();
                        }
                    }).isInstanceOf(IllegalStateException.class);
                } else {
                    openAndCloseInTurn(arena, underWay);
                }
            });
            await(underWay);
            arena.close();
            race.join();
        }
    }

    private void openAndCloseInTurn(Arena raced, CountDownLatch underWay) {
        boolean alive;
        do {
            alive = raced.scope().isAlive();
            // Holds nothing for most of the time: a pool that lends what came back last would lend just that.
            LockSupport.parkNanos(200_000);
            try (Arena arena = open()) {
                LiveSegments live = new LiveSegments();
                live.add(arena.allocate(4_096, 8));
                underWay.countDown();
                // Gives the thread that writes through the old segment the time to.
                LockSupport.parkNanos(100_000);
                live.assertDisjointAndIntact();
            }
        } while (alive);
    }

    @Test
    default void close_inSeveralThreadsAtOnce_succeedsOnce() {
        assumeTrue(capabilities().shared(), "only one thread may close");
        long before = held().orElse(0);
        for (int round = 0; round < ROUNDS; round++) {
            Arena arena = open();
            MemorySegment segment = arena.allocate(1_000, 8);
            AtomicInteger closed = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            Elsewhere.race(THREADS, _ -> {
                try {
                    arena.close();
                    closed.incrementAndGet();
                } catch (IllegalStateException e) {
                    refused.incrementAndGet();
                }
            }).join();
            assertThat(closed).hasValue(1);
            assertThat(refused).hasValue(THREADS - 1);
            assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
            assertThat(held().orElse(0)).as("memory held after close").isEqualTo(before);
            assertNothingIsLentTwice();
        }
    }

    @Test
    default void close_againstCloseByAnotherThread_givesBackOnce() {
        assumeFalse(capabilities().shared(), "every thread may close");
        long before = held().orElse(0);
        for (int round = 0; round < ROUNDS; round++) {
            Arena arena = open();
            arena.allocate(1_000, 8);
            CountDownLatch underWay = new CountDownLatch(1);
            Elsewhere.Race race = Elsewhere.race(1, _ -> {
                boolean alive;
                do {
                    alive = arena.scope().isAlive();
                    try {
                        assertThatThrownBy(arena::close).isInstanceOf(WrongThreadException.class);
                    } finally {
                        underWay.countDown();
                    }
                } while (alive);
            });
            await(underWay);
            arena.close();
            race.join();
            assertThat(held().orElse(0)).as("memory held after close").isEqualTo(before);
            assertNothingIsLentTwice();
        }
    }

    private void assertNothingIsLentTwice() {
        try (Arena first = open(); Arena second = open()) {
            LiveSegments live = new LiveSegments();
            live.add(first.allocate(1_000, 8));
            live.add(second.allocate(1_000, 8));
            live.assertDisjointAndIntact();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted while threads of the test were running", e);
        }
    }
}
