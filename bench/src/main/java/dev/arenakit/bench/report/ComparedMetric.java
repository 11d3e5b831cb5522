package dev.arenakit.bench.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The metric that two runs are compared by. Smaller values are better.
public enum ComparedMetric {
    /// Time of an operation.
    TIME("ns/op", null),
    /// CPU time of an operation, of the benchmark's own threads.
    CPU("CPU ns/op", Metric.CPU),
    /// The bytes that an operation allocates on the Java heap.
    HEAP("B/op", Metric.BYTES),
    /// The largest resident size.
    PEAK("peak B", Metric.RESIDENT_PEAK),
    /// The resident size when everything has been closed.
    RETAINED("retained B", Metric.RESIDENT_RETAINED),
    /// The median of an operation's time.
    P50("p50 ns", Metric.P50),
    /// The time that 99 % of the operations do not exceed.
    P99("p99 ns", Metric.P99),
    /// The time that 99.9 % of the operations do not exceed.
    P99_9("p99.9 ns", Metric.P99_9);

    // Smaller values are memory of the JVM itself, such as code that was compiled meanwhile.
    private static final double LEAST_RESIDENT = 1 << 20;

    private final String unit;
    private final @Nullable Metric metric;

    /// @param metric null for the time of an operation
    ComparedMetric(String unit, @Nullable Metric metric) {
        this.unit = unit;
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

    /// Returns the sorted values of the forks. Values that were not measured are left out.
    double[] sorted(Measurement measurement) {
        return measurement.forks()
                .stream()
                .mapToDouble(fork -> metric == null ? fork.nanos() : fork.value(metric))
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
    }

    /// Returns the typical value of the forks; NaN if there is no value.
    double typical(Measurement measurement) {
        return switch (this) {
            case TIME -> measurement.nanos();
            case CPU -> measurement.cpuNanos();
            default -> Measurement.median(sorted(measurement));
        };
    }

    /// Returns the least value of two measurements that counts. Smaller values are not due to the operation, and count
    /// as this value.
    double least(Measurement one, Measurement other) {
        return switch (this) {
            case HEAP -> Math.max(one.leastBytes(), other.leastBytes());
            case PEAK, RETAINED -> LEAST_RESIDENT;
            default -> 0;
        };
    }

    /// {@return the name on the command line, such as `p99.9`}
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
