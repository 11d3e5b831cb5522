package dev.arenakit.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.TDistribution;

/// Whether the JVMs of a cell had warmed up before they measured.
///
/// The first third of the measured iterations of a fork is compared with the last third, by the time of an operation
/// (the CPU time of the benchmark's threads, unless it was not measured, or [other threads][#isWorkOfOthers] do most of
/// the work) and by its garbage. A fork is not steady if they differ by more than 3 %, and by more than their noise: by
/// Student's test at 5 %. It takes six iterations to know the noise. A fork is also not steady if its warm-up reached
/// the longest time and the changes had not ended.
public final class Steadiness {
    private static final double MAX_DRIFT = 0.03;
    private static final double MOST = 0.5;
    private static final double LEVEL = 0.05;
    private static final int MIN_WINDOWS = 6;
    // In some iterations, JMH and its profilers allocate 100 KB, which count as garbage of the operations.
    private static final double MIN_BYTES = 1;
    private static final double MIN_BYTES_PER_NANO = 0.001;

    private Steadiness() {}

    /// {@return the change in the garbage of an operation that may be due to JMH itself}
    ///
    /// @param nanos wall time of an operation
    public static double leastBytes(double nanos) {
        return Math.max(MIN_BYTES, MIN_BYTES_PER_NANO * nanos);
    }

    /// {@return whether threads outside the benchmark, such as a library's threads, do most of the work of an
    /// operation} The CPU time of the benchmark's threads then says nothing about the operation.
    ///
    /// @param nanos        CPU time of the benchmark's threads per operation
    /// @param processNanos CPU time of the process per operation, or NaN
    public static boolean isWorkOfOthers(double nanos, double processNanos) {
        return nanos <= MOST * processNanos;
    }

    /// {@return whether the iterations of a fork do not drift, or are too few to tell}
    ///
    /// @param fork the fork
    public static boolean isSteady(Fork fork) {
        return drift(fork).isEmpty();
    }

    /// {@return a note on each cell with at least as many unsteady forks as steady ones}
    ///
    /// With fewer unsteady forks, the median fork is steady.
    ///
    /// @param results the measurements
    static List<CellNote> notes(Results results) {
        return results.measurements().stream().flatMap(measurement -> note(measurement).stream()).toList();
    }

    private static Optional<CellNote> note(Measurement measurement) {
        List<String> drifts = measurement.forks().stream().flatMap(fork -> drift(fork).stream()).toList();
        int forks = measurement.forks().size();
        return drifts.isEmpty() || 2 * drifts.size() < forks
                ? Optional.empty()
                : Optional.of(new CellNote(measurement.cell(), drifts.getFirst()
                        + (forks > 1 ? ", in " + drifts.size() + " of " + forks + " forks" : ""),
                        CellNote.Kind.NOT_STEADY));
    }

    private static Optional<String> drift(Fork fork) {
        if (fork.value(Metric.WARM_UP_STEADY) == 0) {
            return Optional.of(String.format(Locale.ROOT, "time or garbage still changed after a warm-up of %.1f s",
                    fork.value(Metric.WARM_UP) / 1000));
        }
        boolean cpu = fork.windows(Metric.CPU).size() == fork.nanosByWindow().size()
                && !isWorkOfOthers(fork.value(Metric.CPU), fork.value(Metric.PROCESS_CPU));
        return Stream.of(drift(cpu ? "CPU time" : "time", cpu ? fork.windows(Metric.CPU) : fork.nanosByWindow(), 0),
                drift("garbage", fork.windows(Metric.BYTES), leastBytes(fork.nanos())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> drift(String what, List<Double> windows, double least) {
        int third = windows.size() / 3;
        if (windows.size() < MIN_WINDOWS) {
            return Optional.empty();
        }
        double[] first = values(windows.subList(0, third));
        double[] last = values(windows.subList(windows.size() - third, windows.size()));
        double change = mean(last) - mean(first);
        if (Math.abs(change) <= Math.max(least, MAX_DRIFT * mean(first)) || !isBeyondNoise(change, first, last)) {
            return Optional.empty();
        }
        return Optional.of(mean(first) == 0
                ? String.format(Locale.ROOT, "%s grew to %s while it was measured", what, ReportFormat.number(mean(
                        last)))
                : String.format(Locale.ROOT, "%s changed by %+.0f %% while it was measured", what, 100 * change / mean(
                        first)));
    }

    private static boolean isBeyondNoise(double change, double[] first, double[] last) {
        int freedom = first.length + last.length - 2;
        double variance = (squares(first) + squares(last)) / freedom;
        double error = Math.sqrt(variance * (1.0 / first.length + 1.0 / last.length));
        return Math.abs(change) > error * new TDistribution(freedom).inverseCumulativeProbability(1 - LEVEL / 2);
    }

    private static double[] values(List<Double> windows) {
        return windows.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double mean(double[] values) {
        return DoubleStream.of(values).average().orElseThrow();
    }

    private static double squares(double[] values) {
        double mean = mean(values);
        return DoubleStream.of(values).map(value -> (value - mean) * (value - mean)).sum();
    }
}
