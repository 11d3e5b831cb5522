package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.Machine;
import dev.arenakit.bench.report.Report;
import dev.arenakit.bench.report.Results;
import dev.arenakit.bench.report.Target;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/// Runs a suite of benchmarks and reports what it measured, as a table, a chart, and a file in JMH's format.
@Command(name = "Harness", mixinStandardHelpOptions = true,
        description = "Runs a suite of benchmarks, and ends in a table and a chart.",
        exitCodeListHeading = "Exit codes:%n", exitCodeList = {
                "0:everything was measured", "1:a benchmark failed, or the report could not be written", "2:bad usage"})
public final class Harness implements Callable<Integer> {
    private final List<Suite> suites;
    private final PrintStream out;

    @Spec
    private @Nullable CommandSpec command;

    @Parameters(index = "0", arity = "0..1", paramLabel = "SUITE", description = "What to run; --list names them.")
    private @Nullable String suite;

    @Option(names = "--list", description = "List the suites and end.")
    private boolean list;

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
            suites.forEach(known -> out.printf("%-8s  %s%n", known.name(), known.title()));
            return 0;
        }
        Suite chosen = chosen();
        Path directory = Files.createDirectories(report == null ? besideTheCode() : report);
        Machine machine = Machine.here();
        out.println(chosen.title());
        out.println(machine.describe() + machine.describeLoad());
        Console console = System.console();
        Rounds rounds = new Rounds(chosen, directory, new Progress(out, console != null && console.isTerminal()));
        Map<Cell, String> failures = rounds.run();
        failures.forEach((cell, why) -> out.println("Failed: " + cell.benchmark() + " " + cell.params() + ": " + why));
        if (!failures.isEmpty()) {
            out.println("What the failed benchmarks printed: " + rounds.log());
        }
        Results results = Results.read(rounds.resultFile());
        out.println();
        out.print(Report.table(results));
        out.print(Report.legend(results));
        if (!chosen.targets().isEmpty()) {
            out.println();
            out.print(Target.table(chosen.targets(), results));
        }
        out.println();
        out.println("Results: " + rounds.resultFile());
        out.println("Report:  " + Report.write(directory));
        return failures.isEmpty() ? 0 : 1;
    }

    private Suite chosen() {
        CommandLine line = Objects.requireNonNull(command).commandLine();
        String names = suites.stream().map(Suite::name).collect(Collectors.joining(", "));
        if (suite == null) {
            throw new ParameterException(line, "No suite given: suites=" + names);
        }
        Suite chosen = suites.stream()
                .filter(known -> known.name().equals(suite))
                .findFirst()
                .orElseThrow(() -> new ParameterException(line, "No such suite: name=" + suite + ", suites=" + names));
        if (forks != null) {
            if (forks < 1) {
                throw new ParameterException(line, "No fork, no result: forks=" + forks);
            }
            chosen = chosen.withForks(forks);
        }
        if (only != null) {
            List<Cell> cells = chosen.cells()
                    .stream()
                    .filter(cell -> only.matcher(cell.benchmark() + cell.params()).find())
                    .toList();
            if (cells.isEmpty()) {
                throw new ParameterException(line, "No cell matches: only=" + only + ", suite=" + suite);
            }
            chosen = chosen.withCells(cells);
        }
        return chosen;
    }

    /// `target/report`, whether the classes are in `target/classes` or in `target/benchmarks.jar`.
    private static Path besideTheCode() {
        try {
            return Path.of(Harness.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .resolveSibling("report");
        } catch (URISyntaxException e) {
            throw new IllegalStateException("Cannot tell where the classes are; give --report", e);
        }
    }
}
