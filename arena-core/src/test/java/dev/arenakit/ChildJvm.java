package dev.arenakit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A separate JVM, for tests that need other flags, another environment or an empty profile, or that terminate the JVM.
final class ChildJvm {
    private static final String MODULE = "dev.arenakit";

    /// The exit code, and the output of both streams.
    record Result(int exitCode, String output) {}

    private final List<String> command = new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    private final Map<String, String> environment;

    private ChildJvm(List<String> options, Map<String, String> environment) {
        command.addAll(options);
        this.environment = environment;
    }

    /// A JVM with this library and its tests on the class path.
    static ChildJvm onClassPath(String... options) {
        ChildJvm child = new ChildJvm(List.of(options), Map.of());
        child.command.addAll(List.of("-cp",
                directoryOf(MallocArena.class) + System.getProperty("path.separator") + directoryOf(ChildJvm.class)));
        return child;
    }

    /// A JVM with this library as a module, patched with its tests.
    static ChildJvm onModulePath(String... options) {
        ChildJvm child = new ChildJvm(List.of(options), Map.of());
        child.command.addAll(List.of("--module-path", directoryOf(MallocArena.class).toString(), "--patch-module",
                MODULE + "=" + directoryOf(ChildJvm.class), "-m"));
        return child;
    }

    /// The same JVM with additional environment variables.
    ChildJvm withEnvironment(Map<String, String> variables) {
        ChildJvm child = new ChildJvm(List.of(), variables);
        child.command.clear();
        child.command.addAll(command);
        return child;
    }

    /// Runs the `main` method of a test class and waits for its end.
    Result run(Class<?> main, String... arguments) {
        List<String> line = new ArrayList<>(command);
        line.add(line.getLast().equals("-m") ? MODULE + "/" + main.getName() : main.getName());
        line.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile("arenakit-child", ".txt");
            try {
                return run(line, output);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Result run(List<String> line, Path output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
        // The JVM would print these variables.
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            return new Result(process.waitFor(), Files.readString(output));
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted, as by a timeout, while a JVM was running: " + line, e);
        } finally {
            process.destroyForcibly();
        }
    }

    /// The directory or jar of a class. It is found by resource, because the code source of a class that patches a
    /// module is the module.
    private static Path directoryOf(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        URI uri = URI.create(Objects.requireNonNull(type.getResource("/" + file)).toString());
        Path path = Path.of(uri);
        for (int i = 0; i < Path.of(file).getNameCount(); i++) {
            path = Objects.requireNonNull(path.getParent());
        }
        return path;
    }
}
