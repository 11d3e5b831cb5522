package dev.arenakit.bench;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/// Arenas and workloads of a user: the examples of the README, and some broken arenas. They are compiled as a user
/// would compile them, and run in JVMs of their own. One run of the harness serves all tests, since it takes seconds.
@Tag("full")
class PluggedInTest {
    private static final Pattern SOURCE = Pattern.compile(
            "```java\n(.*?public (?:record|final class|class) (\\w+).*?)```",
            Pattern.DOTALL);

    private static final String LEAKING = arena("Leaking", "leaking", "Arena.ofConfined()",
            "forgotten.allocate(size, alignment).reinterpret(arena, null)", "arena.close();");
    private static final String NEVER_CLOSED = arena("NeverClosed", "never closed", "Arena.ofAuto()",
            "arena.allocate(size, alignment)", "");
    private static final String SHIFTED = arena("Shifted", "shifted", "Arena.ofConfined()",
            "arena.allocate(size + 1, alignment).asSlice(1)", "arena.close();");
    private static final String LATE = arena("Late", "late", "Arena.ofConfined()",
            "(arena.scope().isAlive() ? arena : Arena.ofAuto()).allocate(size, alignment)", "arena.close();");
    /// The check of these arenas ends their JVM as a crash does.
    private static final String CRASHING = provider("Crashing", "crashing", """
            MemorySegment.ofAddress(8).reinterpret(8).set(ValueLayout.JAVA_LONG, 0, 1);
                    return Arena.ofConfined();
                }
                public java.util.List<String> jvmArgs() {
                    return java.util.List.of("-XX:ErrorFile=DIRECTORY/hs_err.log", "-XX:-CreateCoredumpOnCrash");
            """);
    private static final String THROWING = provider("Throwing", "throwing",
            "throw new IllegalStateException(\"out of order\");");
    private static final String ABSENT = provider("Absent", "absent",
            "throw new UnavailableException(\"buy it first\");");

    /// Returns the source of a provider of arenas over an arena of the JDK.
    private static String arena(String type, String name, String arena, String allocated, String closing) {
        return provider(type, name, """
                Arena arena = %s;
                        Arena forgotten = Arena.ofConfined();
                        return new Arena() {
                            public MemorySegment allocate(long size, long alignment) { return %s; }
                            public MemorySegment.Scope scope() { return arena.scope(); }
                            public void close() { %s }
                        };
                """.formatted(arena, allocated, closing));
    }

    private static String provider(String type, String name, String opening) {
        return """
                import dev.arenakit.bench.candidate.*;
                import dev.arenakit.bench.candidate.peer.UnavailableException;
                import java.lang.foreign.*;

                public final class %1$s implements ArenaProvider {
                    public String name() { return "%2$s"; }
                    public ArenaFactory create() { return %1$s::open; }
                    static Arena open() {
                        %3$s
                    }
                }
                """.formatted(type, name, opening);
    }

    private static final String UNSTABLE = """
            public final class Unstable implements dev.arenakit.bench.candidate.Workload {
                private long runs;
                public String name() { return "unstable"; }
                public long run(java.lang.foreign.Arena arena) { return ++runs; }
            }
            """;

    /// A run of the harness with all of them.
    private static final ByteArrayOutputStream PRINTED = new ByteArrayOutputStream();
    private static Path directory = Path.of("");
    private static int exitCode;

    @BeforeAll
    static void run(@TempDir Path shared) throws IOException {
        directory = shared;
        Path classes = compile();
        try (Services _ = new Services(classes)) {
            exitCode = harness(List.of(TinyHarness.suite()), PRINTED).execute("tiny", "--report", directory.toString(),
                    "--providers", "cache lines,MallocArena,late,leaking,never closed,shifted,crashing,absent,throwing",
                    "--workloads",
                    "sentence,unstable", "--only", "sentence|unstable, Arena.ofConfined");
        }
    }

    private static CommandLine harness(List<Suite> suites, ByteArrayOutputStream printed) {
        return Harness.commandLine(suites, new PrintStream(printed, true, StandardCharsets.UTF_8),
                directory.resolve("lock"));
    }

    private static Path compile() throws IOException {
        List<String> sources = new ArrayList<>(List.of("Leaking", LEAKING, "NeverClosed", NEVER_CLOSED, "Throwing",
                THROWING, "Shifted", SHIFTED, "Crashing", CRASHING.replace("DIRECTORY", directory.toString()), "Absent",
                ABSENT, "Late", LATE,
                "Unstable", UNSTABLE));
        readme().forEach(source -> sources.addAll(List.of(source.group(2), source.group(1))));
        List<Path> files = new ArrayList<>();
        StringBuilder providers = new StringBuilder();
        StringBuilder workloads = new StringBuilder();
        for (int i = 0; i < sources.size(); i += 2) {
            files.add(Files.writeString(directory.resolve(sources.get(i) + ".java"), sources.get(i + 1)));
            (sources.get(i + 1).contains("Workload") ? workloads : providers).append(sources.get(i)).append('\n');
        }
        Path classes = directory.resolve("classes");
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("dev.arenakit.bench.candidate.ArenaProvider"), providers);
        Files.writeString(services.resolve("dev.arenakit.bench.candidate.Workload"), workloads);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(errors, manager, null,
                    List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path")), null,
                    manager.getJavaFileObjectsFromPaths(files)).call();
            assertThat(compiled).as(errors::toString).isTrue();
        }
        return classes;
    }

    private static Stream<MatchResult> readme() throws IOException {
        String text = Files.readString(Path.of(System.getProperty("basedir", ""), "README.md"));
        List<MatchResult> sources = SOURCE.matcher(text).results().toList();
        assertThat(sources).hasSize(2);
        return sources.stream();
    }

    @Test
    void providerAndWorkload_ofTheReadme_areMeasuredBesideOurs() {
        assertThat(printed()).contains("Checked cache lines: it fulfils the contract of arenas\n", "11 cells")
                .containsPattern("sentence *Arena.ofConfined")
                .containsPattern("cache lines( \\(not steady\\))? +[0-9]")
                .containsPattern("MallocArena( \\(not steady\\))? +[0-9]");
    }

    @Test
    void providers_thatAreWrong_areReportedAndTheRunGoesOn() {
        assertThat(exitCode).as(printed()).isEqualTo(1);
        assertThat(printed())
                .containsPattern("Checked late: it breaks the contract of arenas, [1-9] of \\d+ tests fail\n")
                .containsPattern(
                        "\n  allocate_afterClose_isIllegalState \\(LifetimeContract.java:\\d+\\), and [1-9] more\n      Expecting code")
                .containsPattern("late \\(!\\)( \\(not steady\\))? +[0-9]")
                .containsPattern(
                        "not to be trusted.*\n  late: breaks the contract: [1-9] of \\d+ tests fail, [1-9] of them: Expecting ");
        assertThat(directory.resolve("index.html")).content().contains("breaks the contract");
        assertThat(directory.resolve("run.json")).content().contains("BREAKS_THE_CONTRACT");
        assertThat(printed()).containsPattern("Arena.ofConfined( \\(not steady\\))? +[0-9]")
                .containsPattern(
                        "leaking.*Memory is not given back: provider=leaking, allocated=\\d+, stillResident=\\d+")
                .contains(
                        "never closed: failed: java.lang.IllegalStateException: Scope is alive after close: provider=")
                .containsPattern(
                        "Checked shifted: .*, A segment is not aligned to 8: address=0x\\p{XDigit}+[19], provider=")
                .containsPattern(
                        "crashing: failed: java.lang.IllegalStateException: Forked VM failed with exit code \\d+; "
                                + "errorFile=" + Pattern.quote(directory.resolve("hs_err.log") + "\n"))
                .containsPattern("throwing.*IllegalStateException: out of order")
                .containsPattern("absent.*buy it first");
    }

    @Test
    void workload_whoseResultsDiffer_isReported() {
        assertThat(printed()).contains("The workload has another result than in an arena of the JDK: "
                + "workload=unstable, provider=Arena.ofConfined, result=");
    }

    @Test
    void service_whoseClassDoesNotExist_isRefusedInALine() throws IOException {
        Path services = Files.createDirectories(directory.resolve("misspelt/META-INF/services"));
        Files.writeString(services.resolve("dev.arenakit.bench.candidate.ArenaProvider"), "CacheLine\n");
        StringWriter errors = new StringWriter();
        try (Services _ = new Services(directory.resolve("misspelt"))) {
            CommandLine line = harness(Suites.ALL, new ByteArrayOutputStream()).setErr(new PrintWriter(errors, true));
            assertThat(line.execute("--list")).isEqualTo(2);
        }

        assertThat(errors.toString()).isEqualToNormalizingNewlines("A service cannot be loaded: "
                + "reason=dev.arenakit.bench.candidate.ArenaProvider: Provider CacheLine not found; "
                + "correct its file in META-INF/services\n");
    }

    @Test
    void list_namesWhatIsPluggedIn() throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (Services _ = new Services(directory.resolve("classes"))) {
            assertThat(harness(Suites.ALL, printed).execute("--list")).isZero();
        }

        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("cache lines  (plugged in)",
                "sentence  (plugged in)",
                "SlabArena bounded unzeroed");
    }

    private static String printed() {
        return PRINTED.toString(StandardCharsets.UTF_8);
    }

    /// Adds classes to the class path while it is open: this JVM finds services by the thread's class loader, and JMH
    /// passes the property to the JVMs that measure.
    private static final class Services implements AutoCloseable {
        private static final String CLASS_PATH = "java.class.path";

        private final String classPath = System.getProperty(CLASS_PATH);
        private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
        private final URLClassLoader withServices;

        Services(Path classes) throws IOException {
            withServices = new URLClassLoader(new URL[]{classes.toUri().toURL()}, loader);
            Thread.currentThread().setContextClassLoader(withServices);
            System.setProperty(CLASS_PATH, classes + File.pathSeparator + classPath);
        }

        @Override
        public void close() throws IOException {
            System.setProperty(CLASS_PATH, classPath);
            Thread.currentThread().setContextClassLoader(loader);
            withServices.close();
        }
    }
}
