package dev.arenakit.bench;

import dev.arenakit.bench.contestant.Contestants;
import dev.arenakit.bench.contestant.LeakException;
import dev.arenakit.bench.contestant.UnavailableException;
import dev.arenakit.bench.question.Soundness;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.Missing;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// Runs a suite in rounds: one fork of every cell, then the next fork of every cell.
///
/// JMH by itself runs all forks of a cell in a row, so that a quarter of an hour of other load on the machine falls on a
/// few contestants alone. In rounds it falls on one fork of each, which a median forgives.
final class Rounds {
    private final Suite suite;
    private final Path resultFile;
    private final Path log;
    private final Progress progress;
    private final Map<Cell, List<RunResult>> forks = new LinkedHashMap<>();
    private final Map<Cell, Throwable> failures = new LinkedHashMap<>();

    /// @param directory where results and JMH's own output go; it exists
    Rounds(Suite suite, Path directory, Progress progress) {
        this.suite = suite;
        this.resultFile = directory.resolve("results.json");
        this.log = directory.resolve("jmh.log");
        this.progress = progress;
    }

    Path resultFile() {
        return resultFile;
    }

    Path log() {
        return log;
    }

    /// Runs all rounds, and writes the results after each, so that those of an interrupted run are not lost.
    ///
    /// @return the cells that have no figure; they are not tried again in later rounds
    List<Missing> run() throws IOException {
        Files.deleteIfExists(log);
        Files.deleteIfExists(resultFile);
        checkPluggedIn();
        progress.begin(suite, failures.size());
        for (int round = 1; round <= suite.forks(); round++) {
            for (Cell cell : suite.cells()) {
                if (!failures.containsKey(cell)) {
                    runFork(cell, suite.forks() - round);
                }
            }
            List<RunResult> merged = forks.values().stream().map(Rounds::merge).toList();
            ResultFormatFactory.getInstance(ResultFormatType.JSON, resultFile.toString()).writeOut(merged);
        }
        return failures.entrySet().stream().map(failure -> missing(failure.getKey(), failure.getValue())).toList();
    }

    /// The arguments of the JVMs that measured.
    List<String> flags() {
        return forks.values()
                .stream()
                .flatMap(List::stream)
                .flatMap(result -> result.getParams().getJvmArgs().stream())
                .distinct()
                .toList();
    }

    private static Missing missing(Cell cell, Throwable failure) {
        return switch (failure) {
            case UnavailableException e ->
                new Missing(cell, String.valueOf(e.getMessage()), Missing.Kind.NOT_AVAILABLE);
            case LeakException e -> new Missing(cell, String.valueOf(e.getMessage()), Missing.Kind.LEAKS);
            default -> new Missing(cell, failure.toString(), Missing.Kind.FAILED);
        };
    }

    /// Providers that are plugged in have to show that they are sound, or none of their cells is measured.
    private void checkPluggedIn() throws IOException {
        for (String provider : Contestants.serviceNames()) {
            List<Cell> cells = suite.cells()
                    .stream()
                    .filter(cell -> cell.contestant().equals(provider))
                    .toList();
            if (!cells.isEmpty()) {
                Cell check = Grid.arena(Soundness.class, provider, Map.of());
                try {
                    run(oneFork(check).warmupIterations(0).measurementIterations(1).build());
                } catch (RunnerException e) {
                    cells.forEach(cell -> failures.put(cell, cause(e)));
                }
            }
        }
    }

    private void runFork(Cell cell, int later) throws IOException {
        progress.started(cell);
        try {
            RunResult result = run(options(cell).build());
            forks.computeIfAbsent(cell, _ -> new ArrayList<>()).add(result);
            progress.finished(cell, result.getPrimaryResult().getStatistics().getPercentile(50));
        } catch (RunnerException e) {
            failures.put(cell, cause(e));
            progress.failed(cell, later);
        }
    }

    private RunResult run(Options options) throws IOException, RunnerException {
        try (PrintStream output = new PrintStream(new BufferedOutputStream(
                Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)), false,
                StandardCharsets.UTF_8)) {
            return new Runner(options, OutputFormatFactory.createFormatInstance(output, VerboseMode.NORMAL))
                    .runSingle();
        }
    }

    /// What was thrown in the JVM of the benchmark, which JMH hands on as suppressed by one of its own exceptions.
    private static Throwable cause(RunnerException e) {
        Throwable wrapped = e.getCause();
        return wrapped == null || wrapped.getSuppressed().length == 0 ? e : wrapped.getSuppressed()[0];
    }

    private static ChainedOptionsBuilder oneFork(Cell cell) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(cell.benchmark()) + "$")
                .forks(1)
                .shouldFailOnError(true);
        cell.params().forEach(options::param);
        return options;
    }

    private ChainedOptionsBuilder options(Cell cell) {
        return oneFork(cell)
                .warmupIterations(suite.warmup().count())
                .warmupTime(TimeValue.milliseconds(suite.warmup().each().toMillis()))
                .measurementIterations(suite.measurement().count())
                .measurementTime(TimeValue.milliseconds(suite.measurement().each().toMillis()))
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuTimeProfiler.class);
    }

    /// One result with the forks of all, as if JMH had run them in a row.
    private static RunResult merge(List<RunResult> single) {
        Collection<BenchmarkResult> all = single.stream()
                .flatMap(result -> result.getBenchmarkResults().stream())
                .toList();
        return new RunResult(withForks(single.getFirst().getParams(), all.size()), all);
    }

    private static BenchmarkParams withForks(BenchmarkParams params, int forks) {
        WorkloadParams workload = new WorkloadParams();
        params.getParamsKeys().forEach(key -> workload.put(key, params.getParam(key), 0));
        return new BenchmarkParams(params.getBenchmark(), params.generatedBenchmark(), params.shouldSynchIterations(),
                params.getThreads(), params.getThreadGroups(), params.getThreadGroupLabels(), forks,
                params.getWarmupForks(), params.getWarmup(), params.getMeasurement(), params.getMode(), workload,
                params.getTimeUnit(), params.getOpsPerInvocation(), params.getJvm(), params.getJvmArgs(),
                params.getJdkVersion(), params.getVmName(), params.getVmVersion(), params.getJmhVersion(),
                params.getTimeout());
    }
}
