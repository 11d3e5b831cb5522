package dev.arenakit.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ChartDataTest {
    @Test
    void chart_ofStoredResults_hasAPanelPerConditionWithTheVariantsSideBySide() {
        ChartData data = ChartData.of(ReportSection.of(ResultsTest.stored(), List.of()));

        ChartData.Chart block = data.charts().getFirst();
        assertThat(block.axis()).isNull();
        assertThat(block.columns()).isEqualTo(2);
        assertThat(block.panels()).extracting(ChartData.Panel::title)
                .containsExactly("64 B, one long written", "64 B, every byte written", "1 MiB, one long written");
        assertThat(block.candidates()).extracting(ChartData.Candidate::name)
                .containsExactly("Arena.ofConfined", "MallocArena", "malloc");
        assertThat(block.panels().get(1).points()).extracting(ChartData.Point::text)
                .containsExactly("40.0", "10.0 | 16.0", "20.0");
        assertThat(block.panels().get(1).points()).extracting(ChartData.Point::uncertain)
                .containsExactly(false, true, false);
    }

    @Test
    void axis_ofSixNumbers_isThatParameter() {
        assertThat(axis("1", "2", "3", "4", "5", "6")).isEqualTo("size");
        assertThat(axis("1", "2", "3", "4", "5")).isNull();
        assertThat(axis("1", "2", "3", "4", "5", "a")).isNull();
        assertThat(axis("0", "1", "2", "3", "4", "5")).isNull();
    }

    @Test
    void colors_ofACandidate_areTheSameInAllReports() {
        ChartData data = ChartData.of(ReportSection.of(ResultsTest.stored(), List.of()));
        ChartData other = ChartData.of(ReportSection.of(ResultsTest.stored().of("dev.arenakit.bench.micro.Mapped"),
                List.of()));

        assertThat(data.charts().getFirst().candidates()).extracting(ChartData.Candidate::color)
                .containsExactly(0, 2, 6);
        assertThat(other.charts().getFirst().candidates()).isEqualTo(data.charts().getLast().candidates())
                .extracting(ChartData.Candidate::color)
                .containsExactly(0, 3);
    }

    @Test
    void shades_ofAFamily_differAndAreThoseOfTheCandidates() throws IOException {
        assertThat(List.of("SlabArena", "SlabArena unzeroed", "SlabArena bounded", "SlabArena bounded unzeroed"))
                .extracting(CandidateFamilies::shade)
                .doesNotHaveDuplicates()
                .startsWith(0);
        try (InputStream script = Objects.requireNonNull(ChartData.class.getResourceAsStream("charts.js"))) {
            String symbols = new String(script.readAllBytes(), StandardCharsets.UTF_8)
                    .replaceFirst("(?s).*const SYMBOLS = \\[(.*?)].*", "$1");
            assertThat(symbols.split(",", -1)).hasSize(CandidateFamilies.SHADES);
        }
    }

    @Test
    void colors_ofStrangers_areFixedToo() throws IOException {
        assertThat(CandidateFamilies.color("mine")).isEqualTo(CandidateFamilies.color("mine, faster")).isBetween(7, 13);
        try (InputStream script = Objects.requireNonNull(ChartData.class.getResourceAsStream("charts.js"))) {
            String[] colors = new String(script.readAllBytes(), StandardCharsets.UTF_8).split("\"#[0-9a-f]{6}\"", -1);
            assertThat(colors).hasSize(2 * CandidateFamilies.COUNT + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Agrona;Chronicle Map;Eclipse Collections;HashMap;LongIntMap;LongLongMap;MapDB;fastutil",
            "Agrona;ByteBuffer;DataOutputStream;RecordMapper;Serializable record;VarHandles",
            "LongField;VarHandle;records;views", "IntList;LongList;fastutil, int",
            "OffsetAllocator raw;FreeListArena;jemalloc critical;malloc critical;mimalloc critical"})
    void colors_ofRivals_differ(String rivals) {
        assertThat(rivals.split(";")).extracting(CandidateFamilies::color).doesNotHaveDuplicates();
    }

    @Test
    void note_isInThePoint() {
        CellNote note = new CellNote(ResultsTest.cell("MallocArena", "64"), "time", CellNote.Kind.NOT_STEADY);
        ChartData data = ChartData.of(ReportSection.of(ResultsTest.stored(), List.of(note)));

        assertThat(data.charts().getFirst().panels().getFirst().points()).extracting(ChartData.Point::note)
                .containsExactly("", "not steady: time", "");
        assertThat(data.charts().getFirst().panels().getFirst().points()).extracting(ChartData.Point::ratio)
                .containsExactly("baseline", "3.13x faster [1.36..6.73]", "1.35x faster [0.78..2.93]");
    }

    @ParameterizedTest
    @CsvSource({"Arena.ofShared, JDK", "BufferStack, JDK", "MallocArena mimalloc, MallocArena", "calloc, libc",
            "malloc critical, libc", "VarHandles, JDK", "SlabArena bounded unzeroed, SlabArena",
            "Netty adaptive, Netty",
            "mine, mine"})
    void family_ofACandidate_isItsOrigin(String candidate, String family) {
        assertThat(CandidateFamilies.family(candidate)).isEqualTo(family);
    }

    private static @Nullable String axis(String... sizes) {
        Results results = new Results(Arrays.stream(sizes)
                .flatMap(size -> IntStream.range(0, 2)
                        .mapToObj(i -> new Measurement(new Cell("com.acme.Growth", "mine" + i, Map.of("size", size)),
                                MeasurementTest.of(1).forks())))
                .toList());
        return ChartData.of(ReportSection.of(results, List.of())).charts().getFirst().axis();
    }
}
