package dev.arenakit.junit;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.diagnostics.LeakDetector;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of which some leave arenas open. A name with `leaks` is of a test that fails.
final class PlantedTests {
    /// The arenas stay reachable, so that the result does not depend on the garbage collector.
    private static final List<Object> REACHABLE = new ArrayList<>();

    private PlantedTests() {}

    private static synchronized <T> T keep(T object) {
        REACHABLE.add(object);
        return object;
    }

    @NoLeaks
    static class Sequential {
        private static final SlabPool POOL = SlabPool.create();

        @BeforeAll
        static void openForAllTests() {
            keep(POOL.openShared());
        }

        @Test
        void parameter_leaks(Arena arena) {
            arena.allocate(8);
        }

        @Test
        void parameter_isClosed(Arena arena) {
            arena.close();
        }

        @Test
        void watched_leaks(TestArenas arenas) {
            arenas.watch(Arena.ofShared());
        }

        @Test
        void watched_isClosed(TestArenas arenas) {
            arenas.ofShared().close();
            arenas.watch(MallocArena.ofShared()).close();
        }

        @Test
        void wrapped_leaks() {
            keep(LeakDetector.wrap(Arena.ofConfined()));
        }

        @Test
        void pooled_leaks() {
            keep(POOL.openConfined());
        }

        @Test
        void malloc_leaks() {
            keep(MallocArena.ofConfined());
        }

        @Test
        void threadOfTheTest_leaks() throws InterruptedException {
            Thread.ofPlatform().start(() -> keep(POOL.openShared())).join();
        }

        @Test
        void pooled_isClosed() {
            try (Arena arena = POOL.openConfined(); Arena other = MallocArena.ofShared()) {
                arena.allocate(8);
                other.allocate(8);
            }
        }
    }

    @NoLeaks
    static class ClosedAfterEach {
        private final Arena arena = MallocArena.ofConfined();

        @AfterEach
        void close() {
            arena.close();
        }

        @Test
        void field_isClosed() {
            keep(arena.allocate(8));
        }
    }

    /// Tests that run at the same time.
    @NoLeaks
    static class Parallel {
        private static final int TESTS = 4;
        private static final CyclicBarrier BARRIER = new CyclicBarrier(TESTS);

        @ParameterizedTest
        @ValueSource(ints = {0, 1})
        void closed(int index) throws Exception {
            BARRIER.await();
            try (Arena arena = MallocArena.ofConfined()) {
                arena.allocate(index + 8);
                BARRIER.await();
            }
            BARRIER.await();
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1})
        void leaks(int index) throws Exception {
            BARRIER.await();
            keep(MallocArena.ofConfined()).allocate(index + 8);
            BARRIER.await();
            BARRIER.await();
        }
    }

    static class OneMethod {
        private static final SlabPool POOL = SlabPool.create();

        @NoLeaks
        @Test
        void pooled_leaks() {
            keep(POOL.openConfined());
        }
    }

    @NoLeaks
    static class Unattributable {
        @Test
        void threadOfSomebodyElse_isNotKnown() throws Exception {
            try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
                executor.submit(Elsewhere::open).get();
            }
        }
    }
}

/// Code that has no test in its stack.
final class Elsewhere {
    private static final SlabPool POOL = SlabPool.create();

    private Elsewhere() {}

    static Arena open() {
        return POOL.openShared();
    }
}
