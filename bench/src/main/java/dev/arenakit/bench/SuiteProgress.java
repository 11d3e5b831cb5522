package dev.arenakit.bench;

import dev.arenakit.bench.candidate.ContractException;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.ReportFormat;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/// Prints the progress of a run: a line for each completed fork, and the time that the rest will take.
final class SuiteProgress {
    // The time from the start of a forked JVM to its first iteration. This guess is used until a fork has been timed.
    private static final Duration FORK_START = Duration.ofMillis(700);

    // More causes of failures of one provider are in the log only.
    private static final int MAX_FAILURES = 5;

    private final PrintStream out;
    private final boolean isTerminal;
    private int total;
    private int done;
    private int nameWidth;
    private long begun;
    private Duration expectedPerFork = Duration.ZERO;

    /// @param isTerminal whether a line can be overwritten
    SuiteProgress(PrintStream out, boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /// @param unsound cells that are not going to run
    void begin(Suite suite, int unsound) {
        total = (suite.cells().size() - unsound) * suite.forks();
        nameWidth = suite.cells().stream().mapToInt(cell -> cell.name().length()).max().orElse(0);
        expectedPerFork = suite.warmup().total().plus(suite.measurement().total()).plus(FORK_START);
        begun = System.nanoTime();
        out.printf(Locale.ROOT, "%d cells, %d %s each, warm-up %s, measurement %s; %s%n", suite.cells().size(),
                suite.forks(), suite.forks() == 1 ? "fork" : "forks", suite.warmupRange(), suite.measurement(), left());
    }

    /// Reports the check of a provider that is plugged in.
    ///
    /// @param problem the exception of the check, if it failed
    void checked(String provider, Optional<Throwable> problem) {
        out.print("Checked " + provider + ": ");
        switch (problem.orElse(null)) {
            case null -> out.println("it fulfils the contract of arenas");
            case ContractException broken -> {
                out.println("it breaks the contract of arenas, " + broken.count());
                broken.failures().stream().limit(MAX_FAILURES).forEach(failure -> out.print(failure.indent(2)));
                int more = broken.failures().size() - MAX_FAILURES;
                out.println((more > 0 ? "  ... and " + more + " more causes, see jmh.log; " : "  ")
                        + "it is measured nevertheless, and marked in the report");
            }
            case Throwable thrown -> out.println("it is not measured, " + thrown.getMessage());
        }
    }

    void started(Cell cell) {
        if (isTerminal) {
            out.print(line(done + 1, cell, "...") + "\r");
            out.flush();
        }
    }

    void finished(Cell cell, double nanosPerOperation) {
        done++;
        out.println(line(done, cell, ReportFormat.number(nanosPerOperation) + " ns/op"));
    }

    /// Reports that a cell has failed. The cell does not run in later rounds either.
    ///
    /// @param forksLeft the number of later rounds
    void failed(Cell cell, int forksLeft) {
        done++;
        out.println(line(done, cell, "no figure"));
        total -= forksLeft;
    }

    private String line(int number, Cell cell, String state) {
        // Blanks at the end overwrite the rest of a longer line.
        String line = ("%" + String.valueOf(total).length() + "d/%d  %-" + nameWidth + "s  %16s   %-20s")
                .formatted(number, total, cell.name(), state, left());
        return isTerminal ? line : line.stripTrailing();
    }

    private String left() {
        Duration perFork = done == 0 ? expectedPerFork : Duration.ofNanos((System.nanoTime() - begun) / done);
        Duration left = perFork.multipliedBy(total - done);
        if (done == total) {
            return "";
        }
        return left.toMinutes() < 2
                ? "about " + left.toSeconds() + " s left"
                : "about " + left.toMinutes() + " min left";
    }
}
