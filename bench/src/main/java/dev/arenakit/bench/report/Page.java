package dev.arenakit.bench.report;

import com.google.gson.Gson;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/// The report as one HTML page that refers to no other file: a template, and the texts and numbers that its script
/// shows in tables and draws with ECharts.
record Page(String title, String result, List<String> warnings, Map<String, String> facts, String forks,
        List<String> legend, String uncertainty, List<Note> notes, List<Section> sections) {
    private static final String WEBJAR = "/META-INF/maven/org.webjars.npm/echarts/pom.properties";

    /// A cell that has no figure, or a figure that is not to be trusted.
    private record Note(String cell, String text) {}

    /// A benchmark.
    ///
    /// @param headings the headings of the figures in the table
    private record Section(String id, String title, String measures, String baseline, List<String> headings,
            List<Row> rows) {}

    /// A parameter of a cell.
    private record Param(String name, String value, String text) {}

    /// A row of a table, and what is drawn of it.
    ///
    /// @param figures the texts of the table; empty if nothing was measured
    /// @param points  the time, or each percentile; empty if it cannot be drawn
    private record Row(String candidate, List<Param> params, String memory, List<String> figures, String times,
            String ratio, boolean uncertain, boolean baseline, String kind, String note, int forks,
            List<Point> points) {}

    /// A figure with its whiskers.
    ///
    /// @param heading the name of the figure
    private record Point(String heading, double value, double min, double max, String text, String range) {}

    static Page of(RunDescription run, String result, List<CellNote> notes, Results results,
            List<ReportSection> sections) {
        List<String> warnings = Stream.concat(run.warnings().stream(),
                Confidence.isPreliminary(results) ? Stream.of(Report.PRELIMINARY) : Stream.empty()).toList();
        return new Page(run.title(), result, warnings, run.facts(),
                Report.forks(results), Report.legend(results).lines().toList(), Confidence.UNCERTAINTY_RULE,
                notes.stream().map(note -> new Note(note.cell().name(), note.describe())).toList(),
                sections.stream().map(Page::section).toList());
    }

    private static Section section(ReportSection section) {
        List<Metric> metrics = section.metrics();
        return new Section(section.id(), section.title(), ReportFormat.measures(section.benchmarkClass()),
                section.baseline(), Report.headings(metrics),
                section.rows().stream().map(row -> row(row, metrics)).toList());
    }

    private static Row row(ReportSection.Row row, List<Metric> metrics) {
        CellNote note = row.cellNote();
        return new Row(row.candidate(),
                row.cell()
                        .conditions()
                        .entrySet()
                        .stream()
                        .map(param -> new Param(param.getKey(), param.getValue(),
                                ReportFormat.param(param.getKey(), param.getValue())))
                        .toList(),
                row.memory(), row.measurement() == null ? List.of() : Report.figures(row, metrics), row.ratio().text(),
                row.ratioText(), row.isUncertain(), row.isBaseline(), note == null ? "" : note.kind().toString(),
                row.note(), row.measured().map(each -> each.forks().size()).orElse(0),
                row.measured().map(each -> points(each, metrics)).orElse(List.of()));
    }

    private static List<Point> points(Measurement measurement, List<Metric> metrics) {
        // Only positive values can be drawn, since the axes are logarithmic.
        if (!(measurement.range(Metric.TIME).getMin() > 0)) {
            return List.of();
        }
        List<Metric> drawn = metrics.contains(Metric.P50) ? Metric.PERCENTILES : List.of(Metric.TIME);
        return drawn.stream().filter(metric -> !Double.isNaN(measurement.value(metric))).map(metric -> {
            DoubleSummaryStatistics range = measurement.range(metric);
            return new Point(metric.heading(), measurement.value(metric), range.getMin(), range.getMax(),
                    metric.text(measurement.value(metric)), measurement.rangeText(metric));
        }).toList();
    }

    /// Returns the page. Gson escapes what would end the script that contains the data.
    String html() throws IOException {
        return resource("/dev/arenakit/bench/report/page.html").replace("{data}", new Gson().toJson(this))
                .replace("{echarts}", sections.isEmpty() ? "" : library());
    }

    /// Returns ECharts, with the notices that its licence and the licence of a part of it require.
    private static String library() throws IOException {
        Properties webjar = new Properties();
        webjar.load(new StringReader(resource(WEBJAR)));
        String directory = "/META-INF/resources/webjars/echarts/" + webjar.getProperty("version") + "/";
        String notices = resource(directory + "NOTICE") + "\nIt contains parts of d3:\n"
                + resource(directory + "licenses/LICENSE-d3");
        return "/*\n" + notices.replace("*/", "* /") + "*/\n" + resource(directory + "dist/echarts.min.js").replace(
                "</script", "<\\/script");
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = Page.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IOException("Not on the class path: resource=" + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
