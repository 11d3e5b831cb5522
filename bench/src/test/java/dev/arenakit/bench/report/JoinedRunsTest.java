package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class JoinedRunsTest {
    @TempDir
    Path directory;

    @Test
    void forks_ofTheSameCell_areTakenTogetherInLaterRounds() throws IOException {
        Map<String, String> facts = Map.of("Machine", "A", "JDK", "25");
        JoinedRuns joined = JoinedRuns.of(List.of(run("one", facts, 10, 11), run("two", facts, 12)));

        assertThat(joined.results().measurements()).singleElement()
                .satisfies(measurement -> assertThat(measurement.forks()).extracting(Measurement.Fork::round)
                        .containsExactly(0, 1, 2))
                .extracting(Measurement::jdk)
                .isEqualTo(28);
        assertThat(joined.description().suite()).isEqualTo("one, two");
        assertThat(joined.description().notes()).hasSize(2);
        assertThat(joined.description().warnings()).isEmpty();
    }

    @Test
    void runs_ofSeveralJdks_areShownSideBySide() throws IOException {
        JoinedRuns joined = JoinedRuns.of(List.of(run("one", Map.of("Machine", "A", "JDK", "25"), 10),
                run("two", Map.of("Machine", "A", "JDK", "26"), 12)));

        assertThat(joined.results().measurements()).extracting(Measurement::cell)
                .containsExactly(MeasurementTest.MINE.on("25"), MeasurementTest.MINE.on("26"));
        assertThat(joined.description().notes()).extracting(CellNote::cell)
                .containsExactly(MeasurementTest.MINE.on("25"), MeasurementTest.MINE.on("26"));
        assertThat(joined.description().facts()).containsEntry("JDK", "25; 26");
        assertThat(joined.description().warnings()).isEmpty();
    }

    @Test
    void runs_withAnotherHeap_areJoinedAndTheDifferenceNamed() throws IOException {
        JoinedRuns joined = JoinedRuns.of(List.of(run("one", Map.of("Machine", "A", "Heap", "1 GiB"), 10),
                run("two", Map.of("Machine", "A", "Heap", "2 GiB"), 12)));

        String difference = "run 2 is not comparable with run 1: heap=2 GiB instead of 1 GiB";
        assertThat(joined.description().facts()).containsEntry("Differences", difference)
                .containsEntry("Heap", "1 GiB; 2 GiB");
    }

    @Test
    void runs_ofSeveralCommits_areJoinedAndTheCommitsNamed() throws IOException {
        JoinedRuns joined = JoinedRuns.of(List.of(run("one", Map.of("Machine", "A", "Commit", "b01dface"), 10),
                run("two", Map.of("Machine", "A", "Commit", "cafe"), 12)));

        assertThat(joined.description().warnings()).containsExactly(
                "The joined runs differ: run 2 is not comparable with run 1: commit=cafe instead of b01dface");
    }

    @Test
    void run_withoutMachineAndJdk_differs() throws IOException {
        JoinedRuns joined = JoinedRuns.of(List.of(run("one", Map.of("Machine", "A", "JDK", "25"), 10),
                run("two", Map.of(), 12)));

        assertThat(joined.description().warnings())
                .containsExactly("The joined runs differ: run 2 is not comparable with run 1: "
                        + "machine=unknown (not in run.json) instead of A, jdk=unknown (not in run.json) instead of 25");
        assertThat(JoinedRuns.of(List.of(run("three", Map.of(), 10))).description().warnings()).isEmpty();
    }

    @Test
    void run_givenTwice_isRefused() throws IOException {
        Path one = run("one", Map.of(), 10, 11);
        Path copy = Files.copy(one, directory.resolve("copy.json"));

        assertThatIllegalArgumentException().isThrownBy(() -> JoinedRuns.of(List.of(one, copy)))
                .withMessage("The same run is given twice: file=" + copy);
    }

    @Test
    void runs_ofSeveralMachines_areRefused() throws IOException {
        List<Path> files = List.of(run("one", Map.of("Machine", "A"), 10), run("two", Map.of("Machine", "B"), 12));

        assertThatIllegalArgumentException().isThrownBy(() -> JoinedRuns.of(files))
                .withMessage("The runs are of different machines: machines=[A, B]");
    }

    private Path run(String name, Map<String, String> facts, double... nanos) throws IOException {
        Path run = Files.createDirectories(directory.resolve(name));
        new RunDescription(name, name, facts,
                List.of(new CellNote(MeasurementTest.MINE, name, CellNote.Kind.LEAKS))).write(run);
        return Files.writeString(run.resolve("results.json"), """
                [{"benchmark": "com.acme.Sorting.mine", "jdkVersion": "28-ea", "secondaryMetrics": {},
                  "primaryMetric": {"scoreUnit": "ns/op", "rawData": [%s]}}]
                """
                .formatted(Arrays.stream(nanos).mapToObj(time -> "[" + time + "]").collect(Collectors.joining(","))));
    }
}
