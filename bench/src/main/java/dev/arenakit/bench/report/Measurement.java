package dev.arenakit.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.util.ListStatistics;

/// The measured values of one cell, fork by fork.
///
/// @param cell  the cell
/// @param forks one entry per JVM that was started, at least one
public record Measurement(Cell cell, List<Fork> forks) {
    // Two groups of forks are two modes if they are at least this factor apart; closer groups are noise of one mode.
    private static final double MODE_GAP = 1.25;

    // In most iterations, JMH and its profilers allocate 8 KB, which count as garbage of the operations. Iterations
    // take at least a tenth of a second.
    private static final double LEAST_BYTES = 1;
    private static final double LEAST_BYTES_PER_NANO = 1e-4;

    // A single fork that is apart from all other forks is an outlier, not a mode.
    private static final int MIN_MODE_FORKS = 2;

    /// Copies the list.
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

    /// {@return wall time per operation of the fastest fork; of the fastest iteration if there is one fork}
    public double fastest() {
        return forks.size() == 1
                ? forks.getFirst().fastest()
                : forks.stream().mapToDouble(Fork::nanos).min().orElseThrow();
    }

    /// {@return wall time per operation of the slowest fork; of the slowest iteration if there is one fork}
    public double slowest() {
        return forks.size() == 1
                ? forks.getFirst().slowest()
                : forks.stream().mapToDouble(Fork::nanos).max().orElseThrow();
    }

    /// {@return CPU time per operation, the median over the forks; NaN if it was not measured}
    public double cpuNanos() {
        return middle(fork -> fork.value(Metric.CPU));
    }

    /// {@return wall time per operation in each mode: the median of all forks, or the medians of two groups of at least
    /// two forks each, where the slowest fork of one group is at least 25 % faster than the fastest of the other, and
    /// the groups are further apart than the forks of either}
    ///
    /// The timings of malloc differ from process to process, depending on the addresses of its memory. A median over
    /// forks of both modes shows only which mode was more frequent.
    public List<Double> modes() {
        double[] nanos = sorted(Fork::nanos);
        int second = secondMode(nanos);
        return second == 0
                ? List.of(nanos())
                : List.of(median(Arrays.copyOf(nanos, second)),
                        median(Arrays.copyOfRange(nanos, second, nanos.length)));
    }

    /// {@return the difference between slowest and fastest fork, or iteration of a single fork, as a part of the
    /// median}
    public double spread() {
        return (slowest() - fastest()) / nanos();
    }

    /// {@return heap allocated per operation, the median over the forks; NaN if it was not measured}
    public double bytes() {
        return value(Metric.BYTES);
    }

    /// {@return the heap per operation that may be due to JMH itself}
    public double leastBytes() {
        return Math.max(LEAST_BYTES, LEAST_BYTES_PER_NANO * nanos());
    }

    /// {@return a further value, the median over the forks; NaN if it was not measured}
    ///
    /// @param metric the metric
    public double value(Metric metric) {
        return median(sorted(fork -> fork.value(metric)));
    }

    /// {@return how many times faster this measurement is than a baseline}
    ///
    /// @param baseline the measurement to compare with
    public Ratio timesFasterThan(Measurement baseline) {
        return Ratio.of(baseline, this, Fork::nanos, Fork::nanosByWindow);
    }

    /// {@return how many times less CPU time this measurement took than a baseline}
    ///
    /// @param baseline the measurement to compare with
    public Ratio timesLessCpuThan(Measurement baseline) {
        return Ratio.of(baseline, this, fork -> fork.value(Metric.CPU), fork -> fork.windows(Metric.CPU));
    }

    /// Returns the median over the forks. If each of two modes has half of the forks, returns the fastest fork of the
    /// slower half, since no fork came near the mean of the two middle forks.
    private double middle(ToDoubleFunction<Fork> value) {
        double[] values = sorted(value);
        int second = secondMode(values);
        return 2 * second == values.length ? values[second] : median(values);
    }

    private double[] sorted(ToDoubleFunction<Fork> value) {
        return forks.stream().mapToDouble(value).sorted().toArray();
    }

    /// Returns the index of the first value of the second mode among sorted values, 0 if there is one mode.
    private static int secondMode(double[] sorted) {
        int second = 0;
        double widest = MODE_GAP;
        for (int i = MIN_MODE_FORKS; i <= sorted.length - MIN_MODE_FORKS; i++) {
            double gap = sorted[i] / sorted[i - 1];
            if (gap >= widest && gap > sorted[i - 1] / sorted[0] && gap > sorted[sorted.length - 1] / sorted[i]) {
                widest = gap;
                second = i;
            }
        }
        return second;
    }

    /// Returns the middle value, or the mean of the two in the middle; NaN if there is no value.
    static double median(double[] values) {
        return new ListStatistics(values).getPercentile(50);
    }
}
