package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.candidate.WorkloadResult;
import dev.arenakit.bench.candidate.WorkloadState;
import dev.arenakit.bench.candidate.peer.UnavailableException;
import dev.arenakit.bench.micro.arena.Session;
import dev.arenakit.bench.micro.arena.SharedArena;
import dev.arenakit.bench.micro.arena.Soundness;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.ReportFormat;
import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceRecorder;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Named.named;

/// Runs every benchmark in this JVM, once with the first value of each parameter and once with the last, to show that
/// it still works. The measured times mean nothing.
///
/// Benchmarks with several threads run with the first values only: at the end of a run, JMH lets one thread close what
/// they share, and another thread that finds it busy sleeps for a second.
@Tag("full")
class BenchmarksTest {
    @TempDir
    private static Path directory;

    static Stream<Named<BenchmarkListEntry>> benchmarks() {
        OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        return BenchmarkList.defaultList()
                .getAll(silent, List.of())
                .stream()
                // The checks of this benchmark need a separate process.
                .filter(entry -> !entry.getUserClassQName().equals(Soundness.class.getName()))
                .map(entry -> named(entry.getUsername(), entry));
    }

    /// Returns the classes without a benchmark of arenas whose baseline is an arena nevertheless.
    static Stream<String> classesOfMethods() {
        Map<String, List<String>> methods = benchmarks().map(Named::getPayload)
                .collect(Collectors.groupingBy(BenchmarkListEntry::getUserClassQName,
                        Collectors.mapping(BenchmarksTest::method, Collectors.toList())));
        return methods.entrySet()
                .stream()
                .filter(entry -> !entry.getValue().contains(Cell.ARENA))
                .map(Map.Entry::getKey);
    }

    private static String method(BenchmarkListEntry benchmark) {
        return benchmark.getUsername().substring(benchmark.getUsername().lastIndexOf('.') + 1);
    }

    static Stream<String> providers() {
        return Candidates.builtInNames().stream();
    }

    /// Returns the parameters of the methods that run workloads in arenas.
    static Stream<Named<List<Class<?>>>> methodsOfWorkloads() throws ReflectiveOperationException {
        List<Named<List<Class<?>>>> methods = new ArrayList<>();
        for (Named<BenchmarkListEntry> benchmark : benchmarks().toList()) {
            String nested = benchmark.getPayload().getUserClassQName().replaceFirst("(\\.[A-Z]\\w*)\\.", "$1\\$");
            for (Method method : Class.forName(nested).getMethods()) {
                List<Class<?>> parameters = List.of(method.getParameterTypes());
                if (method.getName().equals(method(benchmark.getPayload()))
                        && parameters.containsAll(List.of(Candidate.class, WorkloadState.class))) {
                    methods.add(named(benchmark.getName(), parameters));
                }
            }
        }
        return methods.stream();
    }

    @ParameterizedTest
    @MethodSource("methodsOfWorkloads")
    void resultOfAWorkload_isComparedInEachBenchmark(List<Class<?>> parameters) {
        assertThat(parameters).contains(WorkloadResult.class);
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void run_ofEachBenchmark_succeeds(BenchmarkListEntry benchmark) throws RunnerException {
        Map<String, String> first = params(benchmark, values -> values[0]);
        Map<String, String> last = params(benchmark, values -> values[values.length - 1]);

        run(benchmark.getUsername(), first);
        if (!last.equals(first) && benchmark.getThreads().orElse(1) == 1) {
            run(benchmark.getUsername(), last);
        }
    }

    private static Map<String, String> params(BenchmarkListEntry benchmark, Function<String[], String> choice) {
        Map<String, String> params = new HashMap<>();
        benchmark.getParams().orElse(Map.of()).forEach((name, values) -> params.put(name, choice.apply(values)));
        // Each of the other providers is run below.
        boolean needsShared = benchmark.getUserClassQName().equals(SharedArena.class.getName());
        params.replace(Cell.PROVIDER, needsShared ? Candidates.OF_SHARED : Candidates.OF_CONFINED);
        params.computeIfPresent("trace", (_, _) -> trace());
        // A commit after each operation takes seconds with some stores.
        params.replace("commit", "500");
        return params;
    }

    /// {@return the path of a trace of two calls}
    private static String trace() {
        Path path = directory.resolve("trace-" + System.nanoTime());
        try (TraceRecorder recorder = AllocationTrace.record(path); Arena arena = recorder.wrap(Arena.ofConfined())) {
            assertThat(arena.allocate(8).byteSize()).isEqualTo(8);
        }
        return path.toString();
    }

    @ParameterizedTest
    @MethodSource("classesOfMethods")
    void baseline_ofEachClass_isACandidate(String benchmarkClass) {
        assertThat(benchmarks().map(Named::getPayload)
                .filter(entry -> entry.getUserClassQName().equals(benchmarkClass))
                .map(entry -> ReportFormat.method(benchmarkClass, method(entry))))
                .contains(ReportFormat.baseline(benchmarkClass));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void run_ofEachProvider_succeeds(String provider) throws RunnerException {
        run(Session.class.getName() + ".arena", Map.of(Cell.PROVIDER, provider, "workload", BlockWorkload.TEN));
    }

    private static void run(String benchmark, Map<String, String> params) throws RunnerException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        OutputFormat format = OutputFormatFactory.createFormatInstance(
                new PrintStream(printed, true, StandardCharsets.UTF_8), VerboseMode.NORMAL);
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark) + "$")
                .mode(Mode.SingleShotTime)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .shouldFailOnError(true);
        params.forEach(options::param);

        Collection<RunResult> results;
        try {
            results = new Runner(options.build(), format).run();
        } catch (RunnerException e) {
            String output = printed.toString(StandardCharsets.UTF_8);
            assumeFalse(output.contains(UnavailableException.class.getName()));
            throw e;
        }

        assertThat(results).as(() -> printed.toString(StandardCharsets.UTF_8))
                .singleElement()
                .satisfies(result -> assertThat(result.getPrimaryResult().getScore()).isPositive());
    }
}
