package dev.arenakit.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ChartDataTest {
    private static final CellNote NOTE = new CellNote(ResultsTest.cell("MallocArena", "64"), "time",
            CellNote.Kind.NOT_STEADY);

    private final ChartData.Chart chart = ChartData.of(ReportSection.of(ResultsTest.stored(), List.of(NOTE)))
            .charts()
            .getFirst();

    @Test
    void chart_ofStoredResults_hasAPanelPerCondition() {
        assertThat(chart.axis()).isNull();
        assertThat(chart.panels()).extracting(ChartData.Panel::title)
                .containsExactly("64 B, one long written", "64 B, every byte written", "1 MiB, one long written");
        assertThat(chart.candidates()).extracting(ChartData.Candidate::name)
                .containsExactly("Arena.ofConfined", "MallocArena", "malloc");
        assertThat(chart.panels().getFirst().points()).extracting(ChartData.Point::note)
                .containsExactly("", "not steady: time", "");
        assertThat(chart.panels().getFirst().points()).extracting(ChartData.Point::ratio)
                .containsExactly("baseline", "3.13x faster [1.36..6.73]", "1.35x faster [0.78..2.93]");
        assertThat(chart.panels().getFirst().points()).extracting(ChartData.Point::uncertain)
                .containsExactly(false, true, true);
    }

    @Test
    void axis_ofSixNumbers_isThatParameter() {
        assertThat(axis("1", "2", "3", "4", "5", "6")).isEqualTo("size");
        assertThat(axis("1", "2", "3", "4", "5")).isNull();
        assertThat(axis("1", "2", "3", "4", "5", "a")).isNull();
        assertThat(axis("0", "1", "2", "3", "4", "5")).isNull();
    }

    @Test
    void colors_areFixedAndThoseOfTheScript() throws IOException {
        assertThat(chart.candidates()).extracting(ChartData.Candidate::color).containsExactly(0, 2, 6);
        try (InputStream script = Objects.requireNonNull(ChartData.class.getResourceAsStream("charts.js"))) {
            String[] colors = new String(script.readAllBytes(), StandardCharsets.UTF_8).split("\"#[0-9a-f]{6}\"", -1);
            assertThat(colors).hasSize(2 * 14 + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Agrona;Chronicle Map;Eclipse Collections;HashMap;LongIntMap;LongLongMap;MapDB;fastutil",
            "Agrona;ByteBuffer;DataOutputStream;RecordMapper;Serializable record;VarHandles",
            "LongField;VarHandle;records;views", "IntList;LongList;fastutil, int",
            "OffsetAllocator raw;FreeListArena;jemalloc critical;malloc critical;mimalloc critical"})
    void colors_ofRivals_differ(String rivals) {
        Results results = new Results(Stream.of(rivals.split(";"))
                .map(rival -> MeasurementTest.of(new Cell("com.acme.Rivals", rival, Map.of()), 1, 2))
                .toList());

        assertThat(ChartData.of(ReportSection.of(results, List.of())).charts().getFirst().candidates())
                .extracting(ChartData.Candidate::color)
                .doesNotHaveDuplicates();
    }

    private static @Nullable String axis(String... sizes) {
        Results results = new Results(Arrays.stream(sizes)
                .map(size -> MeasurementTest.of(new Cell("com.acme.Growth", "mine", Map.of("size", size)), 1))
                .toList());
        return ChartData.of(ReportSection.of(results, List.of())).charts().getFirst().axis();
    }
}
