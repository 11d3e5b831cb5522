package dev.arenakit.bench;

import dev.arenakit.bench.report.Results;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/// A JMH profiler: CPU time per operation of the threads that run the benchmark, user and system. Those of virtual threads are their carriers.
///
/// On a machine with other work to do, the time on the clock grows with every time slice that the benchmark does not
/// get; its CPU time does not. The time of the process would be easier to ask for, but contains the compiler and the
/// collector. An iteration's setup and teardown run on the same threads and are contained.
public final class CpuTimeProfiler implements InternalProfiler {
    // JMH names its worker threads so; it offers no other way to tell them from the rest.
    private static final String WORKER = "-jmh-worker-";

    // What runs virtual threads, whose own CPU time cannot be asked for. Only JMH's workers are virtual in a benchmark.
    private static final String CARRIER = "jdk.internal.misc.CarrierThread";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private long before;

    /// Created by JMH, by name.
    public CpuTimeProfiler() {}

    @Override
    public String getDescription() {
        return "CPU time of the benchmark's threads per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = workersCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
            IterationResult result) {
        long operations = result.getMetadata().getAllOps();
        long elapsed = workersCpuTime() - before;
        if (operations == 0 || elapsed <= 0) {
            return List.of();
        }
        return List
                .of(new ScalarResult(Results.CPU_TIME, (double) elapsed / operations, "ns/op", AggregationPolicy.AVG));
    }

    /// Before the first iteration JMH has not started its workers yet, and the sum is 0, which is right.
    static long workersCpuTime() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        // Twice as many as there are, since some may be started meanwhile.
        Thread[] threads = new Thread[2 * root.activeCount() + 16];
        int count = root.enumerate(threads);
        long sum = 0;
        for (int i = 0; i < count; i++) {
            if (isWorker(threads[i])) {
                sum += Math.max(0, THREADS.getThreadCpuTime(threads[i].threadId()));
            }
        }
        return sum;
    }

    private static boolean isWorker(Thread thread) {
        return thread.getName().contains(WORKER) || thread.getClass().getName().equals(CARRIER);
    }
}
