package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Several threads at the same time, in arenas of their own and in a shared arena.
interface RaceContract extends ArenaUnderTest {
    /// More than the processors of a small machine, so that threads are also suspended during their work.
    int THREADS = 4;

    /// The largest number of arenas that the suite has open at the same time.
    int ARENAS = 3;

    int ROUNDS = 5;

    /// Arenas often treat this size differently from small blocks, which takes longer, and so widens the window of a
    /// race.
    long LARGE = 40_000;

    @Test
    default void open_inSeveralThreadsAtOnce_neverSharesMemory() {
        long before = held().orElse(0);
        Phaser phaser = new Phaser(ARENAS);
        OtherThreads.race(ARENAS, index -> openAndAllocate(index, phaser)).join();
        endDeferred();
        assertThat(held().orElse(0)).as("memory held in the end").isEqualTo(before);
    }

    @Test
    default void open_inSeveralVirtualThreadsAtOnce_neverSharesMemory() {
        long before = held().orElse(0);
        Phaser phaser = new Phaser(ARENAS);
        OtherThreads.raceOfVirtualThreads(ARENAS, index -> openAndAllocate(index, phaser)).join();
        endDeferred();
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
                    // No thread checks before all have written, and no thread closes before all have checked.
                    phaser.arriveAndAwaitAdvance();
                    live.assertDisjointAndIntact();
                    phaser.arriveAndAwaitAdvance();
                }
            }
        } finally {
            phaser.arriveAndDeregister();
        }
    }

    /// Returns the number of rounds of races that a confined arena rejects alike in each round.
    private int rounds() {
        return capabilities().shared() ? ROUNDS : 1;
    }

    @Test
    default void allocate_inSeveralThreadsAtOnce_neverOverlapsAndLosesNothing() {
        long before = held().orElse(0);
        for (int round = 0; round < rounds(); round++) {
            Arena arena = open();
            List<LiveSegments> lives = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                lives.add(new LiveSegments(60 * i));
            }
            OtherThreads.Race race = OtherThreads.race(THREADS, index -> {
                if (capabilities().shared()) {
                    allocateManyBlocks(arena, lives.get(index));
                } else {
                    assertThatThrownBy(() -> arena.allocate(LARGE, 8)).isInstanceOf(WrongThreadException.class);
                }
            });
            if (!capabilities().shared()) {
                allocateManyBlocks(arena, lives.getFirst());
            }
            race.join();
            LiveSegments all = new LiveSegments();
            lives.forEach(all::addAll);
            all.assertDisjointAndIntact();
            arena.close();
            endDeferred();
            all.assertDead();
            assertThat(held().orElse(0)).as("memory held after close").isEqualTo(before);
        }
    }

    private void allocateManyBlocks(Arena arena, LiveSegments live) {
        for (int i = 0; i < capabilities().allocations() / THREADS; i++) {
            live.add(arena.allocate(i % 16 == 0 ? LARGE : 1 + i % 100, 1L << i % 4));
        }
    }

    @Test
    default void allocate_againstClose_succeedsOrIsRejectedAndLosesNothing() {
        long before = held().orElse(0);
        for (int round = 0; round < rounds(); round++) {
            Arena arena = open();
            List<LiveSegments> lives = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                lives.add(new LiveSegments());
            }
            CountDownLatch underWay = new CountDownLatch(THREADS);
            AtomicBoolean closing = new AtomicBoolean();
            OtherThreads.Race race = OtherThreads.race(THREADS, index -> {
                try {
                    for (int i = 0; i < capabilities().allocations() / THREADS; i++) {
                        lives.get(index).add(arena.allocate(i % 2 == 0 ? 100 : LARGE, 8));
                        underWay.countDown();
                    }
                } catch (IllegalStateException e) {
                    // The scope is alive for some nanoseconds after the first call was rejected, also in the JDK's
                    // arenas.
                    assertThat(closing).as("rejected before close: %s", e).isTrue();
                } catch (WrongThreadException e) {
                    assertThat(capabilities().shared()).as("rejected although shared: %s", e).isFalse();
                } finally {
                    underWay.countDown();
                }
            });
            await(underWay);
            closing.set(true);
            arena.close();
            // This arena may reuse the memory of the closed one while other threads are still running.
            try (Arena next = open()) {
                LiveSegments live = new LiveSegments();
                for (int i = 0; i < 50; i++) {
                    MemorySegment segment = next.allocate(100, 8);
                    // No other thread has written to the memory of a confined arena.
                    if (capabilities().zeroed() && capabilities().shared()) {
                        assertThat(LiveSegments.holdsOnly(segment, (byte) 0)).as("%s is zeroed", segment).isTrue();
                    }
                    live.add(segment);
                }
                race.join();
                live.assertDisjointAndIntact();
            }
            endDeferred();
            lives.forEach(LiveSegments::assertDead);
            assertThat(held().orElse(0)).as("memory held in the end").isEqualTo(before);
        }
    }

    @Test
    default void access_againstClose_neverReachesMemoryReused() {
        for (int round = 0; round < rounds(); round++) {
            Arena arena = open();
            MemorySegment old = arena.allocate(4_096, 8);
            CountDownLatch writing = new CountDownLatch(1);
            CountDownLatch opening = new CountDownLatch(1);
            OtherThreads.Race race = OtherThreads.race(2, index -> {
                if (index == 0) {
                    writeUntilClosed(old, writing);
                } else {
                    openAndCloseUntilClosed(arena, opening);
                }
            });
            await(writing);
            await(opening);
            arena.close();
            endDeferred();
            race.join();
        }
    }

    private void writeUntilClosed(MemorySegment segment, CountDownLatch underWay) {
        try {
            assertThatThrownBy(() -> {
                while (true) {
                    segment.fill((byte) 0xFF);
                    underWay.countDown();
                }
            }).isInstanceOf(capabilities().shared() ? IllegalStateException.class : WrongThreadException.class);
        } finally {
            underWay.countDown();
        }
    }

    private void openAndCloseUntilClosed(Arena raced, CountDownLatch underWay) {
        boolean alive;
        do {
            alive = raced.scope().isAlive();
            // No arena is open most of the time, so that a last-in-first-out pool would reuse the raced memory.
            LockSupport.parkNanos(200_000);
            try (Arena arena = open()) {
                LiveSegments live = new LiveSegments();
                live.add(arena.allocate(4_096, 8));
                // Gives the other thread time to write through the old segment.
                LockSupport.parkNanos(100_000);
                live.assertDisjointAndIntact();
            } finally {
                underWay.countDown();
            }
        } while (alive);
    }

    @Test
    default void close_inSeveralThreadsAtOnce_releasesOnce() {
        long before = held().orElse(0);
        for (int round = 0; round < ROUNDS; round++) {
            Arena arena = open();
            MemorySegment segment = arena.allocate(1_000, 8);
            if (capabilities().shared()) {
                closeByAllThreads(arena);
            } else {
                closeAgainstAnotherThread(arena);
            }
            endDeferred();
            assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
            assertThat(held().orElse(0)).as("memory held after close").isEqualTo(before);
            assertNoMemoryIsUsedTwice();
        }
    }

    private static void closeByAllThreads(Arena arena) {
        AtomicInteger closed = new AtomicInteger();
        AtomicInteger rejected = new AtomicInteger();
        OtherThreads.race(THREADS, _ -> {
            try {
                arena.close();
                closed.incrementAndGet();
            } catch (IllegalStateException e) {
                rejected.incrementAndGet();
            }
        }).join();
        assertThat(closed).hasValue(1);
        assertThat(rejected).hasValue(THREADS - 1);
    }

    private static void closeAgainstAnotherThread(Arena arena) {
        CountDownLatch underWay = new CountDownLatch(1);
        OtherThreads.Race race = OtherThreads.race(1, _ -> {
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
    }

    private void assertNoMemoryIsUsedTwice() {
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
