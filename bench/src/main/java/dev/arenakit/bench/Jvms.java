package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import java.io.IOException;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The JVMs that measure.
///
/// The heap and the garbage collector are always the same, unless a suite or the arguments choose others: by default,
/// the JVM would choose them by the processors and the memory of the machine.
///
/// @param args        arguments given by the user
/// @param executables the executable of each JDK by its name; empty if the JDK of the harness measures
record Jvms(List<String> args, Map<String, Path> executables) {
    /// The heap, and arguments that choose another one. All benchmarks but those that set another size have enough.
    private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");
    private static final Pattern OTHER_HEAP = Pattern
            .compile("-Xm[sxn].*|-XX:\\w*HeapSize=.*|-XX:\\w*RAM(Percentage|Fraction)?=.*");

    /// The JDK's default collector on machines with two processors or more, and arguments that choose another one.
    private static final List<String> COLLECTOR = List.of("-XX:+UseG1GC");
    private static final Pattern OTHER_COLLECTOR = Pattern.compile("-XX:[+]Use\\w*GC");

    /// The JDK of the harness without further arguments.
    static final Jvms DEFAULT = new Jvms(List.of(), Map.of());

    /// Returns the arguments before those of the benchmarks. Of two heaps, the JVM takes the one that the user gives.
    List<String> args(Question question) {
        return withHeapAndCollector(ManagementFactory.getRuntimeMXBean().getInputArguments(),
                Stream.concat(question.jvmArgs().stream(), args.stream()).toList());
    }

    /// Returns the arguments of a JVM.
    ///
    /// @param inherited arguments of this JVM, which JMH passes on
    /// @param args      further arguments
    static List<String> withHeapAndCollector(List<String> inherited, List<String> args) {
        List<String> given = Stream.concat(inherited.stream(), args.stream()).toList();
        return Stream.of(unlessGiven(HEAP, OTHER_HEAP, given), unlessGiven(COLLECTOR, OTHER_COLLECTOR, given), args)
                .flatMap(List::stream)
                .toList();
    }

    private static List<String> unlessGiven(List<String> defaults, Pattern others, List<String> given) {
        return given.stream().anyMatch(others.asMatchPredicate()) ? List.of() : defaults;
    }

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
