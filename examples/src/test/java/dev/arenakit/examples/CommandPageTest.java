package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Runs the transcripts of `docs/command.md` in a shell, one after the other, with the image of the README. That takes
/// some seconds, because each command is a JVM.
class CommandPageTest {
    private static final Path ARENA_JAR = Path.of("..", "arena-mapped", "command", "target", "arena.jar");

    @Test
    void transcripts_areWhatTheShellPrints(@TempDir Path directory) throws Exception {
        assumeTrue(Files.exists(ARENA_JAR), "arena.jar is built by mvn verify, not by mvn test");
        ReadmeExample.store(directory.resolve("my-mapped-memory"));
        String page = String.join("", Page.read(Path.of("..", "docs", "command.md")).blocks(""));
        List<String> typed = page.lines().filter(line -> line.startsWith("$ ")).toList();
        assertThat(withoutWhatVaries(printedByShell(directory, typed))).isEqualTo(withoutWhatVaries(page));
    }

    private static String printedByShell(Path directory, List<String> typed) throws IOException, InterruptedException {
        String java = JavaCommand.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar",
                ARENA_JAR.toAbsolutePath().toString())
                .stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        StringBuilder script = new StringBuilder("arena() { " + java + " \"$@\"; }\n");
        for (String line : typed) {
            script.append("cat <<'END'\n" + line + "\nEND\n" + line.substring(2) + "\n");
        }
        Process shell = new ProcessBuilder("/bin/sh", "-c", script.toString()).directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        shell.getOutputStream().close();
        String printed = new String(shell.getInputStream().readAllBytes(), UTF_8);
        shell.waitFor();
        return printed;
    }

    /// Removes times, processes, the JVM, spaces, and sizes on disk, which file systems count differently.
    private static String withoutWhatVaries(String printed) {
        return printed.replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d", "TIME")
                .replaceAll("(process )?\\d+, (started )?TIME", "PROCESS")
                .replaceAll("TIME +\\d+", "TIME THREAD")
                .replaceAll("(?m)^jvm: .*", "jvm: JVM")
                .replaceAll("[\\d.]+ [KM]iB(?= on disk|  (?:live|closed))", "N")
                .replaceAll("unchanged for \\d+ s", "unchanged for N s")
                .replaceAll(" +", " ");
    }
}
