package dev.arenakit.bench.report;

import dev.arenakit.bench.candidate.Candidates;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ReportTest {
    private final Results results = ResultsTest.stored();

    @Test
    void table_ofStoredResults_isAlignedAndComparesWithTheBaseline() {
        assertThat(Report.table(results, List.of())).isEqualTo("""
                benchmark  params                    candidate               ns/op        min..max  CPU ns/op   B/op          against the baseline
                ----------------------------------------------------------------------------------------------------------------------------------
                one block  64 B, one long written    Arena.ofConfined         27.0      25.0..41.0       26.0     48                      baseline
                                                     MallocArena              10.0      8.00..12.5       10.0      0     3.13x faster [1.36..6.73]
                                                     malloc                   20.0      20.0..20.0       20.0      0     1.35x faster [0.78..2.93]
                one block  64 B, every byte written  Arena.ofConfined         40.0      40.0..42.0       40.0     48                      baseline
                                                     MallocArena              10.0      10.0..16.0       10.0      0     4.00x faster [1.71..7.08]
                                                     malloc                   20.0      20.0..20.0       20.0      0     2.00x faster [1.90..2.18]
                one block  1 MiB, one long written   Arena.ofConfined        9,000   8,000..10,000      9,000     80                      baseline
                                                     MallocArena              40.0      32.0..64.0          -     16       250x faster [90.4..471]
                mapped     100 B                     Arena.ofConfined         12.0      12.0..12.0       12.0      0                      baseline
                                                     InfiniteArena chunked  60,000  60,000..60,000     60,000  2,000  5,000x slower [5,000..5,000]
                """);
    }

    @Test
    void table_marksCandidatesThatBreakTheContract() {
        CellNote breach = new CellNote(ResultsTest.cell("MallocArena", "64"), "1 of 2 tests fails",
                CellNote.Kind.BREAKS_THE_CONTRACT);
        CellNote leak = new CellNote(ResultsTest.cell("MallocArena", "1048576"), "12 KiB", CellNote.Kind.LEAKS);

        assertThat(Report.table(results, List.of(breach, leak))).containsOnlyOnce("MallocArena (!) ");
    }

    @Test
    void result_ofStoredResults_countsCertainComparisonsAndNamesTheirExtremes() {
        assertThat(Report.result(results, List.of(), List.of()))
                .isEqualTo("In 1 of 6 comparisons, the candidate is faster than the baseline, in 1 it is slower, "
                        + "4 are uncertain: from 5,000x slower (mapped, 100 B, InfiniteArena chunked) "
                        + "to 2.00x faster (one block, 64 B, every byte written, malloc).");
    }

    @Test
    void result_withABaselineThatIsNotSteady_countsItsComparisonsAsUncertain() {
        CellNote baseline = new CellNote(ResultsTest.cell(Candidates.OF_CONFINED, "64", "all"), "",
                CellNote.Kind.NOT_STEADY);

        assertThat(Report.result(results, List.of(baseline), List.of()))
                .isEqualTo("In 0 of 6 comparisons, the candidate is faster than the baseline, in 1 it is slower, "
                        + "5 are uncertain: 5,000x slower (mapped, 100 B, InfiniteArena chunked).");
    }

    @Test
    void result_withoutACertainComparison_saysSo() {
        Cell confined = ResultsTest.cell(Candidates.OF_CONFINED, "64");
        Results fewForks = new Results(List.of(MeasurementTest.of(confined, 10, 10),
                MeasurementTest.of(confined.by("MallocArena"), 5, 5), MeasurementTest.of(confined.by("mine"), 2, 2)));

        assertThat(Report.result(fewForks, List.of(), List.of()))
                .isEqualTo("All 2 comparisons with a baseline are uncertain; measure with more forks.");
        assertThat(Report.result(new Results(fewForks.measurements().subList(0, 2)), List.of(), List.of()))
                .isEqualTo("The comparison with the baseline is uncertain; measure with more forks.");
    }

    @Test
    void result_withUntrustedFigures_leavesThemOut() {
        CellNote leak = new CellNote(ResultsTest.cell("MallocArena", "1048576"), "12 KiB", CellNote.Kind.LEAKS);

        assertThat(Report.result(results, List.of(leak), List.of())).startsWith("In 1 of 5 comparisons, ");
        assertThat(Report.result(new Results(List.of()), List.of(leak), List.of()))
                .isEqualTo("No figure that can be trusted was compared with a baseline.");
    }

    @Test
    void result_ofARunWithTargets_beginsWithTheNumberThatIsMet() {
        Cell malloc = ResultsTest.cell("MallocArena", "64");
        Cell confined = ResultsTest.cell(Candidates.OF_CONFINED, "64");

        assertThat(Report.result(results, List.of(), List.of(new Target(malloc, confined, 2.5, true),
                new Target(malloc, confined, 5, true), new Target(malloc, confined, Double.NaN, true),
                new Target(ResultsTest.cell("MallocArena", "16"), confined, 1, true))))
                .startsWith("1 of 2 targets are met; in 1 of 6 comparisons, ");
    }

    @Test
    void legend_ofFewForks_saysThatTheyArePreliminary() {
        assertThat(Report.legend(results)).startsWith("preliminary: 3 to 5 forks each\n").contains("the median");
        assertThat(Report.legend(new Results(results.measurements()
                .stream()
                .filter(measurement -> measurement.forks().size() >= 5)
                .toList()))).startsWith("5 forks each\n");
    }

    @Test
    void targets_metMissedUnaskedAndUnmeasured_areToldApart() {
        Cell mapped = new Cell("dev.arenakit.bench.micro.stored.Mapped", "chunkedConfined", Map.of("byteSize", "100"));

        Cell malloc = ResultsTest.cell("MallocArena", "64");
        Cell confined = ResultsTest.cell(Candidates.OF_CONFINED, "64");
        Cell large = ResultsTest.cell(Candidates.OF_CONFINED, "1048576");

        assertThat(Target.table(List.of(
                new Target(malloc, confined, 2.5, true),
                new Target(malloc, confined, 5, true),
                new Target(ResultsTest.cell("MallocArena", "1048576"), large, 150, true),
                new Target(mapped, confined, Double.NaN, false),
                new Target(ResultsTest.cell("MallocArena", "16"), ResultsTest.cell(Candidates.OF_CONFINED, "16"), 2.5,
                        true)),
                results)).isEqualTo("""
                        benchmark  params                   candidate              against                            target                      measured    by CPU time   B/op  verdict
                        ----------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
                        one block  64 B, one long written   MallocArena            Arena.ofConfined             2.50x faster     3.13x faster [1.36..6.73]   3.00x faster      0  met, uncertain
                        one block  64 B, one long written   MallocArena            Arena.ofConfined             5.00x faster     3.13x faster [1.36..6.73]   3.00x faster      0  missed by 38 %, uncertain
                        one block  1 MiB, one long written  MallocArena            Arena.ofConfined              150x faster       250x faster [90.4..471]              -     16  met, uncertain, leaves garbage
                        mapped     100 B                    InfiniteArena chunked  Arena.ofConfined, one block             -  2,222x slower [1,024..3,843]  2,308x slower  2,000  measured
                        one block  16 B, one long written   MallocArena            Arena.ofConfined             2.50x faster                             -              -      -  not measured
                        """);
    }

    @Test
    void targets_withoutGarbage_allowWhatJmhAllocatesItself() {
        Cell mine = new Cell("com.acme.Sorting", "mine", Map.of());

        assertThat(Target.table(List.of(new Target(mine, mine, 1, true)), garbage(mine, 23_000, 1.2)))
                .doesNotContain("garbage");
        assertThat(Target.table(List.of(new Target(mine, mine, 1, true)), garbage(mine, 23_000, 16)))
                .contains("leaves garbage");
        assertThat(Target.table(List.of(new Target(mine, mine, 1, true)), garbage(mine, 23, 1.2)))
                .contains("leaves garbage");
    }

    private static Results garbage(Cell cell, double nanos, double bytes) {
        return new Results(List.of(new Measurement(cell, 25,
                MeasurementTest.of(nanos, Metric.BYTES, bytes).forks())));
    }

    @Test
    void targets_ofCellsThatAreNotSteady_sayIt() {
        Results measured = new Results(List.of(MeasurementTest.of(9, Metric.WARM_UP_STEADY, 0, 0)));
        Cell mine = MeasurementTest.MINE;

        assertThat(Target.table(List.of(new Target(mine, mine, 1, false)), measured)).contains(", not steady\n");
    }

    @Test
    void row_ofAnotherWidth_isRefused() {
        TextTable table = new TextTable("a", ">b");

        assertThatIllegalArgumentException().isThrownBy(() -> table.add("only one"))
                .withMessage("Row does not fit: columns=2, cells=1");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.0004, 0", "0.012, 0.012", "0.62, 0.62", "9.994, 9.99", "9.996, 10.0", "26.14, 26.1",
            "417.4, 417", "8479, '8,479'", "NaN, -"})
    void number_hasThreeDigits(double value, String text) {
        assertThat(ReportFormat.number(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.0002, '5,000x slower'", "0.5, 2.00x slower", "0.999, 1.00x", "1, 1.00x", "1.004, 1.00x",
            "1.35, 1.35x faster", "16.7, 16.7x faster", "1234.4, '1,234x faster'", "NaN, -"})
    void speed_belowOne_isSlower(double ratio, String text) {
        assertThat(ReportFormat.speed(ratio)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"byteSize, 16, 16 B", "byteSize, 1024, 1 KiB", "byteSize, 65536, 64 KiB", "byteSize, 1048576, 1 MiB",
            "byteSize, 1500, 1500 B", "written, all, every byte written", "workload, 10x32, 10 x 32 B",
            "threads, 2, threads=2", "escape, passed, passed", "characters, 20 ASCII, 20 ASCII characters",
            "blocks, 10000, 10000 blocks", "others, 10, 10 others open", "written, in place, in place",
            "written, copied, copied", "producers, one, one producer", "producers, many, many producers",
            "peer, process, to a process"})
    void params_haveUnits(String name, String value, String text) {
        assertThat(ReportFormat.params(Map.of(name, value))).isEqualTo(text);
    }

    @Test
    void labels_ofStrangers_areTheirNames() {
        assertThat(new Cell("com.acme.Sorting", "mine", Map.of()).name())
                .isEqualTo("Sorting, mine");
    }
}
