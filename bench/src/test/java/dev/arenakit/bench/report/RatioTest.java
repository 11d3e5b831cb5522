package dev.arenakit.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class RatioTest {
    private static final int RUNS = 200;
    private static final Cell CELL = new Cell("com.acme.Sorting", "mine", Map.of());

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10})
    void equals_areOneOnAverage_atAnyNumberOfForks(int forks) {
        for (ToDoubleFunction<Random> times : List.<ToDoubleFunction<Random>>of(RatioTest::normal,
                RatioTest::withOutliers)) {
            assertThat(average(forks, times, 1)).isCloseTo(1, within(0.01));
        }
        // Three forks in two modes differ by half, so that it takes more runs to tell.
        assertThat(average(forks, RatioTest::inTwoModes, 1)).isCloseTo(1, within(0.03));
    }

    @Test
    void average_ofACandidateThatIsTwiceAsFast_isTwo() {
        assertThat(average(5, RatioTest::normal, 2)).isCloseTo(2, within(0.02));
    }

    @ParameterizedTest
    @CsvSource({"2, 0.93, 1", "3, 0.93, 1", "4, 0.93, 1", "5, 0.88, 0.97", "10, 0.93, 0.985"})
    void interval_coversTheTrueRatio_asOftenAsDocumented(int forks, double least, double most) {
        for (ToDoubleFunction<Random> times : List.<ToDoubleFunction<Random>>of(RatioTest::normal,
                RatioTest::withOutliers, RatioTest::inTwoModes)) {
            Random random = new Random(11);
            long covered = IntStream.range(0, RUNS)
                    .filter(_ -> ratio(random, forks, times, 1.25).contains(1.25))
                    .count();

            assertThat(covered / (double) RUNS).isBetween(least, most);
        }
    }

    @Test
    void ratio_ofRounds_ignoresLoadThatBothShare() {
        Ratio ratio = MeasurementTest.of(10, 11, 30, 10.5, 50)
                .timesFasterThan(MeasurementTest.of(20, 22, 60, 21, 100));

        assertThat(ratio.estimate()).isCloseTo(2, within(1e-9));
        assertThat(ratio.low()).isCloseTo(2, within(1e-9));
        assertThat(ratio.high()).isCloseTo(2, within(1e-9));
        assertThat(ratio).hasToString("2.00x faster [2.00..2.00]");
    }

    @Test
    void ratio_ofThreeRounds_isTheMiddleOne() {
        Ratio ratio = MeasurementTest.of(10, 10, 10).timesFasterThan(MeasurementTest.of(20, 90, 19));

        assertThat(ratio).hasToString("2.00x faster [0.36..29.1]");
        assertThat(ratio.isUncertain()).isTrue();
    }

    @Test
    void ratio_withAFailedRound_pairsTheOthers() {
        Measurement baseline = MeasurementTest.of(20, 40, 60, 80);
        Measurement candidate = new Measurement(CELL, List.of(fork(0, 10), fork(2, 30), fork(3, 40)));

        assertThat(candidate.timesFasterThan(baseline)).hasToString("2.00x faster [2.00..2.00]");
    }

    @Test
    void ratio_ofSingleForks_isFromTheirIterations() {
        Measurement baseline = new Measurement(CELL, List.of(fork(0, 20, 21, 19)));
        Measurement candidate = new Measurement(CELL, List.of(fork(0, 10, 10, 10)));

        assertThat(candidate.timesFasterThan(baseline)).hasToString("2.00x faster [1.76..2.26]");
        assertThat(candidate.timesLessCpuThan(baseline)).isEqualTo(Ratio.UNKNOWN);
    }

    @Test
    void ratio_withoutACommonRound_comparesAllForks() {
        Measurement candidate = new Measurement(CELL, List.of(fork(7, 10), fork(8, 10), fork(9, 10)));

        assertThat(candidate.timesFasterThan(MeasurementTest.of(20, 21, 19))).hasToString(
                "2.00x faster [1.76..2.26]");
    }

    @Test
    void ratio_ofSingleIterations_hasNoInterval() {
        Ratio ratio = MeasurementTest.of(10).timesFasterThan(MeasurementTest.of(20));

        assertThat(ratio).hasToString("2.00x faster");
        assertThat(ratio.isUncertain()).isTrue();
    }

    @Test
    void text_ofASlowerCandidate_invertsTheInterval() {
        assertThat(new Ratio(0.5, 0.4, 0.8)).hasToString("2.00x slower [1.25..2.50]");
        assertThat(new Ratio(0.5, 0.4, 0.8).isUncertain()).isTrue();
        assertThat(new Ratio(0.5, 0.45, 0.55).isUncertain()).isFalse();
        assertThat(new Ratio(1.1, 0.99, 1.2).isUncertain()).isTrue();
        assertThat(Ratio.UNKNOWN).hasToString("-");
    }

    /// Returns the mean of the estimates over many runs, without their intervals, which take time.
    private static double average(int forks, ToDoubleFunction<Random> times, double faster) {
        Random random = new Random(5);
        return Math.exp(IntStream.range(0, 2_000)
                .mapToDouble(_ -> Resampling.locationOf(IntStream.range(0, forks)
                        .mapToDouble(_ -> Math.log(faster * times.applyAsDouble(random) / times.applyAsDouble(random)))
                        .toArray()))
                .average()
                .orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"2, 0.9, 3", "3, 0.92, 1.4", "4, 0.92, 1.25", "5, 0.92, 1.25", "10, 0.92, 1.15"})
    void interval_ofForksOfOtherRounds_coversTheTrueRatioAndIsNarrow(int forks, double covered, double width) {
        Random random = new Random(13);
        List<Ratio> ratios = IntStream.range(0, RUNS)
                .mapToObj(_ -> Ratio.unpaired(times(random, forks, 1), times(random, forks, 1.25)))
                .toList();

        assertThat(ratios.stream().filter(ratio -> ratio.contains(1.25)).count() / (double) RUNS)
                .isGreaterThanOrEqualTo(covered);
        assertThat(ratios.stream().mapToDouble(ratio -> ratio.high() / ratio.low()).sorted().toArray()[RUNS / 2])
                .isBetween(1.0, width);
    }

    private static List<Double> times(Random random, int forks, double faster) {
        return IntStream.range(0, forks).mapToObj(_ -> normal(random) / faster).toList();
    }

    private static Ratio ratio(Random random, int forks, ToDoubleFunction<Random> times, double faster) {
        double[] baseline = IntStream.range(0, forks).mapToDouble(_ -> times.applyAsDouble(random)).toArray();
        double[] own = IntStream.range(0, forks).mapToDouble(_ -> times.applyAsDouble(random) / faster).toArray();
        return MeasurementTest.of(own).timesFasterThan(MeasurementTest.of(baseline));
    }

    private static Fork fork(int round, double... nanos) {
        return new Fork(round, DoubleStream.of(nanos).boxed().toList(), Map.of());
    }

    /// Returns the time of a fork, with a spread of 5 %.
    private static double normal(Random random) {
        return 20 * Math.exp(0.05 * random.nextGaussian());
    }

    /// Returns the time of a fork, which is 1.6 times as long in one fork of ten.
    private static double withOutliers(Random random) {
        return normal(random) * (random.nextInt(10) == 0 ? 1.6 : 1);
    }

    /// Returns the time of a fork, which is 1.5 times as long in half of the forks, as with malloc.
    private static double inTwoModes(Random random) {
        return normal(random) * (random.nextBoolean() ? 1.5 : 1);
    }
}
