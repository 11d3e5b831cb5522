package dev.arenakit.bench.report;

import dev.arenakit.bench.report.Comparison.Verdict;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

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
    void forks_thatOverlap_areTheSameHoweverFarTheMedianMoved() {
        assertThat(verdict(BEFORE, 102, 150, 160, 170, 180)).isEqualTo(Verdict.SAME);
        assertThat(verdict(BEFORE, 98, 50, 60, 55, 51)).isEqualTo(Verdict.SAME);
    }

    @Test
    void forks_apartByLessThanAFewPercent_areTheSame() {
        assertThat(verdict(BEFORE, 103, 104, 103, 104, 104)).isEqualTo(Verdict.SAME);
        assertThat(verdict(BEFORE, 97, 96, 97, 96, 96)).isEqualTo(Verdict.SAME);
    }

    @Test
    void singleForks_spreadAsTheirIterationsDo() {
        Measurement before = iterations(100, 90, 110);

        assertThat(verdict(before, iterations(115, 109, 120))).isEqualTo(Verdict.SAME);
        assertThat(verdict(before, iterations(120, 111, 130))).isEqualTo(Verdict.SLOWER);
    }

    @Test
    void cells_ofOneRunAlone_areNamed() {
        Results results = ResultsTest.stored();
        Results less = new Results(results.measurements().subList(0, 9));

        assertThat(Comparison.of(results, less).changes().getLast().verdict()).isEqualTo(Verdict.ONLY_OLD);
        assertThat(Comparison.of(less, results).changes().getLast().verdict()).isEqualTo(Verdict.ONLY_NEW);
        assertThat(Comparison.of(less, results).anythingSlower()).isFalse();
    }

    @Test
    void cells_ofBenchmarksThatMovedToAnotherPackage_areCompared() {
        Measurement before = new Measurement(new Cell("dev.old.Concurrent.OfTwo", "mine", Map.of()),
                MeasurementTest.of(100).forks());
        Measurement after = new Measurement(new Cell("dev.arenakit.bench.Concurrent.OfTwo", "mine", Map.of()),
                MeasurementTest.of(200).forks());
        Measurement other = new Measurement(new Cell("dev.arenakit.bench.OfTwo", "mine", Map.of()),
                MeasurementTest.of(300).forks());

        assertThat(Comparison.of(new Results(List.of(before)), new Results(List.of(other, after))).changes())
                .containsExactly(
                        new Comparison.Change(after.cell(), Optional.of(before), Optional.of(after), Verdict.SLOWER),
                        new Comparison.Change(other.cell(), Optional.empty(), Optional.of(other), Verdict.ONLY_NEW));
    }

    @Test
    void text_namesWhatChangedAndCountsTheRest() {
        assertThat(comparison(BEFORE, 110, 120, 130, 140, 150)).hasToString("""
                verdict  benchmark  params  candidate  old ns/op   min..max  new ns/op  min..max  change
                ----------------------------------------------------------------------------------------
                slower   Sorting            mine             100  98.0..102        130  110..150   +30 %

                1 slower, 0 faster, 0 the same within the spread
                """);
    }

    @Test
    void text_ofTheSameRun_isALineAndAWarningOfFewForks() throws IOException, URISyntaxException {
        Path file = Path.of(Objects.requireNonNull(ComparisonTest.class.getResource("/results.json")).toURI());

        assertThat(Comparison.of(file, file)).hasToString("""
                0 slower, 0 faster, 10 the same within the spread
                With 3 forks a verdict is a hint: run at least 5 of each to be surer
                """);
    }

    @Test
    void file_thatIsMissingOrOfAnotherKind_isNamed(@TempDir Path directory) throws IOException {
        Path other = Files.writeString(directory.resolve("other.json"), "{}");
        Path none = directory.resolve("none.json");

        assertThatIOException().isThrownBy(() -> Comparison.of(other, none)).withMessageContaining(other.toString());
        assertThatIOException().isThrownBy(() -> Comparison.of(none, other)).withMessageContaining(none.toString());
    }

    private static Verdict verdict(double[] before, double... after) {
        return comparison(before, after).changes().getFirst().verdict();
    }

    private static Verdict verdict(Measurement before, Measurement after) {
        return Comparison.of(new Results(List.of(before)), new Results(List.of(after))).changes().getFirst().verdict();
    }

    private static Comparison comparison(double[] before, double... after) {
        return Comparison.of(new Results(List.of(MeasurementTest.of(before))),
                new Results(List.of(MeasurementTest.of(after))));
    }

    private static Measurement iterations(double median, double fastest, double slowest) {
        return new Measurement(MeasurementTest.of(1).cell(),
                List.of(new Measurement.Fork(median, fastest, slowest, Double.NaN, Double.NaN)));
    }
}
