package dev.arenakit.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MeasurementTest {
    /// Returns a measurement with a fork of each time. CPU times equal wall times.
    static Measurement of(double... nanos) {
        return of(new Cell("com.acme.Sorting", "mine", Map.of()), nanos);
    }

    static Measurement of(Cell cell, double... nanos) {
        return new Measurement(cell, IntStream.range(0, nanos.length)
                .mapToObj(i -> new Fork(i, List.of(nanos[i]),
                        Map.of(Metric.CPU, List.of(nanos[i]), Metric.BYTES, List.of(0.0))))
                .toList());
    }

    @Test
    void modes_ofTwoGroups_areTheirMedians() {
        assertThat(of(12.9, 8, 13, 8.1, 8.2).modes()).containsExactly(8.1, 12.95);
        assertThat(ReportFormat.modes(of(12.9, 8, 13, 8.1, 8.2, 12.9).modes())).isEqualTo("8.10 | 12.9");
    }

    @Test
    void modes_fromAQuarterApartOn_areTwo() {
        assertThat(of(8, 8, 10, 10).modes()).containsExactly(8.0, 10.0);
        assertThat(of(8, 8, 9.9, 9.9).modes()).hasSize(1);
    }

    @Test
    void modes_withAnOutlier_areOne() {
        assertThat(of(8, 8, 8, 8, 20).modes()).containsExactly(8.0);
        assertThat(of(2, 8, 8, 8, 8).modes()).containsExactly(8.0);
    }

    @Test
    void modes_ofTwoOrThreeForks_areOneHoweverFarApart() {
        assertThat(of(1, 100).modes()).hasSize(1);
        assertThat(of(1, 1, 100).modes()).containsExactly(1.0);
    }

    @Test
    void modes_ofThreeGroups_areParted_whereTheGapIsWidest() {
        assertThat(of(8, 8, 11, 11, 30, 30).modes()).containsExactly(9.5, 30.0);
    }

    @Test
    void modes_ofGroupsThatAreNoFurtherApartThanTheirOwnForks_areOne() {
        assertThat(of(10, 11, 14, 18, 22).modes()).hasSize(1);
        assertThat(of(10, 10.5, 14, 15, 15.5).modes()).containsExactly(10.25, 15.0);
    }

    @Test
    void modes_ofASingleModeWithNoise_areRarelyTwo() {
        Random random = new Random(7);

        int two = 0;
        for (int run = 0; run < 2_000; run++) {
            if (of(random.doubles(5, 0, 1).map(_ -> 10 * Math.exp(0.1 * random.nextGaussian())).toArray())
                    .modes()
                    .size() > 1) {
                two++;
            }
        }

        assertThat(two).isLessThan(20);
    }

    @Test
    void nanos_ofTwoModesOfTheSameSize_isATimeThatWasMeasured() {
        assertThat(of(8, 8, 12, 13).nanos()).isEqualTo(12);
        assertThat(of(8, 8, 12, 13).cpuNanos()).isEqualTo(12);
    }

    @Test
    void spread_isAPartOfTheMedian() {
        assertThat(of(8, 10, 13).spread()).isEqualTo(0.5);
        assertThat(of(10, 10, 10).spread()).isZero();
    }

    @Test
    void measurement_withoutForks_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> of()).withMessageStartingWith("Nothing measured");
    }
}
