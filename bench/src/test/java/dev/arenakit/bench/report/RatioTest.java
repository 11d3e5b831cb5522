package dev.arenakit.bench.report;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class RatioTest {
    @Test
    void ratio_ofSeveralRounds_isTheMedianOfTheirRatios() {
        Ratio ratio = of(new double[]{25, 41, 27}, 8, 10, 12.5);

        // 25 / 8, 41 / 10 and 27 / 12.5
        assertThat(ratio.estimate()).isCloseTo(3.125, within(1e-9));
        assertThat(ratio.low()).isLessThan(2.16);
        assertThat(ratio.high()).isGreaterThan(4.1);
        assertThat(ratio).hasToString("3.13x faster [1.36..6.73]").matches(Confidence::isUncertain);
    }

    @Test
    void ratio_ofLoadThatAffectsBothInARound_isNotAffected() {
        assertThat(of(new double[]{10, 100, 20, 10, 30}, 5, 50, 10, 5, 15)).hasToString("2.00x faster [2.00..2.00]");
        assertThat(of(new double[]{5, 50, 10, 5, 15}, 10, 100, 20, 10, 30)).hasToString("2.00x slower [2.00..2.00]");
    }

    @Test
    void ratio_withAnOutlier_staysAndItsIntervalGrows() {
        Ratio ratio = of(new double[]{10, 10, 10, 10, 10, 10, 10, 10, 10, 10}, 10, 10, 10, 10, 10, 10, 10, 10, 10, 50);

        assertThat(ratio.estimate()).isEqualTo(1);
        assertThat(ratio.contains(1)).isTrue();
        assertThat(ratio.low()).isLessThan(0.9);
    }

    @Test
    void ratio_ofASingleFork_hasNoInterval() {
        assertThat(of(new double[]{10}, 5)).hasToString("2.00x faster").matches(Confidence::isUncertain);
    }

    @Test
    void ratio_ofTwoForks_isTheMiddleOfBothWithoutAnInterval() {
        assertThat(of(new double[]{10, 10}, 1, 4)).hasToString("5.00x faster").matches(Confidence::isUncertain);
        assertThat(of(new double[]{10, 10, 10}, 1, 4, 2).toString()).startsWith("5.00x faster [");
    }

    @Test
    void ratio_ofASingleCommonRound_isTheRatioOfThatRound() {
        assertThat(of(new double[]{10, 30}, 5)).hasToString("2.00x faster").matches(Confidence::isUncertain);
    }

    @Test
    void ratio_ofTimesThatWereNotMeasured_isUnknown() {
        assertThat(Ratio.of(MeasurementTest.of(10, 10), MeasurementTest.of(10, 10), Metric.P50)).hasToString("-");
    }

    @Test
    void intervals_ofEqualCandidates_contain1InNineteenOfTwentyCases() {
        Random random = new Random(1);
        for (int forks : new int[]{3, 5, 10}) {
            long containing = IntStream.range(0, 1_000)
                    .filter(_ -> of(noise(random, forks), noise(random, forks)).contains(1))
                    .count();
            assertThat(containing / 1_000.0).isBetween(0.93, 0.97);
        }
    }

    private static double[] noise(Random random, int forks) {
        return IntStream.range(0, forks).mapToDouble(_ -> 10 * Math.exp(0.1 * random.nextGaussian())).toArray();
    }

    private static Ratio of(double[] baseline, double... candidate) {
        return Ratio.of(MeasurementTest.of(candidate), MeasurementTest.of(baseline), Metric.TIME);
    }
}
