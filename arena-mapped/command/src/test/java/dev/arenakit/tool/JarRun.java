package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Runs target/arena.jar in a JVM of its own.
final class JarRun {
    static final Path JAR = Path.of(System.getProperty("arena.jar"));
    static final Path LIBRARY = Path.of(System.getProperty("library.jar"));
    /// The Java that runs the tests.
    static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private JarRun() {}

    /// The command line of `java -jar arena.jar`.
    static List<String> commandLine(Path java, String... args) {
        List<String> line = new ArrayList<>(List.of(java.toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-jar", JAR.toString()));
        line.addAll(List.of(args));
        return line;
    }

    /// Runs a process to its end, with an empty standard input.
    static ToolRun of(List<String> commandLine) throws IOException, InterruptedException {
        Path out = Files.createTempFile("arena", ".out");
        Path err = Files.createTempFile("arena", ".err");
        try {
            Process process = new ProcessBuilder(commandLine).redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            int exitCode = process.waitFor();
            return new ToolRun(exitCode, Files.readString(out, UTF_8), Files.readString(err, UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    /// Runs a line of a shell. The variable `$ARENA` is the command.
    static ToolRun ofShell(String line) throws IOException, InterruptedException {
        String arena = "'" + String.join("' '", commandLine(JAVA)) + "'";
        return of(List.of("sh", "-c", line.replace("$ARENA", arena)));
    }
}
