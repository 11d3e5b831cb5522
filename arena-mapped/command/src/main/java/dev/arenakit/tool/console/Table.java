package dev.arenakit.tool.console;

import java.io.IOException;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jline.utils.WCWidth;

/// Aligned text in columns, with two spaces between them. Rows are measured, and then printed. A column without text in
/// any row is left out.
public final class Table {
    /// A column.
    ///
    /// @param title  the title
    /// @param isText whether the column is aligned to the left, unlike numbers
    /// @param style  returns the style of a cell on a terminal, a code of [AnsiCodes] or ""
    public record Column(String title, boolean isText, UnaryOperator<String> style) {
        public static Column text(String title) {
            return new Column(title, true, _ -> "");
        }

        public static Column number(String title) {
            return new Column(title, false, _ -> "");
        }

        /// The state of an image or an allocation.
        public static Column state(String title) {
            return new Column(title, true, AnsiCodes::ofState);
        }
    }

    /// The largest width of a column of text. A longer text shifts the rest of its own row only.
    private static final int MAX_TEXT_WIDTH = 40;

    private final List<Column> columns;
    /// The width of each column, 0 if the column is left out.
    private final int[] widths;

    public Table(Column... columns) {
        this.columns = List.of(columns);
        widths = new int[columns.length];
    }

    /// Measures a row that will be printed.
    public void measure(String... row) {
        for (int i = 0; i < widths.length; i++) {
            if (!row[i].isEmpty()) {
                int width = columns.get(i).isText ? Math.min(MAX_TEXT_WIDTH, width(row[i])) : width(row[i]);
                widths[i] = Math.max(widths[i], Math.max(width, width(columns.get(i).title)));
            }
        }
    }

    /// Prints the titles, bold on a terminal, after all rows have been measured.
    public void printTitles(Streams streams) throws IOException {
        streams.print(streams.bold(line((_, cell) -> cell, columns.stream().map(Column::title).toArray(String[]::new)))
                + "\n");
    }

    /// Prints a row.
    public void print(Streams streams, String... row) throws IOException {
        streams.print(line((column, cell) -> streams.styled(column.style.apply(cell), cell), row) + "\n");
    }

    /// Measures and prints rows.
    public void print(Streams streams, List<String[]> rows) throws IOException {
        rows.forEach(this::measure);
        printTitles(streams);
        for (String[] row : rows) {
            print(streams, row);
        }
    }

    private String line(BiFunction<Column, String, String> styling, String... row) {
        StringBuilder line = new StringBuilder();
        // Spaces are added with the text that follows them, so that no line ends with spaces.
        int missing = 0;
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] == 0) {
                continue;
            }
            Column column = columns.get(i);
            String cell = row[i];
            int space = Math.max(0, widths[i] - width(cell));
            if (cell.isEmpty()) {
                missing += space + 2;
            } else {
                line.repeat(' ', missing + (column.isText ? 0 : space)).append(styling.apply(column, cell));
                missing = 2 + (column.isText ? space : 0);
            }
        }
        return line.toString();
    }

    /// The number of columns that a text takes on a terminal.
    private static int width(String text) {
        return text.codePoints().map(WCWidth::wcwidth).sum();
    }
}
