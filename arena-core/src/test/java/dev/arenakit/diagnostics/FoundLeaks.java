package dev.arenakit.diagnostics;

import dev.arenakit.SlabArena;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;

/// The leaks that a listener was told of, and garbage collections on demand.
final class FoundLeaks {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private final List<Leak> leaks = new CopyOnWriteArrayList<>();

    void add(Leak leak) {
        leaks.add(leak);
    }

    List<Leak> all() {
        return List.copyOf(leaks);
    }

    /// Collects garbage until there are so many leaks.
    List<Leak> await(int count) {
        collectUntil(() -> leaks.size() >= count);
        return all();
    }

    /// Collects garbage until everything that is unreachable now has been found.
    List<Leak> settle() {
        // All references of one collection are queued before those of the next one.
        for (int i = 0; i < 2; i++) {
            FoundLeaks marker = new FoundLeaks();
            drop(LeakDetection.ALL.listener(marker::add));
            marker.await(1);
        }
        LeakDetector.check();
        return all();
    }

    static void collectUntil(BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LONGEST_WAIT);
            System.gc();
            LeakDetector.check();
        }
    }

    /// Opens arenas until one is watched, and closes the others.
    static SlabArena watched(Supplier<SlabArena> source) {
        long before = newestOfThisThread();
        while (true) {
            SlabArena arena = source.get();
            if (newestOfThisThread() > before) {
                return arena;
            }
            arena.close();
        }
    }

    private static long newestOfThisThread() {
        return LeakDetector.open()
                .stream()
                .filter(leak -> leak.threadId() == Thread.currentThread().threadId())
                .mapToLong(Leak::number)
                .max()
                .orElse(0);
    }

    /// Opens an arena, allocates 100 bytes, and forgets to close it.
    static void drop(LeakDetection detection) {
        LeakDetector.wrap(Arena.ofConfined(), detection).allocate(100);
    }
}
