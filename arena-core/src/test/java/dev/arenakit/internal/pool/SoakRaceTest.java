package dev.arenakit.internal.pool;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.internal.SharedClose;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The races of `arena-core/stress`, a few thousand times each: jcstress takes twenty seconds to start.
class SoakRaceTest {
    private static final long SLAB = 1024;

    /// A step of one of two threads.
    private interface Step {
        void run() throws Exception;
    }

    @Test
    void slabOfASlot_acquiredByTwoThreads_hasOneHolder() {
        SharedSlabCache cache = new SharedSlabCache(SharedSlabCache.NO_LIMIT);
        Slab slab = slab();
        cache.assignSlot(slab);
        assertOneHolder(cache, slab);
    }

    @Test
    void slabOfTheStack_acquiredByTwoThreads_hasOneHolder() {
        assertOneHolder(new SharedSlabCache(SharedSlabCache.NO_LIMIT), slab());
    }

    @Test
    void slabOfAThread_takenBehindTheBarrier_hasOneHolder() {
        AsymmetricBarrier barrier = new AsymmetricBarrier();
        Slab slab = slab();
        AtomicInteger holders = new AtomicInteger();
        AtomicBoolean interrupted = new AtomicBoolean();
        race(500, () -> {
            long stamp = barrier.tryOptimisticRead();
            if (slab.state() == Slab.IDLE) {
                slab.state(Slab.PRIMARY);
                holders.addAndGet(barrier.validate(stamp) ? 1 : 0);
            }
            // HotSpot interrupts a thread in an access to a shared arena that is closed: this must not be one.
            interrupted.compareAndSet(false, Thread.currentThread().isInterrupted());
        }, () -> {
            barrier.writeLock();
            if (slab.state() == Slab.IDLE) {
                slab.state(Slab.FREED);
                holders.incrementAndGet();
            }
            barrier.unlockWrite();
        }, () -> {
            assertThat(holders.getAndSet(0)).isLessThanOrEqualTo(1);
            slab.state(Slab.IDLE);
        });
        assertThat(interrupted).isFalse();
    }

    @Test
    void slabOfADeadThread_neededByTwoThreads_isReclaimedOnce() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            try (SlabPool pool = pool()) {
                Thread owner = Thread.ofPlatform().start(() -> pool.openConfined().close());
                owner.join();
                AtomicInteger opened = new AtomicInteger();
                Step open = () -> {
                    try (SlabArena arena = pool.openConfined()) {
                        arena.allocate(8);
                        opened.incrementAndGet();
                        while (pool.stats().refusals() == 0) {
                            Thread.onSpinWait();
                        }
                    } catch (CapacityExceededException e) {
                        // The other thread has the slab.
                        Thread.onSpinWait();
                    }
                };
                race(1, open, open, () -> assertThat(opened.get()).isOne());
            }
        }
    }

    @Test
    void sharedClose_ofTwoThreads_hasOneWinner() {
        for (int i = 0; i < 300; i++) {
            Arena arena = Arena.ofShared();
            AtomicInteger winners = new AtomicInteger();
            AtomicInteger releases = new AtomicInteger();
            SharedClose closing = new SharedClose(arena, arena::close, releases::incrementAndGet);
            Step close = () -> {
                try {
                    closing.close();
                    winners.incrementAndGet();
                } catch (IllegalStateException e) {
                    // The other thread has closed it.
                    Thread.onSpinWait();
                }
            };
            race(1, close, close, () -> {
                assertThat(winners.get()).isOne();
                assertThat(releases.get()).isOne();
            });
        }
    }

    @Test
    void allocation_whileTheArenaIsClosed_neverWritesToReleasedMemory() {
        for (int i = 0; i < 300; i++) {
            try (SlabPool pool = pool()) {
                SlabArena arena = pool.openShared();
                race(1, () -> {
                    try {
                        arena.allocate(8, 8).set(ValueLayout.JAVA_LONG, 0, 7);
                    } catch (IllegalStateException e) {
                        // Closed before.
                        Thread.onSpinWait();
                    }
                }, arena::close, () -> {
                    try (SlabArena next = pool.openShared()) {
                        assertThat(next.allocate(8, 8).get(ValueLayout.JAVA_LONG, 0)).isZero();
                    }
                });
            }
        }
    }

    private static void assertOneHolder(SharedSlabCache cache, Slab slab) {
        cache.restore(slab);
        AtomicBoolean held = new AtomicBoolean();
        Step acquire = () -> {
            Slab acquired = cache.acquireAny();
            if (acquired != null) {
                assertThat(held.getAndSet(true)).isFalse();
                acquired.opens++;
                held.set(false);
                cache.release(acquired);
            }
        };
        long[] opens = new long[1];
        race(2_000, acquire, acquire, () -> {
            assertThat(slab.opens).isBetween(opens[0] + 1, opens[0] + 2);
            opens[0] = slab.opens;
        });
    }

    /// Runs both steps at the same time, then the check, and repeats it. If one of them fails, the other thread does
    /// not wait for it forever.
    private static void race(int times, Step one, Step other, Runnable check) {
        CyclicBarrier start = new CyclicBarrier(2);
        CyclicBarrier end = new CyclicBarrier(2, check);
        Threads.race(2, index -> {
            for (int i = 0; i < times; i++) {
                // HotSpot interrupts a thread whose access to a shared segment it stops, as an arena is closed.
                Thread.interrupted();
                start.await(20, TimeUnit.SECONDS);
                (index == 0 ? one : other).run();
                Thread.interrupted();
                end.await(20, TimeUnit.SECONDS);
            }
        });
    }

    @SuppressWarnings("NullAway") // no cache
    private static Slab slab() {
        return new Slab(null, 4096, SLAB, null, false);
    }

    /// A pool of one slab.
    private static SlabPool pool() {
        return SlabPool.builder().slabByteSize(SLAB).maxByteSize(SLAB).build();
    }
}
