package dev.arenakit.examples.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Command lines that start another JVM.
public final class JavaCommand {
    private JavaCommand() {}

    /// Returns a command line for the JVM that runs this program. The caller may add to the list.
    ///
    /// @param arguments options of the JVM, the main class, and its arguments
    /// @return the command line
    public static List<String> of(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(arguments));
        return command;
    }
}
