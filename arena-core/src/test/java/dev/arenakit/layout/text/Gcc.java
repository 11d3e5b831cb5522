package dev.arenakit.layout.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Compiles and runs a C program.
public final class Gcc {
    private Gcc() {}

    public static void assumeInstalled() {
        boolean installed = Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "gcc")));
        assumeTrue(installed, "gcc is not installed");
    }

    /// Returns the output of the program.
    public static List<String> run(Path directory, String program, String... options)
            throws IOException, InterruptedException {
        Files.writeString(directory.resolve("main.c"), program);
        List<String> compile = Stream.concat(Stream.of("gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", "main",
                "main.c"), Stream.of(options)).toList();
        assertThat(output(directory, compile)).as("gcc").isEmpty();
        return output(directory, List.of(directory.resolve("main").toString()));
    }

    private static List<String> output(Path directory, List<String> command) throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(command).directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();
        List<String> lines = Files.readAllLines(output);
        assertThat(exit).as("%s%n%s", command, String.join("\n", lines)).isZero();
        return lines;
    }
}
