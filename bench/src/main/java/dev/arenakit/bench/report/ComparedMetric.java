package dev.arenakit.bench.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What two runs are compared by. Less of it is better.
public enum ComparedMetric {
    /// Time of an operation.
    TIME("ns/op", 0, null),
    /// CPU time of an operation, of the benchmark's own threads.
    CPU("CPU ns/op", 0, Metric.CPU),
    /// What an operation allocates on the Java heap.
    HEAP("B/op", 1, Metric.BYTES),
    /// The largest resident size.
    PEAK("peak B", 1, Metric.RESIDENT_PEAK),
    /// The resident size when everything has been closed.
    RETAINED("retained B", 1, Metric.RESIDENT_RETAINED),
    /// The median of an operation's time.
    P50("p50 ns", 0, Metric.P50),
    /// The time that 99 % of the operations do not exceed.
    P99("p99 ns", 0, Metric.P99),
    /// The time that 99.9 % of the operations do not exceed.
    P99_9("p99.9 ns", 0, Metric.P99_9);

    private final String unit;
    private final double least;
    private final @Nullable Metric metric;

    /// @param least  what a smaller value counts as, so that 0 has a logarithm
    /// @param metric null for the time of an operation
    ComparedMetric(String unit, double least, @Nullable Metric metric) {
        this.unit = unit;
        this.least = least;
        this.metric = metric;
    }

    /// {@return the unit in the heads of tables}
    String unit() {
        return unit;
    }

    /// {@return the word for a value that became larger}
    String more() {
        return this == TIME || this == CPU ? "slower" : "more";
    }

    /// {@return the word for a value that became smaller}
    String less() {
        return this == TIME || this == CPU ? "faster" : "less";
    }

    /// Returns the values of the forks, sorted; without those that were not measured.
    double[] sorted(Measurement measurement) {
        return measurement.forks()
                .stream()
                .mapToDouble(fork -> metric == null ? fork.nanos() : fork.value(metric))
                .filter(value -> !Double.isNaN(value))
                .map(value -> Math.max(value, least))
                .sorted()
                .toArray();
    }

    /// {@return the name on the command line, such as `p99.9`}
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
