package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JdkInternals;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures 10,000 virtual threads that wait inside scopes, as the threads of a server do: each opens an arena,
/// allocates ten blocks of 32 bytes, writes one long into each, parks until all threads have done so, reads the longs
/// back and closes the arena.
///
/// The figure is for one thread. It includes starting, parking and ending the thread; the candidate without an arena
/// does nothing else. The CPU time includes the carrier threads.
@BenchmarkName(value = "parked threads",
        measures = "Starts 10,000 virtual threads that park inside a scope with ten blocks; the figure is for one "
                + "thread.")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ParkedThreads.THREADS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public class ParkedThreads {
    /// Number of threads.
    public static final int THREADS = 10_000;

    private static final int BLOCKS = 10;
    private static final long BYTE_SIZE = 32;

    /// A moment that all threads wait for.
    private record Meeting(CountDownLatch ready, CountDownLatch end, Queue<Throwable> failures) {
        /// Runs the work of a thread. If a thread fails, the other threads go on.
        void run(Consumer<Meeting> work) {
            try {
                work.accept(this);
            } catch (Throwable t) {
                failures.add(t);
                ready.countDown();
            }
        }

        void park() {
            ready.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// A confined arena for each thread.
    @Benchmark
    public long arena(Candidate candidate) {
        LongAdder sum = new LongAdder();
        return run(sum, meeting -> {
            try (Arena arena = candidate.open()) {
                MemorySegment[] blocks = new MemorySegment[BLOCKS];
                for (int i = 0; i < BLOCKS; i++) {
                    blocks[i] = arena.allocate(BYTE_SIZE, Long.BYTES);
                    blocks[i].set(JAVA_LONG, 0, i);
                }
                meeting.park();
                for (MemorySegment block : blocks) {
                    sum.add(block.get(JAVA_LONG, 0));
                }
            }
        });
    }

    /// Longs on the Java heap instead of an arena.
    @Benchmark
    @CandidateName("no arena")
    public long none() {
        LongAdder sum = new LongAdder();
        return run(sum, meeting -> {
            long[] blocks = new long[BLOCKS];
            for (int i = 0; i < BLOCKS; i++) {
                blocks[i] = i;
            }
            meeting.park();
            for (long block : blocks) {
                sum.add(block);
            }
        });
    }

    /// Returns the sum, to which all threads have added.
    private static long run(LongAdder sum, Consumer<Meeting> work) {
        Meeting meeting = new Meeting(new CountDownLatch(THREADS), new CountDownLatch(1),
                new ConcurrentLinkedQueue<>());
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = Thread.startVirtualThread(() -> meeting.run(work));
        }
        try {
            meeting.ready.await();
            meeting.end.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (!meeting.failures.isEmpty()) {
            throw new IllegalStateException("A thread has failed", meeting.failures.peek());
        }
        if (sum.sum() != THREADS * 45L) {
            throw new IllegalStateException("Threads have read other values than they wrote: sum=" + sum);
        }
        return sum.sum();
    }
}
