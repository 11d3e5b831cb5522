package dev.arenakit.diagnostics;

import dev.arenakit.diagnostics.DebugOptions.Guard;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

/// A debug arena around an arena for all threads.
@Tag("full")
class DebugArenaThreadTest {
    private static final int THREADS = 3;
    private static final int ROUNDS = 5;
    private static final int MOST_BLOCKS = 1_000;

    @ParameterizedTest
    @EnumSource(value = Guard.class, names = "BEFORE", mode = EnumSource.Mode.EXCLUDE)
    void allocateAndFree_againstClose_succeedOrAreIllegalState(Guard guard) {
        for (int round = 0; round < ROUNDS; round++) {
            DebugArena arena = DebugArena.wrap(Arena.ofShared(),
                    new DebugOptions(guard, true, Optional.empty(), guard == Guard.CANARIES ? 0 : 1 << 20));
            CountDownLatch underWay = new CountDownLatch(THREADS);
            AtomicBoolean closing = new AtomicBoolean();
            Threads.race(THREADS + 1, index -> {
                if (index == THREADS) {
                    underWay.await();
                    closing.set(true);
                    arena.close();
                } else {
                    useUntilClosed(arena, underWay, closing);
                }
            });
            assertThat(arena.scope().isAlive()).isFalse();
        }
    }

    private static void useUntilClosed(DebugArena arena, CountDownLatch underWay, AtomicBoolean closing) {
        try {
            for (int block = 0; block < MOST_BLOCKS; block++) {
                MemorySegment segment = arena.allocate(1 + block % 200, 8).fill((byte) block);
                MemorySegment moved = arena.reallocate(segment, 300);
                assertThat(moved.get(JAVA_BYTE, 0)).isEqualTo((byte) block);
                arena.check();
                arena.free(moved);
                if (block == 0) {
                    underWay.countDown();
                }
            }
        } catch (IllegalStateException e) {
            assertThat(closing).as("rejected before close: %s", e).isTrue();
        } finally {
            // Also after a failure, for which the closing thread must not wait.
            underWay.countDown();
        }
    }
}
