package dev.arenakit.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// A directory tree that looks like a machine on which versions of Java are installed.
final class FakeMachine {
    private final Path root;
    private final Map<String, String> environment = new HashMap<>();

    FakeMachine(Path root) {
        this.root = root;
    }

    /// Installs a Java that consists of a program and a `release` file.
    ///
    /// @param home    below the root
    /// @param version the version in the file
    /// @return the home directory
    Path install(String home, String version) throws IOException {
        Path directory = root.resolve(home);
        writeProgram(directory, "exit 0");
        Files.writeString(directory.resolve("release"),
                "IMPLEMENTOR=\"Somebody\"\nJAVA_RUNTIME_VERSION=\"99.0.1+9\"\nJAVA_VERSION=\"" + version + "\"\n");
        return directory;
    }

    /// Makes the program of a home, a shell script.
    static void writeProgram(Path home, String script) throws IOException {
        Path program = JdkFinder.program(home);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\n" + script + "\n");
        if (!program.toFile().setExecutable(true)) {
            throw new IOException("File cannot be made executable: path=" + program);
        }
    }

    void set(String variable, String value) {
        environment.put(variable, value);
    }

    /// A finder whose own Java is in `/own/java`.
    JdkFinder finder() {
        return new JdkFinder(root, root.resolve("home/me"), root.resolve("own/java"), environment);
    }
}
