package dev.arenakit.internal.diagnostics.leak;

import dev.arenakit.diagnostics.Leak;
import dev.arenakit.internal.diagnostics.event.Warnings;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// All watched arenas of this process, and the thread that looks for leaks among them.
public final class LeakRegistry {
    private static final long MILLIS_BETWEEN_CHECKS = 1000;
    /// So many lost arenas stay in the registry. A program that leaks without end must not fill the heap, too.
    private static final int MOST_LOST = 1000;

    private static final Set<LeakWatch> ARENAS = ConcurrentHashMap.newKeySet();
    private static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();
    private static final AtomicBoolean HAS_THREAD = new AtomicBoolean();
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final AtomicLong REPORTED = new AtomicLong();
    private static final AtomicLong LOST = new AtomicLong();
    private static final LeakPlaces PLACES = new LeakPlaces();
    private static final LongAdder OPENINGS = new LongAdder();
    private static final LongAdder NANOS = new LongAdder();
    private static volatile long openedNanos;
    private static volatile long restNanos;

    private LeakRegistry() {}

    /// Looks for leaks as long as there are arenas that are not lost yet. A thread that never ended would keep the class
    /// loader of this library.
    private static final class Watch extends Thread {
        private boolean hasFailed;

        Watch() {
            super(null, null, "arenakit-leaks", 0, false);
            setDaemon(true);
            // The thread must not keep the class loader of the first user.
            setContextClassLoader(null);
        }

        @Override
        public void run() {
            do {
                try {
                    handle(UNREACHABLE.remove(MILLIS_BETWEEN_CHECKS));
                    check();
                } catch (InterruptedException e) {
                    // Nobody has a reason to interrupt this thread.
                } catch (VirtualMachineError e) {
                    // Without heap memory for a report, the next check may succeed.
                } catch (Throwable t) {
                    if (!hasFailed) {
                        hasFailed = true;
                        Warnings.ofLeaks("Leaks cannot be looked for", t);
                    }
                }
            } while (!mayEnd());
        }

        private static boolean mayEnd() {
            if (isNeeded()) {
                return false;
            }
            HAS_THREAD.set(false);
            // An arena that was added before that has started no thread.
            return !isNeeded() || !HAS_THREAD.compareAndSet(false, true);
        }

        /// Whether there are arenas about which something is still to be found.
        private static boolean isNeeded() {
            for (LeakWatch arena : ARENAS) {
                if (!arena.isLost()) {
                    return true;
                }
            }
            return false;
        }
    }

    /// A reference to an arena, or to its scope, by which the garbage collector tells that it is unreachable.
    private static final class Followed extends PhantomReference<Object> {
        final LeakWatch open;

        Followed(Object referent, LeakWatch open) {
            super(referent, UNREACHABLE);
            this.open = open;
        }
    }

    static long nextNumber() {
        return NUMBERS.incrementAndGet();
    }

    static void opened(long beginNanos, long endNanos) {
        OPENINGS.increment();
        NANOS.add(endNanos - beginNanos);
        openedNanos = endNanos;
        restNanos = LeakSampling.restNanos(endNanos - beginNanos);
    }

    /// Whether a stack was taken a moment ago. A race loses a sample, or takes one more.
    static boolean isResting() {
        return System.nanoTime() - openedNanos < restNanos;
    }

    static void add(LeakWatch arena) {
        ARENAS.add(arena);
        if (!HAS_THREAD.get() && HAS_THREAD.compareAndSet(false, true)) {
            startThread();
        }
    }

    private static void startThread() {
        try {
            // First: the class loader may be closed before there is a leak.
            LeakReporter.load();
            new Watch().start();
        } catch (OutOfMemoryError e) {
            // The system has no thread left. Arenas must open all the same, and users can call check().
            Warnings.ofLeaks("No thread looks for leaks: call LeakDetector.check()", e);
        } catch (StackOverflowError e) {
            // The next arena starts the thread.
            HAS_THREAD.set(false);
        } catch (LinkageError e) {
            HAS_THREAD.set(false);
            Warnings.ofLeaks("No thread looks for leaks: the class loader of this library is closed", e);
        }
    }

    static void remove(LeakWatch arena) {
        ARENAS.remove(arena);
    }

    static Reference<?> follow(Object referent, LeakWatch open) {
        return new Followed(referent, open);
    }

    /// Counts a leak that is about to be reported.
    ///
    /// @return how many leaks of its place are known, this one included
    static long count(Leak leak) {
        return PLACES.count(leak);
    }

    static void reported() {
        REPORTED.incrementAndGet();
    }

    public static void check() {
        for (Reference<?> next = UNREACHABLE.poll(); next != null; next = UNREACHABLE.poll()) {
            handle(next);
        }
        long nanos = System.nanoTime();
        for (LeakWatch arena : ARENAS) {
            if (arena.check(nanos) && LOST.incrementAndGet() > MOST_LOST) {
                remove(arena);
            }
        }
    }

    private static void handle(@Nullable Reference<?> reference) {
        if (reference instanceof Followed followed) {
            followed.open.setUnreachable();
        }
    }

    public static List<Leak> open() {
        return ARENAS.stream()
                .filter(LeakWatch::isOpen)
                .sorted(Comparator.comparingLong(arena -> arena.number))
                .map(arena -> arena.describe(Leak.Reason.OPEN))
                .toList();
    }

    public static String summary() {
        long openings = OPENINGS.sum();
        long nanos = openings == 0 ? 0 : NANOS.sum() / openings;
        return "Leak detection: watched arenas open=" + ARENAS.size() + ", leaks reported=" + REPORTED.get()
                + ", openings watched=" + openings + ", nanoseconds for each=" + nanos;
    }
}
