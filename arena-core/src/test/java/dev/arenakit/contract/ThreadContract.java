package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Who may use an arena, and what happens when several do at the same time.
interface ThreadContract extends ArenaUnderTest {
    /// More than most machines of a build have processors, so that threads are also suspended in the middle of their work.
    int THREADS = 4;

    @Test
    default void access_fromAnotherThread_isAsClaimed() {
        try (Arena arena = open()) {
            for (MemorySegment segment : List.of(arena.allocate(64, 8), arena.allocate(200_000, 8))) {
                segment.set(ValueLayout.JAVA_BYTE, 1, (byte) 7);
                assertAsClaimed(Elsewhere.thrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 1)));
                assertAsClaimed(Elsewhere.thrownInVirtualThreadBy(() -> segment.fill((byte) 8)));
                assertThat(segment.get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) (capabilities().shared() ? 8 : 7));
            }
        }
    }

    @Test
    default void allocate_fromAnotherThread_isAsClaimed() {
        try (Arena arena = open()) {
            LiveSegments live = new LiveSegments();
            live.add(arena.allocate(40, 8));
            long held = held().orElse(0);
            for (long byteSize : new long[]{0, 40, 200_000}) {
                assertAsClaimed(Elsewhere.thrownBy(() -> arena.allocate(byteSize, 8)));
                assertAsClaimed(Elsewhere.thrownInVirtualThreadBy(() -> arena.allocate(byteSize, 8)));
            }
            if (!capabilities().shared()) {
                assertThat(held().orElse(0)).as("memory held after the refusals").isEqualTo(held);
            }
            live.add(arena.allocate(40, 8));
            live.assertDisjointAndIntact();
        }
    }

    @Test
    default void close_fromAnotherThread_isAsClaimed() {
        Arena arena = open();
        LiveSegments live = new LiveSegments();
        live.add(arena.allocate(40, 8));
        assertAsClaimed(Elsewhere.thrownBy(() -> {
            arena.close();
            return null;
        }));
        if (capabilities().shared()) {
            assertThat(arena.scope().isAlive()).isFalse();
        } else {
            assertThat(arena.scope().isAlive()).isTrue();
            live.add(arena.allocate(40, 8));
            live.assertDisjointAndIntact();
            arena.close();
        }
        assertThatThrownBy(() -> arena.allocate(8, 8)).isInstanceOf(IllegalStateException.class);
    }

    private void assertAsClaimed(@Nullable Throwable thrown) {
        if (capabilities().shared()) {
            assertThat(thrown).isNull();
        } else {
            assertThat(thrown).isInstanceOf(WrongThreadException.class);
        }
    }

    @Test
    default void open_inAnyThread_servesThatThread() {
        long before = held().orElse(0);
        assertThat(Elsewhere.thrownBy(this::useAnArena)).isNull();
        assertThat(Elsewhere.thrownInVirtualThreadBy(this::useAnArena)).isNull();
        assertThat(held().orElse(0)).as("memory held in the end").isEqualTo(before);
    }

    private Object useAnArena() {
        try (Arena arena = open()) {
            LiveSegments live = new LiveSegments();
            for (long byteSize : new long[]{0, 1, 100, 5_000, 200_000}) {
                live.add(arena.allocate(byteSize, 8));
            }
            live.assertDisjointAndIntact();
            return arena.scope();
        }
    }

    @Test
    default void open_inSeveralThreadsAtOnce_neverSharesMemory() {
        long before = held().orElse(0);
        Elsewhere.race(THREADS - 1, index -> {
            for (int session = 0; session < 20; session++) {
                try (Arena arena = open()) {
                    LiveSegments live = new LiveSegments(1 + 80 * index);
                    for (int i = 0; i < 10; i++) {
                        live.add(arena.allocate(1_000, 8));
                    }
                    live.assertDisjointAndIntact();
                }
            }
        }).join();
        assertThat(held().orElse(0)).as("memory held in the end").isEqualTo(before);
    }

    @Test
    default void allocate_inSeveralThreadsAtOnce_neverOverlapsAndLosesNothing() {
        assumeTrue(capabilities().shared(), "only one thread may allocate");
        long before = held().orElse(0);
        LiveSegments all = new LiveSegments();
        Arena arena = open();
        List<LiveSegments> lives = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            lives.add(new LiveSegments(60 * i));
        }
        Elsewhere.race(THREADS, index -> {
            for (int i = 0; i < capabilities().allocations() / THREADS; i++) {
                lives.get(index).add(arena.allocate(1 + i % 200, 1L << i % 4));
            }
        }).join();
        lives.forEach(all::addAll);
        all.assertDisjointAndIntact();
        arena.close();
        for (MemorySegment segment : all.segments()) {
            assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(held().orElse(0)).as("memory held after close").isEqualTo(before);
    }

    @Test
    default void allocate_againstClose_succeedsOrIsIllegalStateAndLosesNothing() {
        assumeTrue(capabilities().shared(), "only one thread may allocate and close");
        long before = held().orElse(0);
        for (int round = 0; round < 10; round++) {
            Arena arena = open();
            List<List<MemorySegment>> allocated = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                allocated.add(new ArrayList<>());
            }
            CountDownLatch underWay = new CountDownLatch(THREADS);
            Elsewhere.Race race = Elsewhere.race(THREADS, index -> {
                try {
                    for (int i = 0; i < capabilities().allocations() / THREADS; i++) {
                        MemorySegment segment = arena.allocate(100, 8);
                        allocated.get(index).add(segment);
                        segment.fill((byte) 0xFF);
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
            // Gets the memory of the closed one, if anybody does, while the losers of the race are still running.
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
            for (List<MemorySegment> segments : allocated) {
                for (MemorySegment segment : segments) {
                    assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
                            .isInstanceOf(IllegalStateException.class);
                }
            }
            assertThat(held().orElse(0)).as("memory held in the end").isEqualTo(before);
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
