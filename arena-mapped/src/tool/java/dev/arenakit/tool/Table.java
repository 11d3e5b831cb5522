package dev.arenakit.tool;

import java.util.ArrayList;
import java.util.List;

import picocli.CommandLine.Help.Ansi;

/// Aligned text: the first column to the left, the others to the right, two spaces between them.
final class Table {
    private final List<String[]> rows = new ArrayList<>();
    private final int[] widths;

    Table(String... header) {
        widths = new int[header.length];
        add(header);
    }

    void add(String... row) {
        rows.add(row);
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], width(row[i]));
        }
    }

    /// The lines, the first one bold on a terminal.
    String toString(Ansi ansi) {
        StringBuilder text = new StringBuilder(ansi.string("@|bold " + line(rows.getFirst()) + "|@")).append('\n');
        for (String[] row : rows.subList(1, rows.size())) {
            text.append(line(row)).append('\n');
        }
        return text.toString();
    }

    private String line(String[] row) {
        StringBuilder line = new StringBuilder(row[0]);
        line.repeat(' ', widths[0] - width(row[0]));
        for (int i = 1; i < row.length; i++) {
            line.repeat(' ', 2 + widths[i] - width(row[i])).append(row[i]);
        }
        return line.toString();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
