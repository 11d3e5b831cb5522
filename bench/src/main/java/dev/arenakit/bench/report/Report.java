package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Everything that was measured, as a table for the terminal and as files.
public final class Report {
    private Report() {}

    /// Writes `results.csv`, `summary.md` and `index.html`, from what is in the directory.
    ///
    /// @param directory holds `results.json`, and may hold a [Run]
    /// @return the page
    /// @throws IOException when the results cannot be read, or a file cannot be written
    public static Path write(Path directory) throws IOException {
        Results results = Results.read(directory.resolve("results.json"));
        Run run = Run.read(directory).orElse(null);
        List<Section> sections = Section.of(results, run == null ? List.of() : run.missing());
        String title = run == null ? "Benchmark results" : run.title();
        Csv.write(directory.resolve("results.csv"), run == null ? "" : run.suite(), sections);
        Files.writeString(directory.resolve("summary.md"), Markdown.page(title, run, results, sections));
        return Files.writeString(directory.resolve("index.html"), Html.page(title, run, results, sections));
    }

    /// {@return one row per measurement, each compared with the baseline of its cell}
    ///
    /// @param results what was measured
    public static String table(Results results) {
        TextTable table = new TextTable("question", "params", "contestant", ">ns/op", ">min..max", ">CPU ns/op",
                ">B/op", ">times faster");
        String above = "";
        for (Measurement measurement : results.measurements()) {
            Cell cell = measurement.cell();
            String question = Labels.question(cell.question());
            String params = Labels.params(cell.conditions());
            boolean repeated = above.equals(question + params);
            above = question + params;
            table.add(repeated ? "" : question, repeated ? "" : params, cell.contestant(),
                    Labels.modes(measurement.modes()),
                    Labels.number(measurement.fastest()) + ".." + Labels.number(measurement.slowest()),
                    Labels.number(measurement.cpuNanos()), Labels.heapBytes(measurement.bytes()),
                    cell.isBaseline()
                            ? "baseline"
                            : results.baselineOf(measurement)
                                    .map(baseline -> Labels.ratio(measurement.timesFasterThan(baseline)))
                                    .orElse("-"));
        }
        return table.toString();
    }

    /// {@return how the columns of the table are to be read}
    ///
    /// @param results what was measured
    public static String legend(Results results) {
        return forks(results) + '\n' + (leastForks(results) == 1
                ? "min..max is over the iterations of that fork; another fork may well differ by more\n"
                : "ns/op: the median fork, or the medians of two groups of forks where there are two modes; min..max: over the "
                        + "forks; times faster: the fastest fork of the baseline over the median fork\n");
    }

    /// {@return how much was measured of each cell, which is how much to believe}
    ///
    /// @param results what was measured
    public static String forks(Results results) {
        int forks = leastForks(results);
        return forks == 1 ? "quick look: 1 fork each" : forks + " forks each";
    }

    private static int leastForks(Results results) {
        return results.measurements().stream().mapToInt(measurement -> measurement.forks().size()).min().orElse(0);
    }
}
