package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.opentest4j.TestAbortedException;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The C compiler of the machine.
public final class CCompiler {
    private CCompiler() {}

    /// Runs the compiler in a directory, or aborts the test if there is none.
    ///
    /// @param directory the working directory
    /// @param arguments the arguments of the compiler
    /// @return its errors and warnings
    /// @throws IOException if its output cannot be read
    public static String run(Path directory, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("cc"));
        command.addAll(List.of(arguments));
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new TestAbortedException("There is no C compiler: cc cannot be started, " + e.getMessage(), e);
        }
        return new String(compiler.getInputStream().readAllBytes(), UTF_8);
    }
}
