package dev.arenakit.bench.report;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A recorded run of ten forks in which `Arena.ofConfined` was measured under two names, on a busy machine.
class EqualsTest {
    private final Results results = recorded();

    private static Results recorded() {
        try {
            return Results.read(Path.of(Objects.requireNonNull(EqualsTest.class.getResource("/equals.json")).toURI()));
        } catch (IOException | URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void ratios_ofEqualArenas_containOneAndAreUncertain() {
        List<Measurement> again = results.measurements()
                .stream()
                .filter(measurement -> measurement.cell().candidate().equals("again"))
                .toList();

        assertThat(again).hasSize(2).allSatisfy(measurement -> {
            Measurement baseline = results.baselineOf(measurement).orElseThrow();
            assertThat(measurement.forks()).hasSize(10);
            assertThat(measurement.timesFasterThan(baseline)).matches(ratio -> ratio.contains(1))
                    .matches(Ratio::isUncertain);
            assertThat(measurement.timesLessCpuThan(baseline)).matches(ratio -> ratio.contains(1));
        });
    }

    @Test
    void everySecondRound_comparedWithTheOthers_doesNotDifferSignificantly() {
        Comparison comparison = Comparison.of(rounds(0), rounds(1), 0);

        assertThat(comparison.changes()).hasSize(results.measurements().size())
                .allSatisfy(change -> assertThat(change.verdict()).isEqualTo(Comparison.Verdict.SAME));
    }

    @Test
    void arenas_comparedAsTwoRuns_doNotDifferSignificantly() {
        assertThat(Comparison.of(by("Arena.ofConfined"), by("again"), 0).changes()).hasSize(2)
                .allSatisfy(change -> assertThat(change.verdict()).isEqualTo(Comparison.Verdict.SAME));
    }

    private Results rounds(int parity) {
        return new Results(results.measurements()
                .stream()
                .map(measurement -> new Measurement(measurement.cell(), measurement.forks()
                        .stream()
                        .filter(fork -> fork.round() % 2 == parity)
                        .toList()))
                .toList());
    }

    private Results by(String provider) {
        return new Results(results.measurements()
                .stream()
                .filter(measurement -> measurement.cell().candidate().equals(provider))
                .map(measurement -> new Measurement(measurement.cell().by("one name"), measurement.forks()))
                .toList());
    }
}
