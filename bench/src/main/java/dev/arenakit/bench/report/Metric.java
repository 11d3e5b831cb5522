package dev.arenakit.bench.report;

import java.util.List;
import java.util.Locale;

/// A figure of a candidate: the time of an operation, JMH's primary result, or a secondary result. This is the one list
/// of figures: tables, the file for programs and comparisons take their columns from it.
public enum Metric {
    /// Wall-clock time of an operation.
    TIME("", "ns/op", "ns_per_op"),
    /// CPU time of the benchmark's threads per operation.
    CPU("cpu.time.norm", "CPU ns/op", "cpu_ns_per_op"),
    /// CPU time of the process per operation since the first measured iteration. It includes the garbage collector and
    /// other threads.
    PROCESS_CPU("cpu.process.norm", "process CPU", "process_cpu_ns_per_op"),
    /// Heap allocated per operation, in bytes.
    BYTES("gc.alloc.rate.norm", "B/op", "bytes_per_op"),
    /// Page faults of the process per operation.
    PAGE_FAULTS("faults.norm", "faults/op", "page_faults_per_op"),
    /// The largest growth of the resident size since the first operation, in bytes.
    RESIDENT_PEAK("resident.peak", "peak MiB", "resident_peak_bytes"),
    /// The growth of the resident size from the first operation until everything has been closed, in bytes.
    RESIDENT_RETAINED("resident.retained", "retained MiB", "resident_retained_bytes"),
    /// The median of an operation's time, in nanoseconds.
    P50("latency.p50", "p50", "p50_ns"),
    /// The time that nine operations in ten do not exceed.
    P90("latency.p90", "p90", "p90_ns"),
    /// The time that 99 % do not exceed.
    P99("latency.p99", "p99", "p99_ns"),
    /// The time that 99.9 % do not exceed.
    P99_9("latency.p99.9", "p99.9", "p99_9_ns"),
    /// The time that 99.99 % do not exceed.
    P99_99("latency.p99.99", "p99.99", "p99_99_ns"),
    /// The longest time.
    SLOWEST("latency.max", "max", "max_ns"),
    /// Number of timed samples.
    SAMPLES("latency.samples", "", "samples"),
    /// The time between two readings of the clock, in nanoseconds.
    CLOCK("latency.clock", "", ""),
    /// Length of the warm-up in milliseconds.
    WARM_UP("warmup.time", "", ""),
    /// Whether the warm-up ended because its last windows agreed: 1, or 0 if it was as long as a warm-up may be.
    WARM_UP_STEADY("warmup.steady", "", "");

    /// The percentiles, in ascending order.
    static final List<Metric> PERCENTILES = List.of(P50, P90, P99, P99_9, P99_99);

    private static final double MIB = 1 << 20;

    private final String resultName;
    private final String heading;
    private final String key;

    /// @param resultName name of the secondary result
    /// @param heading    heading of the column in tables; empty if they do not have it
    /// @param key        name of the column in `results.csv`; empty if it does not have it
    Metric(String resultName, String heading, String key) {
        this.resultName = resultName;
        this.heading = heading;
        this.key = key;
    }

    /// {@return the metric of an option of the command line}
    ///
    /// @param option such as `p99.9`
    /// @throws IllegalArgumentException if there is no such metric
    public static Metric ofOption(String option) {
        return switch (option) {
            case "time" -> TIME;
            case "cpu" -> CPU;
            case "heap" -> BYTES;
            case "peak" -> RESIDENT_PEAK;
            case "retained" -> RESIDENT_RETAINED;
            case "p50" -> P50;
            case "p99" -> P99;
            case "p99.9" -> P99_9;
            default -> throw new IllegalArgumentException("No such metric: name=" + option
                    + ", metrics=time, cpu, heap, peak, retained, p50, p99, p99.9");
        };
    }

    /// {@return the name of the secondary result}
    public String resultName() {
        return resultName;
    }

    /// {@return the heading of the column in tables; empty if they do not have the metric}
    String heading() {
        return heading;
    }

    /// {@return the name of the column in the file for programs; empty if it does not have the metric}
    String key() {
        return key;
    }

    /// {@return a value as text; `-` for NaN}
    ///
    /// @param value not negative
    String text(double value) {
        return switch (this) {
            case BYTES -> ReportFormat.heapBytes(value);
            case RESIDENT_PEAK, RESIDENT_RETAINED ->
                Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f", value / MIB);
            default -> ReportFormat.number(value);
        };
    }

    /// {@return whether the value is of an invocation, which may be several operations}
    boolean isPerOperation() {
        return switch (this) {
            case RESIDENT_PEAK, RESIDENT_RETAINED, SAMPLES, CLOCK, WARM_UP, WARM_UP_STEADY -> false;
            default -> true;
        };
    }

    /// {@return whether an iteration's value includes all earlier iterations, so that only the last value counts}
    boolean isCumulative() {
        return switch (this) {
            case TIME, CPU, BYTES, PAGE_FAULTS, CLOCK, WARM_UP, WARM_UP_STEADY -> false;
            default -> true;
        };
    }
}
