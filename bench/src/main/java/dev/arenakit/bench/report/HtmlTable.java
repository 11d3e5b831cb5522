package dev.arenakit.bench.report;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static dev.arenakit.bench.report.HtmlReport.escape;

/// The table below a chart: a row per candidate, the variants side by side, and a heading above each group.
final class HtmlTable {
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
        List<Column> names = section.names();
        List<Column> columns = section.columns();
        appendHeader(html, names, columns, section.variants());
        for (ReportSection.Group group : section.groups()) {
            html.append("<tbody>\n");
            if (!group.conditions().isEmpty()) {
                html.append("<tr><th colspan=\"")
                        .append(names.size() + (columns.size() + 1) * section.variants().size())
                        .append("\" scope=\"rowgroup\"><span>")
                        .append(escape(ReportFormat.params(group.conditions())))
                        .append("</span></th></tr>\n");
            }
            for (ReportSection.Line line : group.lines()) {
                html.append("<tr><th scope=\"row\">").append(escape(line.candidate())).append("</th>");
                names.stream()
                        .skip(1)
                        .forEach(column -> html.append("<td class=\"memory\">")
                                .append(escape(line.text(column)))
                                .append("</td>"));
                line.rows().forEach(row -> appendFigures(html, columns, row));
                html.append("</tr>\n");
            }
            html.append("</tbody>\n");
        }
        html.append("</table>\n</div>\n</details>\n");
    }

    private static void appendHeader(StringBuilder html, List<Column> names, List<Column> columns,
            List<String> variants) {
        html.append("<colgroup span=\"").append(names.size()).append("\"></colgroup>");
        variants.forEach(_ -> html.append("<colgroup span=\"").append(columns.size() + 1).append("\"></colgroup>"));
        html.append("\n<thead>\n");
        boolean named = variants.size() > 1;
        if (named) {
            html.append("<tr><td colspan=\"").append(names.size()).append("\"></td>");
            variants.forEach(variant -> html.append("<th colspan=\"")
                    .append(columns.size() + 1)
                    .append("\" scope=\"colgroup\">")
                    .append(escape(ReportFormat.written(variant)))
                    .append("</th>"));
            html.append("</tr>\n");
        }
        html.append("<tr>");
        Stream.concat(names.stream().map(Column::name),
                variants.stream()
                        .flatMap(_ -> Stream.concat(columns.stream().map(Column::name),
                                Stream.of("against the baseline"))))
                .forEach(column -> html.append("<th scope=\"col\">").append(column).append("</th>"));
        html.append("</tr>\n</thead>\n");
    }

    private static void appendFigures(StringBuilder html, List<Column> columns, Optional<TableRow> cell) {
        if (cell.flatMap(TableRow::measured).isEmpty()) {
            html.append("<td class=\"missing\" colspan=\"")
                    .append(columns.size() + 1)
                    .append("\">")
                    .append(escape(cell.flatMap(TableRow::note).orElse("not part of the suite")))
                    .append("</td>");
            return;
        }
        TableRow row = cell.orElseThrow();
        columns.forEach(column -> html.append("<td>").append(escape(column.text().apply(row))).append("</td>"));
        boolean uncertain = row.isUncertain();
        html.append(uncertain
                ? "<td class=\"uncertain\" title=\"uncertain: " + escape(ReportHeader.UNCERTAINTY_RULE) + "\">"
                : "<td>")
                .append(row.isCompared() && !uncertain ? "<b>" + row.ratioText() + "</b>" : row.ratioText());
        row.note().ifPresent(note -> html.append(" <span class=\"warning\">").append(escape(note)).append("</span>"));
        html.append("</td>");
    }
}
