package dev.arenakit.bench;

import dev.arenakit.bench.contestant.BuildFolder;
import dev.arenakit.bench.contestant.Contestants;
import dev.arenakit.bench.contestant.Workloads;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.Comparison;
import dev.arenakit.bench.report.Machine;
import dev.arenakit.bench.report.Missing;
import dev.arenakit.bench.report.Report;
import dev.arenakit.bench.report.Results;
import dev.arenakit.bench.report.Run;
import dev.arenakit.bench.report.Target;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs a suite of benchmarks and reports what it measured: as a table, a page with charts, and files for programs.
@Command(name = "Harness", mixinStandardHelpOptions = true,
        description = "Runs a suite of benchmarks, and ends in a table and a report with charts.",
        exitCodeListHeading = "Exit codes:%n", exitCodeList = {
                "0:everything was measured", "1:a benchmark failed, or the report could not be written", "2:bad usage"})
public final class Harness implements Callable<Integer> {
    private final List<Suite> suites;
    private final PrintStream out;

    @Spec
    private @Nullable CommandSpec command;

    @Parameters(index = "0", arity = "0..1", paramLabel = "SUITE", description = "What to run; --list names them.")
    private @Nullable String suite;

    @Option(names = "--list", description = "List the suites, the providers of arenas and the workloads, and end.")
    private boolean list;

    @Option(names = "--providers", paramLabel = "NAME", split = ",",
            description = "Measure these arenas beside those of the suite.")
    private List<String> providers = List.of();

    @Option(names = "--workloads", paramLabel = "NAME", split = ",",
            description = "Measure this work instead of the suite's own.")
    private List<String> workloads = List.of();

    @Option(names = "--forks", paramLabel = "N",
            description = "Start N JVMs for each cell instead of the suite's number.")
    private @Nullable Integer forks;

    @Option(names = "--only", paramLabel = "REGEX",
            description = "Run only the cells in whose name the expression is found, such as 'Session.*10x32'.")
    private @Nullable Pattern only;

    @Option(names = "--report", paramLabel = "DIR",
            description = "Where the report goes; next to the jar in a directory `report` unless given.")
    private @Nullable Path report;

    Harness(List<Suite> suites, PrintStream out) {
        this.suites = suites;
        this.out = out;
    }

    /// Runs the command and ends the JVM.
    ///
    /// @param args see `--help`
    public static void main(String[] args) {
        // The chart is written, never shown.
        System.setProperty("java.awt.headless", "true");
        System.exit(commandLine(Suites.ALL, System.out).execute(args));
    }

    static CommandLine commandLine(List<Suite> suites, PrintStream out) {
        // JMH's lock is one file for all users of the machine, and whoever comes second may not open it.
        System.setProperty("jmh.ignoreLock", "true");
        return new CommandLine(new Harness(suites, out)).setParameterExceptionHandler((e, _) -> {
            e.getCommandLine().getErr().println(e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }).setExecutionExceptionHandler((e, line, _) -> {
            if (!(e instanceof IOException)) {
                throw e;
            }
            line.getErr().println("No report: " + e);
            return CommandLine.ExitCode.SOFTWARE;
        });
    }

    @Override
    public Integer call() throws IOException {
        if (list) {
            printList();
            return 0;
        }
        Suite chosen = chosen();
        Path directory = Files.createDirectories(report == null ? BuildFolder.resolve("report") : report);
        Machine machine = Machine.here();
        Instant start = Instant.now();
        out.println(chosen.title());
        out.println(machine.describe() + machine.describeLoad());
        Console console = System.console();
        Rounds rounds = new Rounds(chosen, directory, new Progress(out, console != null && console.isTerminal()));
        // Should this run be interrupted, its results must not be taken for those of an earlier one.
        Files.deleteIfExists(directory.resolve(Run.FILE));
        List<Missing> missing = rounds.run();
        new Run(chosen.name(), chosen.title(), chosen.quick(), machine, rounds.flags(), start, missing)
                .write(directory);
        Results results = Results.read(rounds.resultFile());
        out.println();
        out.print(Report.table(results));
        out.print(Report.legend(results));
        if (!chosen.targets().isEmpty()) {
            out.println();
            out.print(Target.table(chosen.targets(), results));
        }
        boolean failed = printMissing(missing);
        out.println();
        out.println("Report:  " + Report.write(directory));
        out.println("Results: " + rounds.resultFile());
        if (failed) {
            out.println("What the failed benchmarks printed: " + rounds.log());
        }
        return failed ? 1 : 0;
    }

    /// Compares two runs.
    ///
    /// @param before result file of the old one
    /// @param after  result file of the new one
    /// @return 1 when anything got slower
    @Command(name = "compare", mixinStandardHelpOptions = true,
            description = "Compares two result files, and tells what got slower by more than the spread.",
            exitCodeListHeading = "Exit codes:%n", exitCodeList = {
                    "0:nothing got slower", "1:something did", "2:bad usage, or a file cannot be read"})
    int compare(@Parameters(paramLabel = "OLD", description = "A results.json.") Path before,
            @Parameters(paramLabel = "NEW", description = "Another.") Path after) {
        try {
            Comparison comparison = Comparison.of(before, after);
            out.print(comparison);
            return comparison.anythingSlower() ? 1 : 0;
        } catch (IOException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /// One line for all cells that miss for the same reason.
    ///
    /// @return whether a benchmark failed, which what is not installed does not
    private boolean printMissing(List<Missing> missing) {
        Map<String, Long> lines = missing.stream()
                .collect(Collectors.groupingBy(each -> each.cell().contestant() + ": " + each.describe(),
                        LinkedHashMap::new, Collectors.counting()));
        if (!lines.isEmpty()) {
            out.println();
            out.println("Not measured:");
            lines.forEach((line, cells) -> out.println("  " + line + (cells > 1 ? "  (" + cells + " cells)" : "")));
        }
        return missing.stream().anyMatch(each -> each.kind() != Missing.Kind.NOT_AVAILABLE);
    }

    private void printList() {
        out.println("Suites");
        suites.forEach(known -> out.printf("  %-8s  %s%n", known.name(), known.title()));
        out.println("Providers of arenas");
        Contestants.builtInNames().forEach(name -> out.println("  " + name));
        Contestants.serviceNames().forEach(name -> out.println("  " + name + "  (plugged in)"));
        out.println("Workloads");
        Workloads.builtInNames().forEach(name -> out.println("  " + name));
        Workloads.serviceNames().forEach(name -> out.println("  " + name + "  (plugged in)"));
    }

    private Suite chosen() {
        Suite chosen = suite == null && !(providers.isEmpty() && workloads.isEmpty()) ? Suites.OWN : named(suite);
        requireKnown("provider", providers, Contestants.builtInNames(), Contestants.serviceNames());
        requireKnown("workload", workloads, Workloads.builtInNames(), Workloads.serviceNames());
        chosen = workloads.isEmpty() ? chosen : chosen.withWorkloads(workloads);
        chosen = chosen.withProviders(providers);
        if (forks != null) {
            if (forks < 1) {
                throw wrong("No fork, no result: forks=" + forks);
            }
            chosen = chosen.withForks(forks);
        }
        if (only != null) {
            List<Cell> cells = chosen.cells()
                    .stream()
                    .filter(cell -> only.matcher(cell.benchmark() + cell.params()).find())
                    .toList();
            if (cells.isEmpty()) {
                throw wrong("No cell matches: only=" + only + ", suite=" + chosen.name());
            }
            chosen = chosen.withCells(cells);
        }
        return chosen;
    }

    private Suite named(@Nullable String name) {
        String names = suites.stream().map(Suite::name).collect(Collectors.joining(", "));
        if (name == null) {
            throw wrong("No suite given: suites=" + names);
        }
        return suites.stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> wrong("No such suite: name=" + name + ", suites=" + names));
    }

    private void requireKnown(String kind, List<String> asked, List<String> builtIn, List<String> services) {
        for (String name : asked) {
            if (!builtIn.contains(name) && !services.contains(name)) {
                throw wrong("No such " + kind + ": name=" + name + ", names="
                        + String.join(", ", builtIn) + (services.isEmpty() ? "" : ", ") + String.join(", ", services));
            }
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(command).commandLine(), message);
    }
}
