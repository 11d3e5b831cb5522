package dev.arenakit;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import dev.arenakit.diagnostics.AllocationFaults;
import dev.arenakit.testing.Threads;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

import static org.assertj.core.api.Assertions.assertThat;

/// Runs the tests of the contract while the native allocator refuses one request: the first, the second, and so on.
/// After each run, all memory is back.
@Tag("full")
class RefusedRequestTest {
    private static final List<Method> SCENARIOS = Arrays.stream(ArenaContract.class.getMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .toList();

    /// The arenas, and what they are opened from.
    enum Kind {
        MALLOC_CONFINED, MALLOC_SHARED, MALLOC_CHECKED, //
        SLAB_CONFINED, SLAB_SHARED, SLAB_FRAME, //
        FREE_LIST_CONFINED, FREE_LIST_SHARED;

        Capabilities capabilities() {
            boolean shared = name().endsWith("SHARED");
            Capabilities all = (shared ? Capabilities.ofShared() : Capabilities.ofConfined()).withAllocations(100);
            return switch (this) {
                case SLAB_CONFINED, SLAB_SHARED, SLAB_FRAME -> all;
                case MALLOC_CHECKED -> all.withoutZeroing().withScopePerAllocation();
                default -> all.withoutZeroing();
            };
        }
    }

    /// The arenas of one run.
    private static final class Scenario implements ArenaContract, AutoCloseable {
        private final Kind kind;
        private final CountingAllocator counting;
        private final AtomicBoolean refused = new AtomicBoolean();
        private final NativeAllocator failing;
        private final SlabPool pool;
        private final Queue<Arena> opened = new ConcurrentLinkedQueue<>();

        Scenario(Kind kind, CountingAllocator counting, long n) {
            this.kind = kind;
            this.counting = counting;
            LongPredicate nth = AllocationFaults.nth(n);
            failing = NativeAllocator.failing(counting.allocator(), byteSize -> {
                boolean refuses = nth.test(byteSize);
                if (refuses) {
                    refused.set(true);
                }
                return refuses;
            });
            pool = SlabPool.builder().allocator(failing).build();
        }

        @Override
        public Arena open() {
            Arena arena = switch (kind) {
                case MALLOC_CONFINED -> MallocKind.CONFINED.open(failing);
                case MALLOC_SHARED -> MallocKind.SHARED.open(failing);
                case MALLOC_CHECKED -> MallocKind.CHECKED.open(failing);
                case SLAB_CONFINED -> pool.openConfined();
                case SLAB_SHARED -> pool.openShared();
                case SLAB_FRAME -> openFrame();
                case FREE_LIST_CONFINED -> FreeListArena.builder().allocator(failing).build();
                case FREE_LIST_SHARED -> FreeListArena.builder().shared().allocator(failing).build();
            };
            opened.add(arena);
            return arena;
        }

        private Arena openFrame() {
            SlabArena below = pool.openConfined();
            try {
                return new SlabArenaContractTest.Frame(below, 1);
            } catch (Throwable t) {
                below.close();
                throw t;
            }
        }

        @Override
        public Capabilities capabilities() {
            return kind.capabilities();
        }

        @Override
        public OptionalLong held() {
            return OptionalLong.of(kind.name().startsWith("SLAB") ? pool.stats().usedByteSize() : counting.bytes());
        }

        /// Closes the arenas that the test has left open, and the pool, which refuses to be closed if an arena is open.
        @Override
        public void close() {
            for (Arena arena : opened) {
                if (arena.scope().isAlive()) {
                    arena.close();
                }
            }
            pool.close();
        }
    }

    /// The requests 1, 2, 5, 14, 41 and so on, of one kind of each arena.
    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"MALLOC_CONFINED", "SLAB_FRAME", "FREE_LIST_SHARED"})
    void contract_whileSomeRequestIsRefused_leavesNoMemory(Kind kind) {
        assertThat(run(kind, n -> 3 * n - 1)).isGreaterThan(50);
    }

    /// Some contract tests make hundreds of requests.
    @ParameterizedTest
    @EnumSource(Kind.class)
    @Tag("slow")
    void contract_whileEachRequestIsRefusedOnce_leavesNoMemory(Kind kind) {
        int runs = run(kind, n -> n + 1);
        System.out.println(kind + ": requests refused=" + runs);
        assertThat(runs).isGreaterThan(100);
    }

    /// @param next the number of the request to refuse next
    /// @return how many requests were refused
    private static int run(Kind kind, LongUnaryOperator next) {
        CountingAllocator counting = new CountingAllocator();
        int refused = 0;
        for (Method method : SCENARIOS) {
            for (long n = 1; isRefused(kind, counting, method, n); n = next.applyAsLong(n)) {
                refused++;
            }
        }
        return refused;
    }

    /// Runs one test of the contract in a thread of its own.
    ///
    /// @return whether the test made n requests
    private static boolean isRefused(Kind kind, CountingAllocator counting, Method method, long n) {
        Scenario scenario = new Scenario(kind, counting, n);
        String name = method.getName() + ", n=" + n;
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        ThreadGroup group = new ThreadGroup(name);
        Thread thread = new Thread(group, () -> {
            try (scenario) {
                thrown.set(outcome(scenario, method));
                joinOthers(group);
            } catch (Throwable t) {
                thrown.set(new AssertionError("Not everything can be closed", t));
            }
        });
        thread.start();
        Threads.join(thread);
        Throwable failure = thrown.get();
        if (failure != null) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).as("%s fails for no other reason", name).contains("OutOfMemoryError");
            assertThat(scenario.refused).as(name).isTrue();
        }
        counting.assertNothingHeld();
        return scenario.refused.get();
    }

    private static @Nullable Throwable outcome(Scenario scenario, Method method) throws IllegalAccessException {
        try {
            method.setAccessible(true);
            method.invoke(scenario);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause() instanceof TestAbortedException ? null : e.getCause();
        }
    }

    /// Waits for threads that the test has left running. They end when they find their arena closed, or full.
    private static void joinOthers(ThreadGroup group) {
        Thread[] threads = new Thread[100];
        for (Thread thread : Arrays.copyOf(threads, group.enumerate(threads))) {
            if (!thread.equals(Thread.currentThread())) {
                Threads.join(thread);
            }
        }
    }
}
