package dev.arenakit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The main class of the soak test: rounds of random sessions beside a model of the live memory. Native memory is
/// refused, pools are full, threads are interrupted or end. In the end nothing may be lost, and the process must be as
/// small as it was after the first rounds.
@SuppressWarnings({"UnnecessaryLambda", "AvoidCommonTypeNames"})
final class SoakSession {
    private static final int MOST_ABANDONED = 200;
    private static final int VIRTUAL_THREADS = 24;
    private static final AtomicReference<@Nullable Throwable> FAILURE = new AtomicReference<>();
    private final SoakModel model = new SoakModel();
    private final SoakWorker.Counters counters = new SoakWorker.Counters();
    private final Random random;
    private final long roundNanos;
    /// Every n-th native allocation is refused, or none (0).
    private volatile int refuseEvery;
    private final AtomicInteger asked = new AtomicInteger();
    private final LongPredicate refuses = _ -> refuseEvery != 0 && asked.incrementAndGet() % refuseEvery == 0;
    /// Pools that lose nothing.
    private final List<SoakPool> pools = SoakPool.ofEachKind(refuses);
    private volatile long endNanos;
    private int abandoned;

    private SoakSession(long seed, long roundNanos) {
        this.random = new Random(seed);
        this.roundNanos = roundNanos;
    }

    /// Runs the sessions.
    ///
    /// @param args for how many seconds, the length of a round in milliseconds, and the seed
    public static void main(String[] args) throws IOException {
        long seconds = Long.parseLong(args[0]);
        long millis = Long.parseLong(args[1]);
        long begin = System.nanoTime();
        SoakSession soak = new SoakSession(Long.parseLong(args[2]), millis * 1_000_000);
        soak.round();
        soak.round();
        soak.trim();
        Process before = Process.now();
        int abandonedBefore = soak.abandoned;
        while (System.nanoTime() - begin < seconds * 1_000_000_000L) {
            soak.round();
        }
        soak.closePools();
        Process after = Process.now();
        System.out.println("seconds=" + (System.nanoTime() - begin) / 1_000_000_000 + " sessions="
                + soak.counters.sessions + " allocations=" + soak.counters.allocations + " refused="
                + soak.counters.refusals + " interrupts=" + soak.counters.interrupts + " abandonedArenas="
                + soak.abandoned + " residentKilobytes=" + before.resident + ".." + after.resident + " mappings="
                + before.mappings + ".." + after.mappings + " descriptors=" + before.descriptors + ".."
                + after.descriptors);
        after.check(before, soak.abandoned - abandonedBefore);
    }

    /// Ends the run with an error.
    static void fail(Throwable t) {
        FAILURE.compareAndSet(null, t);
    }

    static void join(Thread thread) {
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /// Platform and virtual threads, and threads that end and abandon arenas.
    private void round() {
        refuseEvery = random.nextInt(3) == 0 ? 0 : 2 + random.nextInt(60);
        List<Thread> threads = new ArrayList<>();
        begin();
        for (int i = 0; i < 3; i++) {
            threads.add(Thread.ofPlatform().start(worker()));
        }
        for (int i = 0; i < VIRTUAL_THREADS; i++) {
            threads.add(Thread.ofVirtual().start(worker()));
        }
        SoakPool left = SoakPool.small();
        while (!isOver()) {
            boolean abandons = abandoned < MOST_ABANDONED && random.nextInt(40) == 0;
            SoakWorker worker = newWorker();
            join(Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 10; i++) {
                        worker.run(pools);
                    }
                    if (abandons) {
                        worker.abandon(left);
                    }
                } catch (Throwable t) {
                    fail(t);
                }
            }));
            abandoned += abandons ? 1 : 0;
        }
        threads.forEach(SoakSession::join);
        left.close();
        check();
    }

    private Runnable worker() {
        SoakWorker worker = newWorker();
        return () -> {
            try {
                while (!isOver()) {
                    worker.run(pools);
                }
            } catch (Throwable t) {
                fail(t);
            }
        };
    }

    private SoakWorker newWorker() {
        return new SoakWorker(model, counters, random.nextLong());
    }

    private void begin() {
        endNanos = System.nanoTime() + roundNanos;
    }

    private boolean isOver() {
        return System.nanoTime() - endNanos >= 0 || FAILURE.get() != null;
    }

    /// Checks what must hold whenever no arena is open.
    private void check() {
        Throwable failure = FAILURE.get();
        if (failure != null) {
            throw new AssertionError("A session failed", failure);
        }
        pools.forEach(SoakPool::check);
        if (model.size() != abandoned) {
            throw new AssertionError("Live memory: ranges=" + model.size() + ", abandoned=" + abandoned);
        }
    }

    private void trim() {
        pools.forEach(pool -> pool.pool.trim());
    }

    private void closePools() {
        trim();
        pools.forEach(SoakPool::close);
    }

    /// The memory that the process takes from the system.
    private record Process(long resident, long mappings, long descriptors) {
        private static final Path STATUS = Path.of("/proc/self/status");

        /// Code that is compiled meanwhile, and blocks that the C library holds in reserve.
        private static final long RESIDENT_KILOBYTES = 48 << 10;
        /// The slabs of an arena that was never closed.
        private static final long RESIDENT_KILOBYTES_EACH = 256;
        /// Stacks of the JVM's own threads, parts of its code cache and its metaspace, heaps of the C library.
        private static final long MAPPINGS = 60;
        /// A region of slabs, or a large block, and the rest of the mapping on both sides.
        private static final long MAPPINGS_EACH = 3;

        static Process now() throws IOException {
            System.gc();
            String resident = Files.readAllLines(STATUS)
                    .stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .findFirst()
                    .orElseThrow();
            return new Process(Long.parseLong(resident.replaceAll("\\D", "")), count(Path.of("/proc/self/maps")),
                    openFiles());
        }

        void check(Process before, long abandoned) {
            if (resident > before.resident + RESIDENT_KILOBYTES + abandoned * RESIDENT_KILOBYTES_EACH
                    || mappings > before.mappings + MAPPINGS + abandoned * MAPPINGS_EACH
                    // We have no open file: the JVM may have opened a jar.
                    || descriptors > before.descriptors + 2) {
                throw new AssertionError("The process has grown: before=" + before + ", after=" + this + ", abandoned="
                        + abandoned);
            }
        }

        private static long count(Path file) throws IOException {
            try (Stream<String> lines = Files.lines(file)) {
                return lines.count();
            }
        }

        private static long openFiles() throws IOException {
            try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
                return files.count();
            }
        }
    }
}
