package dev.arenakit.bench.report;

import com.google.gson.Gson;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The report as one HTML page that refers to no other file.
///
/// The tables are plain HTML and can be read without scripts. A script draws the charts with ECharts, from a block of
/// JSON in the page.
final class HtmlReport {
    private static final String WEBJAR = "/META-INF/maven/org.webjars.npm/echarts/pom.properties";

    // A longer table is collapsed at first, so that the next benchmark is in sight.
    private static final int MAX_OPEN_ROWS = 60;

    private static final String NOTES = "Missing or untrusted figures (%d)";

    private HtmlReport() {}

    static String page(RunDescription run, String result, List<CellNote> notes, Results results,
            List<ReportSection> sections) throws IOException {
        ChartData charts = ChartData.of(sections);
        boolean preliminary = Report.isPreliminary(results);
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>%s</title>
                <style>
                """.formatted(escape(run.title())) + own("report.css") + """
                </style>
                </head>
                <body>
                <header>
                <h1>%s%s</h1>
                <p class="result">%s</p>
                %s%s
                <p class="links">%s</p>
                </header>
                """.formatted(escape(run.title()),
                preliminary ? " <span class=\"badge\">preliminary</span>" : "", escape(result),
                join(run.warnings(), warning -> "<p class=\"preliminary\">" + escape(warning) + "</p>\n"),
                preliminary ? "<p class=\"preliminary\">" + Report.PRELIMINARY + "</p>" : "",
                links(run, notes, results))
                + "<nav aria-label=\"Benchmarks\">\n"
                + join(sections, section -> "<a href=\"#%s\">%s</a>\n".formatted(section.id(), escape(section.title())))
                + "</nav>\n<main>\n" + join(sections, section -> section(section, results.jdks())) + "</main>\n"
                + footer(run, notes, results)
                + "<script type=\"application/json\" id=\"data\">" + new Gson().toJson(charts) + "</script>\n<script>\n"
                + (charts.charts().isEmpty() ? "" : library()) + "\n</script>\n<script>\n" + own("charts.js")
                + "</script>\n</body>\n</html>\n";
    }

    /// Returns a line with the most important facts, and links to the rest, which is folded at the end of the page.
    private static String links(RunDescription run, List<CellNote> notes, Results results) {
        Stream<String> facts = Stream.of(RunDescription.MACHINE, RunDescription.JDK, RunDescription.DATE)
                .flatMap(fact -> Stream.ofNullable(run.facts().get(fact)));
        Stream<String> links = Stream.of("<a href=\"#reading\">How to read this page</a>",
                "<a href=\"#facts\">Machine and flags</a>",
                notes.isEmpty() ? "" : "<a href=\"#notes\">" + NOTES.formatted(notes.size()) + "</a>");
        return Stream.concat(Stream.concat(facts, Stream.of(Report.forks(results))).map(HtmlReport::escape), links)
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining(" · "));
    }

    private static String footer(RunDescription run, List<CellNote> notes, Results results) {
        return "<footer>\n" + folded("reading", "How to read this page", """
                <p>The axes are logarithmic. A hollow dot is not steady, or not to be trusted for another reason. %s
                A ratio <span class="uncertain">greyed out</span> is uncertain: %s. MemoryTraits is zeroed, accesses are
                checked against the bounds of a block, and fail after its scope has ended, where the column says so.</p>
                """.formatted(escape(Report.legend(results).strip().replace("\n", ". ") + "."),
                Report.UNCERTAINTY_RULE))
                + folded("facts", "Machine and flags", "<dl>\n" + facts(run, results) + "</dl>\n")
                + (notes.isEmpty()
                        ? ""
                        : folded("notes", NOTES.formatted(notes.size()), "<ul>\n" + join(notes,
                                note -> "<li><b>%s</b>: %s</li>\n".formatted(escape(ReportFormat.name(note.cell())),
                                        escape(note.describe())))
                                + "</ul>\n"))
                + "</footer>\n";
    }

    private static String folded(String id, String summary, String content) {
        return "<details id=\"%s\">\n<summary>%s</summary>\n%s</details>\n".formatted(id, summary, content);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    private static <T> String join(List<T> elements, Function<T, String> text) {
        return elements.stream().map(text).collect(Collectors.joining());
    }

    private static String facts(RunDescription run, Results results) {
        return Stream.concat(run.facts().entrySet().stream(), Stream.of(Map.entry("Forks", Report.forks(results))))
                .map(fact -> "<div><dt>%s</dt><dd>%s</dd></div>\n".formatted(escape(fact.getKey()),
                        escape(fact.getValue())))
                .collect(Collectors.joining());
    }

    private static String section(ReportSection section, List<String> jdks) {
        String figure = section.rows().stream().noneMatch(ChartData::isDrawn)
                ? "<p>No figure to draw.</p>"
                : """
                        <figure>
                        <div class="keys"></div>
                        <div class="chart" id="%s" role="img" aria-label="%s"></div>
                        <figcaption>%s is faster.</figcaption>
                        </figure>""".formatted(ChartData.chartId(section), escape(ChartData.describe(section)),
                        ChartData.axis(section).isPresent() ? "Lower" : "Further left");
        return """
                <section aria-labelledby="%1$s">
                <h2 id="%1$s">%2$s</h2>
                <p>%3$s</p>
                %4$s
                %5$s%6$s</section>
                """.formatted(section.id(), escape(section.title()),
                escape(ReportFormat.measures(section.benchmarkClass())), figure, table(section),
                jdkTable(section, jdks));
    }

    /// Returns the table below a chart, with a heading above the candidates of the same conditions.
    private static String table(ReportSection section) {
        List<Metric> metrics = section.metrics();
        boolean allocates = section.rows().stream().anyMatch(row -> !row.memory().isEmpty());
        List<String> headings = Stream.of(Stream.of("candidate"), allocates ? Stream.of("memory") : Stream.<String>of(),
                metrics.stream()
                        .flatMap(metric -> metric == Metric.TIME
                                ? Stream.of(metric.heading(), "min..max")
                                : Stream.of(metric.heading())),
                Stream.of("against the baseline")).flatMap(each -> each).toList();
        StringBuilder rows = new StringBuilder();
        Map<String, String> above = Map.of();
        for (ReportSection.Row row : section.rows()) {
            above = appendGroup(rows, row.cell(), above, headings);
            rows.append("<tr><th scope=\"row\">%s</th>%s%s</tr>\n".formatted(escape(row.candidate()),
                    allocates ? "<td class=\"memory\">" + row.memory() + "</td>" : "", figures(row, metrics)));
        }
        return table("Table", section.title() + ", compared with " + section.baseline(), headings, rows,
                section.rows().size());
    }

    /// Returns the table with a column for each JDK; empty if the run has one JDK.
    private static String jdkTable(ReportSection section, List<String> jdks) {
        JdkTable table = JdkTable.of(section.rows(), jdks);
        if (table.lines().isEmpty()) {
            return "";
        }
        List<String> headings = Stream.concat(Stream.of("candidate"), table.headings().stream()).toList();
        StringBuilder rows = new StringBuilder();
        Map<String, String> above = Map.of();
        for (JdkTable.Line line : table.lines()) {
            above = appendGroup(rows, line.cell(), above, headings);
            rows.append("<tr><th scope=\"row\">%s</th>%s%s</tr>\n".formatted(escape(line.cell().candidate()),
                    join(table.times(line), time -> "<td>" + time + "</td>"),
                    join(table.ratios(line), HtmlReport::cell)));
        }
        return table("JDKs side by side", section.title() + ", compared with " + jdks.getFirst(), headings, rows,
                table.lines().size());
    }

    /// Appends a heading if the conditions of a cell differ from the conditions of the row above.
    private static Map<String, String> appendGroup(StringBuilder rows, Cell cell, Map<String, String> above,
            List<String> headings) {
        if (!cell.conditions().equals(above)) {
            rows.append("<tr><th colspan=\"%d\" scope=\"rowgroup\"><span>%s</span></th></tr>\n"
                    .formatted(headings.size(), escape(ReportFormat.params(cell.conditions()))));
        }
        return cell.conditions();
    }

    private static String table(String summary, String caption, List<String> headings, CharSequence rows, int size) {
        return """
                <details%1$s><summary>%2$s (%3$d %4$s)</summary>
                <div class="scroll" tabindex="0" role="region" aria-label="Table: %5$s">
                <table>
                <caption>%5$s</caption>
                <thead>
                <tr>%6$s</tr>
                </thead>
                <tbody>
                %7$s</tbody>
                </table>
                </div>
                </details>
                """.formatted(size <= MAX_OPEN_ROWS ? " open" : "", summary, size, size == 1 ? "row" : "rows",
                escape(caption), join(headings, heading -> "<th scope=\"col\">" + escape(heading) + "</th>"), rows);
    }

    private static String figures(ReportSection.Row row, List<Metric> metrics) {
        if (row.measurement() == null) {
            return "<td class=\"missing\" colspan=\"%d\">%s</td>".formatted(metrics.size() + 2, escape(row.note()));
        }
        // The list at the end of the page has the reason.
        CellNote note = row.cellNote();
        String warning = note == null ? "" : " <span class=\"warning\">" + note.kind() + "</span>";
        return join(Report.figures(row, metrics), figure -> "<td>" + figure + "</td>")
                + (row.isUncertain() ? "<td class=\"uncertain\">" : "<td>") + row.ratioText() + warning + "</td>";
    }

    private static String cell(Ratio ratio) {
        return (ratio.isUncertain() ? "<td class=\"uncertain\">" : "<td>") + ratio + "</td>";
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

    private static String own(String name) throws IOException {
        return resource("/dev/arenakit/bench/report/" + name);
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = HtmlReport.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IOException("Not on the class path: resource=" + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
