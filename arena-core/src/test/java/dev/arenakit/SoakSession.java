package dev.arenakit;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The main class of the soak test: rounds of random sessions, which fail in all the ways in which a session can fail,
/// beside a model of the live memory. In the end nothing may be lost except by a `StackOverflowError`, and the process
/// must be as small as it was after the first rounds.
// An error made in advance can be thrown when the heap is exhausted, and threads wait for each other for moments only.
@SuppressWarnings({"StaticAssignmentOfThrowable", "UnnecessaryLambda", "ThreadPriorityCheck", "AvoidCommonTypeNames"})
final class SoakSession {
    /// Arenas of malloc whose `close` threw a `StackOverflowError`, and how often that happened.
    static final AtomicInteger MALLOC_LOST = new AtomicInteger();
    static final AtomicInteger MALLOC_OVERFLOWS = new AtomicInteger();

    /// Deep sessions stop after so many losses, so that what they lose does not hide what others lose.
    private static final int MOST_LOST = 1_000;
    private static final int MOST_ABANDONED = 200;
    /// The stack of deep sessions. It is small, so that its end is soon reached.
    private static final long STACK = 256 * 1024;
    private static final int VIRTUAL_THREADS = 24;
    private static final AtomicReference<@Nullable Throwable> FAILURE = new AtomicReference<>();
    /// The arena whose close failed without heap memory, or null.
    private static volatile @Nullable Arena failed;
    private static final AssertionError FAILED_CLOSE = new AssertionError("Lost when the heap was exhausted");

    private final SoakModel model = new SoakModel();
    private final SoakWorker.Counters counters = new SoakWorker.Counters();
    private final Random random;
    private final long roundNanos;
    /// Every n-th native allocation is refused, or none (0).
    private volatile int refuseEvery;
    private final AtomicInteger asked = new AtomicInteger();
    private final LongPredicate refuses = _ -> refuseEvery != 0 && asked.incrementAndGet() % refuseEvery == 0;
    private final NativeAllocator refusing = NativeAllocator.failing(NativeAllocator.pages(), refuses);
    /// Pools that lose nothing.
    private final List<SoakPool> pools = SoakPool.ofEachKind(refuses);
    private volatile long endNanos;
    private long lost;
    private long unclosed;
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
        fail(null);
        // First without errors of the JVM: a class whose initialization fails stays unusable.
        soak.mixedRound();
        soak.cycle();
        soak.trim();
        Process before = Process.now();
        long lostBefore = soak.lostAndAbandoned();
        while (System.nanoTime() - begin < seconds * 1_000_000_000L) {
            soak.cycle();
        }
        soak.closePools();
        Process after = Process.now();
        System.out.println("seconds=" + (System.nanoTime() - begin) / 1_000_000_000 + " sessions="
                + soak.counters.sessions + " allocations=" + soak.counters.allocations + " refused="
                + soak.counters.refusals + " heapErrors=" + soak.counters.heapErrors + " stackErrors="
                + soak.counters.stackErrors + " interrupts=" + soak.counters.interrupts + " lostArenas=" + soak.lost
                + " lostMallocArenas=" + MALLOC_LOST + " abandonedArenas=" + soak.abandoned + " unclosedPools="
                + soak.unclosed + " residentKilobytes=" + before.resident + ".." + after.resident + " mappings="
                + before.mappings + ".." + after.mappings + " descriptors=" + before.descriptors + ".."
                + after.descriptors);
        after.check(before, soak.lostAndAbandoned() - lostBefore);
    }

    /// Ends the run with an error. A call with null only loads what a later call needs.
    static void fail(@Nullable Throwable t) {
        FAILURE.compareAndSet(null, t);
    }

    /// Ends the run because the close of an arena has thrown an `OutOfMemoryError` after it had ended the scope.
    static void failWithoutHeap(Arena arena, OutOfMemoryError e) {
        if (FAILURE.compareAndSet(null, FAILED_CLOSE)) {
            failed = arena;
            FAILED_CLOSE.initCause(e);
        }
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

    private void cycle() {
        mixedRound();
        heapRound();
        mixedRound();
        deepRound();
    }

    /// Platform and virtual threads, and threads that end and abandon arenas.
    private void mixedRound() {
        refuseEvery = random.nextInt(3) == 0 ? 0 : 2 + random.nextInt(60);
        List<Thread> threads = new ArrayList<>();
        begin();
        for (int i = 0; i < 3; i++) {
            threads.add(Thread.ofPlatform().start(worker(SoakWorker.Failures.REFUSALS, pools)));
        }
        for (int i = 0; i < VIRTUAL_THREADS; i++) {
            threads.add(Thread.ofVirtual().start(worker(SoakWorker.Failures.REFUSALS, pools)));
        }
        SoakPool left = SoakPool.small();
        while (!isOver()) {
            boolean abandons = abandoned < MOST_ABANDONED && random.nextInt(40) == 0;
            SoakWorker worker = newWorker(SoakWorker.Failures.REFUSALS);
            join(Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 10; i++) {
                        worker.run(pools, refusing);
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
        close(left);
        check();
    }

    /// Platform threads, and a thread that exhausts the heap. No virtual threads: the JDK's scheduler needs the heap.
    private void heapRound() {
        refuseEvery = random.nextInt(2) == 0 ? 0 : 2 + random.nextInt(60);
        Object[] held = new Object[1 << 16];
        Random lengths = new Random(random.nextLong());
        // Once with little memory, to load and link everything that the loop uses.
        exhaust(new Object[1], lengths);
        begin();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(Thread.ofPlatform().start(worker(SoakWorker.Failures.HEAP, pools)));
        }
        Thread exhausting = Thread.ofPlatform().start(() -> {
            try {
                while (!isOver()) {
                    exhaust(held, lengths);
                }
            } catch (Throwable t) {
                fail(t);
            }
        });
        join(exhausting);
        for (Thread thread : threads) {
            join(thread);
        }
        check();
    }

    /// Sessions near the end of the stack, on pools of their own, because such an error may lose memory.
    private void deepRound() {
        refuseEvery = random.nextInt(2) == 0 ? 0 : 2 + random.nextInt(60);
        begin();
        List<Thread> threads = new ArrayList<>();
        // A new set of pools every now and then: damage by an earlier error must not hide the next error.
        List<SoakPool> fresh = SoakPool.ofEachKind(refuses);
        if (lost + MALLOC_LOST.get() < MOST_LOST) {
            for (int i = 0; i < 2; i++) {
                threads.add(Thread.ofPlatform().stackSize(STACK).start(worker(SoakWorker.Failures.STACK, fresh)));
            }
        }
        threads.add(Thread.ofPlatform().start(worker(SoakWorker.Failures.REFUSALS, fresh)));
        threads.forEach(SoakSession::join);
        fresh.forEach(this::close);
        check();
    }

    /// Fills the heap until other threads have failed.
    private void exhaust(Object[] held, Random random) {
        int count = 0;
        for (int byteSize = 1 << 20; byteSize >= 16; byteSize /= 128) {
            try {
                while (count < held.length) {
                    held[count] = new byte[byteSize];
                    count++;
                }
            } catch (OutOfMemoryError e) {
                // A smaller array may fit.
                Thread.onSpinWait();
            }
        }
        // To fill the heap takes several collections, and each error another one.
        long errors = counters.heapErrors.get() + random.nextInt(30);
        long latest = System.nanoTime() + (count == held.length ? 0 : random.nextLong(1, roundNanos));
        while (counters.heapErrors.get() < errors && System.nanoTime() < latest && !isOver()) {
            Thread.onSpinWait();
        }
        Arrays.fill(held, null);
        Thread.yield();
    }

    private Runnable worker(SoakWorker.Failures failures, List<SoakPool> pools) {
        SoakWorker worker = newWorker(failures);
        return () -> {
            try {
                while (!isOver()) {
                    worker.run(pools, refusing);
                }
            } catch (Throwable t) {
                fail(t);
            }
        };
    }

    private SoakWorker newWorker(SoakWorker.Failures failures) {
        return new SoakWorker(model, counters, failures, random.nextLong());
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
            throw new AssertionError("A session failed: arena=" + failed, failure);
        }
        pools.forEach(SoakPool::check);
        if (model.size() != abandoned) {
            throw new AssertionError("Live memory: ranges=" + model.size() + ", abandoned=" + abandoned);
        }
    }

    private void close(SoakPool pool) {
        lost += pool.close();
        unclosed += pool.isClosed() ? 0 : 1;
    }

    private void trim() {
        pools.forEach(pool -> pool.pool.trim());
    }

    private void closePools() {
        trim();
        pools.forEach(this::close);
    }

    private long lostAndAbandoned() {
        return lost + unclosed + MALLOC_OVERFLOWS.get() + abandoned;
    }

    /// The memory that the process takes from the system.
    private record Process(long resident, long mappings, long descriptors) {
        private static final Path STATUS = Path.of("/proc/self/status");

        /// Code that is compiled meanwhile, and blocks that the C library holds in reserve.
        private static final long RESIDENT_KILOBYTES = 48 << 10;
        /// The slabs of a lost arena, or the blocks of an arena that was lost while it was freed: most are small.
        private static final long RESIDENT_KILOBYTES_EACH = 256;
        /// Stacks of the JVM's own threads, parts of its code cache and its metaspace, heaps of the C library.
        private static final long MAPPINGS = 60;
        /// A region of slabs, or a large block, and the rest of the mapping on both sides.
        private static final long MAPPINGS_EACH = 3;

        static Process now() throws IOException {
            System.gc();
            return new Process(LeakSession.kilobytes(STATUS, "VmRSS:"), count(Path.of("/proc/self/maps")),
                    openFiles());
        }

        void check(Process before, long lost) {
            if (resident > before.resident + RESIDENT_KILOBYTES + lost * RESIDENT_KILOBYTES_EACH
                    || mappings > before.mappings + MAPPINGS + lost * MAPPINGS_EACH
                    // We have no open file: the JVM may have opened a jar.
                    || descriptors > before.descriptors + 2) {
                throw new AssertionError("The process has grown: before=" + before + ", after=" + this + ", lost="
                        + lost);
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
