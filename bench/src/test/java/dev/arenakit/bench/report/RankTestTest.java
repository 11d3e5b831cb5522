package dev.arenakit.bench.report;

import java.util.List;
import java.util.Random;
import org.apache.commons.math3.stat.inference.MannWhitneyUTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class RankTestTest {
    @Test
    void pValue_ofSeparateSamples_isTwoOfAllWaysToDealThem() {
        assertThat(RankTest.pValue(new double[]{1, 2, 3}, new double[]{4, 5, 6})).isCloseTo(2 / 20.0, within(1e-12));
        assertThat(RankTest.pValue(new double[]{6, 7, 8, 9, 10}, new double[]{1, 2, 3, 4, 5}))
                .isCloseTo(2 / 252.0, within(1e-12));
    }

    @Test
    void pValue_ofSamplesThatOverlap_countsWhatIsAsFar() {
        // Of six deals, those with the ranks {1, 3} and {2, 4} are as far apart as this one, {1, 2} and {3, 4} further.
        assertThat(RankTest.pValue(new double[]{1, 3}, new double[]{2, 4})).isCloseTo(4 / 6.0, within(1e-12));
        assertThat(RankTest.pValue(new double[]{1, 4}, new double[]{2, 3})).isEqualTo(1);
    }

    @Test
    void pValue_ofEqualValues_isOne() {
        assertThat(RankTest.pValue(new double[]{7, 7, 7, 7}, new double[]{7, 7, 7, 7})).isEqualTo(1);
    }

    @Test
    void pValue_ofManyValues_isNearTheNormalApproximation() {
        Random random = new Random(3);
        double[] some = random.doubles(30).toArray();
        double[] others = random.doubles(30).map(value -> value + 0.15).toArray();

        assertThat(RankTest.pValue(some, others)).isCloseTo(new MannWhitneyUTest().mannWhitneyUTest(some, others),
                within(0.01));
        assertThat(RankTest.pValue(random.doubles(60).toArray(), random.doubles(60).toArray())).isBetween(0.0, 1.0);
    }

    @Test
    void corrected_ofSeveralTests_growsWithTheirNumber() {
        assertThat(RankTest.corrected(List.of(0.01))).containsExactly(0.01);
        assertThat(RankTest.corrected(List.of(0.5, 0.01, 0.02, 0.9))).containsExactly(new double[]{2 / 3.0, 0.04, 0.04,
                0.9}, within(1e-12));
        assertThat(RankTest.corrected(List.of())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, 4", "6, 5", "7, 6", "40, 7", "435, 9"})
    void enough_isTheFewestForksWhosePValueSurvivesTheCorrection(int tests, int forks) {
        assertThat(RankTest.enough(tests, 0.05)).isEqualTo(forks);
        double[] slow = new double[forks];
        double[] fast = new double[forks];
        for (int i = 0; i < forks; i++) {
            slow[i] = 100.0 + i;
            fast[i] = i;
        }
        assertThat(RankTest.pValue(slow, fast) * tests).isLessThanOrEqualTo(0.05);
    }
}
