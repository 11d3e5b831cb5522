package dev.arenakit.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// `java -jar arena.jar` with a Java that is too old for the command.
@Tag("full")
class LauncherIT {
    private static final int OLDEST = 11;

    private final Path file;
    private Path oldJava = Path.of("");

    LauncherIT(@TempDir Path directory) throws IOException {
        this.file = Files.writeString(directory.resolve("hello"), "Hello");
    }

    @BeforeEach
    void findOldJava() {
        Optional<Path> home = JdkFinder.ofSystem().find(version -> version >= OLDEST && version < Launcher.NEEDED);
        assumeTrue(home.isPresent(), "no Java from " + OLDEST + " to " + (Launcher.NEEDED - 1) + " is installed");
        oldJava = JdkFinder.program(home.get());
    }

    @Test
    void javaJar_oldJava_runsTheCommandOnANewerOne() throws IOException, InterruptedException {
        assertThat(run(0, "hexdump", file.toString())).isEqualTo("""
                00000000  48 65 6c 6c 6f                                    |Hello|
                00000005
                """);
    }

    @Test
    void javaJar_oldJava_takesStandardInput() throws IOException, InterruptedException {
        assertThat(run(0, "hexdump", "-s", "4")).startsWith("00000004  6f");
    }

    @Test
    void javaJar_oldJava_givesErrorsAndTheExitCode() throws IOException, InterruptedException {
        assertThat(run(2, "hexdump", "-q")).isEqualTo("arena: Unknown option: '-q'; see arena hexdump --help\n");
    }

    private String run(int exitCode, String... args) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(oldJava.toString(), "-jar", System.getProperty("arena.jar")));
        line.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectInput(file.toFile());
        // The Java of the tests need not stand in a usual place.
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
        assertThat(process.waitFor()).as(output).isEqualTo(exitCode);
        return output;
    }
}
