package dev.arenakit.examples;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The `arena` command, run and shown as it would be typed.
final class ArenaCommand {
    private final Path jar;
    private final PrintStream out;

    /// @throws CannotShowException when it is not built
    ArenaCommand(Path jar, PrintStream out) throws CannotShowException {
        if (!Files.isRegularFile(jar)) {
            throw new CannotShowException(
                    "The arena command is not built: path=" + jar + "; run mvn package -DskipTests first");
        }
        this.jar = jar;
        this.out = out;
    }

    /// Runs it in a directory and shows what it prints.
    ///
    /// @throws CannotShowException when it fails
    void run(Path directory, String... arguments) throws CannotShowException, IOException, InterruptedException {
        run(directory, 0, arguments);
    }

    /// The same where it finds a difference, and says so by its exit code.
    void runWithDifference(Path directory, String... arguments)
            throws CannotShowException, IOException, InterruptedException {
        run(directory, 1, arguments);
    }

    private void run(Path directory, int expected, String... arguments)
            throws CannotShowException, IOException, InterruptedException {
        List<String> command = Java.command("-jar", jar.toAbsolutePath().toString());
        command.addAll(List.of(arguments));
        String typed = "arena " + String.join(" ", arguments);
        Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        int exitCode = process.waitFor();
        if (exitCode != expected) {
            throw new CannotShowException(typed + " failed: exitCode=" + exitCode + ", printed=" + printed);
        }
        out.println("  $ " + typed);
        printed.lines().forEach(line -> out.println(line.isEmpty() ? "" : "  " + line));
        out.println();
    }
}
