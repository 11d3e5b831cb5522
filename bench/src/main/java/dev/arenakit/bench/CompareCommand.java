package dev.arenakit.bench;

import dev.arenakit.bench.report.Comparison;
import dev.arenakit.bench.report.Comparison.Verdict;
import dev.arenakit.bench.report.Metric;
import dev.arenakit.bench.report.Results;
import dev.arenakit.bench.report.RunDescription;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command that compares two runs.
@Command(name = "compare", mixinStandardHelpOptions = true,
        description = "Compares two result files, and prints what became significantly slower or faster, or more or less "
                + "of another metric.",
        exitCodeListHeading = "Exit codes:%n", exitCodeList = {
                "0:nothing became slower, or more", "1:at least one cell became slower, or more",
                "2:bad usage, a file cannot be read, or the runs cannot be compared"})
final class CompareCommand implements Callable<Integer> {
    private final PrintStream out;

    @Spec
    private @Nullable CommandSpec command;

    @Parameters(index = "0", paramLabel = "OLD", description = "The results.json of the old run, or its directory.")
    private @Nullable Path before;

    @Parameters(index = "1", paramLabel = "NEW", description = "The results.json of the new run, or its directory.")
    private @Nullable Path after;

    @Option(names = "--threshold", paramLabel = "PERCENT", defaultValue = "5",
            description = "Ignore differences up to this part of the old value; the default is ${DEFAULT-VALUE} %%.")
    private double threshold;

    @Option(names = "--metric", paramLabel = "METRIC", defaultValue = "time",
            description = "Compare time, cpu, process_cpu, bytes (allocated on the heap), p50, p90, p99, p99_9 or p99_99; "
                    + "the default is ${DEFAULT-VALUE}.")
    private Metric metric = Metric.TIME;

    @Option(names = "--force",
            description = "Compare runs of different machines, JDKs, JVM arguments or iterations all "
                    + "the same.")
    private boolean force;

    CompareCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        if (!(threshold >= 0)) {
            throw wrong("The threshold is negative: threshold=" + threshold);
        }
        try {
            Path old = Results.file(Objects.requireNonNull(before));
            Path now = Results.file(Objects.requireNonNull(after));
            RunDescription ofOld = RunDescription.of(old);
            RunDescription ofNow = RunDescription.of(now);
            if (ofOld.isMissing() || ofNow.isMissing()) {
                out.println("Machine, JDK, flags and iterations are not compared: there is no "
                        + RunDescription.FILE + " beside " + (ofOld.isMissing() ? old : now));
            }
            List<String> differences = ofNow.differencesFrom(ofOld);
            if (!differences.isEmpty() && !force) {
                throw wrong(
                        "The runs are not comparable: " + String.join(", ", differences) + "; --force compares them");
            }
            differences.forEach(difference -> out.println("Compared all the same: " + difference));
            Results ofOldRun = Results.read(old);
            Results ofNewRun = Results.read(now);
            if (!isMeasured(ofOldRun, metric) || !isMeasured(ofNewRun, metric)) {
                throw wrong("The metric was not measured in both runs: metric=" + metric
                        + "; the suites tails and messages measure percentiles");
            }
            Comparison comparison = Comparison.of(ofOldRun, ofNewRun, threshold / 100, metric);
            out.print(comparison);
            long undecided = comparison.count(Verdict.UNDECIDED);
            long alone = comparison.count(Verdict.ONLY_OLD) + comparison.count(Verdict.ONLY_NEW);
            if (undecided + alone == comparison.changes().size()) {
                throw wrong(undecided == 0
                        ? "The runs have no cell in common: old=" + old + ", new=" + now
                        : "Nothing can be decided: every cell has fewer than three forks with this metric in one of "
                                + "the runs: metric=" + metric);
            }
            return comparison.count(Verdict.SLOWER) > 0 ? 1 : 0;
        } catch (IOException | IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isMeasured(Results results, Metric metric) {
        return results.measurements().stream().anyMatch(measurement -> !Double.isNaN(measurement.value(metric)));
    }

    private ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(command).commandLine(), message);
    }
}
