package dev.arenakit.bench;

import dev.arenakit.bench.replay.ReplayMemory;
import dev.arenakit.bench.report.Metric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/// A JMH profiler that reports the peak memory, the slowest steps and the refused calls of a replay. It runs the replay
/// twice more after each measured iteration.
public final class ReplayProfiler implements InternalProfiler {
    private static final double PERCENTILE = 99;

    /// Called by JMH, by reflection.
    public ReplayProfiler() {}

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
        ReplayMemory.Run run = iteration.getType() == IterationType.WARMUP ? null : ReplayMemory.measure();
        if (run == null) {
            return List.of();
        }
        List<Result<?>> results = new ArrayList<>();
        results.add(Metric.P99.result(run.latencies().getValueAtPercentile(PERCENTILE), "ns"));
        results.add(Metric.REFUSED.result(run.refused(), "calls"));
        run.peakByteSize().ifPresent(peak -> results.add(Metric.PEAK.result(peak, "B")));
        return results;
    }
}
