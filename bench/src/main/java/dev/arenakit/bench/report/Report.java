package dev.arenakit.bench.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Writes the results of a run as a table for the terminal, as a page and as a file for programs.
public final class Report {
    static final String PRELIMINARY = "Preliminary: few forks show orders of magnitude. Do not quote these figures; "
            + "measure with five forks or more instead.";

    private Report() {}

    /// Writes a report, and prints its tables and notes. Both have the targets that are asked of the JDKs that
    /// measured.
    ///
    /// @param out       where to print
    /// @param directory where to write
    /// @param results   the measurements
    /// @param run       facts about the run
    /// @param all       the targets of the suite, for any JDK
    /// @return whether a candidate failed
    /// @throws IOException if the page cannot be written
    public static boolean print(PrintStream out, Path directory, Results results, RunDescription run, List<Target> all)
            throws IOException {
        List<Target> targets = all.stream().filter(target -> target.isAsked(results)).toList();
        List<CellNote> notes = notes(results, run);
        run.warnings().forEach(out::println);
        out.println(result(results, notes, targets));
        out.println();
        out.print(table(results, notes));
        out.print(legend(results));
        if (!targets.isEmpty()) {
            out.println();
            out.print(Target.table(targets, results));
        }
        print(out, "Not measured:", notes.stream().filter(note -> !note.isMeasured()));
        print(out, "Measured, but not to be trusted:", notes.stream().filter(CellNote::isMeasured));
        out.println();
        out.println("Report:  " + write(directory, results, run, targets));
        return notes.stream().anyMatch(CellNote::isFailure);
    }

    /// Prints notes, one line for all cells of a candidate with the same note.
    private static void print(PrintStream out, String title, Stream<CellNote> notes) {
        Map<String, Long> lines = notes.collect(Collectors.groupingBy(
                note -> note.cell().candidate() + ": " + note.describe(), LinkedHashMap::new, Collectors.counting()));
        if (!lines.isEmpty()) {
            out.println();
            out.println(title);
            lines.forEach((line, cells) -> out.println("  " + line + (cells > 1 ? "  (" + cells + " cells)" : "")));
        }
    }

    /// Writes the page.
    ///
    /// @param directory where to write
    /// @param results   the measurements
    /// @param run       facts about the run
    /// @param targets   the targets of the run
    /// @return path of the page
    /// @throws IOException if it cannot be written
    public static Path write(Path directory, Results results, RunDescription run, List<Target> targets)
            throws IOException {
        List<CellNote> notes = notes(results, run);
        return Files.writeString(directory.resolve("index.html"), Page.of(run, result(results, notes, targets), notes,
                results, ReportSection.of(results, notes)).html());
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
        return row.ratio().text() + " (" + row.cell().name() + ")";
    }

    /// {@return the notes of a run, and notes on the cells that were not steady}
    ///
    /// @param results the measurements
    /// @param run     the run
    public static List<CellNote> notes(Results results, RunDescription run) {
        return Stream.concat(run.notes().stream(),
                results.measurements().stream().flatMap(each -> Confidence.noteIfUnsteady(each).stream())).toList();
    }

    /// {@return a table with one row per measurement, each compared with the baseline of its benchmark}
    ///
    /// @param results the measurements
    /// @param notes   the notes on cells; a candidate whose figure is not to be trusted is marked
    public static String table(Results results, List<CellNote> notes) {
        Map<Cell, String> marks = notes.stream()
                .collect(Collectors.toMap(CellNote::cell, CellNote::mark, String::concat));
        List<Metric> metrics = ReportSection.metrics(results.measurements());
        TextTable table = new TextTable(Stream.of(Stream.of("benchmark", "params", "candidate"),
                headings(metrics).stream().map(heading -> ">" + heading), Stream.of(">against the baseline"))
                .flatMap(each -> each)
                .toArray(String[]::new));
        String above = "";
        for (ReportSection section : ReportSection.of(results, List.of())) {
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
        return table.toString();
    }

    /// Returns the headings of the figures of a row.
    static List<String> headings(List<Metric> metrics) {
        return metrics.stream()
                .flatMap(metric -> metric == Metric.TIME
                        ? Stream.of(metric.heading(), "min..max")
                        : Stream.of(metric.heading()))
                .toList();
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
        List<String> lines = new ArrayList<>(List.of(
                (Confidence.isPreliminary(results) ? "preliminary: " : "") + forks(results),
                "ns/op: the median fork; min..max: over the forks, or over the iterations of a single fork",
                "against the baseline: how many times faster or slower, the median of the rounds of forks, with an "
                        + "interval of 95 % if there are " + Confidence.LEAST_FORKS + " or more"));
        if (ReportSection.isMeasured(measurements, Metric.PROCESS_CPU)) {
            lines.add("CPU ns/op is of the benchmark's own threads, process CPU is of all threads of the JVM, those of "
                    + "the garbage collector and of cleaners among them");
        }
        if (ReportSection.isMeasured(measurements, Metric.P50)) {
            DoubleSummaryStatistics samples = statistics(measurements, Metric.SAMPLES);
            lines.add("percentiles are in nanoseconds, of the median fork, of "
                    + ReportFormat.number(samples.getMin()) + " to " + ReportFormat.number(samples.getMax())
                    + " samples each; a sample contains one reading of the clock; where operations are timed several at a time, a percentile is of their mean; requests that "
                    + "queue behind a slow operation would wait longer");
        }
        return lines.stream().map(line -> line + '\n').collect(Collectors.joining());
    }

    private static DoubleSummaryStatistics statistics(List<Measurement> measurements, Metric metric) {
        return measurements.stream().flatMapToDouble(measurement -> measurement.values(metric)).summaryStatistics();
    }

    /// Returns the number of forks of each cell, as text.
    static String forks(Results results) {
        IntSummaryStatistics forks = results.measurements()
                .stream()
                .mapToInt(measurement -> measurement.forks().size())
                .summaryStatistics();
        int least = forks.getCount() == 0 ? 0 : forks.getMin();
        return least < forks.getMax()
                ? least + " to " + forks.getMax() + " forks each"
                : least + (least == 1 ? " fork each" : " forks each");
    }
}
