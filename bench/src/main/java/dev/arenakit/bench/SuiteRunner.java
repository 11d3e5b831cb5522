package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.ArenaProvider;
import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.candidate.ContractException;
import dev.arenakit.bench.candidate.LeakException;
import dev.arenakit.bench.candidate.peer.UnavailableException;
import dev.arenakit.bench.micro.arena.Soundness;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.CellNote;
import dev.arenakit.bench.report.Results;
import dev.arenakit.bench.report.RunDescription;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// Runs a suite in rounds: JMH measures one fork of every cell, then the next fork of every cell.
///
/// JMH itself runs all forks of a cell in a row, so a quarter of an hour of other load on the machine affects all forks
/// of a few candidates. In rounds, the load affects one fork of each candidate, and the median hides it.
final class SuiteRunner {
    /// Name of the file with the output of the benchmarks.
    static final String LOG = "jmh.log";

    // The results are complete before they get their name.
    private static final String PARTIAL = Results.FILE + ".part";

    // If a run is interrupted, files of an earlier run must not look like its results.
    private static final List<String> OUTPUTS = List.of("index.html", Results.FILE, PARTIAL,
            RunDescription.FILE, LOG);

    private static final Pattern ERROR_FILE = Pattern.compile("An error report file .* is saved as:\\R# (.+)");

    // The time between two attempts to end the measuring JVMs, and the number of attempts.
    private static final long STEP_MILLIS = 50;
    private static final int STEPS = 80;

    private final Suite suite;
    private final MeasuringJvm jvm;
    private final Path directory;
    private final SuiteProgress progress;
    private final Map<Cell, List<RunResult>> forks = new LinkedHashMap<>();
    private final Map<Cell, Throwable> failures = new LinkedHashMap<>();
    private final Map<Cell, Throwable> breaches = new LinkedHashMap<>();
    private final Set<ProcessHandle> others = ProcessHandle.current().descendants().collect(Collectors.toSet());
    private final Semaphore parked = new Semaphore(0);
    private volatile boolean isEnding;
    // The length of the log before the last fork.
    private long logged;

    /// @param directory directory for the results and JMH's own output; it exists
    SuiteRunner(Suite suite, MeasuringJvm jvm, Path directory, SuiteProgress progress) {
        this.suite = suite;
        this.jvm = jvm;
        this.directory = directory;
        this.progress = progress;
    }

    /// Removes what an earlier run has written, runs all rounds, and writes the results after each, so that the results
    /// of an interrupted run are not lost. A cell that fails is not run again in later rounds.
    ///
    /// @return notes on the cells that have no figure, or a figure that is not to be trusted
    List<CellNote> run() throws IOException {
        Thread hook = new Thread(this::endChildren, "end of the measuring JVMs");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return runRounds();
        } finally {
            parkIfEnding();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException _) {
                // The JVM has just begun to end.
                park();
            }
        }
    }

    /// Ends the measuring JVMs if the harness is ended, since JMH leaves a JVM behind whose benchmark hangs. The thread
    /// of the run may be starting a JVM meanwhile, so the last attempt follows when that thread has parked.
    private void endChildren() {
        isEnding = true;
        boolean isLast = false;
        for (int step = 0; step < STEPS && !isLast; step++) {
            try {
                isLast = parked.tryAcquire(step == 0 ? 0 : STEP_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException _) {
                // Nobody interrupts this thread. The JVMs must end in any case.
            }
            ProcessHandle.current()
                    .descendants()
                    .filter(process -> !others.contains(process))
                    .forEach(ProcessHandle::destroyForcibly);
        }
    }

    /// Stops the run if the harness is ended: it starts no further JVM, does not take the ended JVM for a failure, and
    /// writes no file that the end of this JVM would cut off.
    private void parkIfEnding() {
        if (isEnding) {
            park();
        }
    }

    private void park() {
        parked.release();
        new Semaphore(0).acquireUninterruptibly();
    }

    private List<CellNote> runRounds() throws IOException {
        for (String file : OUTPUTS) {
            Files.deleteIfExists(directory.resolve(file));
        }
        checkPluggedIn();
        progress.begin(suite, failures.size());
        for (int round = 1; round <= suite.forks(); round++) {
            for (Cell cell : order(suite.cells(), round)) {
                if (!failures.containsKey(cell)) {
                    runFork(cell, suite.forks() - round);
                }
            }
            writeResults();
        }
        return Stream.of(failures, breaches)
                .flatMap(problems -> problems.entrySet().stream())
                .map(problem -> note(problem.getKey(), problem.getValue()))
                .toList();
    }

    /// Returns the cells in the order of a round: in the order of the suite, then in the reverse order, then shuffled, in
    /// the same way in each run, and so on. The previous cell may change the figure of a cell, because the processor is
    /// warm or the page cache is full. If each round had the same order, this would always favour the same candidates.
    /// Candidates that are compared with each other run close together in any order.
    static List<Cell> order(List<Cell> cells, int round) {
        Map<Object, List<Cell>> compared = new LinkedHashMap<>();
        cells.forEach(cell -> compared
                .computeIfAbsent(List.of(cell.benchmarkClass(), cell.conditions()), _ -> new ArrayList<>())
                .add(cell));
        List<List<Cell>> groups = new ArrayList<>(compared.values());
        if (round > 2) {
            Random random = new Random((round - 1) / 2);
            Collections.shuffle(groups, random);
            groups.forEach(group -> Collections.shuffle(group, random));
        }
        List<Cell> order = groups.stream().flatMap(List::stream).toList();
        return round % 2 == 0 ? order.reversed() : order;
    }

    /// Replaces the results of the previous rounds. The end of the JVM, or a full disk, leaves the previous results.
    private void writeResults() throws IOException {
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        ResultFormatFactory.getInstance(ResultFormatType.JSON, new PrintStream(json, true, StandardCharsets.UTF_8))
                .writeOut(forks.values().stream().map(SuiteRunner::merge).toList());
        parkIfEnding();
        Files.move(Files.write(directory.resolve(PARTIAL), json.toByteArray()), directory.resolve(Results.FILE),
                StandardCopyOption.ATOMIC_MOVE);
    }

    private static CellNote note(Cell cell, Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return switch (failure) {
            case UnavailableException _ -> new CellNote(cell, message, CellNote.Kind.NOT_AVAILABLE);
            case ContractException e -> new CellNote(cell, e.summary(), CellNote.Kind.BREAKS_THE_CONTRACT);
            case LeakException _ -> new CellNote(cell, message, CellNote.Kind.LEAKS);
            default -> new CellNote(cell, failure.toString(), CellNote.Kind.FAILED);
        };
    }

    /// Checks the providers that are plugged in. A provider that breaks the contract is measured nevertheless, with a
    /// note. A provider that does not give memory back is not measured.
    private void checkPluggedIn() throws IOException {
        for (String provider : Candidates.serviceNames()) {
            List<Cell> cells = suite.cells().stream().filter(cell -> cell.candidate().equals(provider)).toList();
            if (!cells.isEmpty()) {
                Optional<Throwable> problem = check(provider);
                progress.checked(provider, problem);
                problem.ifPresent(thrown -> cells.forEach(
                        cell -> (thrown instanceof ContractException ? breaches : failures).put(cell, thrown)));
            }
        }
    }

    private Optional<Throwable> check(String provider) throws IOException {
        Cell check = CellGrid.arena(Soundness.class, provider, Map.of());
        try {
            run(oneFork(check).warmupIterations(0).measurementIterations(1));
            return Optional.empty();
        } catch (RunnerException e) {
            return Optional.of(cause(e));
        }
    }

    private void runFork(Cell cell, int later) throws IOException {
        progress.started(cell);
        Iterations warmup = suite.warmup();
        ChainedOptionsBuilder options = oneFork(cell)
                .warmupIterations(SteadyStateProfiler.LONGEST * warmup.count())
                .warmupTime(TimeValue.milliseconds(warmup.each().toMillis()))
                .measurementIterations(suite.measurement().count())
                .measurementTime(TimeValue.milliseconds(suite.measurement().each().toMillis()))
                .addProfiler(SteadyStateProfiler.class, String.valueOf(warmup.count()));
        suite.kind().profilers().forEach(options::addProfiler);
        try {
            RunResult result = run(options);
            forks.computeIfAbsent(cell, _ -> new ArrayList<>()).add(result);
            progress.finished(cell, result.getPrimaryResult().getStatistics().getPercentile(50));
        } catch (RunnerException e) {
            failures.put(cell, cause(e));
            progress.failed(cell, later);
        }
    }

    private RunResult run(ChainedOptionsBuilder options) throws IOException, RunnerException {
        logged = Files.exists(directory.resolve(LOG)) ? Files.size(directory.resolve(LOG)) : 0;
        try (PrintStream output = new PrintStream(new BufferedOutputStream(
                Files.newOutputStream(directory.resolve(LOG), StandardOpenOption.CREATE, StandardOpenOption.APPEND)),
                false, StandardCharsets.UTF_8)) {
            return new Runner(options.build(), OutputFormatFactory.createFormatInstance(output, VerboseMode.NORMAL))
                    .runSingle();
        } finally {
            parkIfEnding();
        }
    }

    /// Returns the exception of the benchmark's JVM. JMH adds it to its own exception as suppressed. If the JVM has
    /// crashed, the exception names the error file that the JVM has reported in its output.
    private Throwable cause(RunnerException e) throws IOException {
        Throwable wrapped = e.getCause();
        Throwable thrown = wrapped == null || wrapped.getSuppressed().length == 0 ? e : wrapped.getSuppressed()[0];
        try (InputStream log = Files.newInputStream(directory.resolve(LOG))) {
            log.skipNBytes(logged);
            Matcher errorFile = ERROR_FILE.matcher(new String(log.readAllBytes(), StandardCharsets.UTF_8));
            return errorFile.find() && Files.exists(Path.of(errorFile.group(1)))
                    ? new IllegalStateException(thrown.getMessage() + "; errorFile=" + errorFile.group(1), thrown)
                    : thrown;
        }
    }

    private ChainedOptionsBuilder oneFork(Cell cell) {
        // If the provider does not exist, the benchmark's JVM fails.
        List<String> ofCandidate = Candidates.lookUp(cell.candidate()).map(ArenaProvider::jvmArgs).orElse(List.of());
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(cell.benchmark()) + "$")
                .forks(1)
                .shouldFailOnError(true)
                .jvm(jvm.java().toString())
                // Without them, JMH would pass the arguments of this JVM on.
                .jvmArgs(jvm.args(ofCandidate).toArray(String[]::new));
        cell.params().forEach(options::param);
        return options;
    }

    /// Merges results of one fork each into one result, as if JMH had run the forks in a row.
    private static RunResult merge(List<RunResult> single) {
        List<BenchmarkResult> all = single.stream().flatMap(each -> each.getBenchmarkResults().stream()).toList();
        BenchmarkParams params = single.getFirst().getParams();
        return new RunResult(new BenchmarkParams(params.getBenchmark(), params.generatedBenchmark(),
                params.shouldSynchIterations(), params.getThreads(), params.getThreadGroups(),
                params.getThreadGroupLabels(), all.size(), params.getWarmupForks(), params.getWarmup(),
                params.getMeasurement(), params.getMode(), workload(params), params.getTimeUnit(),
                params.getOpsPerInvocation(), params.getJvm(), params.getJvmArgs(), params.getJdkVersion(),
                params.getVmName(), params.getVmVersion(), params.getJmhVersion(), params.getTimeout()), all);
    }

    private static WorkloadParams workload(BenchmarkParams params) {
        WorkloadParams workload = new WorkloadParams();
        params.getParamsKeys().forEach(name -> workload.put(name, params.getParam(name), 0));
        return workload;
    }
}
