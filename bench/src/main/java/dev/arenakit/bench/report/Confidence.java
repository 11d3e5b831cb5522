package dev.arenakit.bench.report;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// Decides which figures can be trusted: whether a ratio is uncertain, whether a benchmark is steady, and whether a run
/// has enough forks to be quoted.
public final class Confidence {
    /// The fewest forks with an interval. The interval of two values extends nine standard deviations to each side,
    /// which says nothing.
    static final int LEAST_FORKS = 3;

    /// When a ratio is uncertain, as text.
    static final String UNCERTAINTY_RULE = "its interval contains 1, is wider than a factor of 1.3, or is unknown, as "
            + "with fewer than " + LEAST_FORKS + " forks, or its baseline is not steady";

    private static final double WIDE = 1.3;
    private static final int QUOTABLE_FORKS = 5;
    private static final int WINDOWS = 3;
    private static final double TOLERANCE = 0.03;

    private Confidence() {}

    /// What an iteration has measured.
    ///
    /// @param nanos      time of an operation
    /// @param bytes      garbage of an operation
    /// @param leastBytes the change in the garbage that may be due to JMH itself
    /// @param compiling  the time of the compilations that finished meanwhile, as a part of the iteration's length
    public record Window(double nanos, double bytes, double leastBytes, double compiling) {}

    /// {@return whether the last three windows agree and the last window is undisturbed; fewer than three windows are
    /// never steady}
    ///
    /// @param windows the iterations so far
    public static boolean isSteady(List<Window> windows) {
        List<Window> last = windows.subList(Math.max(0, windows.size() - WINDOWS), windows.size());
        return last.size() == WINDOWS && agree(last, Window::nanos, 0)
                && agree(last, Window::bytes, last.getLast().leastBytes) && last.getLast().compiling <= TOLERANCE;
    }

    private static boolean agree(List<Window> windows, ToDoubleFunction<Window> value, double tolerated) {
        DoubleSummaryStatistics values = windows.stream().mapToDouble(value).summaryStatistics();
        return values.getMax() - values.getMin() <= Math.max(tolerated, TOLERANCE * values.getMin());
    }

    /// Returns a note if the warm-up of at least half of the forks ended before the time of an operation was steady.
    static Optional<CellNote> noteIfUnsteady(Measurement measurement) {
        int forks = measurement.forks().size();
        long unsteady = measurement.values(Metric.WARM_UP_STEADY).filter(steady -> steady == 0).count();
        return unsteady == 0 || 2 * unsteady < forks
                ? Optional.empty()
                : Optional.of(new CellNote(measurement.cell(), String.format(Locale.ROOT,
                        "time or garbage still changed after a warm-up of %.1f s, in %d of %d forks",
                        measurement.range(Metric.WARM_UP).getMax() / 1000, unsteady, forks),
                        CellNote.Kind.NOT_STEADY));
    }

    /// Returns whether it is open which candidate is faster, or by how much: the interval contains 1, is wide, or is
    /// unknown.
    static boolean isUncertain(Ratio ratio) {
        return ratio.contains(1) || !(ratio.high() / ratio.low() <= WIDE);
    }

    /// Returns whether a measured ratio leaves it open whether a target is reached.
    static boolean isUncertain(Ratio ratio, double target) {
        return ratio.contains(target) || Double.isNaN(ratio.low());
    }

    /// Returns whether a cell has too few forks for its figure to be quoted.
    static boolean isPreliminary(Results results) {
        return results.measurements().stream().anyMatch(each -> each.forks().size() < QUOTABLE_FORKS);
    }
}
