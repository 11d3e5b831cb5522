package dev.arenakit.bench.report;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class ResultsTest {
    private static final String ONE_BLOCK = "dev.arenakit.bench.micro.arena.OneBlock";

    private final Results results = stored();
    private final Measurement malloc = results.find(cell("MallocArena", "64")).orElseThrow();
    private final Measurement confined = results.find(cell("Arena.ofConfined", "64")).orElseThrow();

    /// Reads a result file in JMH's format, with round figures.
    static Results stored() {
        try {
            return Results.read(Path.of(ResultsTest.class.getResource("/results.json").toURI()));
        } catch (IOException | URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /// Returns the cell of an arena. One long is written to its block.
    static Cell cell(String provider, String byteSize) {
        return cell(provider, byteSize, "first");
    }

    static Cell cell(String provider, String byteSize, String written) {
        return new Cell(ONE_BLOCK, Cell.ARENA,
                Map.of(Cell.PROVIDER, provider, "byteSize", byteSize, "written", written));
    }

    @Test
    void read_ofAStoredFile_keepsItsOrderAndNames() {
        assertThat(results.measurements()).extracting(measurement -> measurement.cell().name())
                .containsExactly("one block, 64 B, one long written, Arena.ofConfined",
                        "one block, 64 B, one long written, MallocArena",
                        "one block, 64 B, one long written, malloc",
                        "one block, 64 B, every byte written, Arena.ofConfined",
                        "one block, 64 B, every byte written, MallocArena",
                        "one block, 64 B, every byte written, malloc",
                        "one block, 1 MiB, one long written, Arena.ofConfined",
                        "one block, 1 MiB, one long written, MallocArena",
                        "mapped, 100 B, Arena.ofConfined", "mapped, 100 B, InfiniteArena chunked");
    }

    @Test
    void measurement_ofSeveralForks_isTheirMedianAndSpread() {
        assertThat(malloc.value(Metric.TIME)).isEqualTo(10);
        assertThat(malloc.rangeText(Metric.TIME)).isEqualTo("8.00..12.5");
        assertThat(results.find(malloc.cell().baseline())).contains(confined);
        assertThat(malloc.value(Metric.CPU)).isEqualTo(10);
        assertThat(malloc.value(Metric.BYTES)).isEqualTo(0.001);
        assertThat(confined.value(Metric.BYTES)).isEqualTo(48);
    }

    @Test
    void jdk_ofACell_isTheOneThatHasMeasuredOthers() {
        assertThat(malloc.jdk()).isEqualTo(25);
        assertThat(results.jdk()).isEqualTo(25);
        assertThat(new Results(List.of()).jdk()).isZero();
    }

    @Test
    void read_ofAnotherUnit_saysWhichItWants(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("results.json"), """
                [{"benchmark": "a.B.c", "primaryMetric": {"scoreUnit": "ops/s", "rawData": [[1.0]]},
                  "secondaryMetrics": {}}]
                """);

        assertThatIOException().isThrownBy(() -> Results.read(file))
                .withMessageContainingAll("Not a result file of JMH: file=" + file,
                        "Unit not understood: benchmark=a.B.c, scoreUnit=ops/s; measure the average time in ns/op");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "no JSON", "[1]", "[{}]", "[{\"benchmark\": \"a.B.c\"}]"})
    void read_ofAnotherKindOfFile_saysWhichFileItIs(String content, @TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("other.json"), content);

        assertThatIOException().isThrownBy(() -> Results.read(file))
                .withMessageStartingWith("Not a result file of JMH: file=" + file + ", reason=");
    }

    @Test
    void read_ofAMissingFile_saysSo(@TempDir Path directory) {
        Path file = directory.resolve("none.json");

        assertThatIOException().isThrownBy(() -> Results.read(file)).withMessage("No such result file: file=" + file);
    }

    @Test
    void read_ofADirectory_saysWhichItIs(@TempDir Path directory) {
        assertThatIOException().isThrownBy(() -> Results.read(directory))
                .withMessageStartingWith("Result file cannot be read: file=" + directory);
    }
}
