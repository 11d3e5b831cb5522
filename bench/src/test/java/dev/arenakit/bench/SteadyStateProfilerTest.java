package dev.arenakit.bench;

import dev.arenakit.bench.report.Confidence;
import dev.arenakit.bench.report.Confidence.Window;
import dev.arenakit.bench.report.Metric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.AverageTimeResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.options.TimeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SteadyStateProfilerTest {
    private static final int LEAST = 6;

    private long wallNanos = 100;
    private long wallGrowth = 100;
    private long processNanos = 1;
    private long operations = 20_000_000;
    // The time of all compilations after each iteration; the last one stands for all later ones.
    private long[] compilingMillis = {0};

    @Test
    void windows_thatAgreeInTimeAndGarbage_areSteady() {
        assertThat(steady(new double[]{40, 20, 20.3, 20.5}, new double[]{500, 0.1, 0.9, 0.2})).isTrue();
        assertThat(steady(new double[]{20, 20.3, 20.7}, new double[]{0, 0, 0})).isFalse();
        assertThat(steady(new double[]{20, 20, 20}, new double[]{257, 257, 0})).isFalse();
        assertThat(steady(new double[]{20, 20, 20}, new double[]{257, 256, 258})).isTrue();
    }

    @Test
    void windows_fewerThanThree_areNot() {
        assertThat(steady(new double[]{20, 20}, new double[]{0, 0})).isFalse();
        assertThat(steady(new double[]{}, new double[]{})).isFalse();
    }

    @Test
    void warmUp_endsWhenThreeWindowsAgree_butNotBeforeItsLeastLength() throws Exception {
        assertThat(length(20, 20, 20, 20, 20, 20, 20, 20)).isEqualTo(6);
        assertThat(length(90, 40, 30, 26, 25, 23, 21, 20.1, 20, 20.2, 20)).isEqualTo(10);
        assertThat(length(90, 40, 30, 26, 25, 23, 21, 20, 18)).isEqualTo(30);
    }

    @Test
    void warmUp_onABusyMachine_endsOnlyAfterItHasRunForAThirdOfItsLeastLength() throws Exception {
        // 20 ns each, 2 % of the time.
        operations = 500_000;
        assertThat(length(DoubleStream.generate(() -> 20).limit(30).toArray())).isEqualTo(30);
        // 10 %: 50 ms of each iteration, 900 ms in all.
        operations = 2_500_000;
        assertThat(length(DoubleStream.generate(() -> 20).limit(30).toArray())).isEqualTo(18);
    }

    @Test
    void warmUp_whileCodeIsCompiled_doesNotEnd() throws Exception {
        double[] steady = DoubleStream.generate(() -> 20).limit(30).toArray();
        compilingMillis = new long[]{300, 600, 610, 610, 610, 700, 716, 731};
        assertThat(length(steady)).isEqualTo(8);
        compilingMillis = LongStream.range(0, 30).map(i -> 16 * i).toArray();
        assertThat(length(steady)).isEqualTo(30);
        compilingMillis = LongStream.range(0, 30).map(i -> 15 * i).toArray();
        assertThat(length(steady)).isEqualTo(6);
    }

    @Test
    void warmUp_ofWorkInOtherThreads_isJudgedByTheTimeThatPasses() throws Exception {
        // As in a query: 2 us of a thread that waits, 90 us of the library's threads.
        processNanos = 90;
        wallGrowth = 0;
        assertThat(length(2, 1.7, 2.1, 1.6, 2, 2.3, 1.9)).isEqualTo(6);
        wallGrowth = 10;
        assertThat(length(2, 2, 2, 2, 2, 2, 2)).isEqualTo(30);
    }

    @Test
    void measurement_saysHowLongTheWarmUpWasAndWhetherItSufficed() throws Exception {
        assertThat(reported(90, 40, 30, 26, 25, 23, 21, 20.1, 20, 20.2)).containsOnly(Map.entry("warmup.time", 5000.0),
                Map.entry("warmup.steady", 1.0));
        assertThat(reported(90, 40, 30, 26, 25, 23)).contains(Map.entry("warmup.steady", 0.0));
    }

    @Test
    void iteration_thatThrew_isPassedOver() throws Exception {
        IterationParams warmup = iterations(IterationType.WARMUP);

        assertThat(after(new SteadyStateProfiler("6"),
                new IterationResult(null, warmup, new IterationResultMetaData(0, 0))))
                .isEmpty();
    }

    @Test
    void least_thatIsNoNumber_isRefused() {
        assertThatThrownBy(() -> new SteadyStateProfiler("six")).isInstanceOf(
                ProfilerException.class);
    }

    private static boolean steady(double[] nanos, double[] bytes) {
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i < nanos.length; i++) {
            windows.add(new Window(nanos[i], bytes[i], 1, 0));
        }
        return Confidence.isSteady(windows);
    }

    /// Returns the number of iterations that JMH runs. JMH asks for this number before each iteration.
    private int length(double... cpuNanos) throws Exception {
        IterationParams warmup = iterations(IterationType.WARMUP);
        Iterator<Long> compiling = LongStream
                .concat(LongStream.of(compilingMillis),
                        LongStream.generate(() -> compilingMillis[compilingMillis.length - 1]))
                .iterator();
        SteadyStateProfiler profiler = new SteadyStateProfiler(String.valueOf(LEAST), compiling::next);
        for (int i = 1; i <= warmup.getCount() && i <= cpuNanos.length; i++) {
            after(profiler, result(warmup, cpuNanos[i - 1]));
        }
        return warmup.getCount();
    }

    private Map<String, Double> reported(double... cpuNanos) throws Exception {
        IterationParams warmup = iterations(IterationType.WARMUP);
        SteadyStateProfiler profiler = new SteadyStateProfiler(String.valueOf(LEAST), () -> 0);
        for (double nanos : cpuNanos) {
            after(profiler, result(warmup, nanos));
        }
        return after(profiler, result(iterations(IterationType.MEASUREMENT), 20)).stream()
                .collect(Collectors.toMap(Result::getLabel, Result::getScore));
    }

    private static Collection<? extends Result<?>> after(SteadyStateProfiler profiler, IterationResult result) {
        return profiler.afterIteration(result.getBenchmarkParams(), result.getParams(), result);
    }

    private static IterationParams iterations(IterationType type) {
        return new IterationParams(type, SteadyStateProfiler.LONGEST * LEAST, TimeValue.milliseconds(500), 1);
    }

    /// Returns a result. Its wall time is arbitrary unless a test sets it.
    private IterationResult result(IterationParams params, double cpuNanos) {
        IterationResult result = new IterationResult(null, params, new IterationResultMetaData(operations, operations));
        result.addResult(new AverageTimeResult(ResultRole.PRIMARY, "arena", 1, wallNanos, TimeUnit.NANOSECONDS));
        wallNanos += wallGrowth;
        result.addResult(new ScalarResult(Metric.CPU.resultName(), cpuNanos, "ns/op", AggregationPolicy.AVG));
        result.addResult(new ScalarResult(Metric.PROCESS_CPU.resultName(), processNanos, "ns/op",
                AggregationPolicy.AVG));
        return result;
    }
}
