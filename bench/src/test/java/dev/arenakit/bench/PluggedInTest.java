package dev.arenakit.bench;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Arenas and workloads of a user: the examples of the README, and some broken arenas. They are compiled as a user
/// would compile them, and run in a JVM of their own.
class PluggedInTest {
    private static final Pattern SOURCE = Pattern.compile(
            "```java\n(.*?public (?:record|final class|class) (\\w+).*?)```",
            Pattern.DOTALL);

    private static final String LEAKING = """
            public final class Leaking implements dev.arenakit.bench.candidate.ArenaProvider {
                public String name() { return "leaking"; }
                public dev.arenakit.bench.candidate.ArenaFactory create() { return Leaking::open; }
                static java.lang.foreign.Arena open() {
                    java.lang.foreign.Arena arena = java.lang.foreign.Arena.ofConfined();
                    java.lang.foreign.Arena forgotten = java.lang.foreign.Arena.ofConfined();
                    return new java.lang.foreign.Arena() {
                        public java.lang.foreign.MemorySegment allocate(long size, long alignment) {
                            return forgotten.allocate(size, alignment).reinterpret(arena, null);
                        }
                        public java.lang.foreign.MemorySegment.Scope scope() { return arena.scope(); }
                        public void close() { arena.close(); }
                    };
                }
            }
            """;
    private static final String NEVER_CLOSED = """
            public final class NeverClosed implements dev.arenakit.bench.candidate.ArenaProvider {
                public String name() { return "never closed"; }
                public dev.arenakit.bench.candidate.ArenaFactory create() { return NeverClosed::open; }
                static java.lang.foreign.Arena open() {
                    java.lang.foreign.Arena arena = java.lang.foreign.Arena.ofAuto();
                    return new java.lang.foreign.Arena() {
                        public java.lang.foreign.MemorySegment allocate(long size, long alignment) {
                            return arena.allocate(size, alignment);
                        }
                        public java.lang.foreign.MemorySegment.Scope scope() { return arena.scope(); }
                        public void close() {}
                    };
                }
            }
            """;
    private static final String LATE = """
            public final class Late implements dev.arenakit.bench.candidate.ArenaProvider {
                public String name() { return "late"; }
                public dev.arenakit.bench.candidate.ArenaFactory create() { return Late::open; }
                static java.lang.foreign.Arena open() {
                    java.lang.foreign.Arena arena = java.lang.foreign.Arena.ofConfined();
                    return new java.lang.foreign.Arena() {
                        public java.lang.foreign.MemorySegment allocate(long size, long alignment) {
                            return (arena.scope().isAlive() ? arena : java.lang.foreign.Arena.ofAuto())
                                    .allocate(size, alignment);
                        }
                        public java.lang.foreign.MemorySegment.Scope scope() { return arena.scope(); }
                        public void close() { arena.close(); }
                    };
                }
            }
            """;
    private static final String THROWING = """
            public final class Throwing implements dev.arenakit.bench.candidate.ArenaProvider {
                public String name() { return "throwing"; }
                public dev.arenakit.bench.candidate.ArenaFactory create() { return Throwing::open; }
                static java.lang.foreign.Arena open() { throw new IllegalStateException("out of order"); }
            }
            """;
    private static final String ABSENT = """
            public final class Absent implements dev.arenakit.bench.candidate.ArenaProvider {
                public String name() { return "absent"; }
                public dev.arenakit.bench.candidate.ArenaFactory create() { return Absent::open; }
                static java.lang.foreign.Arena open() {
                    throw new dev.arenakit.bench.candidate.UnavailableException("buy it first");
                }
            }
            """;

    private static final String UNSTABLE = """
            public final class Unstable implements dev.arenakit.bench.candidate.Workload {
                private long runs;
                public String name() { return "unstable"; }
                public long run(java.lang.foreign.Arena arena) { return ++runs; }
            }
            """;

    private static Path classes = Path.of("");

    @TempDir
    Path directory;

    @BeforeAll
    static void compile(@TempDir Path shared) throws IOException {
        List<String> sources = new ArrayList<>(List.of("Leaking", LEAKING, "NeverClosed", NEVER_CLOSED, "Throwing",
                THROWING, "Absent", ABSENT, "Late", LATE, "Unstable", UNSTABLE));
        readme().forEach(source -> sources.addAll(List.of(source.group(2), source.group(1))));
        List<Path> files = new ArrayList<>();
        StringBuilder providers = new StringBuilder();
        StringBuilder workloads = new StringBuilder();
        for (int i = 0; i < sources.size(); i += 2) {
            files.add(Files.writeString(shared.resolve(sources.get(i) + ".java"), sources.get(i + 1)));
            (sources.get(i + 1).contains("Workload") ? workloads : providers).append(sources.get(i)).append('\n');
        }
        classes = shared.resolve("classes");
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
    }

    private static Stream<MatchResult> readme() throws IOException {
        String text = Files.readString(Path.of(System.getProperty("basedir", ""), "README.md"));
        List<MatchResult> sources = SOURCE.matcher(text).results().toList();
        assertThat(sources).hasSize(2);
        return sources.stream();
    }

    @Test
    void providerAndWorkload_ofTheReadme_areMeasuredBesideOurs() throws Exception {
        Outcome outcome = run("tiny", "--providers", "cache lines,MallocArena", "--workloads", "sentence");

        assertThat(outcome.exitCode).as(outcome.printed).isZero();
        assertThat(outcome.printed).contains("Checked cache lines: it fulfils the contract of arenas\n", "3 cells")
                .containsPattern("sentence *Arena.ofConfined")
                .containsPattern("cache lines( \\(not steady\\))? +[0-9]")
                .containsPattern("MallocArena( \\(not steady\\))? +[0-9]");
    }

    @Test
    void providers_thatAreWrong_areReportedAndTheRunGoesOn() throws Exception {
        Outcome outcome = run("tiny", "--providers", "late,leaking,never closed,absent,throwing");

        assertThat(outcome.exitCode).as(outcome.printed).isEqualTo(1);
        assertThat(outcome.printed)
                .containsPattern("Checked late: it breaks the contract of arenas, [1-9] of \\d+ tests fail\n")
                .containsPattern(
                        "\n  allocate_afterClose_isIllegalState \\(LifetimeContract.java:\\d+\\)\n      Expecting code")
                .containsPattern("late \\(!\\)( \\(not steady\\))? +[0-9]")
                .containsPattern("not to be trusted.*\n  late: breaks the contract: [1-9] of \\d+ tests fail\n");
        for (String file : List.of("index.html", "results.csv", "run.json")) {
            assertThat(directory.resolve(file)).content().contains("breaks the contract");
        }
        assertThat(outcome.printed).containsPattern("Arena.ofConfined( \\(not steady\\))? +[0-9]")
                .containsPattern(
                        "leaking.*Memory is not given back: provider=leaking, allocated=\\d+, stillResident=\\d+")
                .containsPattern("never closed.*Scope is alive after close: provider=never closed")
                .containsPattern("throwing.*IllegalStateException: out of order")
                .containsPattern("absent.*buy it first");
    }

    @Test
    void workload_whoseResultsDiffer_isReported() throws Exception {
        Outcome outcome = run("tiny", "--workloads", "unstable");

        assertThat(outcome.exitCode).as(outcome.printed).isEqualTo(1);
        assertThat(outcome.printed).contains("The workload has another result than in an arena of the JDK: "
                + "workload=unstable, provider=Arena.ofConfined, result=");
    }

    @Test
    void list_namesWhatIsPluggedIn() throws Exception {
        // No child JVM is needed, since the services are found by the thread's class loader.
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        try (URLClassLoader withServices = new URLClassLoader(new URL[]{classes.toUri().toURL()}, loader)) {
            thread.setContextClassLoader(withServices);
            assertThat(Harness.commandLine(Suites.ALL, new PrintStream(printed, true, StandardCharsets.UTF_8),
                    TinyHarness.LOCK)
                    .execute("--list")).isZero();
        } finally {
            thread.setContextClassLoader(loader);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("cache lines  (plugged in)",
                "sentence  (plugged in)",
                "SlabArena bounded unzeroed");
    }

    private record Outcome(int exitCode, String printed) {}

    private Outcome run(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow", "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                TinyHarness.class.getName(), "--report", directory.toString()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), printed);
    }
}
