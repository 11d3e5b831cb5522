package dev.arenakit.layout.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Runs programs that write files.
final class Python {
    private Python() {}

    /// Skips the test if a program is not installed.
    static void assumeInstalled(String program) {
        boolean installed = Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        assumeTrue(installed, program + " is not installed");
    }

    /// Runs a script of Python in a directory.
    static void run(Path directory, String script) throws IOException, InterruptedException {
        assumeInstalled("python3");
        Files.writeString(directory.resolve("script.py"), script);
        execute(directory, "python3", "script.py");
    }

    /// Runs a command in a directory.
    static void execute(Path directory, String... command) throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(command).directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();
        assertThat(exit).as("%s%n%s", List.of(command), Files.readString(output)).isZero();
    }
}
