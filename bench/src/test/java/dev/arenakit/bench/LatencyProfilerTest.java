package dev.arenakit.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.Result;

import static org.assertj.core.api.Assertions.assertThat;

class LatencyProfilerTest {
    @Test
    void results_ofARareSlowOperation_haveItInTheTailAlone() {
        Histogram histogram = new Histogram(1, 1_000_000_000, 3);
        histogram.recordValueWithCount(100, 999_000);
        histogram.recordValueWithCount(500, 900);
        histogram.recordValueWithCount(20_000, 100);

        Map<String, Double> results = byName(LatencyProfiler.results(histogram));

        assertThat(results).containsEntry("latency.p50", 100.0)
                .containsEntry("latency.p99", 100.0)
                .containsEntry("latency.p99.9", 100.0)
                .containsEntry("latency.p99.99", 500.0)
                .containsEntry("latency.samples", 1e6);
        assertThat(results.get("latency.max")).isBetween(20_000.0, 20_016.0);
    }

    @Test
    void results_ofFewSamples_lackThePercentilesThatTheyDoNotShow() {
        Histogram histogram = new Histogram(1, 1_000_000_000, 3);
        histogram.recordValueWithCount(100, 1_000);

        assertThat(byName(LatencyProfiler.results(histogram))).containsOnlyKeys("latency.p50", "latency.p90",
                "latency.p99", "latency.max", "latency.samples");
    }

    private static Map<String, Double> byName(List<? extends Result<?>> results) {
        return results.stream().collect(Collectors.toMap(Result::getLabel, Result::getScore));
    }
}
