package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// A table of aligned columns for the terminal: text is aligned left, numbers right.
public final class TextTable {
    private static final String GAP = "  ";

    private final List<Boolean> numeric = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    /// Creates a table.
    ///
    /// @param headers one per column; a leading `>` marks a column of numbers
    public TextTable(String... headers) {
        List<String> names = new ArrayList<>();
        for (String header : headers) {
            numeric.add(header.startsWith(">"));
            names.add(header.startsWith(">") ? header.substring(1) : header);
        }
        rows.add(names);
    }

    /// Adds a row.
    ///
    /// @param cells one per column
    public void add(String... cells) {
        if (cells.length != numeric.size()) {
            throw new IllegalArgumentException(
                    "Row does not fit: columns=" + numeric.size() + ", cells=" + cells.length);
        }
        rows.add(List.of(cells));
    }

    /// {@return the headers, a rule and the rows, each line with its line feed}
    @Override
    public String toString() {
        int[] widths = new int[numeric.size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        StringBuilder text = new StringBuilder();
        appendLine(text, rows.getFirst(), widths);
        text.repeat('-', IntStream.of(widths).sum() + GAP.length() * (widths.length - 1)).append('\n');
        rows.stream().skip(1).forEach(row -> appendLine(text, row, widths));
        return text.toString();
    }

    private void appendLine(StringBuilder text, List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String padding = " ".repeat(widths[column] - row.get(column).length());
            line.append(column == 0 ? "" : GAP)
                    .append(numeric.get(column) ? padding + row.get(column) : row.get(column) + padding);
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }
}
