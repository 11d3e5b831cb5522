package dev.arenakit.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.util.ListStatistics;

/// What was measured of one contestant in one cell, fork by fork.
///
/// @param cell  who answered what
/// @param forks one entry per JVM that was started, at least one
public record Measurement(Cell cell, List<Fork> forks) {

    /// One JVM's values, each the median over its iterations.
    ///
    /// @param nanos    wall time per operation
    /// @param fastest  the fastest iteration
    /// @param slowest  the slowest iteration
    /// @param cpuNanos CPU time of the benchmark's threads per operation, NaN where it was not measured
    /// @param bytes    heap allocated per operation, NaN where it was not measured
    public record Fork(double nanos, double fastest, double slowest, double cpuNanos, double bytes) {}

    /// Keeps a copy of its arguments.
    public Measurement {
        forks = List.copyOf(forks);
        if (forks.isEmpty()) {
            throw new IllegalArgumentException("Nothing measured: " + cell);
        }
    }

    /// {@return wall time per operation, the median over the forks}
    public double nanos() {
        return median(forks, Fork::nanos);
    }

    /// {@return wall time per operation of the fastest fork}
    public double fastestFork() {
        return forks.stream().mapToDouble(Fork::nanos).min().orElseThrow();
    }

    /// {@return the fastest fork, or of a single fork the fastest iteration}
    public double fastest() {
        return forks.size() == 1 ? forks.getFirst().fastest() : fastestFork();
    }

    /// {@return the slowest fork, or of a single fork the slowest iteration}
    public double slowest() {
        return forks.size() == 1
                ? forks.getFirst().slowest()
                : forks.stream().mapToDouble(Fork::nanos).max().orElseThrow();
    }

    /// {@return CPU time per operation, the median over the forks; NaN where it was not measured}
    public double cpuNanos() {
        return median(forks, Fork::cpuNanos);
    }

    /// {@return heap allocated per operation, the median over the forks; NaN where it was not measured}
    public double bytes() {
        return median(forks, Fork::bytes);
    }

    /// How many times faster this is than a baseline: the fastest fork of the baseline over the median fork of this. The
    /// timings of malloc differ from fork to fork by more than noise, and a baseline caught in its slow mode would flatter
    /// whatever is compared with it.
    ///
    /// @param baseline what it is compared with
    /// @return the ratio, above 1 when this is faster
    public double timesFasterThan(Measurement baseline) {
        return baseline.fastestFork() / nanos();
    }

    /// The same by CPU time.
    ///
    /// @param baseline what it is compared with
    /// @return the ratio, NaN where CPU time was not measured
    public double timesLessCpuThan(Measurement baseline) {
        return baseline.forks.stream().mapToDouble(Fork::cpuNanos).min().orElseThrow() / cpuNanos();
    }

    private static double median(List<Fork> forks, ToDoubleFunction<Fork> value) {
        return median(forks.stream().mapToDouble(value).toArray());
    }

    /// The middle value, or the mean of the two in the middle; NaN of nothing.
    static double median(double[] values) {
        return new ListStatistics(values).getPercentile(50);
    }
}
