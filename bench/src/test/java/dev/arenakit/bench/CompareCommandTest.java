package dev.arenakit.bench;

import dev.arenakit.bench.report.Machine;
import dev.arenakit.bench.report.RunDescription;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class CompareCommandTest {
    private static final Machine HERE = new Machine("A processor, 2 CPUs", "Linux 6.1 amd64", "Temurin-25",
            LocalDate.of(2026, 1, 31), 0.5);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    @Test
    void compare_ofARunWithItself_findsNothing() throws IOException {
        String run = run("run", "dev.Sorting", 10);

        assertThat(compare(run, run)).isZero();
        assertThat(printed()).isEqualTo("0 slower, 0 faster, 1 without a significant difference above 5.0 %\n");
    }

    @Test
    void compare_withASlowerRun_saysWhatGotSlower() throws IOException {
        String old = run("old", "dev.Sorting", 10);
        String slower = run("slower", "dev.Sorting", 12);

        assertThat(compare(old, slower)).isEqualTo(1);
        assertThat(printed()).containsPattern("slower +Sorting").contains("+20 %", "1 slower, 0 faster, ");
        assertThat(compare(slower, old)).isZero();
        assertThat(printed()).contains("0 slower, 1 faster, ");
        assertThat(compare(old, slower, "--threshold", "30")).isZero();
        assertThat(printed()).contains("0 slower, 0 faster, 1 without a significant difference above 30.0 %");
    }

    @Test
    void compare_withARunOfBenchmarksInAnotherPackage_findsTheSameCells() throws IOException {
        assertThat(compare(run("old", "dev.Sorting", 10), run("new", "dev.elsewhere.Sorting", 12))).isEqualTo(1);
    }

    @Test
    void compare_ofRunsWithNothingInCommon_isRefused() throws IOException {
        assertThat(compare(run("old", "dev.Sorting", 10), run("new", "dev.Searching", 10))).isEqualTo(2);
        assertThat(err.toString()).startsWith("The runs have no cell in common: old=").hasLineCount(1);
    }

    @Test
    void compare_ofThreeForks_isRefusedAfterItSaysHowManyItTakes() throws IOException {
        String three = run("three", "dev.Sorting", spread(10, 3));

        assertThat(compare(three, three)).isEqualTo(2);
        assertThat(err.toString()).startsWith("Nothing can be decided: ").hasLineCount(1);
        assertThat(printed()).contains("run at least 4 of each");
    }

    @Test
    void compare_withAnotherMachineOrJdk_isRefusedUnlessForced() throws IOException {
        String old = run("old", "dev.Sorting", 10);
        describe("old", HERE);
        String now = run("new", "dev.Sorting", 10);
        describe("new", new Machine(HERE.processor(), "Linux 6.2 amd64", "Temurin-26", HERE.date(), 3));

        assertThat(compare(old, now)).isEqualTo(2);
        assertThat(err.toString()).startsWith(
                "The runs are not comparable: jdk=Temurin-26 instead of Temurin-25; --force").hasLineCount(1);
        assertThat(printed()).isEmpty();
        assertThat(compare(old, now, "--force")).isZero();
        assertThat(printed()).startsWith("Compared all the same: jdk=Temurin-26 instead of Temurin-25\n");
        describe("new", new Machine("Another, 4 CPUs", HERE.system(), HERE.jdk(), HERE.date(), 3));
        assertThat(compare(old, now)).isEqualTo(2);
        describe("new", new Machine(HERE.processor(), "Linux 6.2 amd64", HERE.jdk(), LocalDate.of(2026, 2, 1), 3));
        assertThat(compare(old, now)).isZero();
    }

    @Test
    void compare_withOtherIterationsHeapOrFlags_isRefusedUnlessForced() throws IOException {
        String old = run("old", "dev.Sorting", 10);
        describe("old", List.of("-Xmx1g", "-XX:+UseG1GC"), "5 x 100 ms", "1024 MiB at most, G1 GC", Map.of());
        String now = run("new", "dev.Sorting", 10);
        describe("new", List.of("-XX:+UseSerialGC", "-Xmx1g"), "3 x 100 ms", "1024 MiB at most, Serial GC", Map.of());
        String differences = "heap=1024 MiB at most, Serial GC instead of 1024 MiB at most, G1 GC, "
                + "iterations=3 x 100 ms instead of 5 x 100 ms, flags=-XX:+UseSerialGC instead of -XX:+UseG1GC";

        assertThat(compare(old, now)).isEqualTo(2);
        assertThat(err.toString()).startsWith("The runs are not comparable: " + differences + "; --force")
                .hasLineCount(1);
        assertThat(compare(old, now, "--force")).isZero();
        assertThat(printed()).contains("Compared all the same: flags=-XX:+UseSerialGC instead of -XX:+UseG1GC\n");
    }

    @Test
    void compare_withARunOfFewerCells_comparesTheFlagsOfTheCellsInBoth() throws IOException {
        String old = run("old", "dev.Sorting", 10);
        describe("old", List.of("-Xmx1g"), "5 x 100 ms", "1024 MiB at most, G1 GC",
                Map.of("Sorting, <mine>", "-Xmx64m", "Searching", "-Dother"));
        String now = run("new", "dev.Sorting", 10);
        describe("new", List.of("-Xmx1g", "-Xmx64m"), "5 x 100 ms", "64 MiB at most, G1 GC", Map.of());

        assertThat(compare(old, now)).isZero();
        describe("new", List.of("-Xmx1g"), "5 x 100 ms", "1024 MiB at most, G1 GC", Map.of());
        assertThat(compare(old, now)).isEqualTo(2);
        assertThat(err.toString()).contains("flags=none instead of -Xmx64m");
    }

    @Test
    void compare_withoutADescription_saysThatTheMachinesAreNotCompared() throws IOException {
        String run = run("run", "dev.Sorting", 10);
        Files.delete(directory.resolve("run/run.json"));

        assertThat(compare(run, run)).isZero();
        assertThat(printed()).startsWith(
                "Machine, JDK, heap, flags and iterations are not compared: there is no run.json beside " + run);
    }

    @Test
    void junit_hasAFailureForEachSlowerCell() throws Exception {
        String old = run("old", "dev.Sorting", 10);
        Path report = directory.resolve("junit.xml");

        assertThat(compare(old, run("new", "dev.Sorting", 12), "--junit", report.toString())).isEqualTo(1);

        Element suite = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("1");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("0");
        assertThat(((Element) suite.getElementsByTagName("testcase").item(0)).getAttribute("name"))
                .isEqualTo("<mine>");
        assertThat(((Element) suite.getElementsByTagName("failure").item(0)).getAttribute("message"))
                .isEqualTo("+20 %: 10.3 ns/op before, 12.3 after; chance 0.0022");
    }

    @Test
    void junit_ofACellWithTwoModes_namesATimeThatAForkHad() throws Exception {
        Path report = directory.resolve("junit.xml");
        String old = run("old", "dev.Sorting", 5, 5, 5, 5);
        String modes = run("new", "dev.Sorting", 10, 10, 20, 20);

        assertThat(compare(old, modes, "--junit", report.toString())).isEqualTo(1);

        assertThat(report).content().contains("5.00 ns/op before, 20.0 after");
    }

    @Test
    void junit_thatCannotBeWritten_isNamedWithTheReason() throws IOException {
        String run = run("run", "dev.Sorting", 10);
        Path report = directory.resolve("no-such/junit.xml");

        assertThat(compare(run, run, "--junit", report.toString())).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("The JUnit report cannot be written: file=" + report + ", reason=java.nio")
                .hasLineCount(1);
    }

    @Test
    void file_thatIsMissingOrOfAnotherKind_isNamed() throws IOException {
        Path other = Files.writeString(directory.resolve("other.json"), "{}");

        assertThat(compare("no-such.json", "no-such.json")).isEqualTo(2);
        assertThat(err.toString()).contains("no-such.json").hasLineCount(1);
        assertThat(compare(other.toString(), other.toString())).isEqualTo(2);
        assertThat(err.toString()).contains(other.toString());
    }

    @Test
    void threshold_belowZero_isRefused() {
        assertThat(compare("old.json", "new.json", "--threshold", "-1")).isEqualTo(2);
        assertThat(err.toString()).contains("threshold=-1.0");
    }

    @Test
    void metric_thatIsUnknownOrWasNotMeasured_isNamed() throws IOException {
        String run = run("run", "dev.Sorting", 10);

        assertThat(compare(run, run, "--metric", "p99.9")).isEqualTo(2);
        assertThat(err.toString()).startsWith("Nothing can be decided: ").contains("metric=p99.9").hasLineCount(1);
        assertThat(compare(run, run, "--metric", "beauty")).isEqualTo(2);
        assertThat(err.toString()).contains(
                "No such metric: name=beauty, metrics=[time, cpu, heap, peak, retained, p50, p99, p99.9]");
    }

    private String run(String name, String benchmarkClass, double nanos) throws IOException {
        return run(name, benchmarkClass, spread(nanos, 6));
    }

    private static double[] spread(double nanos, int forks) {
        return IntStream.range(0, forks).mapToDouble(i -> nanos * (1 + i / 100.0)).toArray();
    }

    /// Writes a run of one benchmark.
    private String run(String name, String benchmarkClass, double... nanos) throws IOException {
        String forks = DoubleStream.of(nanos).mapToObj(time -> "[" + time + "]").collect(Collectors.joining(","));
        Path file = Files.createDirectories(directory.resolve(name)).resolve("results.json");
        Files.writeString(file, """
                [{"benchmark": "%s.<mine>", "secondaryMetrics": {},
                  "primaryMetric": {"scoreUnit": "ns/op", "rawData": [%s]}}]
                """.formatted(benchmarkClass, forks));
        describe(name, HERE);
        return file.toString();
    }

    private void describe(String name, List<String> flags, String iterations, String heap,
            Map<String, String> candidateFlags) throws IOException {
        new RunDescription("tiny", "A tiny suite", HERE, flags, Instant.EPOCH, List.of(),
                new TreeMap<>(Map.of("Iterations", iterations, "Heap", heap)), candidateFlags).write(
                        directory.resolve(name));
    }

    private void describe(String name, Machine machine) throws IOException {
        new RunDescription("tiny", "A tiny suite", machine, List.of(), Instant.EPOCH, List.of(), Map.of(),
                Map.of()).write(
                        directory.resolve(name));
    }

    private int compare(String... args) {
        out.reset();
        CommandLine line = Harness.commandLine(Suites.ALL, new PrintStream(out, true, StandardCharsets.UTF_8),
                TinyHarness.LOCK);
        String[] all = new String[args.length + 1];
        all[0] = "compare";
        System.arraycopy(args, 0, all, 1, args.length);
        return line.setErr(new PrintWriter(err, true)).execute(all);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
