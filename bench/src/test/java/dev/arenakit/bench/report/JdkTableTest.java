package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class JdkTableTest {
    private static final Cell OTHER = new Cell("com.acme.Sorting", "other", Map.of());

    private final Results results = new Results(List.of(MeasurementTest.of(MeasurementTest.MINE.on("25"), 10, 20, 10),
            MeasurementTest.of(MeasurementTest.MINE.on("28"), 5, 10, 5), MeasurementTest.of(OTHER.on("28"), 7)));

    @Test
    void table_ofSeveralJdks_hasAColumnForEachAndTheirRatio() {
        assertThat(Report.table(results, List.of())).endsWith("""

                benchmark  params  candidate  ns/op, 25  ns/op, 28              28 against 25
                -----------------------------------------------------------------------------
                Sorting            mine            10.0       5.00  2.00x faster [2.00..2.00]
                                   other              -       7.00                          -
                """);
        assertThat(Report.legend(results)).contains("one JDK against another: ");
    }

    /// Runs of several JDKs that were joined have no common round.
    @Test
    void table_ofJdksThatRanOneAfterTheOther_hasTheRatioOfTheirMedians() {
        Measurement later = new Measurement(MeasurementTest.MINE.on("28"), 28,
                MeasurementTest.of(5, 6, 5).forks().stream().map(fork -> fork.later(3)).toList());
        Results joined = new Results(List.of(results.measurements().getFirst(), later));

        assertThat(Report.table(joined, List.of())).endsWith("10.0       5.00   2.00x faster\n");
    }

    @Test
    void table_ofOneJdk_hasNoSuchColumns() {
        Results one = new Results(results.measurements().subList(0, 1));

        assertThat(Report.table(one, List.of())).doesNotContain("ns/op, ");
        assertThat(Report.legend(one)).doesNotContain("one JDK");
    }

    @Test
    void files_ofSeveralJdks_haveTheirRatio(@TempDir Path directory) throws IOException {
        Path page = Report.write(directory, results, RunDescriptionTest.stored(), List.of());

        assertThat(page).content()
                .contains("JDKs side by side (2 rows)", "<th scope=\"col\">28 against 25</th>",
                        "<th scope=\"row\">mine</th><td>10.0</td><td>5.00</td><td>2.00x faster [2.00..2.00]</td>",
                        "<td>-</td><td>7.00</td><td class=\"uncertain\">-</td>");
        assertThat(Files.readAllLines(directory.resolve("results.csv"))).anySatisfy(
                line -> assertThat(line).contains("first_jdk,times_faster_than_first_jdk,"))
                .anySatisfy(
                        line -> assertThat(line).startsWith("tiny,Sorting,mine,,jdk=28,5,").contains(",25,2,2,2,3,"));
    }
}
