package dev.arenakit;

import dev.arenakit.diagnostics.BudgetExceededException;
import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/// A full pool whose opens wait.
class SlabPoolWaitTest {
    private static final long SLAB = 4096;
    /// No test waits for so long, unless a wake-up is lost.
    private static final Duration LONG = Duration.ofMinutes(5);

    /// Has one slab.
    @AutoClose
    private final SlabPool pool = pool(SLAB, LONG);

    private static SlabPool pool(long maxByteSize, Duration openTimeout) {
        return builder(maxByteSize, openTimeout).build();
    }

    private static SlabPool.Builder builder(long maxByteSize, Duration openTimeout) {
        return SlabPool.builder().slabByteSize(SLAB).maxByteSize(maxByteSize).openTimeout(openTimeout);
    }

    /// A thread that opens an arena, writes to it, and closes it.
    static final class Opener {
        final Thread thread;
        private volatile @Nullable Throwable thrown;

        Opener(Supplier<? extends Arena> arenas, Runnable whenOpen) {
            thread = Thread.ofPlatform().start(() -> thrown = catchThrowable(() -> {
                try (Arena arena = arenas.get()) {
                    assertThat(arena.allocate(JAVA_LONG).get(JAVA_LONG, 0)).isZero();
                    whenOpen.run();
                }
            }));
        }

        static Opener waiting(Supplier<? extends Arena> arenas, Runnable whenOpen) {
            Opener opener = new Opener(arenas, whenOpen);
            while (opener.thread.getState() != Thread.State.TIMED_WAITING) {
                assertThat(opener.thread.isAlive()).isTrue();
                Thread.onSpinWait();
            }
            return opener;
        }

        static Opener waiting(SlabPool pool) {
            return waiting(pool::openConfined, () -> {});
        }

        @Nullable
        Throwable join() throws InterruptedException {
            thread.join();
            return thrown;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void open_inAFullPool_waitsUntilAnArenaIsClosed(boolean shared) throws InterruptedException {
        SlabArena first = shared ? pool.openShared() : pool.openConfined();
        first.allocate(JAVA_LONG).set(JAVA_LONG, 0, -1);
        Opener opener = Opener.waiting(shared ? pool::openShared : pool::openConfined, () -> {});
        first.close();
        assertThat(opener.join()).isNull();
        assertThat(pool.stats().opens()).isEqualTo(2);
        assertThat(pool.stats().refusals()).isZero();
    }

    @Test
    void stats_whileAThreadWaitsAndAfterwards_haveTheThreadAndItsWait() throws InterruptedException {
        SlabArena arena = pool.openConfined();
        assertThat(pool.stats().waitCount()).as("an open that does not wait").isZero();
        Opener opener = Opener.waiting(pool);
        assertThat(pool.stats()).satisfies(stats -> {
            assertThat(stats.waitingThreads()).isEqualTo(1);
            assertThat(stats.waitCount()).isZero();
            assertThat(stats.toString()).endsWith(", 0 waits of 0 ms; 1 threads wait");
        });
        arena.close();
        assertThat(opener.join()).isNull();
        assertThat(pool.stats().waitingThreads()).isZero();
        assertThat(pool.stats().waitCount()).isEqualTo(1);
        assertThat(pool.stats().waitedNanos()).isPositive();
    }

    @Test
    void stats_afterARefusal_haveTheWaitInTheRangeOfItsLength() {
        long timeout = 3_000_000;
        try (SlabPool pool = pool(SLAB, Duration.ofNanos(timeout)); SlabArena _ = pool.openConfined()) {
            assertThatExceptionOfType(CapacityExceededException.class).isThrownBy(pool::openConfined);
            SlabPoolStatistics stats = pool.stats();
            assertThat(stats.waitedNanos()).isGreaterThanOrEqualTo(timeout);
            assertThat(stats.waits()).filteredOn(waits -> waits.maxNanos() < timeout)
                    .extracting(SlabPoolStatistics.Waits::count)
                    .containsOnly(0L);
            assertThat(stats.waits()).filteredOn(waits -> waits.maxNanos() >= stats.waitedNanos())
                    .first()
                    .extracting(SlabPoolStatistics.Waits::count)
                    .isEqualTo(1L);
            assertThat(stats.waitCount()).isEqualTo(1);
        }
    }

    @Test
    void waits_ofAPool_areInRangesOfGrowingLength() {
        assertThat(pool.stats().waits()).extracting(SlabPoolStatistics.Waits::maxNanos)
                .startsWith(10_000L, 20_000L, 50_000L, 100_000L, 200_000L, 500_000L, 1_000_000L)
                .endsWith(5_000_000_000L, 10_000_000_000L, Long.MAX_VALUE)
                .isSorted()
                .hasSize(20);
        try (SlabPool never = pool(SLAB, Duration.ZERO)) {
            assertThat(never.stats().waits()).isEmpty();
        }
    }

    @Test
    void freeListArenaOverTheFullPool_waitsUntilAnArenaIsClosed() throws InterruptedException {
        try (SlabPool pool = pool(SLAB + (4L << 20), LONG)) {
            SlabArena first = pool.openConfined();
            first.allocate((4L << 20) - SLAB, 8);
            SlabArena second = pool.openConfined();
            Opener opener = Opener.waiting(() -> FreeListArena.builder().pool(pool).build(), () -> {});
            first.close();
            assertThat(opener.join()).isNull();
            second.close();
        }
    }

    @Test
    void open_inAFullPool_waitsUntilALargeBlockIsFreed() throws InterruptedException {
        try (SlabPool pool = pool(SLAB + 8192, LONG); SlabArena arena = pool.openConfined()) {
            SlabArena frame = arena.pushFrame();
            frame.allocate(8192, 8);
            Opener opener = Opener.waiting(pool);
            frame.close();
            assertThat(opener.join()).isNull();
        }
    }

    @Test
    void open_inAFullPoolWithoutIdleSlabs_waitsUntilASlabIsFreed() throws InterruptedException {
        try (SlabPool pool = builder(SLAB, LONG).maxIdleByteSize(0).build()) {
            SlabArena arena = pool.openConfined();
            Opener opener = Opener.waiting(pool);
            arena.close();
            assertThat(opener.join()).isNull();
        }
    }

    @Test
    void open_afterTheTimeout_isRefusedWithTheOpenArenasAndTheTime() {
        try (SlabPool pool = pool(2 * SLAB, Duration.ofMillis(3));
                SlabArena _ = pool.openConfined();
                SlabArena _ = pool.openConfined()) {
            assertThatExceptionOfType(CapacityExceededException.class).isThrownBy(pool::openConfined)
                    .withMessageMatching("Pool is full: limit=8192, used=8192, requested=4096, openArenas=2, "
                            + "waited=\\d+ ms; close arenas sooner, raise maxByteSize, or wait longer; a thread that "
                            + "opens an arena while it has others open may wait for itself");
            assertThat(pool.stats().refusals()).isEqualTo(1);
        }
    }

    @Test
    void open_afterTheTimeout_namesTheOldestWatchedArena() {
        String thread = Thread.currentThread().getName() + "#" + Thread.currentThread().threadId();
        try (SlabPool pool = builder(2 * SLAB, Duration.ofMillis(1)).leakDetection(LeakDetection.ALL).build();
                SlabArena _ = pool.openConfined();
                SlabArena _ = pool.openShared()) {
            String first = String.valueOf(catchThrowable(pool::openShared).getMessage());
            assertThat(first).contains(", oldestWatched=" + thread + " at ", "SlabPoolWaitTest.java:", ", open for ");
            assertThat(Threads.thrownBy(pool::openConfined)).isInstanceOf(CapacityExceededException.class);
        }
    }

    @Test
    void open_byAnInterruptedThread_isRefusedAtOnceAndKeepsTheStatus() throws InterruptedException {
        SlabArena arena = pool.openConfined();
        Opener opener = Opener.waiting(pool);
        opener.thread.interrupt();
        assertThat(opener.join()).isInstanceOf(CapacityExceededException.class)
                .hasMessageContaining("interrupted=true");
        Thread.currentThread().interrupt();
        assertThatThrownBy(pool::openConfined).isInstanceOf(CapacityExceededException.class);
        assertThat(Thread.interrupted()).isTrue();
        arena.close();
        // A pool that is not full does not look at the status.
        Thread.currentThread().interrupt();
        pool.openConfined().close();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void open_thatWaitsWhenThePoolIsShutDown_throwsAndIsCounted() throws InterruptedException {
        SlabArena arena = pool.openConfined();
        Opener opener = Opener.waiting(pool);
        pool.shutdown();
        assertThat(opener.join()).isInstanceOf(IllegalStateException.class).hasMessageStartingWith("Pool is shut down");
        assertThat(pool.stats().waitCount()).isEqualTo(1);
        arena.close();
    }

    @Test
    void open_behindAThreadThatIsInterrupted_isServed() throws InterruptedException {
        SlabArena arena = pool.openConfined();
        List<Opener> openers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            openers.add(Opener.waiting(pool));
        }
        for (int interrupted : new int[]{2, 0, 4}) {
            openers.get(interrupted).thread.interrupt();
            assertThat(openers.get(interrupted).join()).isInstanceOf(CapacityExceededException.class);
        }
        arena.close();
        assertThat(openers.get(1).join()).isNull();
        assertThat(openers.get(3).join()).isNull();
    }

    @Test
    void open_ofManyThreads_isServedInTheOrderOfTheirArrival() throws InterruptedException {
        Queue<Integer> served = new ConcurrentLinkedQueue<>();
        try (SlabPool pool = pool(SLAB, LONG)) {
            SlabArena arena = pool.openConfined();
            List<Opener> openers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int number = i;
                openers.add(Opener.waiting(pool::openConfined, () -> served.add(number)));
            }
            arena.close();
            for (Opener opener : openers) {
                assertThat(opener.join()).isNull();
            }
        }
        assertThat(List.copyOf(served)).hasSize(20).isSorted();
    }

    @Test
    void allocate_inAFullPool_neverWaits() {
        try (SlabArena arena = pool.openConfined()) {
            arena.allocate(1000, 8);
            assertThatThrownBy(() -> arena.allocate(100_000, 8)).isInstanceOf(CapacityExceededException.class);
            assertThatThrownBy(() -> {
                for (int i = 0; i < 8; i++) {
                    arena.allocate(1000, 8);
                }
            }).isInstanceOf(CapacityExceededException.class);
        }
    }

    @Test
    void open_withoutATimeout_isRefusedAtOnce() {
        try (SlabPool pool = pool(SLAB, Duration.ZERO); SlabArena _ = pool.openConfined()) {
            assertThatThrownBy(pool::openConfined).isInstanceOf(CapacityExceededException.class)
                    .hasMessageEndingWith("; close arenas sooner, or raise maxByteSize");
        }
        assertRefused(() -> pool(SLAB, Duration.ofNanos(-1)), "openTimeout=PT-0.000000001S");
    }

    @Test
    void open_whileTheBudgetIsFull_namesTheTimeAndTheOldestWatchedArena() {
        MemoryBudget budget = MemoryBudget.root("full", 3 * SLAB / 2);
        try (SlabPool pool = SlabPool.builder()
                .slabByteSize(SLAB)
                .groupedClose(2)
                .budget(budget)
                .leakDetection(LeakDetection.ALL)
                .openTimeout(Duration.ofMillis(1))
                .build();
                SlabArena _ = pool.openConfined()) {
            assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(pool::openShared)
                    .withMessageMatching("Budget is exceeded: budget=full, exceeded=full, kind=memory, limit=6144, "
                            + "used=4096, requested=4096, openArenas=1, waited=\\d+ ms, heldBackByteSize=0, "
                            + "oldestWatched=.*SlabPoolWaitTest.java.*, open for \\d+ ms; "
                            + "close what uses the budget sooner, or raise its limit");
        }
    }

    /// The budget is full, and the pool is not: the thread takes memory of the pool, gets none of the budget, and gives
    /// back what it took.
    @Test
    void open_whileTheBudgetIsFull_sleeps() {
        MemoryBudget budget = MemoryBudget.root("full", 3 * SLAB / 2);
        try (Arena other = budget.wrap(Arena.ofConfined());
                SlabPool pool = SlabPool.builder()
                        .slabByteSize(SLAB)
                        .budget(budget)
                        .openTimeout(Duration.ofMillis(400))
                        .build()) {
            other.allocate(SLAB);
            // The first wait also loads classes, which takes an emulated processor half a second.
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 3 && least >= 200_000_000; i++) {
                long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                assertThatExceptionOfType(CapacityExceededException.class).isThrownBy(pool::openConfined);
                least = Math.min(least, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
            }
            assertThat(least).as("CPU time of a wait of 400 ms").isLessThan(200_000_000);
        }
    }

    @Test
    void close_ofAPoolWithoutSlabs_wakesAWaitingThread() throws InterruptedException {
        MemoryBudget budget = MemoryBudget.root("full", 3 * SLAB / 2);
        try (Arena other = budget.wrap(Arena.ofConfined())) {
            other.allocate(SLAB);
            SlabPool pool = SlabPool.builder()
                    .slabByteSize(SLAB)
                    .budget(budget)
                    .openTimeout(Duration.ofMinutes(10))
                    .build();
            Opener opener = Opener.waiting(pool);
            pool.close();
            // The pool is shut down while its memory is freed.
            assertThat(opener.join()).isInstanceOf(IllegalStateException.class)
                    .hasMessageMatching("Pool is (closed|shut down)");
        }
    }

    /// Half of the threads also need a second slab, and do without it if there is none.
    @Test
    void open_by10000VirtualThreadsOn100Slabs_losesNoWakeUp() {
        try (SlabPool pool = pool(100 * SLAB, LONG)) {
            Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 10_000; i++) {
                    int number = i;
                    executor.execute(() -> {
                        try (SlabArena arena = pool.openConfined()) {
                            MemorySegment segment = arena.allocate(JAVA_LONG);
                            assertThat(segment.get(JAVA_LONG, 0)).isZero();
                            segment.set(JAVA_LONG, 0, number);
                            // Lets other threads run.
                            LockSupport.parkNanos(1);
                            if (number % 2 == 0) {
                                overflow(arena);
                            }
                            assertThat(segment.get(JAVA_LONG, 0)).isEqualTo(number);
                        } catch (RuntimeException | Error e) {
                            thrown.add(e);
                        }
                    });
                }
            }
            assertThat(thrown).isEmpty();
            SlabPoolStatistics stats = pool.stats();
            assertThat(stats.opens()).isEqualTo(10_000);
            assertThat(stats.openArenas()).isZero();
            assertThat(stats.waitingThreads()).isZero();
            assertThat(stats.peakByteSize()).isLessThanOrEqualTo(100 * SLAB);
        }
    }

    private static void overflow(SlabArena arena) {
        try {
            for (int i = 0; i < 6; i++) {
                arena.allocate(1000, 8).fill((byte) 1);
            }
        } catch (CapacityExceededException e) {
            assertThat(e).hasMessageStartingWith("Pool is full");
        }
    }
}
