package dev.arenakit.bench.report;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Reports of runs that measured more than times: recorded results of the suite `tails`, two forks of each cell.
class SuiteKindsTest {
    private static Results stored(String name) {
        try {
            return Results.read(Path.of(Objects.requireNonNull(SuiteKindsTest.class.getResource(name)).toURI()));
        } catch (IOException | URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static Measurement of(Results results, String candidate, String batch) {
        return results.measurements()
                .stream()
                .filter(each -> each.cell().candidate().equals(candidate)
                        && batch.equals(each.cell().params().getOrDefault(ReportFormat.BATCH, batch)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void operations_thatAreTimedTogether_countOneByOne() {
        Measurement together = of(stored("/tails.json"), "SlabArena", "100");

        // 100 of these operations take less than 2 us.
        assertThat(together.value(Metric.P50)).isBetween(1.0, 20.0);
        assertThat(together.value(Metric.CPU)).isBetween(1.0, 20.0);
        assertThat(together.value(Metric.SAMPLES)).isGreaterThan(100_000);
    }

    @Test
    void tails_areInTheTableForTheTerminal_withWhatTheyMean() {
        Results results = stored("/tails.json");

        assertThat(Report.table(results, List.of()).lines().findFirst().orElseThrow().replaceAll(" +", " "))
                .isEqualTo("benchmark params candidate ns/op min..max CPU ns/op process CPU B/op p50 p90 p99 p99.9 "
                        + "p99.99 max against the baseline");
        assertThat(Report.table(results, List.of())).contains("timed one by one", "timed 100 at a time");
        assertThat(Report.legend(results)).contains("one reading", "requests that queue behind a slow operation");
    }
}
