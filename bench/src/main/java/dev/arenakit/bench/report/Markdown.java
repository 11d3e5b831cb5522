package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The report for a page of text: a table per question.
final class Markdown {
    private static final String NOISY = " ~";

    private Markdown() {}

    static String page(String title, @Nullable Run run, Results results, List<Section> sections) {
        StringBuilder text = new StringBuilder("# ").append(escape(title)).append("\n\n");
        Facts.of(run, results)
                .forEach((name, value) -> text.append("- ")
                        .append(name)
                        .append(": ")
                        .append(escape(value))
                        .append('\n'));
        text.append('\n').append(Facts.LEGEND).append(" A ratio marked `~` is less certain: ").append(Facts.NOISE_RULE);
        if (run != null && run.quick()) {
            text.append("\n\n**").append(Facts.QUICK).append("**");
        }
        text.append('\n');
        sections.forEach(section -> append(text, section));
        if (run != null && !run.missing().isEmpty()) {
            text.append("\n## What is missing\n\n");
            run.missing()
                    .forEach(absent -> text.append("- ")
                            .append(escape(Labels.name(absent.cell())))
                            .append(": ")
                            .append(escape(absent.describe()))
                            .append('\n'));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Section section) {
        text.append("\n## ").append(escape(section.title())).append("\n\n");
        List<String> header = new ArrayList<>(List.of("params", "contestant"));
        List<String> rule = new ArrayList<>(List.of("---", "---"));
        for (String variant : section.variants()) {
            String suffix = variant.isEmpty() ? "" : ", " + Labels.written(variant);
            for (String column : List.of("ns/op", "min..max", "CPU ns/op", "B/op", "times faster")) {
                header.add(column + suffix);
                rule.add("---:");
            }
        }
        appendLine(text, header);
        appendLine(text, rule);
        for (Section.Group group : section.groups()) {
            String params = Labels.params(group.conditions());
            for (Section.Line line : group.lines()) {
                List<String> cells = new ArrayList<>(List.of(escape(params), escape(line.contestant())));
                line.rows().forEach(row -> cells.addAll(figures(row)));
                appendLine(text, cells);
            }
        }
    }

    private static List<String> figures(Optional<Row> row) {
        return row.flatMap(Row::measured)
                .map(measurement -> List.of(escape(Labels.modes(measurement.modes())), row.get().rangeText(),
                        Labels.number(measurement.cpuNanos()), Labels.heapBytes(measurement.bytes()),
                        row.get().ratioText() + (row.get().isCompared() && row.get().isNoisy() ? NOISY : "")
                                + row.get().note().map(note -> ", " + escape(note)).orElse("")))
                .orElseGet(() -> {
                    List<String> none = new ArrayList<>(Collections.nCopies(5, "-"));
                    row.flatMap(Row::note).ifPresent(note -> none.set(0, escape(note)));
                    return none;
                });
    }

    private static void appendLine(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /// What would end a cell of a table or begin a tag is text.
    private static String escape(String text) {
        return text.replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "\\<")
                .replace("*", "\\*")
                .replaceAll("\\R",
                        " ");
    }
}
