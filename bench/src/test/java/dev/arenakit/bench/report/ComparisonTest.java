package dev.arenakit.bench.report;

import dev.arenakit.bench.report.Comparison.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ComparisonTest {
    private static final double[] BEFORE = {100, 102, 98, 101, 99};

    @Test
    void forks_allSlower_areSlower() {
        assertThat(verdict(BEFORE, 110, 112, 111, 109, 113)).isEqualTo(Verdict.SLOWER);
        assertThat(comparison(BEFORE, 110, 112, 111, 109, 113).anythingSlower()).isTrue();
    }

    @Test
    void forks_allFaster_areFaster() {
        assertThat(verdict(BEFORE, 90, 89, 91, 88, 92)).isEqualTo(Verdict.FASTER);
        assertThat(comparison(BEFORE, 90, 89, 91, 88, 92).anythingSlower()).isFalse();
    }

    @Test
    void forks_ofWhichOneOverlaps_areSlowerAllTheSame() {
        assertThat(verdict(BEFORE, 100.5, 150, 160, 170, 180)).isEqualTo(Verdict.SLOWER);
    }

    @Test
    void forks_thatAreMixed_areTheSameHoweverFarTheMedianMoved() {
        assertThat(verdict(BEFORE, 99.5, 98.5, 160, 170, 180)).isEqualTo(Verdict.SAME);
    }

    @Test
    void forks_apartByLessThanTheThreshold_areTheSame() {
        assertThat(verdict(BEFORE, 103, 104, 103.5, 104, 104.5)).isEqualTo(Verdict.SAME);
        assertThat(Comparison.of(results(BEFORE), results(103, 104, 103.5, 104, 104.5), 0.02).anythingSlower())
                .isTrue();
    }

    @Test
    void threeForks_areUndecidedHoweverFarApart() {
        Comparison comparison = comparison(new double[]{1, 2, 3}, 1_000, 2_000, 3_000);

        assertThat(comparison.changes()).extracting(Comparison.Change::verdict).containsExactly(Verdict.UNDECIDED);
        assertThat(comparison.anythingDecided()).isFalse();
        assertThat(comparison.common()).isNotEmpty();
    }

    @Test
    void tenPercentMore_atFivePercentSpreadWithTenForks_areFound() {
        Random random = new Random(1);
        int found = 0;
        for (int run = 0; run < 200; run++) {
            Comparison comparison = Comparison.of(run(random, 1, 0, 10), run(random, 1, 1, 10),
                    Comparison.DEFAULT_THRESHOLD);
            found += comparison.anythingSlower() ? 1 : 0;
        }

        assertThat(found / 200.0).isGreaterThan(0.85);
    }

    @Test
    void tenPercentMore_inAThirdOfAHundredCells_areFoundAndFewOthers() {
        Random random = new Random(2);
        int found = 0;
        int reported = 0;
        for (int run = 0; run < 8; run++) {
            List<Comparison.Change> slower = Comparison.of(run(random, 100, 0, 10), run(random, 100, 33, 10),
                    Comparison.DEFAULT_THRESHOLD)
                    .changes()
                    .stream()
                    .filter(change -> change.verdict() == Verdict.SLOWER || change.verdict() == Verdict.FASTER)
                    .toList();
            reported += slower.size();
            found += (int) slower.stream().filter(change -> number(change.cell()) < 33).count();
        }

        assertThat(found / (8 * 33.0)).isGreaterThan(0.85);
        assertThat(reported - found).isLessThan(reported / 20);
    }

    @Test
    void equals_areRarelyReported() {
        Random random = new Random(3);
        long runs = IntStream.range(0, 20)
                .filter(_ -> Comparison.of(run(random, 50, 0, 10), run(random, 50, 0, 10), 0)
                        .changes()
                        .stream()
                        .anyMatch(change -> change.verdict() != Verdict.SAME))
                .count();

        assertThat(runs).isLessThanOrEqualTo(3);
    }

    /// Cells with a spread of 5 %. Some cells take 10 % more time.
    private static Results run(Random random, int cells, int slower, int forks) {
        return new Results(IntStream.range(0, cells)
                .mapToObj(i -> MeasurementTest.of(new Cell("com.acme.Sorting", "mine", Map.of("i", String.valueOf(i))),
                        IntStream.range(0, forks)
                                .mapToDouble(_ -> (i < slower ? 110 : 100) * Math.exp(0.05 * random.nextGaussian()))
                                .toArray()))
                .toList());
    }

    private static int number(Cell cell) {
        return Integer.parseInt(Objects.requireNonNull(cell.params().get("i")));
    }

    @Test
    void cells_ofOneRunAlone_areNamed() {
        Results results = ResultsTest.stored();
        Results less = new Results(results.measurements().subList(0, 9));

        assertThat(compare(results, less).changes().getLast().verdict()).isEqualTo(Verdict.ONLY_OLD);
        assertThat(compare(less, results).changes().getLast().verdict()).isEqualTo(Verdict.ONLY_NEW);
        assertThat(compare(less, results).anythingSlower()).isFalse();
    }

    @Test
    void cells_ofBenchmarksThatMovedToAnotherPackage_areCompared() {
        Measurement before = MeasurementTest.of(new Cell("dev.old.Concurrent.OfTwo", "mine", Map.of()), BEFORE);
        Measurement after = MeasurementTest.of(new Cell("dev.arenakit.bench.Concurrent.OfTwo", "mine", Map.of()), 200,
                201, 202, 203);
        Measurement other = MeasurementTest.of(new Cell("dev.arenakit.bench.OfTwo", "mine", Map.of()), 300);

        Comparison comparison = compare(new Results(List.of(before)), new Results(List.of(other, after)));

        assertThat(comparison.changes()).extracting(Comparison.Change::cell)
                .containsExactly(after.cell(),
                        other.cell());
        assertThat(comparison.changes()).extracting(Comparison.Change::verdict)
                .containsExactly(Verdict.SLOWER, Verdict.ONLY_NEW);
        assertThat(compare(new Results(List.of(before)), new Results(List.of(other))).common()).isEmpty();
    }

    @Test
    void text_namesWhatChangedAndCountsTheRest() {
        assertThat(comparison(BEFORE, 110, 120, 130, 140, 150)).hasToString("""
                verdict  benchmark  params  candidate  old ns/op   min..max  new ns/op  min..max  change  chance
                ------------------------------------------------------------------------------------------------
                slower   Sorting            mine             100  98.0..102        130  110..150   +30 %  0.0079

                1 slower, 0 faster, 0 without a significant difference above 5.0 %
                """);
    }

    @Test
    void heap_thatIsAllocatedNow_isMore() {
        assertThat(Comparison.of(heap(0, 0.2, 0, 0), heap(40, 40.1, 40, 41), 0.05, ComparedMetric.HEAP)).hasToString("""
                verdict  benchmark  params  candidate  old B/op  min..max  new B/op    min..max        change  chance
                -----------------------------------------------------------------------------------------------------
                more     Sorting            mine              0   0..0.20      40.1  40.0..41.0  over +1000 %   0.029

                1 more, 0 less, 0 without a significant difference above 5.0 %
                """);
        assertThat(Comparison.of(heap(0, 0.2, 0, 0), heap(0.4, 0.3, 0.2, 0.4), 0.05, ComparedMetric.HEAP)
                .anythingSlower()).isFalse();
        // JMH's allocations in an iteration count more per operation if operations are slower.
        assertThat(Comparison.of(forks(23_000, Metric.BYTES, 1.2, 1.2, 1.2, 1.2),
                forks(30_000, Metric.BYTES, 1.6, 1.6, 1.6, 1.6), 0.05, ComparedMetric.HEAP).anythingSlower()).isFalse();
        assertThat(Comparison.of(heap(1, 2, 3, 4), heap(5, 6, 7, 8), 0.05, ComparedMetric.P99).anythingDecided())
                .isFalse();
    }

    @Test
    void residentSizes_belowOneMebibyte_areTheSame() {
        assertThat(Comparison.of(forks(10, Metric.RESIDENT_RETAINED, 0, 0, 0, 0),
                forks(10, Metric.RESIDENT_RETAINED, 4096, 4096, 4096, 4096), 0.05, ComparedMetric.RETAINED)
                .anythingSlower()).isFalse();
        assertThat(Comparison.of(forks(10, Metric.RESIDENT_RETAINED, 0, 0, 0, 0),
                forks(10, Metric.RESIDENT_RETAINED, 2e6, 2e6, 2e6, 2e6), 0.05, ComparedMetric.RETAINED)
                .anythingSlower()).isTrue();
    }

    @Test
    void text_ofTooFewForksWithTheMetric_saysThatTheyLackIt() {
        double none = Double.NaN;

        assertThat(Comparison.of(forks(10, Metric.P99_9, 1, 2, none, none, none),
                forks(10, Metric.P99_9, 1, 2, none, none, none), 0.05, ComparedMetric.P99_9).toString())
                .contains("With 2 forks that have this metric no difference is significant");
    }

    @Test
    void runs_ofOneJdkEach_haveTheirCellsInCommon() {
        Cell cell = new Cell("com.acme.Sorting", "mine", Map.of());
        Results plain = new Results(List.of(MeasurementTest.of(cell, BEFORE)));
        Results one = new Results(List.of(MeasurementTest.of(cell.on("25"), BEFORE)));
        Results two = new Results(List.of(MeasurementTest.of(cell.on("25"), BEFORE),
                MeasurementTest.of(cell.on("26"), BEFORE)));

        assertThat(compare(plain, one).common()).containsExactly(cell.on("25"));
        assertThat(compare(one, new Results(List.of(two.measurements().getLast()))).common())
                .containsExactly(cell.on("26"));
        assertThat(compare(one, two).common()).containsExactly(cell.on("25"));
    }

    private static Results heap(double... bytes) {
        return forks(10, Metric.BYTES, bytes);
    }

    private static Results forks(double nanos, Metric metric, double... values) {
        Measurement measurement = new Measurement(new Cell("com.acme.Sorting", "mine", Map.of()),
                IntStream.range(0, values.length)
                        .mapToObj(round -> new Fork(round, List.of(nanos), Map.of(metric, List.of(values[round]))))
                        .toList());
        return new Results(List.of(measurement));
    }

    @Test
    void text_ofRunsWithThreeForks_isALineAndWhatIsMissing() {
        assertThat(compare(ResultsTest.stored(), ResultsTest.stored())).hasToString("""
                0 slower, 0 faster, 1 without a significant difference above 5.0 %, 9 undecided
                With 3 forks no difference is significant: run at least 4 of each
                """);
    }

    @Test
    void text_ofTooFewForksForTheNumberOfCells_saysHowManyItTakes() {
        Random random = new Random(4);

        assertThat(compare(run(random, 40, 0, 5), run(random, 40, 0, 5)).toString()).contains(
                "With 5 forks a difference of one cell among 40 is not significant, however large: run at least 7 of each");
        assertThat(compare(run(random, 40, 0, 7), run(random, 40, 0, 7)).toString()).doesNotContain("run at least");
    }

    private static Comparison compare(Results before, Results after) {
        return Comparison.of(before, after, Comparison.DEFAULT_THRESHOLD);
    }

    private static Verdict verdict(double[] before, double... after) {
        return comparison(before, after).changes().getFirst().verdict();
    }

    private static Comparison comparison(double[] before, double... after) {
        return compare(results(before), results(after));
    }

    private static Results results(double... nanos) {
        return new Results(List.of(MeasurementTest.of(nanos)));
    }
}
