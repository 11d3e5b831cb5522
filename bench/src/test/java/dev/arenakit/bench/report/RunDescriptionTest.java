package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        return new RunDescription("tiny", "A <tiny> suite",
                new TreeMap<>(Map.of("Machine", "A processor, 2 CPUs", "Flags", "--flag=<a> -Xmx1g")),
                List.of(new CellNote(ResultsTest.cell("MallocArena mimalloc", "64"), "mimalloc is not installed",
                        CellNote.Kind.NOT_AVAILABLE),
                        new CellNote(new Cell("com.acme.Strange", "mine", Map.of()), "threw <b>this</b>\nand | that",
                                CellNote.Kind.FAILED),
                        new CellNote(ResultsTest.cell("MallocArena", "1048576"), "12 KiB", CellNote.Kind.LEAKS)));
    }

    @Test
    void of_whatWasWritten_isTheSame() throws IOException {
        stored().write(directory);

        assertThat(RunDescription.of(directory.resolve("results.json"))).isEqualTo(stored());
        assertThat(RunDescription.of(directory.resolve("other.json")).facts()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"suite\": \"tiny\"}", "no JSON"})
    void of_anotherKindOfFile_saysWhichFileItIs(String content) throws IOException {
        Path file = Files.writeString(directory.resolve("run.json"), content);

        assertThatIOException().isThrownBy(() -> RunDescription.of(directory.resolve("results.json")))
                .withMessageStartingWith("Not the description of a run: file=" + file + ", reason=");
    }

    @Test
    void warnings_ofARunOnABusyMachine_haveItsLoad() {
        RunDescription busy = new RunDescription("tiny", "Tiny",
                Map.of("Load", "load 9.2 on 2 processors: compare CPU ns/op"),
                List.of());

        assertThat(busy.warnings())
                .containsExactly("The machine was busy before the run: load 9.2 on 2 processors: compare CPU ns/op");
        assertThat(stored().warnings()).isEmpty();
    }

    @Test
    void reason_ofSeveralLines_isOne() {
        assertThat(stored().notes()).extracting(CellNote::describe)
                .containsExactly("not available: mimalloc is not installed", "failed: threw <b>this</b>; and | that",
                        "leaks: 12 KiB");
    }
}
