package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.CellNote;
import dev.arenakit.bench.report.JoinedRuns;
import dev.arenakit.bench.report.Measurement;
import dev.arenakit.bench.report.Report;
import dev.arenakit.bench.report.Results;
import dev.arenakit.bench.report.RunDescription;
import dev.arenakit.bench.report.Target;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command that writes a report of one or several runs again.
@Command(name = "report", mixinStandardHelpOptions = true,
        description = "Writes one report of one or several result files of the same machine. Forks of a cell that is in "
                + "several files are taken together; runs of several JDKs are shown side by side.",
        exitCodeListHeading = "Exit codes:%n", exitCodeList = {
                "0:the report was written", "1:nothing was measured, or the report could not be written",
                "2:bad usage, a file cannot be read, or the runs cannot be joined"})
final class ReportCommand implements Callable<Integer> {
    private final List<Suite> suites;
    private final PrintStream out;

    @Spec
    private @Nullable CommandSpec command;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "The results.json of a run, or its directory.")
    private List<Path> files = List.of();

    @Option(names = "--report", paramLabel = "DIR",
            description = "Write the report to this directory; the default for one file is the directory of the file.")
    private @Nullable Path report;

    /// @param suites the suites whose targets are shown
    ReportCommand(List<Suite> suites, PrintStream out) {
        this.suites = suites;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        if (report == null && files.size() > 1) {
            throw wrong("No directory for the report of several files: --report=DIR is missing");
        }
        JoinedRuns joined;
        try {
            joined = JoinedRuns.of(files.stream().map(Results::file).toList());
        } catch (IOException | IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        Path directory = report == null
                ? Objects.requireNonNull(Results.file(files.getFirst()).toAbsolutePath().getParent())
                : Files.createDirectories(report);
        print(out, directory, joined.results(), joined.description(), targets(joined));
        if (joined.results().measurements().isEmpty()) {
            out.println("Nothing was measured; " + SuiteRunner.LOG
                    + " beside the results has the output of the benchmarks");
            return 1;
        }
        return 0;
    }

    /// Writes a report, and prints its tables and notes. Both have the targets that are asked of the JDKs that
    /// measured.
    ///
    /// @param all the targets of the suite, for any JDK
    /// @return whether a candidate failed
    static boolean print(PrintStream out, Path directory, Results results, RunDescription run, List<Target> all)
            throws IOException {
        List<Target> targets = all.stream().filter(target -> target.isAsked(results)).toList();
        List<CellNote> notes = Report.notes(results, run);
        run.warnings().forEach(out::println);
        out.println(Report.result(results, notes, targets));
        out.println();
        out.print(Report.table(results, notes));
        out.print(Report.legend(results));
        if (!targets.isEmpty()) {
            out.println();
            out.print(Target.table(targets, results));
        }
        print(out, "Not measured:", notes.stream().filter(note -> !note.isMeasured()));
        print(out, "Measured, but not to be trusted:", notes.stream().filter(CellNote::isMeasured));
        out.println();
        out.println("Report:  " + Report.write(directory, results, run, targets));
        return notes.stream().anyMatch(CellNote::isFailure);
    }

    /// Prints notes, one line for all cells of a candidate with the same note.
    private static void print(PrintStream out, String title, Stream<CellNote> notes) {
        Map<String, Long> lines = notes.collect(Collectors.groupingBy(
                note -> note.cell().candidate() + ": " + note.describe(), LinkedHashMap::new, Collectors.counting()));
        if (!lines.isEmpty()) {
            out.println();
            out.println(title);
            lines.forEach((line, cells) -> out.println("  " + line + (cells > 1 ? "  (" + cells + " cells)" : "")));
        }
    }

    /// Returns the targets of the suites that ran, as far as their cells were measured.
    private List<Target> targets(JoinedRuns joined) {
        List<String> names = List.of(joined.description().suite().split(", "));
        List<Cell> cells = joined.results().measurements().stream().map(Measurement::cell).toList();
        Set<String> jdks = cells.stream()
                .flatMap(cell -> Stream.ofNullable(cell.params().get(Cell.JDK)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return suites.stream()
                .filter(suite -> names.contains(suite.name()))
                .map(suite -> jdks.isEmpty() ? suite : suite.withJdks(jdks))
                .flatMap(suite -> suite.withCells(cells).targets().stream())
                .toList();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(command).commandLine(), message);
    }
}
