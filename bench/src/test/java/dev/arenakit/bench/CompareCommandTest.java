package dev.arenakit.bench;

import dev.arenakit.bench.report.RunDescription;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class CompareCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    @Test
    void compare_ofARunWithItsDirectory_findsNothing() throws IOException {
        assertThat(compare(run("run", "dev.Sorting", 10), directory.resolve("run").toString())).isZero();
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
    void compare_ofRunsWithNothingInCommon_isRefused() throws IOException {
        assertThat(compare(run("old", "dev.Sorting", 10), run("new", "dev.Searching", 10))).isEqualTo(2);
        assertThat(err.toString()).startsWith("The runs have no cell in common: old=").hasLineCount(1);
    }

    @Test
    void compare_ofTwoForks_isRefused() throws IOException {
        String two = run("two", "dev.Sorting", spread(10, 2));

        assertThat(compare(two, two)).isEqualTo(2);
        assertThat(err.toString()).startsWith("Nothing can be decided: every cell has fewer than three forks ")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Machine", "JDK", "Flags", "Iterations"})
    void compare_withAnotherFact_isRefusedUnlessForced(String fact) throws IOException {
        String old = run("old", "dev.Sorting", 10);
        describe("old", fact, "one");
        String now = run("new", "dev.Sorting", 10);
        describe("new", fact, "another");
        String difference = fact.toLowerCase(Locale.ROOT) + "=another instead of one";

        assertThat(compare(old, now)).isEqualTo(2);
        assertThat(err.toString()).startsWith("The runs are not comparable: " + difference + "; --force")
                .hasLineCount(1);
        assertThat(printed()).isEmpty();
        assertThat(compare(old, now, "--force")).isZero();
        assertThat(printed()).startsWith("Compared all the same: " + difference + "\n");
    }

    @Test
    void compare_withARunThatLacksAFact_isRefused() throws IOException {
        String old = run("old", "dev.Sorting", 10);
        String now = run("new", "dev.Sorting", 10);
        Path description = directory.resolve("old").resolve("run.json");
        Files.writeString(description, """
                {"suite": "tiny", "title": "A tiny suite", "machine": {"processor": "A"}, "facts": {}, "notes": []}
                """);

        assertThat(compare(old, now)).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("The runs are not comparable: machine=A instead of unknown, "
                        + "jdk=Temurin-25 instead of unknown; --force compares them")
                .hasLineCount(1);
        Files.delete(description);
        assertThat(compare(old, now)).isZero();
        assertThat(printed())
                .startsWith("Machine, JDK, flags and iterations are not compared: there is no run.json "
                        + "beside " + old + "\n");
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

        assertThat(compare(run, run, "--metric", "p99_9")).isEqualTo(2);
        assertThat(err.toString()).startsWith("The metric was not measured in both runs: metric=P99_9; the "
                + "suites tails and messages measure percentiles").hasLineCount(1);
        assertThat(compare(run, run, "--metric", "beauty")).isEqualTo(2);
        assertThat(err.toString()).contains("Invalid value for option '--metric': expected one of [TIME, CPU,",
                "but was 'beauty'");
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
        describe(name, "JDK", "Temurin-25");
        return file.toString();
    }

    private void describe(String name, String fact, String value) throws IOException {
        Map<String, String> facts = new HashMap<>(Map.of(RunDescription.MACHINE, "A"));
        facts.put(fact, value);
        new RunDescription("tiny", "A tiny suite", facts, List.of()).write(directory.resolve(name));
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
