package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;

/// The changes between two runs, cell by cell.
///
/// The forks of a cell in both runs are compared by the test of Mann and Whitney, which assumes nothing of their
/// distribution. A cell is slower or faster if the difference is significant at 5 %, after a correction for the number
/// of cells, and larger than a threshold: of all cells that are reported, at most one in twenty is expected to be there
/// by chance. The number of forks limits the test. With fewer than four forks in either run, it cannot decide; with few
/// forks, it can decide only if many cells changed. The test knows the noise of both runs, but not whether the machine
/// was busy during a whole run.
///
/// Cells are matched by simple class name, method and parameters, so a benchmark may move to another package between
/// the two runs. If each run has one JDK, its name does not matter.
///
/// @param changes   one change per cell of either run: first the cells of the old run, in its order, then the cells
///        that only the new run has
/// @param threshold a smaller difference does not count, as a part of the old value
/// @param metric    what is compared
public record Comparison(List<Change> changes, double threshold, ComparedMetric metric) {
    /// The threshold, unless another is given.
    public static final double DEFAULT_THRESHOLD = 0.05;

    // The part of the reported differences that may be there by chance.
    private static final double LEVEL = 0.05;

    /// How a cell changed.
    public enum Verdict {
        /// More time than before, or more of another metric.
        SLOWER,
        /// Less time than before, or less of another metric.
        FASTER,
        /// No significant difference, or one below the threshold.
        SAME,
        /// Too few forks to decide.
        UNDECIDED,
        /// Measured in the old run only.
        ONLY_OLD,
        /// Measured in the new run only.
        ONLY_NEW;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace("_", " in ");
        }
    }

    /// A cell of either run.
    ///
    /// @param cell    the cell, as the new run names it if it has the cell
    /// @param before  the old measurement, if there is one
    /// @param after   the new measurement, if there is one
    /// @param factor  the new value as a multiple of the old one; NaN if either is missing
    /// @param chance  the probability of such a difference without a change, corrected for the number of cells; NaN if
    ///        the test cannot decide
    /// @param verdict how the cell changed
    public record Change(Cell cell, Optional<Measurement> before, Optional<Measurement> after, double factor,
            double chance, Verdict verdict) {
        // If the old value is near 0, the percentage says nothing.
        private static final double LARGEST = 11;

        /// {@return the difference in percent, with its sign; `-` if either run lacks the cell}
        public String percent() {
            if (Double.isNaN(factor)) {
                return "-";
            }
            return factor > LARGEST ? "over +1000 %" : String.format(Locale.ROOT, "%+.0f %%", 100 * (factor - 1));
        }
    }

    private record Pair(Optional<Measurement> before, Optional<Measurement> after, ComparedMetric metric) {
        boolean isInBoth() {
            return before.isPresent() && after.isPresent();
        }

        int forks() {
            return Math.min(metric.sorted(before.orElseThrow()).length, metric.sorted(after.orElseThrow()).length);
        }

        boolean isTested() {
            return isInBoth() && forks() >= RankTest.MIN_VALUES;
        }

        double pValue() {
            return RankTest.pValue(logarithms(before), logarithms(after));
        }

        double factor() {
            return isInBoth() && forks() > 0
                    ? Math.exp(Resampling.shiftOf(logarithms(before), logarithms(after)))
                    : Double.NaN;
        }

        private double[] logarithms(Optional<Measurement> measurement) {
            double least = metric.least(before.orElseThrow(), after.orElseThrow());
            return DoubleStream.of(metric.sorted(measurement.orElseThrow()))
                    .map(value -> Math.log(Math.max(value, least)))
                    .toArray();
        }
    }

    /// Keeps a copy of the list.
    public Comparison {
        changes = List.copyOf(changes);
    }

    /// Compares the times of two runs.
    ///
    /// @param before    the old run
    /// @param after     the new run
    /// @param threshold a smaller difference does not count, as a part of the old time
    /// @return what changed
    public static Comparison of(Results before, Results after, double threshold) {
        return of(before, after, threshold, ComparedMetric.TIME);
    }

    /// Compares two runs.
    ///
    /// @param before    the old run
    /// @param after     the new run
    /// @param threshold a smaller difference does not count, as a part of the old value
    /// @param metric    what is compared
    /// @return what changed
    public static Comparison of(Results before, Results after, double threshold, ComparedMetric metric) {
        boolean withJdk = hasSeveralJdks(before) || hasSeveralJdks(after);
        Map<Cell, Measurement> old = byCell(before, withJdk);
        Map<Cell, Measurement> now = byCell(after, withJdk);
        Set<Cell> cells = new LinkedHashSet<>(old.keySet());
        cells.addAll(now.keySet());
        List<Pair> pairs = cells.stream()
                .map(cell -> new Pair(Optional.ofNullable(old.get(cell)), Optional.ofNullable(now.get(cell)),
                        metric))
                .toList();
        List<Pair> tested = pairs.stream().filter(Pair::isTested).toList();
        double[] corrected = RankTest.corrected(tested.stream().map(Pair::pValue).toList());
        List<Change> changes = new ArrayList<>();
        int next = 0;
        for (Pair pair : pairs) {
            changes.add(change(pair, pair.isTested() ? corrected[next++] : Double.NaN, threshold));
        }
        return new Comparison(changes, threshold, metric);
    }

    private static boolean hasSeveralJdks(Results results) {
        return results.measurements()
                .stream()
                .map(measurement -> measurement.cell().params().getOrDefault(Cell.JDK, ""))
                .distinct()
                .count() > 1;
    }

    private static Map<Cell, Measurement> byCell(Results results, boolean withJdk) {
        Map<Cell, Measurement> measurements = new LinkedHashMap<>();
        for (Measurement measurement : results.measurements()) {
            Cell cell = measurement.cell().withoutPackage();
            measurements.putIfAbsent(withJdk ? cell : cell.withoutJdk(), measurement);
        }
        return measurements;
    }

    private static Change change(Pair pair, double chance, double threshold) {
        double factor = pair.factor();
        return new Change(pair.after.or(() -> pair.before).orElseThrow().cell(), pair.before, pair.after, factor,
                chance,
                pair.isInBoth()
                        ? verdict(factor, chance, threshold)
                        : pair.before.isPresent() ? Verdict.ONLY_OLD : Verdict.ONLY_NEW);
    }

    private static Verdict verdict(double factor, double chance, double threshold) {
        if (Double.isNaN(chance)) {
            return Verdict.UNDECIDED;
        }
        if (chance > LEVEL || Math.abs(factor - 1) <= threshold) {
            return Verdict.SAME;
        }
        return factor > 1 ? Verdict.SLOWER : Verdict.FASTER;
    }

    /// {@return whether a cell became slower}
    public boolean anythingSlower() {
        return count(Verdict.SLOWER) > 0;
    }

    /// {@return the cells that both runs have measured}
    public List<Cell> common() {
        return changes.stream()
                .filter(change -> change.before.isPresent() && change.after.isPresent())
                .map(Change::cell)
                .toList();
    }

    /// {@return whether at least one cell has enough forks in both runs to find a difference}
    public boolean anythingDecided() {
        return changes.stream().anyMatch(change -> !Double.isNaN(change.chance));
    }

    /// {@return a table of all cells that changed, the slower ones first, and a line with the number of cells for each
    /// verdict}
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (count(Verdict.SAME) + count(Verdict.UNDECIDED) < changes.size()) {
            TextTable table = new TextTable("verdict", "benchmark", "params", "candidate", ">old " + metric.unit(),
                    ">min..max", ">new " + metric.unit(), ">min..max", ">change", ">chance");
            for (Verdict verdict : Verdict.values()) {
                changes.stream()
                        .filter(change -> change.verdict == verdict && verdict != Verdict.SAME
                                && verdict != Verdict.UNDECIDED)
                        .forEach(change -> table.add(row(change)));
            }
            text.append(table).append('\n');
        }
        text.append(
                String.format(Locale.ROOT, "%d %s, %d %s, %d without a significant difference above %.1f %%",
                        count(Verdict.SLOWER), metric.more(), count(Verdict.FASTER), metric.less(),
                        count(Verdict.SAME), 100 * threshold));
        text.append(counted(Verdict.UNDECIDED)).append(counted(Verdict.ONLY_OLD)).append(counted(Verdict.ONLY_NEW));
        return text.append('\n').append(hint()).toString();
    }

    /// Returns a hint that the runs have too few forks; empty if they have enough.
    private String hint() {
        int tests = (int) changes.stream().filter(change -> !Double.isNaN(change.chance)).count();
        int enough = RankTest.enough(Math.max(1, tests), LEVEL);
        int forks = changes.stream()
                .filter(change -> !Double.isNaN(change.factor))
                .mapToInt(change -> new Pair(change.before, change.after, metric).forks())
                .min()
                .orElse(enough);
        return forks >= enough
                ? ""
                : "With " + (forks == 1 ? "a single fork" : forks + " forks")
                        + (metric == ComparedMetric.TIME ? "" : " that have this metric") + (forks < RankTest.MIN_VALUES
                                ? " no difference is significant"
                                : " a difference of one cell among " + tests + " is not significant, however large")
                        + ": run at least " + enough + " of each\n";
    }

    private String[] row(Change change) {
        Cell cell = change.cell;
        return new String[]{word(change.verdict), ReportFormat.benchmark(cell.benchmarkClass()),
                ReportFormat.params(cell.conditions()), cell.candidate(), value(change.before), range(change.before),
                value(change.after), range(change.after), change.percent(),
                Double.isNaN(change.chance) ? "-" : String.format(Locale.ROOT, "%.2g", change.chance)};
    }

    private String word(Verdict verdict) {
        return switch (verdict) {
            case SLOWER -> metric.more();
            case FASTER -> metric.less();
            default -> verdict.toString();
        };
    }

    /// Returns the median of the forks, or of the forks in either of two modes.
    private String value(Optional<Measurement> measurement) {
        return measurement.map(measured -> metric == ComparedMetric.TIME
                ? ReportFormat.modes(measured.modes())
                : ReportFormat.number(metric.typical(measured))).orElse("-");
    }

    private String range(Optional<Measurement> measurement) {
        return measurement.map(metric::sorted)
                .filter(values -> values.length > 0)
                .map(values -> ReportFormat.number(values[0]) + ".." + ReportFormat.number(values[values.length - 1]))
                .orElse("-");
    }

    private long count(Verdict verdict) {
        return changes.stream().filter(change -> change.verdict == verdict).count();
    }

    private String counted(Verdict verdict) {
        return count(verdict) == 0 ? "" : ", " + count(verdict) + " " + verdict;
    }
}
