package dev.arenakit.examples.pools;

import dev.arenakit.SlabPool;
import dev.arenakit.SlabPoolStatistics;
import dev.arenakit.diagnostics.MemoryStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/// The statistics of pools as metrics of Micrometer and of Prometheus.
final class PoolMetrics {
    private PoolMetrics() {}

    /// Adds the metrics of a pool to a registry, which does not keep the pool.
    static void bind(SlabPool pool, MeterRegistry registry) {
        String name = pool.stats().name();
        Map<String, ToDoubleFunction<SlabPoolStatistics>> gauges = Map.of("open.arenas", SlabPoolStatistics::openArenas,
                "used.bytes", SlabPoolStatistics::usedByteSize, "idle.bytes", SlabPoolStatistics::idleByteSize,
                "waiting.threads", SlabPoolStatistics::waitingThreads);
        gauges.forEach((gauge, value) -> Gauge
                .builder("arenakit.pool." + gauge, pool, p -> value.applyAsDouble(p.stats()))
                .tag("pool", name)
                .register(registry));
        FunctionCounter.builder("arenakit.pool.refusals", pool, p -> p.stats().refusals())
                .tag("pool", name)
                .register(registry);
        FunctionTimer.builder("arenakit.pool.waits", pool, p -> p.stats().waitCount(), p -> p.stats().waitedNanos(),
                TimeUnit.NANOSECONDS).tag("pool", name).register(registry);
    }

    /// Collects the metrics of all pools of the process that have names.
    static MetricSnapshots collect() {
        GaugeSnapshot.Builder used = GaugeSnapshot.builder().name("arenakit_pool_used_bytes");
        HistogramSnapshot.Builder waits = HistogramSnapshot.builder().name("arenakit_pool_wait_seconds");
        for (SlabPoolStatistics pool : MemoryStatistics.ofProcess().pools()) {
            Labels labels = Labels.of("pool", pool.name());
            if (!pool.name().isEmpty()) {
                used.dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(pool.usedByteSize()).build());
            }
            if (!pool.name().isEmpty() && !pool.waits().isEmpty()) {
                ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
                pool.waits().forEach(wait -> buckets.bucket(seconds(wait.maxNanos()), wait.count()));
                waits.dataPoint(HistogramDataPointSnapshot.builder()
                        .labels(labels)
                        .classicHistogramBuckets(buckets.build())
                        .sum(seconds(pool.waitedNanos()))
                        .build());
            }
        }
        return MetricSnapshots.of(used.build(), waits.build());
    }

    private static double seconds(long nanos) {
        return nanos == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : nanos / 1e9;
    }
}
