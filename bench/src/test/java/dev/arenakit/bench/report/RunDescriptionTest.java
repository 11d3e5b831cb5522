package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class RunDescriptionTest {
    @TempDir
    Path directory;

    /// A run in which one candidate was not available, one failed and one leaked.
    static RunDescription stored() {
        Machine machine = new Machine("A processor, 2 CPUs", "Linux 6.1 amd64", "Temurin-25", LocalDate.of(2026, 1, 31),
                0.5);
        return new RunDescription("tiny", "A <tiny> suite", machine, List.of("--flag=<a>", "-Xmx1g"),
                Instant.parse("2026-01-31T10:15:30Z"),
                List.of(new CellNote(ResultsTest.cell("MallocArena mimalloc", "64"), "mimalloc is not installed",
                        CellNote.Kind.NOT_AVAILABLE),
                        new CellNote(new Cell("com.acme.Strange", "mine", Map.of()), "threw <b>this</b>\nand | that",
                                CellNote.Kind.FAILED),
                        new CellNote(ResultsTest.cell("MallocArena", "1048576"), "12 KiB", CellNote.Kind.LEAKS)),
                Map.of("Heap", "512 MiB at most, Serial GC"),
                new TreeMap<>(Map.of("one block, malloc", "-Xone", "session, malloc", "-Xone")));
    }

    @Test
    void read_ofWhatWasWritten_isTheSame() throws IOException {
        stored().write(directory);

        assertThat(RunDescription.read(directory)).contains(stored());
        assertThat(directory.resolve("run.json")).content()
                .contains("\"2026-01-31\"", "\"not available\"", "\"leaks\"");
    }

    @Test
    void read_whereThereIsNone_isEmpty() throws IOException {
        assertThat(RunDescription.read(directory)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"suite\": \"tiny\"}", "no JSON", "{\"start\": \"yesterday\"}"})
    void read_ofAnotherKindOfFile_saysWhichFileItIs(String content) throws IOException {
        Path file = Files.writeString(directory.resolve("run.json"), content);

        assertThatIOException().isThrownBy(() -> RunDescription.read(directory))
                .withMessageStartingWith("Not the description of a run: file=" + file + ", reason=");
    }

    @Test
    void reason_ofSeveralLines_isOne() {
        assertThat(stored().notes()).extracting(CellNote::describe)
                .containsExactly("not available: mimalloc is not installed", "failed: threw <b>this</b>; and | that",
                        "leaks: 12 KiB");
    }
}
