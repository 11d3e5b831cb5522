package dev.arenakit.bench;

import dev.arenakit.bench.candidate.Latency;
import dev.arenakit.bench.report.Metric;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;

/// A JMH profiler that reports the percentiles of the times that [Latency] has taken in all measured iterations so far.
public final class LatencyProfiler implements InternalProfiler {
    private static final Map<Metric, Double> PERCENTILES = Map.of(Metric.P50, 50.0, Metric.P90, 90.0, Metric.P99, 99.0,
            Metric.P99_9, 99.9, Metric.P99_99, 99.99, Metric.SLOWEST, 100.0);
    // With fewer samples beyond a percentile, its value is unknown.
    private static final int MIN_BEYOND = 10;
    private static final int READINGS = 1001;
    // The first rounds are not compiled yet.
    private static final int ROUNDS = 100;

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
        return total.getTotalCount() == 0 ? List.of() : results(total, clockNanos());
    }

    /// Returns the percentiles of a histogram. Percentiles with too few samples beyond them are left out.
    static List<? extends Result<?>> results(Histogram histogram, double clockNanos) {
        Stream<Result<?>> percentiles = PERCENTILES.entrySet()
                .stream()
                .filter(entry -> entry.getKey() == Metric.SLOWEST
                        || histogram.getTotalCount() * (100 - entry.getValue()) / 100 >= MIN_BEYOND)
                .map(entry -> scalar(entry.getKey(), (double) histogram.getValueAtPercentile(entry.getValue()), "ns"));
        return Stream.concat(percentiles, Stream.of(scalar(Metric.SAMPLES, (double) histogram.getTotalCount(), "#"),
                scalar(Metric.CLOCK, clockNanos, "ns"))).toList();
    }

    private static Result<?> scalar(Metric metric, double value, String unit) {
        return new ScalarResult(metric.resultName(), value, unit, AggregationPolicy.AVG);
    }

    /// Returns the usual time from one reading of the clock to the next, in compiled code.
    private static double clockNanos() {
        return IntStream.range(0, ROUNDS).mapToDouble(_ -> medianStep()).min().orElseThrow();
    }

    private static double medianStep() {
        long[] steps = new long[READINGS];
        long last = System.nanoTime();
        for (int i = 0; i < READINGS; i++) {
            long now = System.nanoTime();
            steps[i] = now - last;
            last = now;
        }
        Arrays.sort(steps);
        return steps[READINGS / 2];
    }
}
