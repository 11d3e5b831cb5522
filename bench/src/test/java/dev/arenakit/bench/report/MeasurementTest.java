package dev.arenakit.bench.report;

import dev.arenakit.bench.report.Measurement.Fork;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

class MeasurementTest {
    static final Cell MINE = new Cell("com.acme.Sorting", "mine", Map.of());

    /// Returns a measurement with a fork of each time. CPU times equal wall times.
    static Measurement of(double... nanos) {
        return of(MINE, nanos);
    }

    static Measurement of(Cell cell, double... nanos) {
        return new Measurement(cell, 25, IntStream.range(0, nanos.length)
                .mapToObj(i -> new Fork(Map.of(Metric.TIME, List.of(nanos[i]), Metric.CPU, List.of(nanos[i]),
                        Metric.BYTES, List.of(0.0))))
                .toList());
    }

    /// Returns a measurement with a fork of each value of a metric, and a time for all forks.
    static Measurement of(double nanos, Metric metric, double... values) {
        return new Measurement(MINE, 25, IntStream.range(0, values.length)
                .mapToObj(i -> new Fork(Map.of(Metric.TIME, List.of(nanos), metric, List.of(values[i]))))
                .toList());
    }

    @Test
    void value_ofForksOfWhichSomeLackTheMetric_isTheMedianOfTheOthers() {
        assertThat(of(10, Metric.P99_9, 1, 2, Double.NaN, 3).value(Metric.P99_9)).isEqualTo(2);
        assertThat(of(10).value(Metric.P99_9)).isNaN();
    }

    @Test
    void value_ofACumulativeMetric_isTheLastOne() {
        Measurement measurement = new Measurement(MINE, 25, List.of(new Fork(
                Map.of(Metric.TIME, List.of(1.0, 5.0, 2.0), Metric.SAMPLES, List.of(10.0, 20.0, 30.0)))));

        assertThat(measurement.value(Metric.SAMPLES)).isEqualTo(30);
        assertThat(measurement.value(Metric.TIME)).isEqualTo(2);
        assertThat(measurement.rangeText(Metric.TIME)).isEqualTo("1.00..5.00");
    }

    @Test
    void note_ofForksThatWereNotSteady_isThereIfTheyAreHalfOfAll() {
        assertThat(Confidence.noteIfUnsteady(of(10, Metric.WARM_UP_STEADY, 0, 1, 1, 0))).get()
                .extracting(CellNote::describe)
                .asString()
                .startsWith("not steady: time or garbage still changed")
                .endsWith("in 2 of 4 forks");
        assertThat(Confidence.noteIfUnsteady(of(10, Metric.WARM_UP_STEADY, 0, 1, 1))).isEmpty();
        assertThat(Confidence.noteIfUnsteady(of(10))).isEmpty();
    }

    @Test
    void measurement_withoutForks_isRefused() {
        assertRefused(() -> of(), "Nothing measured");
    }
}
