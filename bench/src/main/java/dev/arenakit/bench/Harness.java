package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.candidate.Workloads;
import dev.arenakit.bench.candidate.peer.BuildDirectory;
import dev.arenakit.bench.replay.ReplayProgram;
import dev.arenakit.bench.replay.ReplayReport;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.CellNote;
import dev.arenakit.bench.report.Measurement;
import dev.arenakit.bench.report.Report;
import dev.arenakit.bench.report.Results;
import dev.arenakit.bench.report.RunDescription;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command that runs a suite of benchmarks and reports the results as a table, a page with charts, and files for
/// programs.
@Command(name = "Harness", mixinStandardHelpOptions = true,
        description = "Runs a suite of benchmarks, and writes a table and a report with charts.",
        exitCodeListHeading = "Exit codes:%n", exitCodeList = {
                "0:everything was measured but what needs something that is not installed",
                "1:a benchmark failed, an arena breaks the contract or leaks, or the report could not be written",
                "2:bad usage, or another run measures on this machine"})
public final class Harness implements Callable<Integer> {
    /// The file that a run locks while it measures, since two runs on one machine disturb each other. The system
    /// releases the lock when the process ends, however it ends. JMH has a lock, too, but only the user who created its
    /// file can take it.
    private static final Path LOCK_FILE = Path.of(System.getProperty("java.io.tmpdir"), "arenakit-bench.lock");

    private final List<Suite> suites;
    private final PrintStream out;
    private final Path lockFile;

    @Spec
    private @Nullable CommandSpec command;

    @Parameters(index = "0", arity = "0..1", paramLabel = "SUITE",
            description = "The suite to run; --list prints the names.")
    private @Nullable String suite;

    @Option(names = "--list", description = "List the suites, the providers of arenas and the workloads, and exit.")
    private boolean list;

    @Option(names = "--providers", paramLabel = "NAME", split = ",",
            description = "Measure the arenas of these providers in addition to those of the suite.")
    private List<String> providers = List.of();

    @Option(names = "--workloads", paramLabel = "NAME", split = ",",
            description = "Run the suite's benchmarks of workloads with these instead of its own, and no others.")
    private List<String> workloads = List.of();

    @Option(names = "--forks", paramLabel = "N",
            description = "Start N JVMs for each cell instead of the suite's number.")
    private @Nullable Integer forks;

    @Option(names = "--only", paramLabel = "REGEX",
            description = "Run only the cells whose name contains a match of the expression: the name in JMH, such as "
                    + "'Session.*10x32', or the name in the report, which --list-cells prints.")
    private @Nullable Pattern only;

    @Option(names = "--list-cells", description = "List the cells that would run, and exit.")
    private boolean listCells;

    @Option(names = "--warmup", paramLabel = "NxMS",
            description = "Warm each JVM up with N to 5 N iterations of MS milliseconds instead of the suite's, until its "
                    + "figures are steady.")
    private @Nullable Iterations warmup;

    @Option(names = "--iterations", paramLabel = "NxMS",
            description = "Measure N iterations of MS milliseconds in each JVM instead of the suite's.")
    private @Nullable Iterations measurement;

    @Option(names = "--jvm-args", paramLabel = "ARGS",
            description = "Start the measuring JVMs with these arguments, separated by spaces, before those of the "
                    + "benchmarks.")
    private String jvmArgs = "";

    @Option(names = "--jvm", paramLabel = "PATH",
            description = "Measure with this JDK, 25 or newer.")
    private Path jvm = Path.of(System.getProperty("java.home"));

    @Option(names = "--report", paramLabel = "DIR",
            description = "Write the report to this directory; the default is `report`, next to the jar.")
    private @Nullable Path report;

    Harness(List<Suite> suites, PrintStream out, Path lockFile) {
        this.suites = suites;
        this.out = out;
        this.lockFile = lockFile;
    }

    /// Runs the command and ends the JVM.
    ///
    /// @param args see `--help`
    public static void main(String[] args) {
        // The harness never displays anything.
        System.setProperty("java.awt.headless", "true");
        System.exit(commandLine(Suites.ALL, System.out, LOCK_FILE).execute(args));
    }

    /// @param lockFile the file that a run locks while it measures
    static CommandLine commandLine(List<Suite> suites, PrintStream out, Path lockFile) {
        // The lock of the harness replaces JMH's lock.
        System.setProperty("jmh.ignoreLock", "true");
        CommandLine line = new CommandLine(new Harness(suites, out, lockFile));
        line.registerConverter(Iterations.class, Iterations::parse);
        line.addSubcommand(new CompareCommand(out));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionStrategy(parsed -> {
            try {
                return new CommandLine.RunLast().execute(parsed);
            } catch (ServiceConfigurationError e) {
                throw new ParameterException(line, "A service cannot be loaded: reason=" + e.getMessage()
                        + (e.getCause() == null ? "" : ", cause=" + e.getCause())
                        + "; correct its file in META-INF/services", e);
            }
        });
        return line.setParameterExceptionHandler((e, _) -> {
            e.getCommandLine().getErr().println(e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }).setExecutionExceptionHandler((e, failed, _) -> {
            if (!(e instanceof IOException)) {
                throw e;
            }
            failed.getErr().println("The report could not be written: " + e);
            return CommandLine.ExitCode.SOFTWARE;
        });
    }

    @Override
    public Integer call() throws IOException {
        if (list) {
            printList();
            return 0;
        }
        MeasuringJvm measuring = measuring();
        Suite chosen = chosen();
        return run(chosen, measuring);
    }

    private int run(Suite chosen, MeasuringJvm measuring) throws IOException {
        if (listCells) {
            chosen.cells().stream().map(Cell::name).forEach(out::println);
            return 0;
        }
        FileChannel locked = lock();
        try (locked) {
            return measure(chosen, measuring);
        }
    }

    /// Locks the file. A run goes on without a lock if the file system has none, or this user may not use the file.
    ///
    /// @return the locked file; null if it cannot be locked
    private @Nullable FileChannel lock() throws IOException {
        FileChannel channel = null;
        try {
            // The permissions are set afterwards, since the permissions at creation are masked.
            if (lockFile.toFile().createNewFile() && !lockFile.toFile().setWritable(true, false)) {
                out.println("Other users' runs are not noticed: lock=" + lockFile);
            }
            // Any user may plant a link in a directory for temporary files.
            channel = FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException _) {
            // Another run in this process holds the lock.
        } catch (IOException _) {
            out.println("Another run on this machine would not be noticed, as the lock cannot be used: lock="
                    + lockFile);
            return channel;
        }
        if (channel != null) {
            channel.close();
        }
        throw wrong("Another run measures on this machine, and both would have wrong figures: lock=" + lockFile);
    }

    private int measure(Suite chosen, MeasuringJvm measuring) throws IOException {
        Path directory = Files.createDirectories(report == null ? BuildDirectory.resolve("report") : report);
        Environment environment = new Environment(
                Objects.requireNonNull(command).commandLine().getParseResult().originalArgs(), chosen, measuring);
        out.println(chosen.title());
        new RunDescription(chosen.name(), chosen.title(), environment.facts(), List.of()).warnings()
                .forEach(out::println);
        Console console = System.console();
        List<CellNote> notes = new SuiteRunner(chosen, measuring, directory,
                new SuiteProgress(out, console != null && console.isTerminal())).run();
        RunDescription run = new RunDescription(chosen.name(), chosen.title(), environment.facts(), notes);
        run.write(directory);
        out.println();
        boolean isFailed = Report.print(out, directory, Results.read(directory.resolve(Results.FILE)), run,
                chosen.targets());
        if (isFailed) {
            out.println("Output of the benchmarks: " + directory.resolve(SuiteRunner.LOG));
        }
        return isFailed ? 1 : 0;
    }

    /// Replays a trace.
    @Command(mixinStandardHelpOptions = true,
            description = "Replays the allocations that a program has recorded with AllocationTrace.record against the "
                    + "arenas. The options of the harness, such as --forks and --providers, stand before the word replay.",
            exitCodeListHeading = "Exit codes:%n", exitCodeList = {
                    "0:everything was measured", "1:a replay failed, or the report could not be written",
                    "2:bad usage, or the trace cannot be read"})
    int replay(
            @Parameters(paramLabel = "TRACE", description = "The path of the trace.") Path trace,
            @Option(names = "--touch", description = "Write a byte to each page that is allocated.") boolean touch,
            @Option(names = "--paced",
                    description = "Let each step wait for its recorded time, instead of running as fast as "
                            + "possible.") boolean isPaced)
            throws IOException {
        ReplayProgram program;
        try {
            program = ReplayProgram.read(trace, problem -> out.println("Not replayed: " + problem));
        } catch (IOException | UncheckedIOException e) {
            throw wrong("The trace cannot be read: path=" + trace + ", reason=" + e);
        }
        Suite chosen = only(adjusted(
                Suites.replay(trace.toAbsolutePath().toString(), touch, isPaced, program.blocks() > 0)));
        int code = run(chosen, measuring());
        if (listCells) {
            return code;
        }
        Path directory = report == null ? BuildDirectory.resolve("report") : report;
        ReplayReport.of(program, Results.read(directory.resolve(Results.FILE))).ifPresent(out::println);
        return code;
    }

    /// Writes the report of a result file again.
    @Command(name = "report", mixinStandardHelpOptions = true,
            description = "Writes the report of a result file again.",
            exitCodeListHeading = "Exit codes:%n", exitCodeList = {
                    "0:the report was written", "1:nothing was measured, or the report could not be written",
                    "2:bad usage, or the file cannot be read"})
    int report(
            @Parameters(paramLabel = "FILE", description = "The results.json of a run, or its directory.") Path file,
            @Option(names = "--report", paramLabel = "DIR",
                    description = "Write the report to this directory; the default is the directory of the file.") @Nullable Path target)
            throws IOException {
        Path read = Results.file(file).toAbsolutePath();
        Results results;
        RunDescription run;
        try {
            results = Results.read(read);
            run = RunDescription.of(read);
        } catch (IOException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        List<Cell> cells = results.measurements().stream().map(Measurement::cell).toList();
        Report.print(out, target == null ? Objects.requireNonNull(read.getParent()) : Files.createDirectories(target),
                results, run, suites.stream()
                        .filter(each -> each.name().equals(run.suite()))
                        .flatMap(each -> each.withCells(cells).targets().stream())
                        .toList());
        if (cells.isEmpty()) {
            out.println("Nothing was measured; " + SuiteRunner.LOG
                    + " beside the results has the output of the benchmarks");
            return 1;
        }
        return 0;
    }

    private void printList() {
        out.println("Suites");
        suites.forEach(known -> out.printf("  %-10s  %s%n", known.name(), known.title()));
        out.println("Providers of arenas");
        Candidates.builtInNames().forEach(name -> out.println("  " + name));
        Candidates.serviceNames().forEach(name -> out.println("  " + name + "  (plugged in)"));
        out.println("Workloads");
        Workloads.builtInNames().forEach(name -> out.println("  " + name));
        Workloads.serviceNames().forEach(name -> out.println("  " + name + "  (plugged in)"));
    }

    /// Applies the options for all suites.
    private Suite adjusted(Suite suite) {
        if (forks != null && forks < 1) {
            throw wrong("The number of forks is not positive: forks=" + forks);
        }
        return suite.withProviders(known("provider", providers, Candidates.builtInNames(), Candidates.serviceNames()))
                .withForks(forks == null ? suite.forks() : forks)
                .withIterations(Objects.requireNonNullElse(warmup, suite.warmup()),
                        Objects.requireNonNullElse(measurement, suite.measurement()));
    }

    private Suite only(Suite suite) {
        if (only == null) {
            return suite;
        }
        List<Cell> cells = suite.cells()
                .stream()
                .filter(cell -> only.matcher(cell.benchmark() + cell.params()).find()
                        || only.matcher(cell.name()).find())
                .toList();
        if (cells.isEmpty()) {
            throw wrong("No cell matches: only=" + only + ", suite=" + suite.name());
        }
        return suite.withCells(cells);
    }

    private Suite chosen() {
        Suite chosen = suite == null && !(providers.isEmpty() && workloads.isEmpty()) ? Suites.OWN : named(suite);
        List<String> works = known("workload", workloads, Workloads.builtInNames(), Workloads.serviceNames());
        if (!works.isEmpty()) {
            chosen = chosen.withWorkloads(works);
            if (chosen.cells().isEmpty()) {
                throw wrong("The suite has no benchmark of workloads: suite=" + chosen.name()
                        + "; leave the suite out to measure them with the usual arenas");
            }
        }
        chosen = only(adjusted(chosen));
        return chosen;
    }

    private MeasuringJvm measuring() {
        try {
            return MeasuringJvm.of(Stream.of(jvmArgs.split("\\s+")).filter(arg -> !arg.isEmpty()).toList(), jvm);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
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

    private List<String> known(String kind, List<String> asked, List<String> builtIn, List<String> services) {
        for (String name : asked) {
            if (!builtIn.contains(name) && !services.contains(name)) {
                throw wrong("No such " + kind + ": name=" + name + ", names="
                        + String.join(", ", Stream.concat(builtIn.stream(), services.stream()).toList()));
            }
        }
        return asked;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(command).commandLine(), message);
    }
}
