package dev.arenakit.bench.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.arenakit.bench.candidate.Candidates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests of the data in the page of a report. `PageTest` shows what the page makes of them.
class FilesTest {
    private static final String DATA = "<script type=\"application/json\" id=\"data\">";

    @TempDir
    Path directory;

    @Test
    void page_ofStoredResults_hasARowPerCell() throws IOException {
        JsonObject page = write(ResultsTest.stored(), RunDescriptionTest.stored());
        // Two of the notes are on cells without a figure.
        assertThat(rows(page)).hasSize(ResultsTest.stored().measurements().size() + 2);

        JsonObject row = row(page, "MallocArena", "64 B, one long written");
        assertThat(row.get("figures").getAsJsonArray()).extracting(JsonElement::getAsString)
                .containsExactly("10.0", "8.00..12.5", "10.0", "0");
        assertThat(row.get("ratio").getAsString()).isEqualTo("3.13x faster [1.36..6.73]");
        assertThat(row.get("uncertain").getAsBoolean()).isTrue();
        assertThat(row.get("memory").getAsString()).isEqualTo("checked, scoped");
        assertThat(row.get("forks").getAsInt()).isEqualTo(3);
        assertThat(row.get("points").getAsJsonArray()).hasSize(1);
        assertThat(row(page, Candidates.OF_CONFINED, "64 B, one long written").get("ratio").getAsString())
                .isEqualTo("baseline");
        assertThat(page.get("result").getAsString()).startsWith("In 1 of 5 comparisons, ");
    }

    @Test
    void page_ofNotes_hasThemBesideTheRowsAndInAList() throws IOException {
        JsonObject page = write(ResultsTest.stored(), RunDescriptionTest.stored());

        assertThat(row(page, "MallocArena mimalloc", "64 B, one long written").get("note").getAsString())
                .isEqualTo("not available: mimalloc is not installed");
        assertThat(row(page, "MallocArena mimalloc", "64 B, one long written").get("figures").getAsJsonArray())
                .isEmpty();
        assertThat(row(page, "MallocArena", "1 MiB, one long written").get("kind").getAsString()).isEqualTo("leaks");
        assertThat(page.get("notes").getAsJsonArray()).hasSize(3);
        assertThat(page.get("facts").getAsJsonObject().get("Flags").getAsString()).isEqualTo("--flag=<a> -Xmx1g");
    }

    @Test
    void page_withABaselineThatIsNotSteady_hasUncertainRatios() throws IOException {
        CellNote baseline = new CellNote(ResultsTest.cell(Candidates.OF_CONFINED, "64", "all"), "",
                CellNote.Kind.NOT_STEADY);
        JsonObject page = write(ResultsTest.stored(), new RunDescription("tiny", "Tiny", Map.of(), List.of(baseline)));

        JsonObject row = row(page, "malloc", "64 B, every byte written");
        assertThat(row.get("ratio").getAsString()).isEqualTo("2.00x faster [1.90..2.18]");
        assertThat(row.get("uncertain").getAsBoolean()).isTrue();
    }

    @Test
    void page_ofTails_hasAPointForEachPercentile() throws IOException {
        JsonObject page = write(Results.read(Path.of("src/test/resources/tails.json")), RunDescriptionTest.stored());

        JsonArray points = rows(page).getFirst().get("points").getAsJsonArray();
        assertThat(points).extracting(point -> point.getAsJsonObject().get("heading").getAsString())
                .containsExactly("p50", "p90", "p99", "p99.9", "p99.99");
    }

    private JsonObject write(Results results, RunDescription run) throws IOException {
        String page = Files.readString(Report.write(directory, results, run, List.of()));
        int data = page.indexOf(DATA) + DATA.length();
        return JsonParser.parseString(page.substring(data, page.indexOf("</script>", data))).getAsJsonObject();
    }

    private static List<JsonObject> rows(JsonObject page) {
        return StreamSupport.stream(page.get("sections").getAsJsonArray().spliterator(), false)
                .flatMap(section -> StreamSupport
                        .stream(section.getAsJsonObject().get("rows").getAsJsonArray().spliterator(), false))
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    private static JsonObject row(JsonObject page, String candidate, String params) {
        return rows(page).stream()
                .filter(row -> row.get("candidate").getAsString().equals(candidate)
                        && String.join(", ", StreamSupport
                                .stream(row.get("params").getAsJsonArray().spliterator(), false)
                                .map(param -> param.getAsJsonObject().get("text").getAsString())
                                .toList()).equals(params))
                .findFirst()
                .orElseThrow();
    }
}
