package dev.arenakit.examples;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How a further JVM is started.
final class Java {
    private Java() {}

    /// A command line for the JVM that runs this, to which more can be added.
    static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(arguments));
        return command;
    }
}
