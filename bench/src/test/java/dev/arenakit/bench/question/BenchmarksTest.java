package dev.arenakit.bench.question;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
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
import static org.junit.jupiter.api.Named.named;

/// Runs every benchmark once, in this JVM, so that none rots. What they measure here means nothing.
class BenchmarksTest {
    static Stream<Named<BenchmarkListEntry>> benchmarks() {
        OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        return BenchmarkList.defaultList()
                .getAll(silent, List.of())
                .stream()
                .map(entry -> named(entry.getUsername(), entry));
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void run_ofEachBenchmark_succeeds(BenchmarkListEntry benchmark) throws RunnerException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        OutputFormat format = OutputFormatFactory.createFormatInstance(
                new PrintStream(printed, true, StandardCharsets.UTF_8), VerboseMode.NORMAL);
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark.getUsername()) + "$")
                .mode(Mode.SingleShotTime)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .shouldFailOnError(true);
        if (benchmark.getParams().hasValue()) {
            benchmark.getParams().get().forEach((name, values) -> options.param(name, values[0]));
        }

        Collection<RunResult> results = new Runner(options.build(), format).run();

        assertThat(results).as(() -> printed.toString(StandardCharsets.UTF_8))
                .singleElement()
                .satisfies(result -> assertThat(result.getPrimaryResult().getScore()).isPositive());
    }

    @Test
    void sizes_ofTheMixedPlan_areWithinItsBoundsAndAlwaysTheSame() {
        List<Long> sizes = LongStream.of(Session.mixedSizes()).boxed().toList();

        assertThat(sizes).hasSize(100)
                .startsWith(90L, 388L, 430L, 58L)
                .allSatisfy(size -> assertThat(size).isBetween(16L, 512L));
    }
}
