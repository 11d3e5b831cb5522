package dev.arenakit;

import dev.arenakit.SlabPoolWaitTest.Opener;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.diagnostics.MemoryStatistics;
import dev.arenakit.testing.Threads;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The end of a pool that is in use.
class SlabPoolShutdownTest {
    private static final long SLAB = 4096;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final CountingAllocator counting = new CountingAllocator();

    private SlabPool.Builder builder() {
        return SlabPool.builder().slabByteSize(SLAB).allocator(counting.allocator());
    }

    @AfterEach
    void nothingIsLeft() {
        counting.assertNothingHeld();
    }

    private static void assertRefused(SlabPool pool, String message) {
        for (int i = 0; i < 2; i++) {
            assertThatIllegalStateException().isThrownBy(pool::openConfined).withMessage(message);
            assertThatIllegalStateException().isThrownBy(pool::openShared).withMessage(message);
            assertThatIllegalStateException().isThrownBy(() -> FreeListArena.builder().pool(pool).build())
                    .withMessage(message);
            assertThat(Threads.thrownBy(pool::openConfined)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shutdown_withoutOpenArenas_closesThePool() throws InterruptedException {
        SlabPool pool = builder().build();
        try (SlabArena _ = pool.openConfined(); SlabArena _ = pool.openConfined()) {
            assertThat(pool.awaitClosed(Duration.ZERO)).isFalse();
        }
        pool.shutdown();
        assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(0, 0, 0, Long.MAX_VALUE));
        assertThat(pool.awaitClosed(Duration.ZERO)).isTrue();
        assertRefused(pool, "Pool is closed");
        pool.shutdown();
        pool.close();
    }

    @Test
    void shutdown_whileArenasAreOpen_lastCloseFreesTheRest() throws InterruptedException {
        SlabPool pool = builder().build();
        SlabArena owned = pool.openConfined();
        SlabArena unowned = pool.openConfined();
        SlabArena shared = pool.openShared();
        pool.openConfined().close();
        pool.shutdown();
        assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(3, 3 * SLAB, 0, Long.MAX_VALUE));
        assertRefused(pool, "Pool is shut down");

        for (SlabArena arena : List.of(owned, unowned, shared)) {
            // Open arenas acquire further memory.
            for (int i = 0; i < 8; i++) {
                arena.allocate(1000, 8).fill((byte) 1);
            }
            assertThat(arena.allocate(100_000, 64).byteSize()).isEqualTo(100_000);
        }
        try (SlabArena frame = owned.pushFrame()) {
            for (int i = 0; i < 8; i++) {
                frame.allocate(1000, 8);
            }
        }
        assertThat(pool.stats().idleByteSize()).isZero();
        assertThatIllegalStateException().isThrownBy(pool::close).withMessageContaining("openArenas=3");
        shared.close();
        owned.close();
        assertThat(pool.stats().idleByteSize()).isZero();
        assertThat(pool.awaitClosed(Duration.ofNanos(1))).isFalse();
        unowned.close();
        assertThat(pool.awaitClosed(Duration.ZERO)).isTrue();
        assertThat(counting.bytes()).isZero();
        assertRefused(pool, "Pool is closed");
    }

    /// The short form of the close of an arena.
    @Test
    void close_ofAnArenaInTheSlabOfItsThread_afterAShutdown_closesThePool() throws InterruptedException {
        SlabPool pool = builder().build();
        pool.openConfined().close();
        SlabArena arena = pool.openConfined();
        MemorySegment segment = arena.allocate(JAVA_LONG);
        assertThat(Threads.thrownBy(pool::shutdown)).isNull();
        segment.set(JAVA_LONG, 0, 1);
        arena.close();
        assertThat(pool.awaitClosed(Duration.ZERO)).isTrue();
    }

    @Test
    void awaitClosed_byAnotherThread_returnsAfterTheLastClose() throws InterruptedException {
        SlabPool pool = builder().build();
        SlabArena arena = pool.openConfined();
        pool.shutdown();
        AtomicInteger closed = new AtomicInteger();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                closed.set(pool.awaitClosed(LONG) ? 1 : -1);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        arena.close();
        thread.join();
        assertThat(closed).hasValue(1);
    }

    @Test
    void awaitClosed_byAnInterruptedThread_throws() {
        SlabPool pool = builder().build();
        SlabArena arena = pool.openConfined();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> pool.awaitClosed(LONG)).isInstanceOf(InterruptedException.class);
        arena.close();
        pool.close();
    }

    @Test
    void shutdown_whileFreeListArenaIsOpen_isCompletedByItsClose() throws InterruptedException {
        SlabPool pool = SlabPool.builder().build();
        FreeListArena lists = FreeListArena.builder().pool(pool).build();
        lists.allocate(100);
        pool.shutdown();
        lists.allocate(1_000_000);
        assertThat(pool.awaitClosed(Duration.ZERO)).isFalse();
        lists.close();
        assertThat(pool.awaitClosed(Duration.ZERO)).isTrue();
        assertThat(pool.stats().usedByteSize()).isZero();
    }

    @Test
    void shutdown_whileThreadsWaitForASlab_refusesThem() throws InterruptedException {
        SlabPool pool = builder().maxByteSize(SLAB).openTimeout(LONG).build();
        SlabArena arena = pool.openConfined();
        List<Opener> openers = IntStream.range(0, 3).mapToObj(_ -> Opener.waiting(pool)).toList();
        pool.shutdown();
        for (Opener opener : openers) {
            assertThat(opener.join()).isInstanceOf(IllegalStateException.class).hasMessage("Pool is shut down");
        }
        arena.close();
        assertThat(pool.awaitClosed(Duration.ZERO)).isTrue();
    }

    @Test
    void shutdown_ofAPoolWithABudget_endsWithTheLastClose() {
        MemoryBudget budget = MemoryBudget.root("shut down", 1 << 20);
        SlabPool pool = builder().budget(budget).maxByteSize(1_234_567).build();
        SlabArena arena = pool.openConfined();
        pool.shutdown();
        assertThatThrownBy(budget::close).isInstanceOf(IllegalStateException.class);
        assertThat(isInStatistics(1_234_567)).isTrue();
        arena.close();
        assertThat(isInStatistics(1_234_567)).isFalse();
        budget.close();
    }

    private static boolean isInStatistics(long maxByteSize) {
        return MemoryStatistics.ofProcess().pools().stream().anyMatch(stats -> stats.maxByteSize() == maxByteSize);
    }

    /// Whatever a thread does when the pool is shut down, the last release is noticed.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shutdown_whileThreadsOpenAndClose_isCompletedByTheLastClose(boolean grouped) throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            SlabPool pool = grouped ? builder().groupedClose(8).build() : builder().build();
            CountDownLatch started = new CountDownLatch(3);
            AtomicInteger refused = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Thread.Builder builder = i == 0 ? Thread.ofVirtual() : Thread.ofPlatform();
                threads.add(builder.start(() -> {
                    while (true) {
                        try (SlabArena arena = grouped ? pool.openShared() : pool.openConfined()) {
                            arena.allocate(JAVA_LONG).set(JAVA_LONG, 0, 1);
                            started.countDown();
                        } catch (IllegalStateException e) {
                            refused.incrementAndGet();
                            break;
                        }
                    }
                }));
            }
            started.await();
            pool.shutdown();
            assertThat(pool.awaitClosed(LONG)).isTrue();
            assertThat(counting.bytes()).isZero();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(refused).hasValue(3);
        }
    }
}
