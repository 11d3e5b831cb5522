package dev.arenakit.bench.report;

import java.util.List;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.ScalarResult;

/// A figure of a candidate: the time of an operation, JMH's primary result, or a secondary result. This is the one list
/// of figures: tables and comparisons take their columns from it.
public enum Metric {
    /// Wall-clock time of an operation.
    TIME("", "ns/op"),
    /// CPU time of the benchmark's threads per operation.
    CPU("cpu.time.norm", "CPU ns/op"),
    /// CPU time of the process per operation since the first measured iteration. It includes the garbage collector and
    /// other threads.
    PROCESS_CPU("cpu.process.norm", "process CPU"),
    /// Heap allocated per operation, in bytes.
    BYTES("gc.alloc.rate.norm", "B/op"),
    /// The median of an operation's time, in nanoseconds.
    P50("latency.p50", "p50"),
    /// The time that nine operations in ten do not exceed.
    P90("latency.p90", "p90"),
    /// The time that 99 % do not exceed.
    P99("latency.p99", "p99"),
    /// The time that 99.9 % do not exceed.
    P99_9("latency.p99.9", "p99.9"),
    /// The time that 99.99 % do not exceed.
    P99_99("latency.p99.99", "p99.99"),
    /// The longest time.
    SLOWEST("latency.max", "max"),
    /// Number of timed samples.
    SAMPLES("latency.samples", ""),
    /// The memory of the process at the peak of a replay, in bytes.
    PEAK("memory.peak", ""),
    /// Number of calls of a replay that the arena has refused.
    REFUSED("replay.refused", ""),
    /// Length of the warm-up in milliseconds.
    WARM_UP("warmup.time", ""),
    /// Whether the warm-up ended because its last windows agreed: 1, or 0 if it was as long as a warm-up may be.
    WARM_UP_STEADY("warmup.steady", "");

    /// The percentiles, in ascending order.
    static final List<Metric> PERCENTILES = List.of(P50, P90, P99, P99_9, P99_99);

    private final String resultName;
    private final String heading;

    /// @param resultName name of the secondary result
    /// @param heading    heading of the column in tables; empty if they do not have it
    Metric(String resultName, String heading) {
        this.resultName = resultName;
        this.heading = heading;
    }

    /// {@return the name of the secondary result}
    public String resultName() {
        return resultName;
    }

    /// {@return a secondary result of JMH}
    ///
    /// @param value what was measured
    /// @param unit  its unit
    public ScalarResult result(double value, String unit) {
        return new ScalarResult(resultName, value, unit, AggregationPolicy.AVG);
    }

    /// {@return the heading of the column in tables; empty if they do not have the metric}
    String heading() {
        return heading;
    }

    /// {@return a value as text; `-` for NaN}
    ///
    /// @param value not negative
    String text(double value) {
        return this == BYTES ? ReportFormat.heapBytes(value) : ReportFormat.number(value);
    }

    /// {@return whether the value is of an invocation, which may be several operations}
    boolean isPerOperation() {
        return switch (this) {
            case SAMPLES, WARM_UP, WARM_UP_STEADY -> false;
            default -> true;
        };
    }

    /// {@return whether an iteration's value includes all earlier iterations, so that only the last value counts}
    boolean isCumulative() {
        return switch (this) {
            case TIME, CPU, BYTES, PEAK, REFUSED, WARM_UP, WARM_UP_STEADY -> false;
            default -> true;
        };
    }
}
