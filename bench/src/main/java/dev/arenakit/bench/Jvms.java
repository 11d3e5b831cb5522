package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/// The JVMs that measure.
///
/// @param args        arguments before those of the benchmarks
/// @param executables the executable of each JDK by its name; empty if the JDK of the harness measures
record Jvms(List<String> args, Map<String, Path> executables) {
    /// The JDK of the harness without further arguments.
    static final Jvms DEFAULT = new Jvms(List.of(), Map.of());

    /// Finds JDKs.
    ///
    /// @param paths directories of JDKs, or their executables
    /// @throws IllegalArgumentException if there is no JDK, or two have the same name
    static Jvms of(List<String> args, List<Path> paths) {
        Map<String, Path> executables = new LinkedHashMap<>();
        for (Path path : paths) {
            Path given = path.toAbsolutePath().normalize();
            Path executable = Files.isDirectory(given) ? given.resolve("bin/java") : given;
            if (!Files.isExecutable(executable)) {
                throw new IllegalArgumentException("No JDK: jvm=" + path);
            }
            String name = name(executable);
            if (executables.putIfAbsent(name, executable) != null) {
                throw new IllegalArgumentException("Two JDKs have the same name: name=" + name + ", jvm=" + path);
            }
        }
        return new Jvms(args, executables);
    }

    /// Returns what the file `release` of the JDK says, such as `Temurin-25.0.3+9`.
    private static String name(Path executable) {
        Path file = executable.resolveSibling("../release").normalize();
        Properties release = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            release.load(reader);
        } catch (IOException e) {
            throw new IllegalArgumentException("Not the file of a JDK: file=" + file, e);
        }
        String version = release.getProperty("JAVA_VERSION", "unknown version");
        return release.getProperty("IMPLEMENTOR_VERSION", version).replace("\"", "");
    }

    /// Returns the executable that measures a cell; empty if it is that of the harness.
    Optional<Path> executable(Cell cell) {
        return Optional.ofNullable(cell.params().get(Cell.JDK)).map(executables::get);
    }
}
