package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// What changed between two runs, cell by cell.
///
/// A cell is slower when all forks of the new run were slower than all of the old one, and the medians are more than 5 %
/// apart; faster likewise. So a difference within the spread of either run is none. With few forks the spread is hardly
/// known: two runs of the same code with one fork each nearly always differ in one direction or the other, of three forks
/// each one cell in ten does (2 of the 20 ways to deal six forks to two runs), of five each one in a hundred. The 5 % catch
/// some of that, but not another machine, another JDK, or a machine that was busy during one of the runs. A single fork is
/// taken to spread as its iterations do, which is less than forks do.
///
/// @param changes one per cell of either run, in the order of the old one, what only the new one has after that
public record Comparison(List<Change> changes) {
    /// Below this part of the median a difference is not worth a word, even where it is beyond the spread.
    private static final double LEAST = 0.05;

    /// Forks of each run below which the verdict is a hint.
    private static final int FEW = 5;

    /// What became of a cell.
    public enum Verdict {
        /// More time than before, beyond the spread.
        SLOWER,
        /// Less time than before, beyond the spread.
        FASTER,
        /// No difference that the spread would not explain.
        SAME,
        /// Measured in the old run alone.
        ONLY_OLD,
        /// Measured in the new run alone.
        ONLY_NEW;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace("_", " in ");
        }
    }

    /// A cell of either run.
    ///
    /// @param cell    who answered what
    /// @param before  the old measurement, if there is one
    /// @param after   the new measurement, if there is one
    /// @param verdict what became of it
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
    /// @throws IOException naming the file that is missing or not a result file
    public static Comparison of(Path before, Path after) throws IOException {
        return of(Results.read(before), Results.read(after));
    }

    /// Compares two runs.
    ///
    /// @param before the old one
    /// @param after  the new one
    /// @return what changed
    public static Comparison of(Results before, Results after) {
        Set<Cell> cells = new LinkedHashSet<>();
        before.measurements().forEach(measurement -> cells.add(measurement.cell()));
        after.measurements().forEach(measurement -> cells.add(measurement.cell()));
        List<Change> changes = new ArrayList<>();
        for (Cell cell : cells) {
            Optional<Measurement> old = before.find(cell);
            Optional<Measurement> now = after.find(cell);
            Verdict verdict = old.isEmpty()
                    ? Verdict.ONLY_NEW
                    : now.map(measured -> verdict(old.get(), measured)).orElse(Verdict.ONLY_OLD);
            changes.add(new Change(cell, old, now, verdict));
        }
        return new Comparison(changes);
    }

    /// {@return whether a cell got slower}
    public boolean anythingSlower() {
        return count(Verdict.SLOWER) > 0;
    }

    /// {@return a table of all cells but those that stayed the same, the slower ones first, and a line that counts them all}
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (count(Verdict.SAME) < changes.size()) {
            TextTable table = new TextTable("verdict", "question", "params", "contestant", ">old ns/op", ">min..max",
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
        int forks = leastForks();
        if (forks < FEW) {
            text.append("With ")
                    .append(forks == 1 ? "a single fork" : forks + " forks")
                    .append(" a verdict is a hint: run at least ")
                    .append(FEW)
                    .append(" of each to be surer\n");
        }
        return text.toString();
    }

    private static Verdict verdict(Measurement before, Measurement after) {
        double change = after.nanos() / before.nanos();
        if (after.fastest() > before.slowest() && change > 1 + LEAST) {
            return Verdict.SLOWER;
        }
        return after.slowest() < before.fastest() && change < 1 - LEAST ? Verdict.FASTER : Verdict.SAME;
    }

    private static String[] row(Change change) {
        Cell cell = change.cell;
        return new String[]{change.verdict.toString(), Labels.question(cell.question()),
                Labels.params(cell.conditions()), cell.contestant(), time(change.before), range(change.before),
                time(change.after), range(change.after),
                change.before.flatMap(old -> change.after.map(now -> String.format(Locale.ROOT, "%+.0f %%",
                        100 * (now.nanos() / old.nanos() - 1)))).orElse("-")};
    }

    private static String time(Optional<Measurement> measurement) {
        return measurement.map(measured -> Labels.modes(measured.modes())).orElse("-");
    }

    private static String range(Optional<Measurement> measurement) {
        return measurement.map(measured -> Labels.number(measured.fastest()) + ".." + Labels.number(
                measured.slowest())).orElse("-");
    }

    private long count(Verdict verdict) {
        return changes.stream().filter(change -> change.verdict == verdict).count();
    }

    private String counted(Verdict verdict) {
        return count(verdict) == 0 ? "" : ", " + count(verdict) + " " + verdict;
    }

    private int leastForks() {
        return changes.stream()
                .filter(change -> change.before.isPresent() && change.after.isPresent())
                .flatMap(change -> change.before.stream()
                        .flatMap(old -> change.after.stream()
                                .mapToInt(
                                        now -> Math.min(old.forks().size(), now.forks().size()))
                                .boxed()))
                .min(Integer::compare)
                .orElse(FEW);
    }
}
