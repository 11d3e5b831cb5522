package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.micro.arena.Session;
import dev.arenakit.bench.micro.arena.Tails;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.CellNote;
import dev.arenakit.bench.report.JdkGeneration;
import dev.arenakit.bench.report.Measurement;
import dev.arenakit.bench.report.Metric;
import dev.arenakit.bench.report.Results;
import dev.arenakit.bench.report.RunDescription;
import dev.arenakit.bench.report.Target;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("full")
class HarnessTest {
    private static final Iterations BRIEF = new Iterations(1, Duration.ofMillis(5));
    private static final Iterations MEASURED = new Iterations(2, Duration.ofMillis(20));
    private static final Pattern PROVIDER = Pattern.compile("# Parameters: \\(provider = ([^,]+),");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    private volatile @Nullable Process harness;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            quik                                      | No such suite: name=quik, suites=demo,
                                                      | No suite given: suites=demo,
            demo --providers MallocArena,SlapArena    | No such provider: name=SlapArena, names=Arena.ofConfined,
            --workloads 11x32                         | No such workload: name=11x32, names=1x32,
            demo --forks 0                            | forks=0
            demo --only NoSuchThing                   | only=NoSuchThing, suite=demo
            """)
    void unknownName_isRefusedWithTheNamesOfThoseThatExist(@Nullable String args, String message) {
        assertThat(run(Suites.ALL, args == null ? new String[0] : args.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).contains(message).hasLineCount(1);
    }

    @Test
    void only_matchesTheNamesInTheReportToo() {
        assertThat(run(Suites.ALL, "demo", "--list-cells", "--only", "^session, 10 x 32 B, .*Arena")).isZero();
        assertThat(printed()).contains("session, 10 x 32 B, SlabArena\n").doesNotContain("100 x", "one block");
        out.reset();
        assertThat(run(Suites.ALL, "demo", "--list-cells", "--only", "Session.*10x32")).isZero();
        assertThat(printed()).startsWith("session, 10 x 32 B, Arena.ofConfined\n").doesNotContain("100 x");
    }

    /// A run without cells writes the same files as an interrupted run.
    @Test
    void run_beforeItEnds_hasRemovedTheFilesOfAnEarlierOneAlone() throws IOException {
        List<String> earlier = List.of("index.html", "run.json", "jmh.log");
        for (String file : earlier) {
            Files.createFile(directory.resolve(file));
        }
        Files.createFile(directory.resolve("mine.html"));
        Suite none = TinyHarness.suite().withCells(List.of());

        new SuiteRunner(none, new MeasuringJvm(List.of(), Path.of("java"), "no JDK"), directory,
                new SuiteProgress(new PrintStream(out), false)).run();

        assertThat(earlier).noneMatch(file -> Files.exists(directory.resolve(file)));
        assertThat(directory.resolve("mine.html")).exists();
    }

    @Test
    void report_ofARunThatMeasuredNothing_saysWhy() throws IOException {
        Path results = Files.writeString(directory.resolve("results.json"), "[]");
        new RunDescription("tiny", "A tiny suite", Map.of(),
                List.of(new CellNote(TinyHarness.suite().cells().getFirst(), "out of order", CellNote.Kind.FAILED)))
                .write(directory);

        assertThat(run(Suites.ALL, "report", results.toString())).isEqualTo(1);

        assertThat(printed()).contains("Not measured:\n  Arena.ofConfined: failed: out of order\n",
                "Nothing was measured; ");
        assertThat(directory.resolve("index.html")).content().contains("out of order");
    }

    @Test
    void iterations_ofAnotherForm_areRefused() {
        for (String wrong : List.of("5", "0x10", "5x0", "x", "5x10ms")) {
            assertThat(run(Suites.ALL, "demo", "--list-cells", "--warmup", wrong)).isEqualTo(2);
            assertThat(err.toString()).contains("not a number of iterations and of milliseconds each");
        }
        assertThat(run(Suites.ALL, "demo", "--list-cells", "--iterations", "6x100", "--warmup", "1x5")).isZero();
    }

    @Test
    void jvm_thatDoesNotExist_isRefused() {
        assertThat(run(Suites.ALL, "demo", "--jvm", directory.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("No JDK: jvm=").hasLineCount(1);
    }

    @Test
    void report_ofAFile_isWrittenToTheDirectory() {
        Path target = directory.resolve("again");

        assertThat(run(Suites.ALL, "report", "src/test/resources/results.json", "--report", target.toString()))
                .isZero();
        assertThat(printed()).contains("3 to 5 forks each", "Report:  " + target.resolve("index.html"));
        assertThat(target.resolve("index.html")).content().contains("\"forks\":\"3 to 5 forks each\"");
        assertThat(run(Suites.ALL, "report", "no-such.json")).isEqualTo(2);
        assertThat(err.toString()).contains("No such result file: file=").hasLineCount(1);
    }

    @Test
    void report_ofASuiteWithTargets_showsThoseThatWereMeasuredAndAreForTheJdk() throws IOException {
        Path results = Files.copy(Path.of("src/test/resources/results.json"), directory.resolve("results.json"));
        List<Cell> cells = Results.read(results).measurements().stream().map(Measurement::cell).toList();
        Cell other = cells.getFirst().by("another one");
        Suite tiny = TinyHarness.suite();
        Suite suite = new Suite(tiny.name(), tiny.title(), 1, tiny.warmup(), tiny.measurement(), cells,
                List.of(new Target(cells.get(1), cells.getFirst(), 2.25, true),
                        new Target(cells.get(1), cells.getFirst(), 3.25, true, JdkGeneration.WITHOUT_POOL),
                        new Target(cells.get(1), cells.getFirst(), 4.25, true, JdkGeneration.WITH_POOL),
                        new Target(other, cells.getFirst(), 7.25, true)));
        new RunDescription(suite.name(), suite.title(), Map.of(), List.of()).write(directory);

        assertThat(run(List.of(suite), "report", directory.toString())).isZero();

        assertThat(printed()).startsWith("1 of 2 targets are met")
                .containsOnlyOnce("2.25x faster")
                .containsOnlyOnce("3.25x faster")
                .doesNotContain("4.25x", "7.25x");
    }

    @Test
    void run_whileAnotherMeasures_isRefused() throws IOException {
        try (FileChannel file = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE); FileLock other = file.lock()) {
            assertThat(other.isValid()).isTrue();
            assertThat(run(List.of(TinyHarness.suite()), "tiny", "--report", directory.toString())).isEqualTo(2);
            assertThat(run(Suites.ALL, "demo", "--list-cells")).isZero();
        }

        assertThat(err.toString()).startsWith("Another run measures on this machine, ").hasLineCount(1);
        assertThat(directory.resolve("results.json")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void run_withALockThatCannotBeUsed_goesOnAndSaysSo(boolean isLink) throws IOException {
        Path lock = directory.resolve("lock");
        Path file = Files.createFile(directory.resolve("file"));
        if (isLink) {
            Files.createSymbolicLink(lock, file);
        } else {
            Files.createDirectory(lock);
        }

        // The run ends before it measures, since the directory of its report is a file.
        assertThat(run(Suites.ALL, "demo", "--report", file.toString())).isEqualTo(1);

        assertThat(printed()).isEqualToNormalizingNewlines(
                "Another run on this machine would not be noticed, as the lock cannot be used: lock=" + lock + "\n");
        assertThat(err.toString()).startsWith("The report could not be written: ")
                .contains(file.toString())
                .hasLineCount(1);
    }

    /// The JDK measures the first round. In the second round, it hangs, and has started another process.
    // This test takes seconds, since it starts JVMs.
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void termination_endsAllProcessesOfTheRunAndKeepsTheResultsOfEarlierRounds() throws Exception {
        Files.createDirectory(directory.resolve("target"));
        Path jdk = plantJdk("""
                case "$*" in *ForkedMain*)
                    if [ -e measured ]; then
                        sleep 600 > sleep.log 2>&1 &
                        exec sleep 600
                    fi
                    : > measured
                esac
                """);
        Process started = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                TinyHarness.class.getName(), "tiny", "--report", directory.toString(), "--forks", "2", "--jvm",
                jdk.toString())
                // Its lock is a file below this directory, so that other tests do not hold it.
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        harness = started;
        StringBuilder printed = new StringBuilder();
        List<ProcessHandle> measuring = List.of();
        try (BufferedReader output = started.inputReader()) {
            for (String line = ""; line != null && !line.startsWith("1/2 "); line = output.readLine()) {
                printed.append(line).append('\n');
            }
            while (started.isAlive() && measuring.size() < 2) {
                measuring = started.descendants().toList();
            }

            // The method of the process itself would close its output.
            started.toHandle().destroy();
            output.lines().forEach(line -> printed.append(line).append('\n'));
        }
        started.waitFor();

        assertThat(measuring).as(printed.toString()).hasSize(2);
        for (ProcessHandle each : measuring) {
            each.onExit().get(1, TimeUnit.MINUTES);
        }
        assertThat(printed).doesNotContain("no figure");
        assertThat(Results.read(directory.resolve("results.json")).measurements()).singleElement()
                .satisfies(measurement -> assertThat(measurement.forks()).hasSize(1));
    }

    /// Ends the harness of a test that failed. The thread of such a test may still read its output.
    @AfterEach
    void endHarness() {
        Process started = harness;
        if (started != null) {
            started.descendants().forEach(ProcessHandle::destroyForcibly);
            started.destroyForcibly();
        }
    }

    @Test
    void list_namesTheSuites() {
        assertThat(run(Suites.ALL, "--list")).isZero();
        assertThat(printed()).contains("demo ", "targets ", "  SlabArena unzeroed\n", "  10x32\n");
    }

    // This test takes seconds, since it starts five JVMs.
    @Test
    void run_ofASuite_mergesItsRoundsAndReportsWhatFailed() throws IOException {
        Map<String, String> session = Map.of("workload", BlockWorkload.ONE);
        Cell confined = CellGrid.arena(Session.class, Candidates.OF_CONFINED, session);
        Cell netty = confined.by(Candidates.NETTY_ADAPTIVE);
        Cell absent = confined.by("absent");
        Suite suite = new Suite("tiny", "A tiny suite", 2, BRIEF, MEASURED, List.of(confined, netty, absent),
                List.of(new Target(netty, confined, 0.0001, false)));

        assertThat(run(List.of(suite), "tiny", "--report", directory.toString(), "--iterations", "3x20", "--jvm-args",
                "-Dplanted=1  -Xmx300m")).isEqualTo(1);

        assertThat(printed()).contains("A tiny suite", "No such provider: name=absent, names=Arena.ofConfined, ",
                "Netty adaptive arena", "2 forks each",
                "met");
        for (String file : List.of("index.html", "run.json")) {
            assertThat(directory.resolve(file)).content().contains("No such provider: name");
        }
        assertThat(directory.resolve("jmh.log")).content()
                .contains("Warmup Iteration", "-Dplanted=1", "3 iterations", JvmArgs.EVENT_LOOP)
                // An argument of this JVM.
                .doesNotContain("-Djmh.ignoreLock=true");
        assertThat(directory.resolve("run.json")).content()
                .contains("-Dplanted=1", "-Xmx300m", "--jvm-args -Dplanted=1  -Xmx300m");
        assertThat(Files.readAllLines(directory.resolve("jmh.log"))
                .stream()
                .flatMap(line -> PROVIDER.matcher(line).results().map(match -> match.group(1)))).containsExactly(
                        confined.candidate(), netty.candidate(), "absent", netty.candidate(), confined.candidate());
        Results results = Results.read(directory.resolve("results.json"));
        assertThat(results.measurements()).extracting(Measurement::cell).containsExactly(confined, netty);
        assertThat(results.measurements()).allSatisfy(measurement -> {
            assertThat(measurement.forks()).hasSize(2);
            assertThat(measurement.value(Metric.TIME)).isPositive();
            // The value would be about 20 milliseconds if it were not divided by the number of operations.
            assertThat(measurement.value(Metric.CPU)).isBetween(1.0, 1e6);
            assertThat(measurement.value(Metric.BYTES)).isNotNaN();
            assertThat(measurement.value(Metric.WARM_UP)).isBetween(1.0, 1e6);
            assertThat(measurement.value(Metric.PROCESS_CPU)).isBetween(1.0, 1e7);
        });
    }

    // This test takes seconds, since it starts two JVMs.
    @Test
    void run_ofASuiteOfTailsWithAJdk_recordsEachOperationAndTheJdk() throws IOException {
        Path jdk = plantJdk("");

        Measurement measurement = run(Suite.Kind.TAILS, CellGrid.of(Tails.class)
                .with("batch", "1")
                .with("workload", BlockWorkload.TEN), "--jvm", jdk.toString());

        assertThat(directory.resolve("run.json")).content().contains("\"JDK\": \"Planted-25\"");
        assertThat(measurement.value(Metric.P50)).isBetween(1.0, measurement.value(Metric.P90));
        assertThat(measurement.value(Metric.SAMPLES)).isGreaterThan(100);
        // The mean is of the same operations: at least half of them took the median or longer.
        assertThat(measurement.value(Metric.TIME)).isBetween(measurement.value(Metric.P50) / 2,
                measurement.value(Metric.SLOWEST));
    }

    /// Returns a JDK that runs a script before the real one.
    private Path plantJdk(String script) throws IOException {
        Path jdk = directory.resolve("jdk");
        Path java = Files.createDirectories(jdk.resolve("bin")).resolve("java");
        Files.writeString(java,
                "#!/bin/sh\n" + script + "exec '" + System.getProperty("java.home") + "/bin/java' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR_VERSION=\"Planted-25\"\n");
        return jdk;
    }

    private Measurement run(Suite.Kind kind, CellGrid grid, String... options) throws IOException {
        Suite suite = new Suite("tiny", "A tiny suite", kind, 1, BRIEF, MEASURED,
                grid.arenas(Candidates.OF_CONFINED).cells().toList(), List.of());
        List<String> args = new ArrayList<>(List.of("tiny", "--report", directory.toString()));
        args.addAll(List.of(options));
        assertThat(run(List.of(suite), args.toArray(String[]::new))).as(this::printed).isZero();
        List<Measurement> measurements = Results.read(directory.resolve("results.json")).measurements();
        assertThat(measurements).hasSize(1);
        return measurements.getFirst();
    }

    private int run(List<Suite> suites, String... args) {
        CommandLine line = Harness.commandLine(suites, new PrintStream(out, true, StandardCharsets.UTF_8),
                directory.resolve("lock"));
        return line.setErr(new PrintWriter(err, true)).execute(args);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
