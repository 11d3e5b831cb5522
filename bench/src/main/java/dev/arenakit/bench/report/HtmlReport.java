package dev.arenakit.bench.report;

import com.google.gson.Gson;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/// The report as one HTML page that refers to no other file.
///
/// The tables are plain HTML and can be read without scripts. A script draws the charts with ECharts, from a block of
/// JSON in the page.
final class HtmlReport {
    private static final String WEBJAR = "/META-INF/maven/org.webjars.npm/echarts/pom.properties";

    private HtmlReport() {}

    static String page(String title, @Nullable RunDescription run, List<CellNote> notes, Results results,
            List<ReportSection> sections)
            throws IOException {
        ChartData charts = ChartData.of(sections);
        StringBuilder html = new StringBuilder("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                """);
        html.append("<title>").append(escape(title)).append("</title>\n<style>\n");
        html.append(own("report.css")).append("</style>\n</head>\n<body>\n");
        appendHead(html, title, run, notes, results);
        appendContents(html, sections);
        html.append("<main>\n");
        for (ReportSection section : sections) {
            appendSection(html, section);
        }
        html.append("</main>\n<script type=\"application/json\" id=\"data\">")
                .append(new Gson().toJson(charts))
                .append("</script>\n");
        if (!charts.charts().isEmpty()) {
            html.append("<script>\n").append(library()).append("\n</script>\n");
        }
        return html.append("<script>\n").append(own("charts.js")).append("</script>\n</body>\n</html>\n").toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    private static void appendHead(StringBuilder html, String title, @Nullable RunDescription run,
            List<CellNote> notes, Results results) {
        html.append("<header>\n<h1>").append(escape(title));
        boolean preliminary = Report.isPreliminary(results);
        html.append(preliminary ? " <span class=\"badge\">preliminary</span>" : "").append("</h1>\n");
        if (preliminary) {
            html.append("<p class=\"preliminary\">").append(escape(ReportHeader.PRELIMINARY)).append("</p>\n");
        }
        html.append("<dl>\n");
        ReportHeader.of(run, results)
                .forEach((name, value) -> html.append("<div><dt>")
                        .append(escape(name))
                        .append("</dt><dd>")
                        .append(escape(value))
                        .append("</dd></div>\n"));
        html.append("</dl>\n");
        if (!notes.isEmpty()) {
            html.append("<details class=\"notes\" open>\n<summary>Missing or untrusted figures (")
                    .append(notes.size())
                    .append(")</summary>\n<ul>\n");
            notes
                    .forEach(note -> html.append("<li><b>")
                            .append(escape(ReportFormat.name(note.cell())))
                            .append("</b>: ")
                            .append(escape(note.describe()))
                            .append("</li>\n"));
            html.append("</ul>\n</details>\n");
        }
        html.append(
                "<p class=\"legend\">Further left, or lower in a chart of lines, is faster; the axes are logarithmic. "
                        + "A hollow dot is not steady, or not to be trusted for another reason; two dots are two modes. ")
                .append(escape(ReportHeader.legend(results)))
                .append(" A ratio <span class=\"uncertain\">greyed out</span> is uncertain: ")
                .append(escape(ReportHeader.UNCERTAINTY_RULE))
                .append("</p>\n</header>\n");
    }

    private static void appendContents(StringBuilder html, List<ReportSection> sections) {
        if (sections.size() > 1) {
            html.append("<nav aria-label=\"Benchmarks\">\n");
            sections.forEach(section -> html.append("<a href=\"#")
                    .append(section.id())
                    .append("\">")
                    .append(escape(section.title()))
                    .append("</a>\n"));
            html.append("</nav>\n");
        }
    }

    private static void appendSection(StringBuilder html, ReportSection section) {
        html.append("<section aria-labelledby=\"").append(section.id()).append("\">\n<h2 id=\"").append(section.id());
        html.append("\">").append(escape(section.title())).append("</h2>\n");
        String measures = ReportFormat.measures(section.benchmarkClass());
        if (!measures.isEmpty()) {
            html.append("<p>").append(escape(measures)).append("</p>\n");
        }
        if (section.rows().anyMatch(ChartData::isDrawn)) {
            html.append("<figure>\n<div class=\"keys\"></div>\n<div class=\"chart\" id=\"")
                    .append(ChartData.chartId(section))
                    .append("\" role=\"img\" aria-label=\"")
                    .append(escape(ChartData.describe(section)))
                    .append("\"></div>\n</figure>\n");
        } else {
            html.append("<p>No figure to draw.</p>\n");
        }
        HtmlTable.append(html, section);
        html.append("</section>\n");
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
