package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The report in Markdown: a table per benchmark.
final class MarkdownReport {
    private static final String UNCERTAIN = " ~";

    private MarkdownReport() {}

    static String page(String title, @Nullable RunDescription run, List<CellNote> notes, Results results,
            List<ReportSection> sections) {
        StringBuilder text = new StringBuilder("# ").append(escape(title)).append("\n\n");
        ReportHeader.of(run, results)
                .forEach((name, value) -> text.append("- ")
                        .append(name)
                        .append(": ")
                        .append(escape(value))
                        .append('\n'));
        text.append('\n')
                .append(ReportHeader.legend(results))
                .append(" A ratio marked `~` is uncertain: ")
                .append(ReportHeader.UNCERTAINTY_RULE);
        if (Report.isPreliminary(results)) {
            text.append("\n\n**").append(ReportHeader.PRELIMINARY).append("**");
        }
        text.append('\n');
        sections.forEach(section -> append(text, section));
        if (!notes.isEmpty()) {
            text.append("\n## Missing or untrusted figures\n\n");
            notes.forEach(note -> text.append("- ")
                    .append(escape(ReportFormat.name(note.cell())))
                    .append(": ")
                    .append(escape(note.describe()))
                    .append('\n'));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, ReportSection section) {
        text.append("\n## ").append(escape(section.title())).append("\n\n");
        String measures = ReportFormat.measures(section.benchmarkClass());
        text.append(measures.isEmpty() ? "" : escape(measures) + "\n\n");
        List<String> header = new ArrayList<>(List.of("params"));
        section.names().forEach(column -> header.add(column.name()));
        List<String> rule = new ArrayList<>(Collections.nCopies(header.size(), "---"));
        for (String variant : section.variants()) {
            String suffix = variant.isEmpty() ? "" : ", " + ReportFormat.written(variant);
            section.columns().forEach(column -> header.add(column.name() + suffix));
            header.add("against the baseline" + suffix);
        }
        while (rule.size() < header.size()) {
            rule.add("---:");
        }
        appendLine(text, header);
        appendLine(text, rule);
        for (ReportSection.Group group : section.groups()) {
            String params = ReportFormat.params(group.conditions());
            for (ReportSection.Line line : group.lines()) {
                List<String> cells = new ArrayList<>(List.of(escape(params)));
                section.names().forEach(column -> cells.add(escape(line.text(column))));
                line.rows().forEach(row -> cells.addAll(figures(section.columns(), row)));
                appendLine(text, cells);
            }
        }
    }

    private static List<String> figures(List<Column> columns, Optional<TableRow> row) {
        return row.flatMap(TableRow::measured)
                .map(_ -> Stream.concat(columns.stream().map(column -> escape(column.text().apply(row.get()))),
                        Stream.of(row.get().ratioText() + (row.get().isUncertain() ? UNCERTAIN : "")
                                + row.get().note().map(note -> ", " + escape(note)).orElse("")))
                        .toList())
                .orElseGet(() -> {
                    List<String> none = new ArrayList<>(Collections.nCopies(columns.size() + 1, "-"));
                    row.flatMap(TableRow::note).ifPresent(note -> none.set(0, escape(note)));
                    return none;
                });
    }

    private static void appendLine(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /// Escapes characters that would end a cell of a table or begin a tag.
    private static String escape(String text) {
        return text.replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "\\<")
                .replace("*", "\\*")
                .replaceAll("\\R",
                        " ");
    }
}
