package dev.arenakit.internal.diagnostics;

import dev.arenakit.diagnostics.Leak;
import java.lang.foreign.Arena;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// All watched arenas of this process, and the thread that looks for leaks among them.
public final class LeakRegistry {
    private static final long MILLIS_BETWEEN_CHECKS = 1000;
    /// So many leaked arenas stay in the registry. A program that leaks without end must not fill the heap, too.
    private static final int MOST_LEAKED = 1000;

    private static final Set<OpenArena> ARENAS = ConcurrentHashMap.newKeySet();
    private static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final AtomicLong LEAKED = new AtomicLong();
    private static final LongAdder OPENINGS = new LongAdder();
    private static final LongAdder NANOS = new LongAdder();
    private static volatile long openedNanos;
    private static volatile long restNanos;

    private LeakRegistry() {}

    /// Starts the thread when it is loaded.
    private static final class Watch {
        static {
            try {
                Thread thread = new Thread(null, Watch::run, "arenakit-leaks", 0, false);
                thread.setDaemon(true);
                // The thread must not keep the class loader of the first user.
                thread.setContextClassLoader(null);
                thread.start();
            } catch (OutOfMemoryError e) {
                // The system has no thread left. Arenas must open all the same, and users can call check().
                LeakReports.noThread(e);
            }
        }

        private Watch() {}

        static void start() {}

        private static void run() {
            while (true) {
                try {
                    handle(UNREACHABLE.remove(MILLIS_BETWEEN_CHECKS));
                    check();
                } catch (InterruptedException e) {
                    // Nobody has a reason to interrupt this thread.
                } catch (Throwable t) {
                    // Without heap memory for a report, the next check may succeed.
                }
            }
        }
    }

    /// A reference to an arena, or to its scope, by which the garbage collector tells that it is unreachable.
    private static final class Followed extends PhantomReference<Object> {
        final OpenArena open;
        final @Nullable Runnable reclaim;

        Followed(Object referent, OpenArena open, @Nullable Runnable reclaim) {
            super(referent, UNREACHABLE);
            this.open = open;
            this.reclaim = reclaim;
        }
    }

    static long nextNumber() {
        return NUMBERS.incrementAndGet();
    }

    static void opened(long beginNanos, long endNanos) {
        OPENINGS.increment();
        NANOS.add(endNanos - beginNanos);
        openedNanos = endNanos;
        restNanos = OpenArena.restNanos(endNanos - beginNanos);
    }

    /// Whether a stack was taken a moment ago. A race loses a sample, or takes one more.
    static boolean isResting() {
        return System.nanoTime() - openedNanos < restNanos;
    }

    static void add(OpenArena arena) {
        Watch.start();
        ARENAS.add(arena);
    }

    static void remove(OpenArena arena) {
        ARENAS.remove(arena);
    }

    static Reference<?> follow(Arena arena, OpenArena open) {
        return new Followed(arena, open, null);
    }

    static Reference<?> follow(Object referent, OpenArena open, @Nullable Runnable reclaim) {
        return new Followed(referent, open, reclaim);
    }

    public static void check() {
        for (Reference<?> next = UNREACHABLE.poll(); next != null; next = UNREACHABLE.poll()) {
            handle(next);
        }
        long nanos = System.nanoTime();
        for (OpenArena arena : ARENAS) {
            if (arena.check(nanos)) {
                leaked(arena);
            }
        }
    }

    private static void handle(@Nullable Reference<?> reference) {
        if (!(reference instanceof Followed followed)) {
            return;
        }
        OpenArena open = followed.open;
        if (!open.isOpen()) {
            return;
        }
        if (open.report(Leak.Reason.UNREACHABLE)) {
            leaked(open);
        }
        if (followed.reclaim != null) {
            open.closed();
            followed.reclaim.run();
        }
    }

    private static void leaked(OpenArena arena) {
        if (LEAKED.incrementAndGet() > MOST_LEAKED) {
            remove(arena);
        }
    }

    public static List<Leak> open() {
        return ARENAS.stream()
                .filter(OpenArena::isOpen)
                .sorted(Comparator.comparingLong(arena -> arena.number))
                .map(arena -> arena.describe(Leak.Reason.OPEN))
                .toList();
    }

    public static String summary() {
        long openings = OPENINGS.sum();
        long nanos = openings == 0 ? 0 : NANOS.sum() / openings;
        return "Leak detection: watched arenas open=" + ARENAS.size() + ", leaks reported=" + LeakReports.count()
                + ", openings watched=" + openings + ", nanoseconds for each=" + nanos;
    }
}
