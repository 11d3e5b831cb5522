package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Programs that exports are tested with, if they are installed.
public final class InstalledPrograms {
    private InstalledPrograms() {}

    /// Skips the test if a program is not on the path.
    ///
    /// @param source where the program is from
    public static void assume(String program, String source) {
        boolean installed = Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        assumeTrue(installed, () -> "needs " + program + ": " + source);
    }

    /// Skips the test if Python has not all of the modules.
    ///
    /// @return the interpreter, which the property `arrow.python` names
    public static String assumePython(Path directory, String modules) throws InterruptedException {
        String python = System.getProperty("arrow.python", "python3");
        boolean hasModules;
        try {
            hasModules = exitCode(directory, directory.resolve("modules"), python, "-c", "import " + modules) == 0;
        } catch (IOException e) {
            hasModules = false;
        }
        assumeTrue(hasModules, () -> "needs " + modules + " in " + python
                + ": pip install pyarrow polars duckdb, or name another interpreter by -Darrow.python=PATH");
        return python;
    }

    /// Runs a program, which must succeed, and returns its output.
    public static String run(Path directory, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        int exitCode = exitCode(directory, output, command);
        String text = Files.readString(output);
        assertThat(exitCode).as("%s%n%s", List.of(command), text).isZero();
        return text;
    }

    /// Runs a program, and returns its exit code.
    public static int exitCode(Path directory, Path output, String... command)
            throws IOException, InterruptedException {
        return new ProcessBuilder(command).directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
    }
}
