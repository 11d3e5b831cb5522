package dev.arenakit.bench.report;

import java.io.IOException;
import java.io.StringReader;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Reports of runs that measured more than times: recorded results of the suites `tails` and `footprint`, two forks of
/// each cell.
class SuiteKindsTest {
    @TempDir
    Path directory;

    private static Results stored(String name) {
        try {
            return Results.read(Path.of(Objects.requireNonNull(SuiteKindsTest.class.getResource(name)).toURI()));
        } catch (IOException | URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private List<CSVRecord> csv() throws IOException {
        return CSVFormat.RFC4180.builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get()
                .parse(new StringReader(Files.readString(directory.resolve("results.csv"))))
                .getRecords();
    }

    private static Measurement of(Results results, String candidate, String batch) {
        return results.measurements()
                .stream()
                .filter(each -> each.cell().candidate().equals(candidate)
                        && batch.equals(each.cell().params().getOrDefault(Results.BATCH, batch)))
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
        assertThat(together.value(Metric.CLOCK)).isGreaterThan(5);
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

    @Test
    void tails_areInAllFiles() throws IOException {
        Report.write(directory, stored("/tails.json"), RunDescriptionTest.stored(), List.of());

        assertThat(csv()).filteredOn(row -> !row.get("forks").equals("0")).isNotEmpty().allSatisfy(row -> {
            assertThat(Double.parseDouble(row.get("p50_ns")))
                    .isLessThanOrEqualTo(Double.parseDouble(row.get("p99_ns")));
            assertThat(Double.parseDouble(row.get("p99_9_ns")))
                    .isLessThanOrEqualTo(Double.parseDouble(row.get("max_ns")));
            assertThat(row.get("page_faults_per_op")).isEmpty();
        });
        assertThat(Files.readString(directory.resolve("index.html"))).contains("<th scope=\"col\">p99.99</th>",
                "Lines of nanoseconds over percentiles", "\"axis\":\"percentile\"");
    }

    @Test
    void chart_ofTails_hasAPointForEachPercentile() {
        Results results = stored("/tails.json");
        ChartData.Chart chart = ChartData.of(ReportSection.of(results, List.of())).charts().getFirst();

        ChartData.Panel panel = chart.panels().getFirst();
        assertThat(panel.points().stream().filter(point -> point.candidate() == 0)).extracting(ChartData.Point::x)
                .containsExactly(2.0, 10.0, 100.0, 1000.0, 10000.0);
        assertThat(panel.points().getFirst().conditions()).isEqualTo("p50");
    }

    @Test
    void footprint_isInTheTablesAndInTheFileForPrograms() throws IOException {
        Results results = stored("/footprint.json");
        Report.write(directory, results, RunDescriptionTest.stored(), List.of());

        assertThat(Report.table(results, List.of()).lines().findFirst().orElseThrow().replaceAll(" +", " "))
                .isEqualTo("benchmark params candidate ns/op min..max CPU ns/op process CPU B/op faults/op peak MiB "
                        + "retained MiB against the baseline");
        assertThat(Report.legend(results)).contains("retained is that after the last");
        assertThat(csv()).filteredOn(row -> !row.get("forks").equals("0")).isNotEmpty().allSatisfy(row -> {
            assertThat(Double.parseDouble(row.get("resident_retained_bytes")))
                    .isLessThanOrEqualTo(Double.parseDouble(row.get("resident_peak_bytes")));
            assertThat(row.get("p50_ns")).isEmpty();
        });
    }

    @Test
    void processCpu_ofAnArenaThatTheCollectorCloses_isAMultipleOfTheWorkers() {
        Measurement auto = of(stored("/footprint.json"), "Arena.ofAuto", "1");

        assertThat(auto.value(Metric.PROCESS_CPU)).isGreaterThan(1.5 * auto.value(Metric.CPU));
    }
}
