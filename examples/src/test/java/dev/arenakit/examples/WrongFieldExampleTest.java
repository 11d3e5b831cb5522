package dev.arenakit.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Compares the blocks of `docs/post-mortem.md` with the output of the example.
@Tag("full")
class WrongFieldExampleTest {
    private static final Path ARENA_JAR = Path.of("..", "arena-mapped", "command", "target", "arena.jar");
    private static final Path PAGE = Path.of("..", "docs", "post-mortem.md");

    @Test
    void run_killedDesk_printsTheBlocksOfThePage(@TempDir Path directory) throws Exception {
        assumeTrue(Files.exists(ARENA_JAR), "arena.jar is built by mvn verify, not by mvn test");
        CapturedOutput printed = new CapturedOutput();
        new WrongFieldExample(printed.stream(), ARENA_JAR, directory).run();
        assertThat(withoutWhatVaries(printed.toString()))
                .isEqualTo(withoutWhatVaries(String.join("\n", Page.read(PAGE).blocks(""))));
    }

    /// Removes times, processes, and sizes on disk, which file systems count differently.
    private static String withoutWhatVaries(String printed) {
        return printed.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(line -> line.replaceAll("  +", "  ")
                        .replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d", "TIME")
                        .replaceAll("[\\d.]+ [KM]?i?B  (live|died)", "N  $1")
                        .replaceAll("[\\d.]+ [KM]iB on disk", "N on disk")
                        .replaceAll("\\d+(,)? (?=TIME)|process \\d+", "PID ")
                        .replaceAll("TIME  \\d+$", "TIME  THREAD")
                        .replaceAll("unchanged for \\d+ s", "unchanged for N s")
                        .replaceAll("^jvm: .*", "jvm: JVM"))
                .collect(Collectors.joining("\n"));
    }
}
