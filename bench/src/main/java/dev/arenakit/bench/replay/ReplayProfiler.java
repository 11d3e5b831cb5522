package dev.arenakit.bench.replay;

import dev.arenakit.bench.report.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/// A JMH profiler that reports the peak memory, the slowest steps and the refused calls of a replay. It runs the replay
/// twice more after each measured iteration but the last, before whose end JMH closes the arenas' pools.
public final class ReplayProfiler implements InternalProfiler {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path CLEAR = Path.of("/proc/self/clear_refs");
    // Resets the peak of the resident memory.
    private static final String RESET_PEAK = "5";
    private static final long LONGEST = 60_000_000_000L;
    private static final double PERCENTILE = 99;
    private static final int KIB = 1 << 10;

    private static @Nullable Replayer replayer;

    private int measured;

    /// Called by JMH, by reflection.
    public ReplayProfiler() {}

    /// Sets the replayer of this process.
    public static void replay(Replayer current) {
        replayer = current;
    }

    @Override
    public String getDescription() {
        return "Peak memory, percentiles and refusals of a replay";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        // Everything is measured afterwards.
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
            IterationResult result) {
        Replayer current = replayer;
        if (current == null || iteration.getType() == IterationType.WARMUP || ++measured == iteration.getCount()) {
            return List.of();
        }
        Histogram latencies = new ConcurrentHistogram(1, LONGEST, 3);
        List<Result<?>> results = new ArrayList<>();
        peak(current).ifPresent(byteSize -> results.add(Metric.PEAK.result(byteSize, "B")));
        current.refused().reset();
        current.run(nanos -> latencies.recordValue(Math.clamp(nanos, 1, LONGEST)));
        results.add(Metric.REFUSED.result((double) current.refused().sum(), "calls"));
        results.add(Metric.P99.result((double) latencies.getValueAtPercentile(PERCENTILE), "ns"));
        return results;
    }

    /// Runs the replay, and returns the peak of the resident memory; empty if the system does not report it.
    private static OptionalDouble peak(Replayer current) {
        try {
            Files.writeString(CLEAR, RESET_PEAK);
            current.run();
            try (Stream<String> lines = Files.lines(STATUS)) {
                return lines.filter(line -> line.startsWith("VmHWM:"))
                        .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * KIB)
                        .findFirst();
            }
        } catch (IOException _) {
            return OptionalDouble.empty();
        }
    }
}
