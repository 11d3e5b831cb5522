package dev.arenakit.bench;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The JVM that measures.
///
/// The heap and the garbage collector are always the same, unless the arguments choose them. The JVM itself would choose
/// them by the processors and the memory of the machine.
///
/// @param args arguments of all measuring JVMs
/// @param java the executable
/// @param name the name of its JDK
record MeasuringJvm(List<String> args, Path java, String name) {
    /// The heap, and arguments that choose another heap. It is enough for all benchmarks that do not set a size
    /// themselves.
    private static final List<String> HEAP = List.of("-Xmx1g");
    private static final Pattern OTHER_HEAP = Pattern
            .compile("-Xmx.*|-XX:MaxHeapSize=.*|-XX:M(ax|in)RAM(Percentage|Fraction)?=.*");

    /// The initial heap, and arguments that exclude it: it must not exceed the maximum size, and must not be combined
    /// with another initial size.
    private static final List<String> INITIAL_HEAP = List.of("-Xms1g");
    private static final Pattern OTHER_INITIAL_HEAP = Pattern
            .compile(OTHER_HEAP + "|-Xms.*|-XX:(Initial|Min)HeapSize=.*");

    /// The JDK's default collector on machines with two processors or more, and arguments that choose another
    /// collector.
    private static final List<String> COLLECTOR = List.of("-XX:+UseG1GC");
    private static final Pattern OTHER_COLLECTOR = Pattern
            .compile("-XX:[+]Use(Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC");

    /// The Java version that the class files are compiled for.
    static final int NEEDED = 25;
    // Versions before 9 begin with `1.`.
    private static final Pattern FEATURE = Pattern.compile("(?:1\\.)?(\\d{1,4})");

    /// The environment variables whose arguments a JVM adds to the arguments of its command line.
    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    /// Returns the arguments that precede the benchmark's own arguments. If several heaps are given, the JVM takes the
    /// candidate's heap, or else the user's. The arguments of this JVM are not among them: how the harness was started
    /// must not change a figure.
    ///
    /// @param ofCandidate the arguments that the candidate needs
    List<String> args(List<String> ofCandidate) {
        return withHeapAndCollector(ofEnvironment(System.getenv()),
                Stream.concat(args.stream(), ofCandidate.stream()).toList());
    }

    /// Returns the arguments that every JVM of a JDK has. JMH reads field offsets with Unsafe, which needs a flag that
    /// later JDKs may lack.
    static List<String> ofJdk(Path java) {
        return Environment.output(java.toString(), JdkInternals.ALLOW_UNSAFE, "--version").isBlank()
                ? List.of(JvmArgs.NATIVE_ACCESS)
                : List.of(JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE);
    }

    /// Returns the arguments in the environment of this process, which the measuring JVMs inherit.
    static List<String> ofEnvironment(Map<String, String> environment) {
        return VARIABLES.stream()
                .flatMap(name -> Stream.of(environment.getOrDefault(name, "").split("\\s+")))
                .filter(arg -> !arg.isEmpty())
                .toList();
    }

    /// Returns the arguments of a JVM.
    ///
    /// @param inherited arguments that the JVM has from its environment
    /// @param args      further arguments
    static List<String> withHeapAndCollector(List<String> inherited, List<String> args) {
        List<String> given = Stream.concat(inherited.stream(), args.stream()).toList();
        return Stream
                .of(unlessGiven(INITIAL_HEAP, OTHER_INITIAL_HEAP, given), unlessGiven(HEAP, OTHER_HEAP, given),
                        unlessGiven(COLLECTOR, OTHER_COLLECTOR, given), args)
                .flatMap(List::stream)
                .toList();
    }

    private static List<String> unlessGiven(List<String> defaults, Pattern others, List<String> given) {
        return given.stream().anyMatch(others.asMatchPredicate()) ? List.of() : defaults;
    }

    /// Returns the JVM of a JDK.
    ///
    /// @param args arguments of the user, which follow the arguments that every JVM of the JDK has
    /// @param path directory of the JDK, or its executable
    /// @throws IllegalArgumentException if the path has no JDK, or the JDK is too old
    static MeasuringJvm of(List<String> args, Path path) {
        Path given = path.toAbsolutePath().normalize();
        Path java = Files.isDirectory(given) ? given.resolve("bin/java") : given;
        if (!Files.isExecutable(java)) {
            throw new IllegalArgumentException("No JDK: jvm=" + path);
        }
        Properties release = release(java);
        requireNewEnough(release, path);
        return new MeasuringJvm(Stream.concat(ofJdk(java).stream(), args.stream()).toList(), java, name(release));
    }

    /// Returns the properties in the file `release` of the JDK.
    private static Properties release(Path executable) {
        Path file = executable.resolveSibling("../release").normalize();
        Properties release = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            release.load(reader);
        } catch (IOException e) {
            throw new IllegalArgumentException("Not the file of a JDK: file=" + file, e);
        }
        release.replaceAll((_, value) -> value.toString().replace("\"", ""));
        return release;
    }

    /// Returns a name such as `Temurin-25.0.3+9`. The version of an early build is only in the name of its runtime.
    private static String name(Properties release) {
        return Stream.of("IMPLEMENTOR_VERSION", "JAVA_RUNTIME_VERSION", "JAVA_VERSION")
                .flatMap(property -> Stream.ofNullable(release.getProperty(property)))
                .findFirst()
                .orElse("unknown version");
    }

    private static void requireNewEnough(Properties release, Path path) {
        String version = release.getProperty("JAVA_VERSION", "");
        Matcher matcher = FEATURE.matcher(version);
        if (matcher.lookingAt() && Integer.parseInt(matcher.group(1)) < NEEDED) {
            throw new IllegalArgumentException("The JDK is older than the benchmarks need: jvm=" + path + ", version="
                    + version + ", needed=" + NEEDED);
        }
    }
}
