package dev.arenakit.bench.report;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests of the files of a report.
class FilesTest {
    @TempDir
    Path directory;

    @BeforeEach
    void write() throws IOException {
        Report.write(directory, ResultsTest.stored(), RunDescriptionTest.stored(), List.of());
    }

    @Test
    void csv_ofStoredResults_hasARowPerCell() throws IOException {
        List<CSVRecord> rows = CSVFormat.RFC4180.builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get()
                .parse(new StringReader(Files.readString(directory.resolve("results.csv"))))
                .getRecords();

        // Two of the notes are on cells without a figure.
        assertThat(rows).hasSize(ResultsTest.stored().measurements().size() + 2);
        assertThat(rows.get(1).toMap()).containsEntry("suite", "tiny")
                .containsEntry("benchmark", "one block")
                .containsEntry("candidate", "MallocArena")
                .containsEntry("memory", "checked scoped")
                .containsEntry("params", "byteSize=64;written=first")
                .containsEntry("ns_per_op", "10")
                .containsEntry("ns_per_op_min", "8")
                .containsEntry("ns_per_op_max", "12.5")
                .containsEntry("bytes_per_op", "0.001")
                .containsEntry("baseline", "Arena.ofConfined")
                .containsEntry("times_faster", "3.125")
                .containsEntry("p50_ns", "")
                .containsEntry("forks", "3")
                .containsEntry("note", "");
        assertThat(rows).extracting(row -> row.get("note"))
                .contains("not available: mimalloc is not installed", "leaks: 12 KiB");
    }

    @Test
    void page_beginsWithItsResultAndAChart_andFoldsTheRestBelow() throws IOException {
        String page = textOfThePage();

        assertThat(page).containsSubsequence("<h1>", "<p class=\"result\">In 1 of 5 comparisons, ", "<figure>",
                "</main>",
                "<details id=\"reading\">", "<details id=\"facts\">", "<dt>Machine</dt>", "<details id=\"notes\">",
                "<li><b>Strange, mine</b>");
        assertThat(page.substring(page.indexOf("<footer>"))).doesNotContain(" open>");
    }

    @Test
    void page_hasTablesNotesAndFactsWithoutScripts() throws IOException {
        assertThat(textOfThePage()).contains("<title>A &lt;tiny&gt; suite</title>",
                "<dt>Flags</dt><dd>--flag=&lt;a&gt; -Xmx1g</dd>", "<dt>Forks</dt><dd>3 to 5 forks each</dd>",
                "<summary>Missing or untrusted figures (3)</summary>",
                "<li><b>Strange, mine</b>: failed: threw &lt;b&gt;this&lt;/b&gt;; and | that</li>",
                "<th colspan=\"7\" scope=\"rowgroup\"><span>64 B, every byte written</span></th>",
                "<td class=\"uncertain\">3.13x faster [1.36..6.73]</td>",
                "<td class=\"missing\" colspan=\"5\">not available: mimalloc is not installed</td>",
                "250x faster [90.4..471] <span class=\"warning\">leaks</span></td>", "No figure to draw.");
    }

    @Test
    void page_ofRunsThatDiffer_saysSoAtItsTop() throws IOException {
        RunDescription joined = new RunDescription("tiny", "Tiny", Map.of("Differences", "heap=<2> instead of 1"),
                List.of());
        Report.write(directory, ResultsTest.stored(), joined, List.of());

        assertThat(textOfThePage()).containsSubsequence("<p class=\"result\">",
                "<p class=\"preliminary\">The joined runs differ: heap=&lt;2&gt; instead of 1</p>", "</header>");
    }

    @Test
    void page_withABaselineThatIsNotSteady_greysItsRatiosOut() throws IOException {
        CellNote baseline = new CellNote(ResultsTest.cell(Cell.BASELINE, "64", "all"), "", CellNote.Kind.NOT_STEADY);
        Report.write(directory, ResultsTest.stored(), new RunDescription("tiny", "Tiny", Map.of(), List.of(baseline)),
                List.of());

        assertThat(textOfThePage()).contains("<td class=\"uncertain\">2.00x faster [1.90..2.18]</td>");
    }

    private String textOfThePage() throws IOException {
        String page = Files.readString(directory.resolve("index.html"));
        return page.substring(0, page.indexOf("<script"));
    }
}
