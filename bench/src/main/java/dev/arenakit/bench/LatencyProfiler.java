package dev.arenakit.bench;

import dev.arenakit.bench.candidate.Latency;
import dev.arenakit.bench.report.Metric;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/// A JMH profiler that reports the percentiles of the times that [Latency] has taken in all measured iterations so far.
public final class LatencyProfiler implements InternalProfiler {
    private static final Map<Metric, Double> PERCENTILES = Map.of(Metric.P50, 50.0, Metric.P90, 90.0, Metric.P99, 99.0,
            Metric.P99_9, 99.9, Metric.P99_99, 99.99, Metric.SLOWEST, 100.0);
    // With fewer samples beyond a percentile, its value is unknown.
    private static final int MIN_BEYOND = 10;

    private final Histogram total = Latency.newTotal();

    /// Called by JMH, by reflection.
    public LatencyProfiler() {}

    @Override
    public String getDescription() {
        return "Percentiles of the time of an operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {}

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
            IterationResult result) {
        Latency.takeAll(total);
        if (iteration.getType() == IterationType.WARMUP) {
            total.reset();
            return List.of();
        }
        return total.getTotalCount() == 0 ? List.of() : results(total);
    }

    /// Returns the percentiles of a histogram. Percentiles with too few samples beyond them are left out.
    static List<? extends Result<?>> results(Histogram histogram) {
        Stream<Result<?>> percentiles = PERCENTILES.entrySet()
                .stream()
                .filter(entry -> entry.getKey() == Metric.SLOWEST
                        || histogram.getTotalCount() * (100 - entry.getValue()) / 100 >= MIN_BEYOND)
                .map(entry -> entry.getKey()
                        .result((double) histogram.getValueAtPercentile(entry.getValue()), "ns"));
        return Stream.concat(percentiles, Stream.of(Metric.SAMPLES.result((double) histogram.getTotalCount(), "#")))
                .toList();
    }

}
