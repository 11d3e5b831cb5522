package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.ComparedMetric;
import dev.arenakit.bench.report.Comparison;
import dev.arenakit.bench.report.JUnitReport;
import dev.arenakit.bench.report.Results;
import dev.arenakit.bench.report.RunDescription;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

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

    @Parameters(index = "0", paramLabel = "OLD", description = "The results.json of the old run.")
    private @Nullable Path before;

    @Parameters(index = "1", paramLabel = "NEW", description = "The results.json of the new run.")
    private @Nullable Path after;

    @Option(names = "--threshold", paramLabel = "PERCENT", defaultValue = "5",
            description = "Ignore differences up to this part of the old value; the default is ${DEFAULT-VALUE} %%.")
    private double threshold;

    @Option(names = "--metric", paramLabel = "METRIC", defaultValue = "time", converter = MetricConverter.class,
            description = "Compare time, cpu, heap (bytes allocated on it), peak or retained (resident sizes), p50, p99 or "
                    + "p99.9; the default is ${DEFAULT-VALUE}.")
    private ComparedMetric metric = ComparedMetric.TIME;

    @Option(names = "--force",
            description = "Compare runs of different machines, JDKs, heaps, JVM arguments or iterations all "
                    + "the same.")
    private boolean force;

    @Option(names = "--junit", paramLabel = "FILE",
            description = "Also write a test report in JUnit's XML format, with a failure for each cell that became "
                    + "slower, or more.")
    private @Nullable Path junit;

    CompareCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        if (!(threshold >= 0)) {
            throw wrong("The threshold is negative: threshold=" + threshold);
        }
        try {
            Path old = Objects.requireNonNull(before);
            Path now = Objects.requireNonNull(after);
            Comparison comparison = Comparison.of(Results.read(old), Results.read(now), threshold / 100, metric);
            requireComparable(old, now, comparison.common());
            if (comparison.common().isEmpty()) {
                throw wrong("The runs have no cell in common: old=" + old + ", new=" + now);
            }
            out.print(comparison);
            if (junit != null) {
                writeJUnit(junit, comparison);
            }
            if (!comparison.anythingDecided()) {
                throw wrong(
                        "Nothing can be decided: every cell has fewer than four forks with this metric in one of the "
                                + "runs: metric=" + metric);
            }
            return comparison.anythingSlower() ? 1 : 0;
        } catch (IOException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private void writeJUnit(Path file, Comparison comparison) {
        try {
            JUnitReport.write(file, comparison);
        } catch (IOException e) {
            throw wrong("The JUnit report cannot be written: file=" + file + ", reason=" + e
                    + "; name a file in a directory that exists and may be written to");
        }
    }

    private void requireComparable(Path old, Path now, List<Cell> cells) throws IOException {
        Optional<RunDescription> description = RunDescription.of(old);
        Optional<RunDescription> other = RunDescription.of(now);
        if (description.isEmpty() || other.isEmpty()) {
            out.println("Machine, JDK, heap, flags and iterations are not compared: there is no " + RunDescription.FILE
                    + " beside "
                    + (description.isEmpty() ? old : now));
            return;
        }
        List<String> differences = other.get().differencesFrom(description.get(), cells);
        if (!differences.isEmpty() && !force) {
            throw wrong("The runs are not comparable: " + String.join(", ", differences) + "; --force compares them");
        }
        differences.forEach(difference -> out.println("Compared all the same: " + difference));
    }

    /// Converts the value of the option.
    private static final class MetricConverter implements ITypeConverter<ComparedMetric> {
        @Override
        public ComparedMetric convert(String value) {
            return Stream.of(ComparedMetric.values())
                    .filter(metric -> metric.toString().equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("No such metric: name=" + value + ", metrics="
                            + List.of(ComparedMetric.values())));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(command).commandLine(), message);
    }
}
