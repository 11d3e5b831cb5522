package dev.arenakit.bench.report;

import dev.arenakit.bench.report.Comparison.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ComparisonTest {
    private static final double[] BEFORE = {100, 102, 98, 101, 99};

    @Test
    void forks_allSlowerOrAllFaster_areSlowerOrFaster() {
        assertThat(verdict(BEFORE, 120, 122, 121, 119, 123)).isEqualTo(Verdict.SLOWER);
        assertThat(verdict(BEFORE, 80, 79, 81, 78, 82)).isEqualTo(Verdict.FASTER);
    }

    @Test
    void forks_thatAreMixed_areTheSameHoweverFarTheMedianMoved() {
        assertThat(verdict(BEFORE, 99.5, 98.5, 160, 170, 180)).isEqualTo(Verdict.SAME);
    }

    @Test
    void forks_apartByLessThanTheThreshold_areTheSame() {
        double[] after = {103, 104, 103.5, 104, 104.5};

        assertThat(verdict(BEFORE, after)).isEqualTo(Verdict.SAME);
        assertThat(Comparison.of(results(BEFORE), results(after), 0.01, Metric.TIME).count(Verdict.SLOWER)).isOne();
    }

    @Test
    void singleFork_isUndecidedHoweverFarApart() {
        assertThat(verdict(new double[]{1}, 1_000)).isEqualTo(Verdict.UNDECIDED);
    }

    @Test
    void twoForks_areUndecidedAndTheCountSaysWhy() {
        assertThat(compare(results(1, 1.01), results(BEFORE)))
                .hasToString("0 slower, 0 faster, 0 without a significant "
                        + "difference above 5.0 %, 1 undecided: fewer than 3 forks\n");
        assertThat(verdict(BEFORE, 1_000, 1_001)).isEqualTo(Verdict.UNDECIDED);
        assertThat(verdict(BEFORE, 1_000, 1_001, 1_002)).isEqualTo(Verdict.SLOWER);
    }

    @Test
    void fifteenPercentMore_atFivePercentSpreadWithTenForks_areFound() {
        Comparison comparison = compare(run(1, 1_000, 1, 10), run(2, 1_000, 1.15, 10));

        assertThat(comparison.count(Verdict.SLOWER)).isGreaterThan(950);
    }

    @Test
    void equals_areHardlyEverReported() {
        assertThat(compare(run(1, 2_000, 1, 5), run(2, 2_000, 1, 5)).count(Verdict.SAME)).isGreaterThan(1_997);
    }

    /// Cells with a spread of 5 % between their forks.
    private static Results run(int seed, int cells, double factor, int forks) {
        Random random = new Random(seed);
        return new Results(IntStream.range(0, cells)
                .mapToObj(i -> MeasurementTest.of(new Cell("com.acme.Sorting", "mine", Map.of("i", String.valueOf(i))),
                        IntStream.range(0, forks)
                                .mapToDouble(_ -> 100 * factor * Math.exp(0.05 * random.nextGaussian()))
                                .toArray()))
                .toList());
    }

    @Test
    void cells_ofOneRunAlone_areNamed() {
        Results results = ResultsTest.stored();
        Results less = new Results(results.measurements().subList(0, 9));

        assertThat(compare(results, less).changes().getLast().verdict()).isEqualTo(Verdict.ONLY_OLD);
        assertThat(compare(less, results).changes().getLast().verdict()).isEqualTo(Verdict.ONLY_NEW);
        assertThat(compare(less, results).count(Verdict.SLOWER)).isZero();
    }

    @Test
    void cells_ofBenchmarksThatMovedToAnotherPackage_areCompared() {
        Measurement before = MeasurementTest.of(new Cell("dev.old.Concurrent.OfTwo", "mine", Map.of()), BEFORE);
        Measurement after = MeasurementTest.of(new Cell("dev.arenakit.bench.Concurrent.OfTwo", "mine", Map.of()), 200,
                201, 202, 203);
        Measurement other = MeasurementTest.of(new Cell("dev.arenakit.bench.OfTwo", "mine", Map.of()), 300);

        Comparison comparison = compare(new Results(List.of(before)), new Results(List.of(other, after)));

        assertThat(comparison.changes()).extracting(Comparison.Change::cell)
                .containsExactly(after.cell(), other.cell());
        assertThat(comparison.changes()).extracting(Comparison.Change::verdict)
                .containsExactly(Verdict.SLOWER, Verdict.ONLY_NEW);
    }

    @Test
    void valuesThatAreNotDueToTheOperation_areTheSame() {
        assertThat(changed(Metric.BYTES, 0, 0.4).count(Verdict.SAME)).isOne();
        assertThat(changed(Metric.BYTES, 0, 40).toString())
                .containsPattern("more +Sorting +mine +0 +0..0 +40 +40..40 +\\+3900 %")
                .contains("1 more, 0 less, 0 without a significant difference above 5.0 %");
        assertThat(changed(Metric.P99, Double.NaN, Double.NaN).count(Verdict.UNDECIDED)).isOne();
    }

    private static Comparison changed(Metric metric, double before, double after) {
        return Comparison.of(new Results(List.of(MeasurementTest.of(10, metric, before, before, before, before))),
                new Results(List.of(MeasurementTest.of(10, metric, after, after, after, after))), 0.05, metric);
    }

    private static Comparison compare(Results before, Results after) {
        return Comparison.of(before, after, 0.05, Metric.TIME);
    }

    private static Verdict verdict(double[] before, double... after) {
        return compare(results(before), results(after)).changes().getFirst().verdict();
    }

    private static Results results(double... nanos) {
        return new Results(List.of(MeasurementTest.of(nanos)));
    }
}
