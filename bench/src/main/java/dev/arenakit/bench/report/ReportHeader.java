package dev.arenakit.bench.report;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The head of every report: facts about the run, and texts that explain the figures.
final class ReportHeader {
    static final String RATIO = "how many times faster or slower, a robust mean over the rounds of forks, with an "
            + "interval of 95 %";
    static final String SINGLE_RATIO = "how many times faster or slower, with an interval that covers the noise inside "
            + "this pair of forks alone";
    static final String UNCERTAINTY_RULE = "its interval contains 1, or is wider than a factor of 1.3.";
    static final String PRELIMINARY = "Preliminary: few forks show orders of magnitude. Do not quote these "
            + "figures; measure with five forks or more instead.";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private ReportHeader() {}

    /// Returns the meaning of the columns.
    static String legend(Results results) {
        return "ns/op is the median fork, or the medians of two groups of forks (\"8.1 | 12.9\") if the timings have two "
                + "modes, which takes at least four forks; min..max is over the forks, or over the iterations of a single "
                + "fork; against the baseline is " + (Report.minForks(results) == 1 ? SINGLE_RATIO : RATIO)
                + "; memory is zeroed, accesses are checked against the bounds of a block, and fail after its scope has ended "
                + "where the column says so."
                + further(results).stream().map(line -> " " + line).collect(Collectors.joining());
    }

    /// Returns sentences on the figures that only some results have.
    static List<String> further(Results results) {
        List<Measurement> measurements = results.measurements();
        List<String> lines = new ArrayList<>();
        if (Column.isMeasured(measurements, Metric.PROCESS_CPU)) {
            lines.add("CPU ns/op is of the benchmark's own threads, process CPU is of all threads of the JVM, those of "
                    + "the garbage collector and of cleaners among them.");
        }
        if (Column.isMeasured(measurements, Metric.RESIDENT_PEAK)) {
            lines.add(
                    "peak is the largest resident size while operations were measured, retained is that after the last "
                            + "one, when everything had been closed and freed; both are beyond that before the first. The heap "
                            + "had been touched, but code that was compiled meanwhile is contained: compare candidates, not zero.");
        }
        if (Column.hasTails(measurements)) {
            lines.add(tails(measurements));
        }
        return lines;
    }

    private static String tails(List<Measurement> measurements) {
        DoubleSummaryStatistics samples = statistics(measurements, Metric.SAMPLES);
        return String.format(Locale.ROOT, "Percentiles are in nanoseconds, of a fork: the median fork, of %s to %s "
                + "samples each. Every operation is in a sample, from one reading of the clock to the next, and a sample "
                + "contains the time of one reading, some %s ns; a candidate that takes little longer is no faster than "
                + "the clock can tell. Where operations are timed several at a time, a percentile is of their mean: one "
                + "slow operation counts for a part. An operation begins when the one before has ended; requests that "
                + "queue behind a slow one would wait longer.", ReportFormat.number(samples.getMin()),
                ReportFormat.number(samples.getMax()),
                ReportFormat.number(statistics(measurements, Metric.CLOCK).getAverage()));
    }

    private static DoubleSummaryStatistics statistics(List<Measurement> measurements, Metric metric) {
        return measurements.stream()
                .mapToDouble(measurement -> measurement.value(metric))
                .filter(Double::isFinite)
                .summaryStatistics();
    }

    /// Returns names and values, in order.
    static Map<String, String> of(@Nullable RunDescription run, Results results) {
        Map<String, String> facts = new LinkedHashMap<>();
        if (run == null) {
            facts.put("Machine", "not recorded: there is no " + RunDescription.FILE + " beside the results");
        } else {
            Machine machine = run.machine();
            facts.put("Machine", machine.processor());
            facts.put("System", machine.system() + machine.describeLoad());
            facts.put("JDK", machine.jdk());
            facts.put("Date", machine.date() + ", started " + TIME.format(run.start()));
            facts.put("Suite", run.suite());
            facts.putAll(run.facts());
            facts.put("Flags", run.flags().isEmpty() ? "none" : String.join(" ", run.flags()));
            if (!run.candidateFlags().isEmpty()) {
                facts.put("Further flags", run.candidateFlags()
                        .entrySet()
                        .stream()
                        .collect(Collectors.groupingBy(Map.Entry::getValue, LinkedHashMap::new,
                                Collectors.mapping(Map.Entry::getKey, Collectors.joining("; "))))
                        .entrySet()
                        .stream()
                        .map(flags -> flags.getKey() + " (" + flags.getValue() + ")")
                        .collect(Collectors.joining(", ")));
            }
        }
        facts.put("Forks", Report.forks(results));
        return facts;
    }
}
