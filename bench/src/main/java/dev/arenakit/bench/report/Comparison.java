package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The changes between two runs, cell by cell.
///
/// A cell is slower or faster if the whole interval of the ratio of its forks is beyond a threshold: among cells that
/// did not change, hardly one in 10,000 is reported. The interval knows the noise of both runs, but not whether the
/// machine was busy during a whole run.
///
/// Cells are matched by simple class name, method and parameters, so a benchmark may move to another package between
/// the two runs.
///
/// @param changes   one change per cell of either run: first the cells of the old run, in its order, then the cells
///        that only the new run has
/// @param threshold a smaller difference does not count, as a part of the old value
/// @param metric    what is compared; smaller values are better
public record Comparison(List<Change> changes, double threshold, Metric metric) {
    /// How a cell changed.
    public enum Verdict {
        /// More time than before, or more of another metric.
        SLOWER,
        /// Less time than before, or less of another metric.
        FASTER,
        /// No difference that is certain to be beyond the threshold.
        SAME,
        /// Fewer than three forks with the metric, in either run.
        UNDECIDED,
        /// Measured in the old run only.
        ONLY_OLD,
        /// Measured in the new run only.
        ONLY_NEW
    }

    /// A cell of either run.
    ///
    /// @param cell    the cell, as the new run names it if it has the cell
    /// @param before  the old measurement, null if there is none
    /// @param after   the new measurement, null if there is none
    /// @param factor  the new value as a multiple of the old one
    /// @param verdict how the cell changed
    public record Change(Cell cell, @Nullable Measurement before, @Nullable Measurement after, Ratio factor,
            Verdict verdict) {
        private String percent() {
            return Double.isNaN(factor.estimate())
                    ? "-"
                    : String.format(Locale.ROOT, "%+.0f %% [%+.0f..%+.0f]", 100 * (factor.estimate() - 1),
                            100 * (factor.low() - 1), 100 * (factor.high() - 1));
        }
    }

    /// Keeps a copy of the list.
    public Comparison {
        changes = List.copyOf(changes);
    }

    /// Compares two runs.
    ///
    /// @param before    the old run
    /// @param after     the new run
    /// @param threshold a smaller difference does not count, as a part of the old value
    /// @param metric    what is compared
    /// @return what changed
    public static Comparison of(Results before, Results after, double threshold, Metric metric) {
        Map<Cell, Measurement> old = byCell(before);
        Map<Cell, Measurement> now = byCell(after);
        Set<Cell> cells = new LinkedHashSet<>(old.keySet());
        cells.addAll(now.keySet());
        List<Change> changes = new ArrayList<>();
        for (Cell cell : cells) {
            Measurement one = old.get(cell);
            Measurement other = now.get(cell);
            if (one != null && other != null) {
                Ratio factor = factor(one, other, metric);
                changes.add(new Change(other.cell(), one, other, factor, verdict(factor, threshold)));
            } else if (one != null) {
                changes.add(new Change(one.cell(), one, null, Ratio.UNKNOWN, Verdict.ONLY_OLD));
            } else if (other != null) {
                changes.add(new Change(other.cell(), null, other, Ratio.UNKNOWN, Verdict.ONLY_NEW));
            }
        }
        return new Comparison(changes, threshold, metric);
    }

    private static Map<Cell, Measurement> byCell(Results results) {
        Map<Cell, Measurement> measurements = new LinkedHashMap<>();
        results.measurements().forEach(each -> measurements.putIfAbsent(each.cell().withoutPackage(), each));
        return measurements;
    }

    private static Ratio factor(Measurement before, Measurement after, Metric metric) {
        // Smaller values are not due to the operation, and count as this value.
        double least = metric == Metric.BYTES ? Math.max(before.leastBytes(), after.leastBytes()) : 0;
        return Ratio.of(after.values(metric).map(value -> Math.max(value, least)),
                before.values(metric).map(value -> Math.max(value, least)));
    }

    private static Verdict verdict(Ratio factor, double threshold) {
        if (Double.isNaN(factor.low())) {
            return Verdict.UNDECIDED;
        }
        if (factor.low() > 1 + threshold) {
            return Verdict.SLOWER;
        }
        return factor.high() < 1 / (1 + threshold) ? Verdict.FASTER : Verdict.SAME;
    }

    /// {@return the number of cells with a verdict}
    ///
    /// @param verdict the verdict
    public long count(Verdict verdict) {
        return changes.stream().filter(change -> change.verdict == verdict).count();
    }

    /// {@return a table of all cells that changed, the slower ones first, and a line with the number of cells for each
    /// verdict}
    @Override
    public String toString() {
        TextTable table = new TextTable("verdict", "benchmark", "params", "candidate", ">old " + metric.heading(),
                ">min..max", ">new " + metric.heading(), ">min..max", ">change");
        List<String> counts = new ArrayList<>();
        for (Verdict verdict : Verdict.values()) {
            if (verdict != Verdict.SAME && verdict != Verdict.UNDECIDED) {
                changes.stream().filter(change -> change.verdict == verdict).forEach(change -> table.add(row(change)));
            }
            if (verdict.compareTo(Verdict.SAME) <= 0 || count(verdict) > 0) {
                counts.add(count(verdict) + " " + word(verdict));
            }
        }
        return (count(Verdict.SAME) + count(Verdict.UNDECIDED) < changes.size() ? table + "\n" : "")
                + String.join(", ", counts) + '\n';
    }

    private String[] row(Change change) {
        Cell cell = change.cell;
        return new String[]{word(change.verdict), ReportFormat.benchmark(cell.benchmarkClass()),
                ReportFormat.params(cell.conditions()), cell.candidate(), value(change.before), range(change.before),
                value(change.after), range(change.after), change.percent()};
    }

    private String value(@Nullable Measurement measurement) {
        return measurement == null ? "-" : metric.text(measurement.value(metric));
    }

    private String range(@Nullable Measurement measurement) {
        return measurement == null ? "-" : measurement.rangeText(metric);
    }

    private String word(Verdict verdict) {
        boolean isTime = metric == Metric.TIME || metric == Metric.CPU;
        return switch (verdict) {
            case SLOWER -> isTime ? "slower" : "more";
            case FASTER -> isTime ? "faster" : "less";
            case SAME -> String.format(Locale.ROOT, "without a significant difference above %.1f %%", 100 * threshold);
            case UNDECIDED -> "undecided: fewer than " + Confidence.LEAST_FORKS + " forks";
            case ONLY_OLD -> "only in old";
            case ONLY_NEW -> "only in new";
        };
    }
}
