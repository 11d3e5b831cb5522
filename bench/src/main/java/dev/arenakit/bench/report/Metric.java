package dev.arenakit.bench.report;

import java.util.List;

/// The metrics besides the time of an operation: the secondary results of JMH that reports show.
public enum Metric {
    /// CPU time of the benchmark's threads per operation, in nanoseconds.
    CPU("cpu.time.norm", true),
    /// CPU time of the process per operation since the first measured iteration, in nanoseconds. It includes the
    /// garbage collector and other threads.
    PROCESS_CPU("cpu.process.norm", true),
    /// Heap allocated per operation, in bytes.
    BYTES("gc.alloc.rate.norm", true),
    /// Length of the warm-up in milliseconds.
    WARM_UP("warmup.time", false),
    /// Whether the warm-up ended because its last windows agreed: 1, or 0 if it was as long as a warm-up may be.
    WARM_UP_STEADY("warmup.steady", false),
    /// Page faults of the process per operation.
    PAGE_FAULTS("faults.norm", true),
    /// The largest growth of the resident size since the first operation, in bytes.
    RESIDENT_PEAK("resident.peak", false),
    /// The growth of the resident size from the first operation until everything has been closed, in bytes.
    RESIDENT_RETAINED("resident.retained", false),
    /// The time between two readings of the clock, in nanoseconds.
    CLOCK("latency.clock", false),
    /// Number of timed samples.
    SAMPLES("latency.samples", false),
    /// The median of an operation's time, in nanoseconds.
    P50("latency.p50", true),
    /// The time that nine operations in ten do not exceed.
    P90("latency.p90", true),
    /// The time that 99 % do not exceed.
    P99("latency.p99", true),
    /// The time that 99.9 % do not exceed.
    P99_9("latency.p99.9", true),
    /// The time that 99.99 % do not exceed.
    P99_99("latency.p99.99", true),
    /// The longest time.
    SLOWEST("latency.max", true);

    /// The percentiles, in ascending order.
    static final List<Metric> PERCENTILES = List.of(P50, P90, P99, P99_9, P99_99);

    private final String resultName;
    private final boolean perOperation;

    Metric(String resultName, boolean perOperation) {
        this.resultName = resultName;
        this.perOperation = perOperation;
    }

    /// {@return the name of the secondary result}
    public String resultName() {
        return resultName;
    }

    /// {@return the name of a percentile in tables, such as `p99.9`}
    String label() {
        return resultName.substring(resultName.indexOf('.') + 1);
    }

    /// {@return whether the value is of an invocation, which may be several operations}
    boolean isPerOperation() {
        return perOperation;
    }

    /// {@return whether an iteration's value includes all earlier iterations, so that only the last value counts}
    boolean isCumulative() {
        return switch (this) {
            case PROCESS_CPU, RESIDENT_RETAINED, SAMPLES, P50, P90, P99, P99_9, P99_99, SLOWEST, RESIDENT_PEAK -> true;
            default -> false;
        };
    }
}
