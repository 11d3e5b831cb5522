package dev.arenakit.bench.report;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;

/// Writes the results of a run as a table for the terminal, as a page and as a file for programs.
public final class Report {
    static final String PRELIMINARY = "Preliminary: few forks show orders of magnitude. Do not quote these figures; "
            + "measure with five forks or more instead.";
    static final String UNCERTAINTY_RULE = "its interval contains 1, is wider than a factor of 1.3, or is unknown, as "
            + "with fewer than " + Ratio.LEAST_FORKS + " forks, or its baseline is not steady";
    private static final int QUOTABLE_FORKS = 5;

    // The last digits of a double result from its conversion.
    private static final MathContext DIGITS = new MathContext(12);

    private Report() {}

    /// Writes `results.csv` and `index.html`.
    ///
    /// @param directory where to write
    /// @param results   the measurements
    /// @param run       facts about the run
    /// @param targets   the targets of the run
    /// @return path of the page
    /// @throws IOException if a file cannot be written
    public static Path write(Path directory, Results results, RunDescription run, List<Target> targets)
            throws IOException {
        List<CellNote> notes = notes(results, run);
        List<ReportSection> sections = ReportSection.of(results, notes);
        Files.write(directory.resolve("results.csv"), csv(run.suite(), results.jdks(), sections));
        return Files.writeString(directory.resolve("index.html"),
                HtmlReport.page(run, result(results, notes, targets), notes, results, sections));
    }

    /// {@return the result of a run in a sentence: the number of targets that are met, and how the figures that can be
    /// trusted compare with their baselines, as far as that is certain}
    ///
    /// @param results the measurements
    /// @param notes   the notes on cells
    /// @param targets the targets of the run
    public static String result(Results results, List<CellNote> notes, List<Target> targets) {
        List<Boolean> met = targets.stream().flatMap(target -> target.isMet(results).stream()).toList();
        String comparisons = comparisons(ReportSection.of(results, notes)
                .stream()
                .flatMap(section -> section.rows().stream())
                .filter(row -> row.cellNote() == null && !Double.isNaN(row.ratio().estimate()))
                .sorted(Comparator.comparingDouble(row -> row.ratio().estimate()))
                .toList());
        return met.isEmpty()
                ? comparisons
                : "%d of %d targets %s met; ".formatted(met.stream().filter(each -> each).count(), met.size(),
                        met.size() == 1 ? "is" : "are") + Character.toLowerCase(comparisons.charAt(0))
                        + comparisons.substring(1);
    }

    /// Returns a sentence on comparisons with baselines, which are in the order of their ratios.
    private static String comparisons(List<ReportSection.Row> rows) {
        if (rows.isEmpty()) {
            return "No figure that can be trusted was compared with a baseline.";
        }
        List<ReportSection.Row> certain = rows.stream().filter(row -> !row.isUncertain()).toList();
        if (certain.isEmpty()) {
            return (rows.size() == 1
                    ? "The comparison with the baseline is uncertain"
                    : "All " + rows.size() + " comparisons with a baseline are uncertain")
                    + "; measure with more forks.";
        }
        long slower = certain.stream().filter(row -> row.ratio().estimate() < 1).count();
        int uncertain = rows.size() - certain.size();
        return "In %d of %d comparisons, the candidate is faster than the baseline%s%s: %s%s.".formatted(
                certain.size() - slower, rows.size(), slower == 0 ? "" : ", in " + slower + " it is slower",
                uncertain == 0 ? "" : ", " + uncertain + (uncertain == 1 ? " is uncertain" : " are uncertain"),
                certain.size() == 1 ? "" : "from " + extreme(certain.getFirst()) + " to ",
                extreme(certain.getLast()));
    }

    private static String extreme(ReportSection.Row row) {
        return row.ratio().text() + " (" + ReportFormat.name(row.cell()) + ")";
    }

    /// {@return the notes of a run, and notes on the cells that were not steady}
    ///
    /// @param results the measurements
    /// @param run     the run
    public static List<CellNote> notes(Results results, RunDescription run) {
        return Stream.concat(run.notes().stream(),
                results.measurements().stream().flatMap(measurement -> measurement.note().stream())).toList();
    }

    /// {@return a table with one row per measurement, each compared with the baseline of its benchmark; and, for a run
    /// of several JDKs, a table with a column for each}
    ///
    /// @param results the measurements
    /// @param notes   the notes on cells; a candidate whose figure is not to be trusted is marked
    public static String table(Results results, List<CellNote> notes) {
        Map<Cell, String> marks = notes.stream()
                .collect(Collectors.toMap(CellNote::cell, CellNote::mark, String::concat));
        List<Metric> metrics = ReportSection.metrics(results.measurements());
        List<String> headings = new ArrayList<>(List.of("benchmark", "params", "candidate"));
        metrics.forEach(metric -> headings.addAll(metric == Metric.TIME
                ? List.of(">" + metric.heading(), ">min..max")
                : List.of(">" + metric.heading())));
        headings.add(">against the baseline");
        TextTable table = new TextTable(headings.toArray(String[]::new));
        List<ReportSection> sections = ReportSection.of(results, List.of());
        String above = "";
        for (ReportSection section : sections) {
            for (ReportSection.Row row : section.rows()) {
                String benchmark = ReportFormat.benchmark(section.benchmarkClass());
                String params = ReportFormat.params(row.cell().conditions());
                boolean isRepeated = above.equals(benchmark + params);
                above = benchmark + params;
                List<String> cells = new ArrayList<>(List.of(isRepeated ? "" : benchmark, isRepeated ? "" : params,
                        row.candidate() + marks.getOrDefault(row.cell(), "")));
                cells.addAll(figures(row, metrics));
                cells.add(row.ratioText());
                table.add(cells.toArray(String[]::new));
            }
        }
        String jdks = JdkTable.of(sections.stream().flatMap(section -> section.rows().stream()).toList(),
                results.jdks()).toString();
        return table + (jdks.isEmpty() ? "" : "\n" + jdks);
    }

    /// Returns the texts of the figures of a row; the range of the times follows the time.
    static List<String> figures(ReportSection.Row row, List<Metric> metrics) {
        List<String> figures = new ArrayList<>();
        metrics.forEach(metric -> {
            figures.add(metric.text(row.value(metric)));
            if (metric == Metric.TIME) {
                figures.add(row.measured().map(measurement -> measurement.rangeText(metric)).orElse("-"));
            }
        });
        return figures;
    }

    /// {@return an explanation of the columns of the tables}
    ///
    /// @param results the measurements
    public static String legend(Results results) {
        List<Measurement> measurements = results.measurements();
        List<String> lines = new ArrayList<>(List.of((isPreliminary(results) ? "preliminary: " : "") + forks(results),
                "ns/op: the median fork; min..max: over the forks, or over the iterations of a single fork",
                "against the baseline: how many times faster or slower, the median of the rounds of forks, with an "
                        + "interval of 95 % if there are " + Ratio.LEAST_FORKS + " or more"));
        if (!results.jdks().isEmpty()) {
            lines.add(
                    "one JDK against another: how many times faster or slower the same candidate is, in the same way");
        }
        if (ReportSection.isMeasured(measurements, Metric.PROCESS_CPU)) {
            lines.add("CPU ns/op is of the benchmark's own threads, process CPU is of all threads of the JVM, those of "
                    + "the garbage collector and of cleaners among them");
        }
        if (ReportSection.isMeasured(measurements, Metric.RESIDENT_PEAK)) {
            lines.add("peak is the largest resident size while operations were measured, retained is that after the "
                    + "last one, when everything had been closed and freed; both are beyond that before the first and "
                    + "contain code that was compiled meanwhile: compare candidates, not zero");
        }
        if (ReportSection.isMeasured(measurements, Metric.P50)) {
            DoubleSummaryStatistics samples = statistics(measurements, Metric.SAMPLES);
            lines.add("percentiles are in nanoseconds, of the median fork, of "
                    + ReportFormat.number(samples.getMin()) + " to " + ReportFormat.number(samples.getMax())
                    + " samples each; a sample contains one reading of the clock, some "
                    + ReportFormat.number(statistics(measurements, Metric.CLOCK).getAverage())
                    + " ns; where operations are timed several at a time, a percentile is of their mean; requests that "
                    + "queue behind a slow operation would wait longer");
        }
        return lines.stream().map(line -> line + '\n').collect(Collectors.joining());
    }

    private static DoubleSummaryStatistics statistics(List<Measurement> measurements, Metric metric) {
        return measurements.stream().flatMapToDouble(measurement -> measurement.values(metric)).summaryStatistics();
    }

    /// {@return the number of forks of each cell, as text}
    ///
    /// @param results the measurements
    static String forks(Results results) {
        int least = minForks(results);
        int most = results.measurements().stream().mapToInt(measurement -> measurement.forks().size()).max().orElse(0);
        return least < most
                ? least + " to " + most + " forks each"
                : least + (least == 1 ? " fork each" : " forks each");
    }

    /// Returns whether a cell has too few forks for its figure to be quoted.
    static boolean isPreliminary(Results results) {
        return minForks(results) < QUOTABLE_FORKS && !results.measurements().isEmpty();
    }

    private static int minForks(Results results) {
        return results.measurements().stream().mapToInt(measurement -> measurement.forks().size()).min().orElse(0);
    }

    /// Returns a row per cell, with twelve digits; unknown values are empty.
    private static List<String> csv(String suite, List<String> jdks, List<ReportSection> sections) {
        List<String> lines = new ArrayList<>();
        for (ReportSection section : sections) {
            for (ReportSection.Row row : section.rows()) {
                Map<String, Object> columns = columns(suite, jdks, section, row);
                if (lines.isEmpty()) {
                    lines.add(CSVFormat.RFC4180.format(columns.keySet().toArray()));
                }
                lines.add(CSVFormat.RFC4180.format(columns.values().toArray()));
            }
        }
        return lines;
    }

    private static Map<String, Object> columns(String suite, List<String> jdks, ReportSection section,
            ReportSection.Row row) {
        Map<String, Object> columns = new LinkedHashMap<>();
        columns.put("suite", suite);
        columns.put("benchmark", ReportFormat.benchmark(section.benchmarkClass()));
        columns.put("candidate", row.candidate());
        columns.put("memory", row.memory().replace(",", ""));
        columns.put("params", row.cell()
                .conditions()
                .entrySet()
                .stream()
                .map(param -> param.getKey() + "=" + param.getValue())
                .collect(Collectors.joining(";")));
        Stream.of(Metric.values())
                .filter(metric -> !metric.key().isEmpty())
                .forEach(metric -> columns.put(metric.key(), number(row.value(metric))));
        DoubleSummaryStatistics range = row.measured()
                .map(each -> each.range(Metric.TIME))
                .orElseGet(
                        DoubleSummaryStatistics::new);
        columns.put("ns_per_op_min", number(range.getMin()));
        columns.put("ns_per_op_max", number(range.getMax()));
        columns.put("baseline", Double.isNaN(row.ratio().estimate()) ? "" : section.baseline());
        columns.put("times_faster", number(row.ratio().estimate()));
        columns.put("times_faster_low", number(row.ratio().low()));
        columns.put("times_faster_high", number(row.ratio().high()));
        columns.put("times_less_cpu", number(row.cpuRatio().estimate()));
        columns.put("times_less_cpu_low", number(row.cpuRatio().low()));
        columns.put("times_less_cpu_high", number(row.cpuRatio().high()));
        columns.put("first_jdk", Double.isNaN(row.jdkRatio().estimate()) ? "" : jdks.getFirst());
        columns.put("times_faster_than_first_jdk", number(row.jdkRatio().estimate()));
        columns.put("times_faster_than_first_jdk_low", number(row.jdkRatio().low()));
        columns.put("times_faster_than_first_jdk_high", number(row.jdkRatio().high()));
        columns.put("forks", row.measured().map(measurement -> measurement.forks().size()).orElse(0));
        columns.put("note", row.note());
        return columns;
    }

    private static String number(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros().toPlainString()
                : "";
    }
}
