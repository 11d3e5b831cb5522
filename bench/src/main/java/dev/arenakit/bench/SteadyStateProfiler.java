package dev.arenakit.bench;

import dev.arenakit.bench.report.Confidence;
import dev.arenakit.bench.report.Confidence.Window;
import dev.arenakit.bench.report.Metric;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/// A JMH profiler that ends the warm-up as soon as three iterations in a row agree in the time and in the garbage of an
/// operation, to 3 %, and the compilations that finished during the last one took at most 3 % of its length. JMH gets
/// the longest warm-up as its setting.
///
/// The compilations count because an operation may be steady for a second or more until its new code is ready, and JMX
/// reports a compilation only when it has finished.
///
/// The time is the CPU time, which other work on the machine does not change; or wall time if the CPU time was not
/// measured, or if other threads, such as the threads of a library, do most of the work. An operation that blocks for
/// more than two thirds of its time, while no other thread works for it, always warms up for the longest time.
///
/// This must be the first profiler. JMH stops profilers in reverse order, and this profiler reads the values of the
/// other profilers.
public final class SteadyStateProfiler implements InternalProfiler {
    /// The length of the longest warm-up, as a multiple of the shortest warm-up.
    static final int LONGEST = 5;

    // The benchmark's threads must have had a processor for this part of the shortest warm-up. On a busy machine, they
    // may have done so little that nothing was compiled, which looks steady, too.
    private static final double LEAST_BUSY = 0.3;

    private static final double MOST = 0.5;
    // In some iterations, JMH and its profilers allocate 100 KB, which count as garbage of the operations.
    private static final double LEAST_BYTES_PER_NANO = 0.001;

    private final int least;
    private final LongSupplier compilingMillis;
    private final List<Window> windows = new ArrayList<>();
    private long millis;
    private double busyNanos;
    private long compilingBefore;

    /// Called by JMH, by reflection.
    ///
    /// @param least the smallest number of iterations of a warm-up
    /// @throws ProfilerException if the argument is not a number
    public SteadyStateProfiler(String least) throws ProfilerException {
        this(least, compilingMillis());
    }

    /// @param compilingMillis the time that all compilations have taken
    SteadyStateProfiler(String least, LongSupplier compilingMillis) throws ProfilerException {
        try {
            this.least = Integer.parseInt(least);
        } catch (NumberFormatException e) {
            throw new ProfilerException(e);
        }
        this.compilingMillis = compilingMillis;
    }

    private static LongSupplier compilingMillis() {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
                ? () -> 0
                : compiler::getTotalCompilationTime;
    }

    @Override
    public String getDescription() {
        return "Ends the warm-up when three iterations agree";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {}

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
            IterationResult result) {
        if (result.getRawPrimaryResults().isEmpty()) {
            // The benchmark threw an exception, which JMH reports next.
            return List.of();
        }
        if (iteration.getType() == IterationType.WARMUP) {
            long length = iteration.getTime().convertTo(TimeUnit.MILLISECONDS);
            long compiling = compilingMillis.getAsLong();
            Window window = window(result, (double) (compiling - compilingBefore) / length);
            compilingBefore = compiling;
            windows.add(window);
            millis += length;
            busyNanos += window.nanos() * result.getMetadata().getAllOps();
            boolean hasRun = busyNanos >= LEAST_BUSY * least * iteration.getTime().convertTo(TimeUnit.NANOSECONDS);
            if (windows.size() >= least && hasRun && Confidence.isSteady(windows)) {
                end(iteration, windows.size());
            }
            return List.of();
        }
        return List.of(Metric.WARM_UP.result((double) millis, "ms"),
                Metric.WARM_UP_STEADY.result(Confidence.isSteady(windows) ? 1 : 0, "#"));
    }

    private static Window window(IterationResult result, double compiling) {
        double nanos = result.getPrimaryResult().getScore();
        double cpu = score(result, Metric.CPU);
        double bytes = score(result, Metric.BYTES);
        boolean wall = Double.isNaN(cpu) || cpu <= MOST * score(result, Metric.PROCESS_CPU);
        return new Window(wall ? nanos : cpu, Double.isNaN(bytes) ? 0 : bytes,
                Math.max(1, LEAST_BYTES_PER_NANO * nanos), compiling);
    }

    /// Returns a value that another profiler has measured, or NaN.
    private static double score(IterationResult result, Metric metric) {
        Result<?> measured = result.getSecondaryResults().get(metric.resultName());
        return measured == null ? Double.NaN : measured.getScore();
    }

    /// Makes JMH end the warm-up. JMH reads the number of iterations before each iteration, and has no setter for it.
    private static void end(IterationParams iteration, int count) {
        try {
            Field field = IterationParams.class.getSuperclass()
                    .getSuperclass()
                    .getSuperclass()
                    .getDeclaredField("count");
            field.setAccessible(true);
            field.setInt(iteration, count);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
