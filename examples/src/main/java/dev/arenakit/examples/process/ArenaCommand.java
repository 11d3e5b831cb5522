package dev.arenakit.examples.process;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Runs the `arena` command, and prints the command line and its output as a terminal shows them.
public final class ArenaCommand {
    private final Path jar;
    private final PrintStream out;
    private final Map<String, String> environment;

    /// @throws CannotShowException if the command is not built
    public ArenaCommand(Path jar, PrintStream out) throws CannotShowException {
        this(jar, out, Map.of());
    }

    /// @param environment variables that are added to the environment of the command
    /// @throws CannotShowException if the command is not built
    public ArenaCommand(Path jar, PrintStream out, Map<String, String> environment) throws CannotShowException {
        if (!Files.isRegularFile(jar)) {
            throw new CannotShowException(
                    "The arena command is not built: path=" + jar + "; run mvn package -DskipTests first");
        }
        this.jar = jar;
        this.out = out;
        this.environment = environment;
    }

    /// Runs the command in a directory and prints its output.
    ///
    /// @throws CannotShowException if the command fails
    public void run(Path directory, String... arguments) throws CannotShowException, IOException, InterruptedException {
        run(directory, 0, arguments);
    }

    /// Runs a command that finds a difference, and therefore ends with exit code 1.
    public void runWithDifference(Path directory, String... arguments)
            throws CannotShowException, IOException, InterruptedException {
        run(directory, 1, arguments);
    }

    private void run(Path directory, int expected, String... arguments)
            throws CannotShowException, IOException, InterruptedException {
        // The JVM lives for less than a second, so the optimizing compiler only costs time.
        List<String> command = JavaCommand.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar",
                jar.toAbsolutePath().toString());
        command.addAll(List.of(arguments));
        String typed = "arena "
                + Stream.of(arguments).map(ArenaCommand::quoted).collect(Collectors.joining(" "));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        int exitCode = process.waitFor();
        if (exitCode != expected) {
            throw new CannotShowException(typed + " failed: exitCode=" + exitCode + ", output=" + printed);
        }
        out.println("  $ " + typed);
        printed.lines().forEach(line -> out.println(line.isEmpty() ? "" : "  " + line));
        out.println();
    }

    /// An argument as it is typed in a shell.
    private static String quoted(String argument) {
        String mark = argument.contains("'") ? "\"" : "'";
        return argument.matches("[\\w./:=-]+") ? argument : mark + argument + mark;
    }
}
