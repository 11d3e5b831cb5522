package dev.arenakit.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.arenakit.bench.candidate.SetupTime;
import dev.arenakit.bench.report.Metric;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;

/// A JMH profiler that reports the CPU time per operation, user and system, both of the threads that run the benchmark
/// and of the whole process. For virtual threads it measures their carrier threads.
///
/// On a machine with other work to do, the wall-clock time grows with every time slice that the benchmark does not get;
/// its CPU time does not. The time of the process includes other threads that work for an operation, such as the
/// garbage collector and cleaners, and the compiler's work meanwhile. An iteration's setup and teardown run on the
/// benchmark's threads, so both figures include them, unless they are run as [SetupTime].
public final class CpuTimeProfiler implements InternalProfiler {
    // Part of the names of JMH's worker threads; JMH offers no other way to recognise them.
    private static final String WORKER = "-jmh-worker-";

    // The class of the carrier threads. The CPU time of a virtual thread cannot be read, and only JMH's workers are
    // virtual in a benchmark.
    private static final String CARRIER = "jdk.internal.misc.CarrierThread";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private long before;
    private long processBefore;
    private long allOperations;
    private long allElapsed;
    private long allProcess;

    /// Called by JMH, by reflection.
    public CpuTimeProfiler() {}

    @Override
    public String getDescription() {
        return "CPU time of the benchmark's threads per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        SetupTime.take();
        before = workersCpuTime();
        processBefore = system.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
            IterationResult result) {
        long operations = result.getMetadata().getAllOps();
        long setup = SetupTime.take();
        long process = system.getProcessCpuTime() - processBefore - setup;
        long elapsed = workersCpuTime() - before - setup;
        if (operations == 0 || elapsed <= 0) {
            return List.of();
        }
        ScalarResult workers = perOperation(Metric.CPU, elapsed, operations);
        if (iteration.getType() == IterationType.WARMUP) {
            return List.of(workers, perOperation(Metric.PROCESS_CPU, Math.max(process, elapsed), operations));
        }
        // All measured iterations are summed up: the clock of the process has ticks of 10 ms, and not every iteration
        // has a garbage collection.
        allOperations += operations;
        allElapsed += elapsed;
        allProcess += process;
        return List.of(workers, perOperation(Metric.PROCESS_CPU, Math.max(allProcess, allElapsed), allOperations));
    }

    private static ScalarResult perOperation(Metric metric, long nanos, long operations) {
        return metric.result((double) nanos / operations, "ns/op");
    }

    /// Returns the CPU time of all workers. Before the first iteration JMH has not started any, and the sum is 0.
    static long workersCpuTime() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        // The array has room for twice as many threads as exist, since further threads may start meanwhile.
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
