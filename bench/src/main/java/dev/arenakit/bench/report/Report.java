package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Writes the results of a run as a table for the terminal and as files.
public final class Report {
    private static final int QUOTABLE_FORKS = 5;

    private Report() {}

    /// Writes `results.csv`, `summary.md` and `index.html` into a directory that contains `results.json`.
    ///
    /// @param directory contains `results.json`, and possibly the file of a [RunDescription]
    /// @return path of the page
    /// @throws IOException if the results cannot be read, or a file cannot be written
    public static Path write(Path directory) throws IOException {
        return write(directory, Results.read(directory.resolve(Results.FILE)), RunDescription.read(directory)
                .orElse(
                        null));
    }

    /// Writes these files for any results.
    ///
    /// @param directory where to write
    /// @param results   the measurements
    /// @param run       facts about the run; null if they are not known
    /// @return path of the page
    /// @throws IOException if a file cannot be written
    public static Path write(Path directory, Results results, @Nullable RunDescription run) throws IOException {
        List<CellNote> notes = notes(results, run == null ? List.of() : run.notes());
        List<ReportSection> sections = ReportSection.of(results, notes);
        String title = run == null ? "Benchmark results" : run.title();
        CsvReport.write(directory.resolve("results.csv"), run == null ? "" : run.suite(), sections);
        Files.writeString(directory.resolve("summary.md"), MarkdownReport.page(title, run, notes, results, sections));
        return Files.writeString(directory.resolve("index.html"),
                HtmlReport.page(title, run, notes, results, sections));
    }

    /// {@return the notes of a run, and further notes that follow from its measurements}
    ///
    /// @param results the measurements
    /// @param ofRun   the notes of the run
    public static List<CellNote> notes(Results results, List<CellNote> ofRun) {
        return Stream.concat(ofRun.stream(), Steadiness.notes(results).stream()).toList();
    }

    /// {@return a table with one row per measurement, each compared with the baseline of its benchmark}
    ///
    /// @param results the measurements
    /// @param notes   the notes on cells; a candidate whose figure is not to be trusted is marked
    public static String table(Results results, List<CellNote> notes) {
        Map<Cell, String> marks = notes.stream()
                .collect(Collectors.toMap(CellNote::cell, CellNote::mark, String::concat));
        List<Column> columns = Column.of(results.measurements());
        TextTable table = new TextTable(Stream.of(Stream.of("benchmark", "params", "candidate"),
                columns.stream().map(column -> ">" + column.name()), Stream.of(">against the baseline"))
                .flatMap(names -> names)
                .toArray(String[]::new));
        String above = "";
        for (Measurement measurement : results.measurements()) {
            Cell cell = measurement.cell();
            TableRow compared = TableRow.of(cell, measurement, results.baselineOf(measurement).orElse(null), null);
            String benchmark = ReportFormat.benchmark(cell.benchmarkClass());
            String params = ReportFormat.params(cell.conditions());
            boolean repeated = above.equals(benchmark + params);
            above = benchmark + params;
            List<String> row = new ArrayList<>(List.of(repeated ? "" : benchmark, repeated ? "" : params,
                    cell.candidate() + marks.getOrDefault(cell, "")));
            columns.forEach(column -> row.add(column.text().apply(compared)));
            row.add(compared.ratioText());
            table.add(row.toArray(String[]::new));
        }
        return table.toString();
    }

    /// {@return an explanation of the columns of the table}
    ///
    /// @param results the measurements
    public static String legend(Results results) {
        boolean single = minForks(results) == 1;
        String modes = results.measurements().stream().anyMatch(measurement -> measurement.modes().size() > 1)
                ? ", or the medians of two groups of forks if there are two modes"
                : "";
        return (isPreliminary(results) ? "preliminary: " : "") + forks(results) + '\n'
                + (single
                        ? "min..max is over the iterations of that fork; another fork may well differ by more\n"
                        : "ns/op: the median fork" + modes + "; min..max: over the forks\n")
                + "against the baseline: " + (single ? ReportHeader.SINGLE_RATIO : ReportHeader.RATIO) + '\n'
                + ReportHeader.further(results).stream().map(line -> line + '\n').collect(Collectors.joining());
    }

    /// {@return the number of forks of each cell, as text}
    ///
    /// @param results the measurements
    public static String forks(Results results) {
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

    static int minForks(Results results) {
        return results.measurements().stream().mapToInt(measurement -> measurement.forks().size()).min().orElse(0);
    }
}
