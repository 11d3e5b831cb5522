package dev.arenakit.bench.report;

import java.util.List;
import java.util.Optional;

import static dev.arenakit.bench.report.HtmlReport.escape;

/// The table below a chart: a row per candidate, the variants side by side, and a heading above each group.
final class HtmlTable {
    private static final List<String> COLUMNS = List.of("ns/op", "min..max", "CPU ns/op", "B/op",
            "against the baseline");
    // A longer table is collapsed at first, so that the next benchmark is in sight.
    private static final int MAX_OPEN_ROWS = 60;

    private HtmlTable() {}

    static void append(StringBuilder html, ReportSection section) {
        int lines = section.groups().stream().mapToInt(group -> group.lines().size()).sum();
        html.append(lines <= MAX_OPEN_ROWS ? "<details open>" : "<details>")
                .append("<summary>Table (")
                .append(lines)
                .append(lines == 1 ? " row" : " rows")
                .append(")</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: ")
                .append(escape(section.title()))
                .append("\">\n<table>\n<caption>")
                .append(escape(section.title()))
                .append(section.rows().anyMatch(TableRow::isCompared)
                        ? ", compared with " + escape(section.baseline())
                        : "")
                .append("</caption>\n");
        boolean hasMemory = section.hasMemory();
        List<String> names = hasMemory ? List.of("candidate", "memory") : List.of("candidate");
        appendHeader(html, section.variants(), names);
        for (ReportSection.Group group : section.groups()) {
            html.append("<tbody>\n");
            if (!group.conditions().isEmpty()) {
                html.append("<tr><th colspan=\"")
                        .append(names.size() + COLUMNS.size() * section.variants().size())
                        .append("\" scope=\"rowgroup\"><span>")
                        .append(escape(ReportFormat.params(group.conditions())))
                        .append("</span></th></tr>\n");
            }
            for (ReportSection.Line line : group.lines()) {
                html.append("<tr><th scope=\"row\">").append(escape(line.candidate())).append("</th>");
                if (hasMemory) {
                    html.append("<td class=\"memory\">").append(escape(line.memory())).append("</td>");
                }
                line.rows().forEach(row -> appendFigures(html, row));
                html.append("</tr>\n");
            }
            html.append("</tbody>\n");
        }
        html.append("</table>\n</div>\n</details>\n");
    }

    private static void appendHeader(StringBuilder html, List<String> variants, List<String> names) {
        html.append("<thead>\n");
        boolean named = variants.size() > 1;
        if (named) {
            html.append("<tr><td colspan=\"").append(names.size()).append("\"></td>");
            variants.forEach(variant -> html.append("<th colspan=\"")
                    .append(COLUMNS.size())
                    .append("\" scope=\"colgroup\">")
                    .append(escape(ReportFormat.written(variant)))
                    .append("</th>"));
            html.append("</tr>\n");
        }
        html.append("<tr>");
        names.forEach(name -> html.append("<th scope=\"col\">").append(name).append("</th>"));
        variants.forEach(_ -> COLUMNS.forEach(
                column -> html.append("<th scope=\"col\">").append(column).append("</th>")));
        html.append("</tr>\n</thead>\n");
    }

    private static void appendFigures(StringBuilder html, Optional<TableRow> cell) {
        Optional<Measurement> measured = cell.flatMap(TableRow::measured);
        if (measured.isEmpty()) {
            html.append("<td class=\"missing\" colspan=\"")
                    .append(COLUMNS.size())
                    .append("\">")
                    .append(escape(cell.flatMap(TableRow::note).orElse("not part of the suite")))
                    .append("</td>");
            return;
        }
        TableRow row = cell.orElseThrow();
        Measurement measurement = measured.get();
        List.of(ReportFormat.modes(measurement.modes()), row.rangeText(), ReportFormat.number(measurement.cpuNanos()),
                ReportFormat.heapBytes(measurement.bytes()))
                .forEach(figure -> html.append("<td>").append(escape(figure)).append("</td>"));
        boolean uncertain = row.isUncertain();
        html.append(uncertain
                ? "<td class=\"uncertain\" title=\"uncertain: " + escape(ReportHeader.UNCERTAINTY_RULE) + "\">"
                : "<td>")
                .append(row.isCompared() && !uncertain ? "<b>" + row.ratioText() + "</b>" : row.ratioText());
        row.note().ifPresent(note -> html.append(" <span class=\"warning\">").append(escape(note)).append("</span>"));
        html.append("</td>");
    }
}
