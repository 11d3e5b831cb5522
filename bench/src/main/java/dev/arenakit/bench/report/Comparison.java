package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What changed between two runs, cell by cell.
///
/// A cell is slower if all forks of the new run were slower than all forks of the old run and the medians are more than
/// 5 % apart; it is faster in the opposite case. A difference within the spread of either run therefore does not count.
/// With few forks the spread is hardly known. Two runs of the same code with one fork each nearly always differ in one
/// direction or the other; with three forks each, one cell in ten differs (2 of the 20 ways to deal six forks to two
/// runs); with five each, one in a hundred. The 5 % exclude some of these cases, but they do not help against another
/// machine, another JDK, or a machine that was busy during one of the runs. The spread of a single fork is taken to be
/// that of its iterations, which is smaller than the spread between forks.
///
/// Cells are matched by simple class name, method and parameters, so a benchmark may move to another package between
/// the two runs.
///
/// @param changes one per cell of either run: first those of the old run, in its order, then those of the new run alone
public record Comparison(List<Change> changes) {
    /// A difference below this part of the median does not count, even if it is beyond the spread.
    private static final double MIN_DIFFERENCE = 0.05;

    /// With fewer forks in either run, the verdict is a hint.
    private static final int MIN_FORKS = 5;

    /// How a cell changed.
    public enum Verdict {
        /// More time than before, beyond the spread.
        SLOWER,
        /// Less time than before, beyond the spread.
        FASTER,
        /// No difference beyond the spread.
        SAME,
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
    /// @param verdict how the cell changed
    public record Change(Cell cell, Optional<Measurement> before, Optional<Measurement> after, Verdict verdict) {}

    /// Keeps a copy of its argument.
    public Comparison {
        changes = List.copyOf(changes);
    }

    /// Compares two result files.
    ///
    /// @param before the old one, in JMH's JSON format
    /// @param after  the new one
    /// @return what changed
    /// @throws IOException if a file is missing or not a result file; the message names it
    public static Comparison of(Path before, Path after) throws IOException {
        return of(Results.read(before), Results.read(after));
    }

    /// Compares two runs.
    ///
    /// @param before the old one
    /// @param after  the new one
    /// @return what changed
    public static Comparison of(Results before, Results after) {
        Map<Cell, Measurement> old = byCell(before);
        Map<Cell, Measurement> now = byCell(after);
        Set<Cell> cells = new LinkedHashSet<>(old.keySet());
        cells.addAll(now.keySet());
        return new Comparison(cells.stream()
                .map(cell -> change(Optional.ofNullable(old.get(cell)), Optional.ofNullable(now.get(cell))))
                .toList());
    }

    private static Map<Cell, Measurement> byCell(Results results) {
        Map<Cell, Measurement> measurements = new LinkedHashMap<>();
        results.measurements()
                .forEach(measurement -> measurements.putIfAbsent(measurement.cell().withoutPackage(), measurement));
        return measurements;
    }

    private static Change change(Optional<Measurement> before, Optional<Measurement> after) {
        Verdict verdict = before.isEmpty()
                ? Verdict.ONLY_NEW
                : after.map(measured -> verdict(before.get(), measured)).orElse(Verdict.ONLY_OLD);
        return new Change(after.or(() -> before).orElseThrow().cell(), before, after, verdict);
    }

    /// {@return whether a cell became slower}
    public boolean anythingSlower() {
        return count(Verdict.SLOWER) > 0;
    }

    /// {@return a table of all cells that changed, the slower ones first, and a line with the number of cells for each
    /// verdict}
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (count(Verdict.SAME) < changes.size()) {
            TextTable table = new TextTable("verdict", "benchmark", "params", "candidate", ">old ns/op", ">min..max",
                    ">new ns/op", ">min..max", ">change");
            for (Verdict verdict : Verdict.values()) {
                changes.stream()
                        .filter(change -> change.verdict == verdict && verdict != Verdict.SAME)
                        .forEach(change -> table.add(row(change)));
            }
            text.append(table).append('\n');
        }
        text.append(String.format(Locale.ROOT, "%d slower, %d faster, %d the same within the spread", count(
                Verdict.SLOWER), count(Verdict.FASTER), count(Verdict.SAME)));
        text.append(counted(Verdict.ONLY_OLD)).append(counted(Verdict.ONLY_NEW)).append('\n');
        int forks = minForks();
        if (forks < MIN_FORKS) {
            text.append("With ")
                    .append(forks == 1 ? "a single fork" : forks + " forks")
                    .append(" a verdict is a hint: run at least ")
                    .append(MIN_FORKS)
                    .append(" of each to be surer\n");
        }
        return text.toString();
    }

    private static Verdict verdict(Measurement before, Measurement after) {
        double change = after.nanos() / before.nanos();
        if (after.fastest() > before.slowest() && change > 1 + MIN_DIFFERENCE) {
            return Verdict.SLOWER;
        }
        return after.slowest() < before.fastest() && change < 1 - MIN_DIFFERENCE ? Verdict.FASTER : Verdict.SAME;
    }

    private static String[] row(Change change) {
        Cell cell = change.cell;
        return new String[]{change.verdict.toString(), ReportFormat.benchmark(cell.benchmarkClass()),
                ReportFormat.params(cell.conditions()), cell.candidate(), time(change.before), range(change.before),
                time(change.after), range(change.after),
                change.before.flatMap(old -> change.after.map(now -> String.format(Locale.ROOT, "%+.0f %%",
                        100 * (now.nanos() / old.nanos() - 1)))).orElse("-")};
    }

    private static String time(Optional<Measurement> measurement) {
        return measurement.map(measured -> ReportFormat.modes(measured.modes())).orElse("-");
    }

    private static String range(Optional<Measurement> measurement) {
        return measurement.map(measured -> ReportFormat.number(measured.fastest()) + ".." + ReportFormat.number(
                measured.slowest())).orElse("-");
    }

    private long count(Verdict verdict) {
        return changes.stream().filter(change -> change.verdict == verdict).count();
    }

    private String counted(Verdict verdict) {
        return count(verdict) == 0 ? "" : ", " + count(verdict) + " " + verdict;
    }

    private int minForks() {
        return changes.stream()
                .filter(change -> change.before.isPresent() && change.after.isPresent())
                .flatMap(change -> change.before.stream()
                        .flatMap(old -> change.after.stream()
                                .mapToInt(
                                        now -> Math.min(old.forks().size(), now.forks().size()))
                                .boxed()))
                .min(Integer::compare)
                .orElse(MIN_FORKS);
    }
}
