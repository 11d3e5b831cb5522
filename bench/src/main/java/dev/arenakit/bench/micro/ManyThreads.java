package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JdkInternals;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.report.BenchmarkName;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the memory of many virtual threads that have arenas open at the same time.
@BenchmarkName(value = "many virtual threads",
        measures = "Starts virtual threads, each of which opens an arena, allocates 32 bytes, waits until all have, and "
                + "closes it.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public class ManyThreads extends MicroBenchmark {
    private static final long BYTE_SIZE = 32;

    /// Number of threads.
    @Param({"100", "5000"})
    public int threads;

    /// An arena for each thread.
    @Benchmark
    public long arena(Candidate candidate) throws InterruptedException {
        CountDownLatch opened = new CountDownLatch(threads);
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> started = new ArrayList<>(threads);
        for (int i = 0; i < threads; i++) {
            started.add(Thread.startVirtualThread(() -> {
                try (Arena arena = candidate.open()) {
                    MemorySegment block = arena.allocate(BYTE_SIZE, Long.BYTES);
                    block.set(JAVA_LONG, 0, BYTE_SIZE);
                    opened.countDown();
                    opened.await();
                } catch (Throwable t) {
                    // The other threads would wait for this one.
                    failures.add(t);
                    opened.countDown();
                }
            }));
        }
        for (Thread thread : started) {
            thread.join();
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("A thread has failed", failures.peek());
        }
        return opened.getCount();
    }
}
