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

/// A JVM of its own, for what the one that runs the tests is not fit for: other flags, another environment, a profile
/// that nobody else has written to, or a death.
final class ChildJvm {
    private static final String MODULE = "dev.arenakit";

    /// How it ended, and what it wrote to both streams.
    record Result(int exitCode, String output) {}

    private final List<String> command = new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    private final Map<String, String> environment;

    private ChildJvm(List<String> options, Map<String, String> environment) {
        command.addAll(options);
        this.environment = environment;
    }

    /// With this library and its tests on the class path.
    static ChildJvm onClassPath(String... options) {
        ChildJvm child = new ChildJvm(List.of(options), Map.of());
        child.command.addAll(List.of("-cp",
                directoryOf(MallocArena.class) + System.getProperty("path.separator") + directoryOf(ChildJvm.class)));
        return child;
    }

    /// With this library as a module, and its tests inside.
    static ChildJvm onModulePath(String... options) {
        ChildJvm child = new ChildJvm(List.of(options), Map.of());
        child.command.addAll(List.of("--module-path", directoryOf(MallocArena.class).toString(), "--patch-module",
                MODULE + "=" + directoryOf(ChildJvm.class), "-m"));
        return child;
    }

    /// The same with more variables in its environment.
    ChildJvm withEnvironment(Map<String, String> variables) {
        ChildJvm child = new ChildJvm(List.of(), variables);
        child.command.clear();
        child.command.addAll(command);
        return child;
    }

    /// Runs the `main` of a class of the tests to its end.
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
        // The JVM would announce these in the output.
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

    /// Where a class was loaded from. Asked by resource: the code source of a class that patches a module is the module.
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
