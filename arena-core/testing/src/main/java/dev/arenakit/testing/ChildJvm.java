package dev.arenakit.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A separate JVM, for tests that need other flags, another environment or an empty profile, or that terminate the JVM.
///
/// A JVM on the class path starts in a third of the time of a JVM on the module path: the archive of class data in the
/// JDK does not work with a module that is patched with its tests. It lives for less than a second, too short a time for
/// the optimizing compiler to pay.
public final class ChildJvm {
    /// Denies native access to all modules that have no permission.
    public static final String DENY = "--illegal-native-access=deny";

    /// The optimizing compiler, too.
    public static final String OPTIMIZING = "-XX:TieredStopAtLevel=4";

    /// The exit code, and the output of both streams, whose lines end with `\n`.
    public record Result(int exitCode, String output) {}

    private final List<String> options;
    private final Map<String, String> environment;
    private final boolean isOnModulePath;

    private ChildJvm(List<String> options, Map<String, String> environment, boolean isOnModulePath) {
        this.options = options;
        this.environment = environment;
        this.isOnModulePath = isOnModulePath;
    }

    /// A JVM with the module under test, its tests, and all libraries on the class path.
    public static ChildJvm onClassPath(String... options) {
        return new ChildJvm(List.of(options), Map.of(), false);
    }

    /// A JVM with the module under test as a module, patched with its tests.
    public static ChildJvm onModulePath(String... options) {
        return new ChildJvm(List.of(options), Map.of(), true);
    }

    /// A small JVM on the class path in which native access is denied.
    public static ChildJvm denied(String... options) {
        return onClassPath(concat(List.of(DENY, "-Xmx64m"), options));
    }

    /// A small JVM on the class path in which native access is granted.
    public static ChildJvm granted(String... options) {
        return denied(concat(List.of("--enable-native-access=ALL-UNNAMED"), options));
    }

    /// The same JVM with additional environment variables.
    public ChildJvm withEnvironment(Map<String, String> variables) {
        return new ChildJvm(options, variables, isOnModulePath);
    }

    /// The command line of the `main` method of a class. Standard error is merged into standard output.
    public ProcessBuilder command(Class<?> main, String... arguments) {
        List<String> line = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1"));
        line.addAll(options);
        String modules = System.getProperty("jdk.module.path", "");
        String classes = System.getProperty("java.class.path");
        if (isOnModulePath) {
            String module = main.getModule().getName();
            line.addAll(List.of("-cp", classes, "--module-path", modules, "--patch-module",
                    module + "=" + directoryOf(main), "-m", module + "/" + main.getName()));
        } else {
            line.addAll(List.of("-cp", Stream.of(directoryOf(main).toString(), modules, classes)
                    .filter(path -> !path.isEmpty())
                    .collect(Collectors.joining(File.pathSeparator)), main.getName()));
        }
        line.addAll(List.of(arguments));
        ProcessBuilder command = new ProcessBuilder(line).redirectErrorStream(true);
        // The JVM would print these variables.
        command.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        command.environment().putAll(environment);
        return command;
    }

    /// Ends the current JVM some seconds after the JVM that has started it has ended, in whatever manner. A `main` method
    /// that runs until it is killed calls it first.
    public static void endWithParent() {
        ProcessHandle.current().parent().ifPresent(parent -> {
            var _ = parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1));
        });
    }

    /// Runs the `main` method of a class and waits for its end.
    public Result run(Class<?> main, String... arguments) {
        return end(command(main, arguments));
    }

    /// Runs a command and waits for its end. It must succeed.
    ///
    /// @return its output
    public static String run(ProcessBuilder command) {
        Result result = end(command);
        if (result.exitCode != 0) {
            throw new AssertionError("Exit code " + result.exitCode + ": " + command.command() + System.lineSeparator()
                    + result.output);
        }
        return result.output;
    }

    private static Result end(ProcessBuilder command) {
        try {
            Path output = Files.createTempFile("arenakit-child", ".txt");
            try {
                Process process = command.redirectOutput(output.toFile()).start();
                try {
                    int exitCode = process.waitFor();
                    return new Result(exitCode, Files.readString(output).replace(System.lineSeparator(), "\n"));
                } catch (InterruptedException e) {
                    throw new AssertionError("Interrupted, as by a timeout, while a JVM was running: "
                            + command.command(), e);
                } finally {
                    process.destroyForcibly();
                }
            } finally {
                delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Deletes a file, at the latest when this JVM ends: Windows deletes no open file, and closes the files of a process
    /// some time after its end.
    private static void delete(Path output) throws IOException {
        try {
            Files.delete(output);
        } catch (FileSystemException e) {
            output.toFile().deleteOnExit();
        }
    }

    /// The directory of a class. It is found by resource, because the code source of a class that patches a module is
    /// the module.
    private static Path directoryOf(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        Path path = Path.of(URI.create(Objects.requireNonNull(type.getResource("/" + file)).toString()));
        for (int i = 0; i < Path.of(file).getNameCount(); i++) {
            path = Objects.requireNonNull(path.getParent());
        }
        return path;
    }

    private static String[] concat(List<String> first, String[] second) {
        return Stream.concat(first.stream(), Stream.of(second)).toArray(String[]::new);
    }
}
