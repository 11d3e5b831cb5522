package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Platform and virtual threads that concurrently open, use and close arenas of one pool. The same test on pools with a
/// planted race shows that it would detect one.
@Tag("full")
class PoolStressTest {
    private static final int PLATFORM_THREADS = 4;
    private static final int VIRTUAL_THREADS = 12;
    private static final long PLANTED_NANOS = 10_000_000_000L;

    @Test
    void unboundedPool_underStress_losesNothing() {
        stress(SlabPool.builder().slabByteSize(4096).build(), 1_500);
    }

    @Test
    void boundedPool_underStress_losesNothing() {
        stress(SlabPool.builder().slabByteSize(4096).maxByteSize(1 << 20).build(), 1_500);
    }

    /// Each pool is soon full, after which threads no longer own slabs, while they open and close arenas.
    @Test
    void fullPool_underStress_reclaimsIdleSlabsFromThreadsAndLosesNothing() {
        for (int pools = 0; pools < 20; pools++) {
            stress(SlabPool.builder().slabByteSize(4096).maxByteSize(14 * 4096).build(), 40);
        }
    }

    private static void stress(SlabPool pool, int sessions) {
        AtomicLong fullPools = new AtomicLong();
        Supplier<Arena> open = () -> {
            while (true) {
                try {
                    return ThreadLocalRandom.current().nextInt(50) == 0 ? pool.openShared() : pool.openConfined();
                } catch (CapacityExceededException e) {
                    fullPools.incrementAndGet();
                    pause();
                }
            }
        };
        List<String> wrong = new Stress(open, sessions, Long.MAX_VALUE).run();
        assertThat(wrong).isEmpty();
        SlabPoolStatistics stats = pool.stats();
        assertThat(stats.openArenas()).isZero();
        assertThat(stats.usedByteSize()).isZero();
        assertThat(pool.trim()).isEqualTo(stats.idleByteSize());
        assertThat(pool.stats().idleByteSize()).isZero();
        pool.close();
    }

    @ParameterizedTest
    @EnumSource
    void plantedRace_underStress_isFound(Race race) {
        try (Arena backing = Arena.ofShared()) {
            RacyPool pool = new RacyPool(race, backing);
            long deadline = System.nanoTime() + PLANTED_NANOS;
            List<String> wrong;
            do {
                wrong = new Stress(pool::open, 100, deadline).run();
                if (wrong.isEmpty() && pool.open.get() != 0) {
                    wrong = List.of("open arenas in the end: " + pool.open.get());
                }
            } while (wrong.isEmpty() && System.nanoTime() - deadline < 0);
            assertThat(wrong).isNotEmpty();
        }
    }

    /// Gives other threads a chance to run between two steps.
    private static void pause() {
        LockSupport.parkNanos(1);
    }

    /// Sessions in many threads, until all are done, an error is found, or the deadline has passed.
    private record Stress(Supplier<Arena> open, int sessions, long deadline, ConcurrentLinkedQueue<String> wrong,
            AtomicBoolean stop) {
        Stress(Supplier<Arena> open, int sessions, long deadline) {
            this(open, sessions, deadline, new ConcurrentLinkedQueue<>(), new AtomicBoolean());
        }

        List<String> run() {
            List<Thread> threads = new ArrayList<>();
            start(threads, Thread.ofPlatform().factory(), PLATFORM_THREADS);
            start(threads, Thread.ofVirtual().factory(), VIRTUAL_THREADS);
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return List.copyOf(wrong);
        }

        private void start(List<Thread> threads, ThreadFactory factory, int count) {
            for (int i = 0; i < count; i++) {
                Thread thread = factory.newThread(this::work);
                threads.add(thread);
                thread.start();
            }
        }

        private void work() {
            try {
                for (int i = 0; i < sessions && !stop.get() && System.nanoTime() - deadline < 0; i++) {
                    session();
                }
            } catch (RuntimeException | Error e) {
                fail(e.toString());
            }
        }

        private void session() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            try (Arena arena = open.get()) {
                List<MemorySegment> segments = new ArrayList<>();
                long token = random.nextLong() | 1;
                for (int i = random.nextInt(1, 8); i > 0; i--) {
                    MemorySegment segment = arena.allocate(8 * random.nextLong(1, 40), 8);
                    if (segment.get(ValueLayout.JAVA_LONG, segment.byteSize() - 8) != 0) {
                        fail("not zeroed: " + segment);
                    }
                    segment.set(ValueLayout.JAVA_LONG, segment.byteSize() - 8, token);
                    segments.add(segment);
                    if (random.nextInt(4) == 0) {
                        pause();
                    }
                }
                for (MemorySegment segment : segments) {
                    if (segment.get(ValueLayout.JAVA_LONG, segment.byteSize() - 8) != token) {
                        fail("overwritten: " + segment);
                    }
                }
            }
        }

        private void fail(String what) {
            wrong.add(what);
            stop.set(true);
        }
    }

    enum Race {
        /// Checks and acquires a slab in two steps, so that two threads may acquire the same slab.
        ACQUIRE_IN_TWO_STEPS,
        /// Releases a slab before it is zeroed.
        ZERO_AFTER_RELEASE,
        /// Counts arenas without an atomic operation.
        COUNT_IN_TWO_STEPS,
        /// Releases a slab before the arena is closed.
        RELEASE_BEFORE_CLOSE
    }

    /// A pool of 64 slabs, with one planted race.
    private static final class RacyPool {
        private static final int SLABS = 64;
        private static final long SLAB = 4096;

        final AtomicLong open = new AtomicLong();
        private final Race race;
        private final MemorySegment memory;
        private final AtomicBoolean[] acquired = new AtomicBoolean[SLABS];

        RacyPool(Race race, Arena backing) {
            this.race = race;
            this.memory = backing.allocate(SLABS * SLAB, 64);
            for (int i = 0; i < SLABS; i++) {
                acquired[i] = new AtomicBoolean();
            }
        }

        Arena open() {
            count(1);
            int slab = acquire();
            MemorySegment own = memory.asSlice(slab * SLAB, SLAB);
            Arena scope = Arena.ofShared();
            return new Arena() {
                private long next;

                @Override
                public MemorySegment allocate(long byteSize, long byteAlignment) {
                    MemorySegment segment = own.asSlice(next, byteSize, byteAlignment);
                    next += byteSize;
                    return segment;
                }

                @Override
                public MemorySegment.Scope scope() {
                    return scope.scope();
                }

                @Override
                public void close() {
                    boolean early = race == Race.RELEASE_BEFORE_CLOSE || race == Race.ZERO_AFTER_RELEASE;
                    if (early) {
                        acquired[slab].set(false);
                        pause();
                    }
                    own.fill((byte) 0);
                    scope.close();
                    if (!early) {
                        acquired[slab].set(false);
                    }
                    count(-1);
                }
            };
        }

        private int acquire() {
            while (true) {
                for (int i = 0; i < SLABS; i++) {
                    if (race == Race.ACQUIRE_IN_TWO_STEPS) {
                        if (!acquired[i].get()) {
                            pause();
                            acquired[i].set(true);
                            return i;
                        }
                    } else if (acquired[i].compareAndSet(false, true)) {
                        return i;
                    }
                }
                pause();
            }
        }

        private void count(long by) {
            if (race == Race.COUNT_IN_TWO_STEPS) {
                long before = open.get();
                pause();
                open.set(before + by);
            } else {
                open.addAndGet(by);
            }
        }
    }
}
