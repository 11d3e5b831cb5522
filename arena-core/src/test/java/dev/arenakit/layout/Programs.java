package dev.arenakit.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Runs programs that write files or compile C.
public final class Programs {
    private Programs() {}

    /// Skips the test if a program is not installed.
    public static void assumeInstalled(String program) {
        boolean installed = Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        assumeTrue(installed,
                () -> "needs " + program + ": apt-get install " + (program.equals("cc") ? "gcc" : program));
    }

    /// Skips the test if a C header is not installed.
    public static void assumeHeader(String name) {
        assumeTrue(Files.exists(Path.of("/usr/include", name)), () -> "needs the C header " + name);
    }

    /// Compiles a program in C, and returns its output. Skips the test if gcc is not installed.
    public static List<String> gcc(Path directory, String program, String... options)
            throws IOException, InterruptedException {
        assumeInstalled("gcc");
        Files.writeString(directory.resolve("main.c"), program);
        Stream<String> compile = Stream.concat(Stream.of("gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", "main",
                "main.c"), Stream.of(options));
        assertThat(output(directory, compile.toArray(String[]::new))).as("gcc").isEmpty();
        return output(directory, directory.resolve("main").toString());
    }

    /// Runs a command in a directory, and returns its output.
    public static List<String> output(Path directory, String... command) throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(command).directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();
        List<String> lines = Files.readAllLines(output);
        assertThat(exit).as("%s%n%s", List.of(command), String.join("\n", lines)).isZero();
        return lines;
    }
}
