package dev.arenakit.bench.report;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class ResultsTest {
    private static final String QUESTION = "dev.arenakit.bench.question.OneBlock";

    private final Results results = stored();
    private final Measurement malloc = results.find(cell("mallocArena", "64")).orElseThrow();
    private final Measurement confined = results.find(cell("ofConfined", "64")).orElseThrow();

    /// A result file in JMH's format, with round figures.
    static Results stored() {
        try {
            return Results.read(Path.of(ResultsTest.class.getResource("/results.json").toURI()));
        } catch (IOException | URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    static Cell cell(String contestant, String byteSize) {
        return new Cell(QUESTION, contestant, Map.of("byteSize", byteSize));
    }

    @Test
    void read_ofAStoredFile_keepsItsOrderAndNames() {
        assertThat(results.measurements()).extracting(measurement -> Labels.name(measurement.cell()))
                .containsExactly("one block, 64 B, Arena.ofConfined", "one block, 64 B, MallocArena",
                        "one block, 1 MiB, Arena.ofConfined", "one block, 1 MiB, MallocArena",
                        "mapped, 100 B, Arena.ofConfined", "mapped, 100 B, InfiniteArena file each");
        assertThat(results.questions()).containsExactly(QUESTION, "dev.arenakit.bench.question.Mapped");
        assertThat(results.of(QUESTION).measurements()).hasSize(4);
    }

    @Test
    void fork_ofSeveralIterations_isTheirMedian() {
        assertThat(confined.forks()).extracting(Measurement.Fork::nanos).containsExactly(25.0, 41.0, 27.0);
        assertThat(malloc.forks()).extracting(Measurement.Fork::nanos).containsExactly(8.0, 10.0, 12.5);
    }

    @Test
    void measurement_ofSeveralForks_isTheirMedianAndSpread() {
        assertThat(malloc.nanos()).isEqualTo(10);
        assertThat(malloc.fastest()).isEqualTo(8);
        assertThat(malloc.slowest()).isEqualTo(12.5);
        assertThat(malloc.cpuNanos()).isEqualTo(10);
        assertThat(malloc.bytes()).isEqualTo(0.001);
        assertThat(confined.bytes()).isEqualTo(48);
    }

    @Test
    void measurement_ofOneFork_spreadsOverItsIterations() {
        Measurement quick = new Measurement(malloc.cell(), List.of(confined.forks().getFirst()));

        assertThat(quick.nanos()).isEqualTo(25);
        assertThat(quick.fastest()).isEqualTo(24);
        assertThat(quick.slowest()).isEqualTo(30);
    }

    @Test
    void timesFaster_thanTheBaseline_isItsFastestForkOverTheMedianFork() {
        assertThat(results.baselineOf(malloc)).contains(confined);
        assertThat(malloc.timesFasterThan(confined)).isEqualTo(25.0 / 10);
        assertThat(malloc.timesLessCpuThan(confined)).isEqualTo(24.0 / 10);
    }

    @Test
    void cpuTime_thatWasNotMeasured_isNotANumber() {
        Measurement large = results.find(cell("mallocArena", "1048576")).orElseThrow();

        assertThat(large.cpuNanos()).isNaN();
        assertThat(large.timesFasterThan(results.baselineOf(large).orElseThrow())).isCloseTo(200, within(1e-9));
    }

    @Test
    void find_ofACellThatWasNotMeasured_isEmpty() {
        assertThat(results.find(cell("mallocArena", "16"))).isEmpty();
    }

    @Test
    void read_ofAnotherUnit_saysWhichItWants(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("results.json"), """
                [{"benchmark": "a.B.c", "primaryMetric": {"scoreUnit": "ops/s", "rawData": [[1.0]]},
                  "secondaryMetrics": {}}]
                """);

        assertThatIllegalArgumentException().isThrownBy(() -> Results.read(file))
                .withMessage(
                        "Unit not understood: benchmark=\"a.B.c\", scoreUnit=\"ops/s\"; measure the average time in "
                                + "ns/op");
    }
}
