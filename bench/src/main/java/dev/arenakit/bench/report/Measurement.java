package dev.arenakit.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.util.ListStatistics;

/// What was measured of one contestant in one cell, fork by fork.
///
/// @param cell  who answered what
/// @param forks one entry per JVM that was started, at least one
public record Measurement(Cell cell, List<Fork> forks) {
    // Two groups of forks are two modes from this factor between them on: what lies between is noise of one.
    private static final double GAP = 1.25;

    // A single fork apart from the others is an outlier, not a mode.
    private static final int LEAST_OF_A_MODE = 2;

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
        return middle(Fork::nanos);
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
        return middle(Fork::cpuNanos);
    }

    /// {@return wall time per operation in each mode: the median of all forks, or the medians of two groups of at least two
    /// forks each, the slowest of one at least 25 % faster than the fastest of the other}
    ///
    /// The timings of malloc differ from process to process, by where its memory happens to lie. A median of forks of both
    /// kinds says only which kind was more frequent.
    public List<Double> modes() {
        double[] nanos = sorted(Fork::nanos);
        int second = secondMode(nanos);
        return second == 0
                ? List.of(nanos())
                : List.of(median(Arrays.copyOf(nanos, second)),
                        median(Arrays.copyOfRange(nanos, second, nanos.length)));
    }

    /// {@return how far the forks, or the iterations of a single fork, lie apart, as a part of the median}
    public double spread() {
        return (slowest() - fastest()) / nanos();
    }

    /// {@return heap allocated per operation, the median over the forks; NaN where it was not measured}
    public double bytes() {
        return median(sorted(Fork::bytes));
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

    /// The median over the forks; where half of them are in either mode, the fastest of the slower half, since the mean of
    /// the two in the middle would be a figure that nothing ever had.
    private double middle(ToDoubleFunction<Fork> value) {
        double[] values = sorted(value);
        int second = secondMode(values);
        return 2 * second == values.length ? values[second] : median(values);
    }

    private double[] sorted(ToDoubleFunction<Fork> value) {
        return forks.stream().mapToDouble(value).sorted().toArray();
    }

    /// Where the second mode begins among sorted values, 0 if there is none.
    private static int secondMode(double[] sorted) {
        int second = 0;
        double widest = GAP;
        for (int i = LEAST_OF_A_MODE; i <= sorted.length - LEAST_OF_A_MODE; i++) {
            if (sorted[i] / sorted[i - 1] >= widest) {
                widest = sorted[i] / sorted[i - 1];
                second = i;
            }
        }
        return second;
    }

    /// The middle value, or the mean of the two in the middle; NaN of nothing.
    static double median(double[] values) {
        return new ListStatistics(values).getPercentile(50);
    }
}
