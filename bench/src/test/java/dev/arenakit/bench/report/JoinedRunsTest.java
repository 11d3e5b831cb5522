package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class JoinedRunsTest {
    private static final Cell MINE = new Cell("com.acme.Sorting", "mine", Map.of());

    @TempDir
    Path directory;

    @Test
    void runs_ofTheSameCell_addTheirForksInFurtherRounds() throws IOException {
        JoinedRuns joined = JoinedRuns.of(List.of(run("one", "A", "25", 10, 11), run("two", "A", "25", 12, 13, 14)));

        Measurement measurement = joined.results().find(MINE).orElseThrow();
        assertThat(measurement.forks()).extracting(Fork::nanos).containsExactly(10.0, 11.0, 12.0, 13.0, 14.0);
        assertThat(measurement.forks()).extracting(Fork::round).containsExactly(0, 1, 2, 3, 4);
        assertThat(joined.description().orElseThrow().suite()).isEqualTo("one, two");
        assertThat(joined.notes()).extracting(CellNote::why).containsExactly("one", "two");
    }

    @Test
    void runs_ofSeveralJdks_areShownSideBySide() throws IOException {
        JoinedRuns joined = JoinedRuns.of(List.of(run("one", "A", "25", 10), run("two", "A", "26", 12)));

        assertThat(joined.results().measurements()).extracting(measurement -> ReportFormat.name(measurement.cell()))
                .containsExactly("Sorting, JDK 25, mine", "Sorting, JDK 26, mine");
        assertThat(joined.description().orElseThrow().machine().jdk()).isEqualTo("JDK 25, JDK 26");
        assertThat(joined.notes()).extracting(note -> note.cell().params())
                .containsExactly(Map.of("jdk", "JDK 25"), Map.of("jdk", "JDK 26"));
    }

    @Test
    void runs_withOtherHeapOrIterations_areJoinedAndTheDifferencesNamed() throws IOException {
        Path one = run("one", "A", "25", 10);
        describe("one", List.of("-Xmx1g", "-XX:+UseG1GC"), Map.of("Heap", "1024 MiB at most, G1 GC"));
        Path two = run("two", "A", "25", 12);
        describe("two", List.of("-Xmx1g", "-XX:+UseSerialGC"), Map.of("Heap", "1024 MiB at most, Serial GC"));

        JoinedRuns joined = JoinedRuns.of(List.of(one, two));

        String difference = "run 2 is not comparable with run 1: heap=1024 MiB at most, Serial GC instead of "
                + "1024 MiB at most, G1 GC, flags=-XX:+UseSerialGC instead of -XX:+UseG1GC";
        assertThat(joined.differences()).containsExactly(difference);
        RunDescription all = joined.description().orElseThrow();
        assertThat(all.facts()).containsEntry("Differences", difference)
                .containsEntry("Runs", "2, started 1970-01-01T00:00:00Z")
                .containsEntry("Heap", "1024 MiB at most, G1 GC; 1024 MiB at most, Serial GC");
        assertThat(all.flags()).containsExactly("-Xmx1g");
        assertThat(all.candidateFlags()).containsEntry("run 1", "-XX:+UseG1GC")
                .containsEntry("run 2", "-XX:+UseSerialGC");
        describe("two", List.of("-Xmx1g", "-XX:+UseG1GC"), Map.of("Heap", "1024 MiB at most, G1 GC", "Commit", "1"));
        assertThat(JoinedRuns.of(List.of(one, two)).differences()).isEmpty();
    }

    @Test
    void run_givenTwice_isRefused() throws IOException {
        Path one = run("one", "A", "25", 10, 11);
        Path copy = Files.copy(one, directory.resolve("copy.json"));

        for (Path again : List.of(one, directory.resolve("one/../one/results.json"), copy)) {
            assertThatIllegalArgumentException().isThrownBy(() -> JoinedRuns.of(List.of(one, again)))
                    .withMessage("The same run is given twice: file=" + again);
        }
    }

    @Test
    void runs_ofSeveralMachines_areRefused() throws IOException {
        List<Path> files = List.of(run("one", "A", "25", 10), run("two", "B", "25", 12));

        assertThatIllegalArgumentException().isThrownBy(() -> JoinedRuns.of(files))
                .withMessage("The runs are of different machines: processors=[A, B]");
    }

    @Test
    void runs_withoutADescription_areJoined() throws IOException {
        Path one = run("one", "A", "25", 10);
        Path other = Files.move(one, directory.resolve("other.json"));
        Path two = run("two", "A", "25", 12);

        JoinedRuns joined = JoinedRuns.of(List.of(other, two));

        assertThat(joined.results().find(MINE).orElseThrow().forks()).hasSize(2);
        assertThat(joined.description().orElseThrow().suite()).isEqualTo("two");
    }

    private void describe(String name, List<String> flags, Map<String, String> facts) throws IOException {
        new RunDescription(name, name, new Machine("A", "Linux", "JDK 25", LocalDate.of(2026, 1, 31), 1), flags,
                Instant.EPOCH, List.of(), facts, Map.of()).write(directory.resolve(name));
    }

    private Path run(String name, String processor, String jdk, double... nanos) throws IOException {
        Path run = Files.createDirectories(directory.resolve(name));
        new RunDescription(name, name, new Machine(processor, "Linux", "JDK " + jdk, LocalDate.of(2026, 1, 31),
                1), List.of(), Instant.EPOCH, List.of(new CellNote(MINE, name, CellNote.Kind.LEAKS)), Map.of(),
                Map.of()).write(run);
        StringBuilder forks = new StringBuilder();
        for (double time : nanos) {
            forks.append(forks.isEmpty() ? "" : ", ").append('[').append(time).append(']');
        }
        return Files.writeString(run.resolve("results.json"), """
                [{"benchmark": "com.acme.Sorting.mine", "secondaryMetrics": {},
                  "primaryMetric": {"scoreUnit": "ns/op", "rawData": [%s]}}]
                """.formatted(forks));
    }
}
