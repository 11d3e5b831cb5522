package dev.arenakit.arrow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// A run of Python. The property `arrow.python` names another interpreter than `python3`.
///
/// @param exitCode the exit code, or -1 if there is no Python
record PythonRun(int exitCode, String output) {
    private static final String PYTHON = System.getProperty("arrow.python", "python3");
    private static final long LIMIT_SECONDS = 120;

    /// Skips the test if Python has not all of the modules.
    static void assumeModules(Path directory, String modules) throws IOException, InterruptedException {
        assumeTrue(of(directory, "-c", "import " + modules).exitCode() == 0, () -> "needs " + modules + " in " + PYTHON
                + ": pip install pyarrow polars duckdb JPype1, or name another interpreter by -Darrow.python=PATH");
    }

    /// @param directory the working directory
    static PythonRun of(Path directory, String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", "");
        List<String> line = new ArrayList<>(List.of(PYTHON));
        line.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(line).directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            return new PythonRun(-1, String.valueOf(e.getMessage()));
        }
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return new PythonRun(process.exitValue(), Files.readString(output, UTF_8));
    }
}
