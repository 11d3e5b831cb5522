package dev.arenakit.tool.console;

import java.io.IOException;
import java.util.List;

/// Aligned text in columns, with two spaces between them. The rows are not kept in memory: they are passed twice, to be
/// measured and to be printed. A column without text in any row is left out.
public final class Table {
    /// A column.
    ///
    /// @param title  the title
    /// @param isText whether the column is aligned to the left, unlike numbers
    public record Column(String title, boolean isText) {
        public static Column text(String title) {
            return new Column(title, true);
        }

        public static Column number(String title) {
            return new Column(title, false);
        }
    }

    /// Passes all rows to a consumer, the same ones each time.
    @FunctionalInterface
    public interface Rows {
        void forEach(RowConsumer consumer) throws IOException;
    }

    /// Accepts a row.
    @FunctionalInterface
    public interface RowConsumer {
        void row(String... cells) throws IOException;
    }

    /// The largest width of a column of text. A longer name moves the rest of its own row, not of all rows.
    private static final int MAX_TEXT_WIDTH = 40;

    private final List<Column> columns;
    private final int[] widths;

    public Table(Column... columns) {
        this.columns = List.of(columns);
        widths = new int[columns.length];
    }

    /// Measures a row that will be printed.
    public void measure(String... row) {
        for (int i = 0; i < widths.length; i++) {
            int width = width(row[i]);
            widths[i] = Math.max(widths[i], columns.get(i).isText ? Math.min(width, MAX_TEXT_WIDTH) : width);
        }
    }

    /// The width of the lines.
    public int width() {
        int width = 0;
        for (int i = 0; i < widths.length; i++) {
            width += widths[i] == 0 ? 0 : 2 + Math.max(widths[i], width(columns.get(i).title));
        }
        return Math.max(0, width - 2);
    }

    /// Prints the titles, bold on a terminal, after all rows have been measured.
    public void printTitles(Streams streams) throws IOException {
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > 0) {
                widths[i] = Math.max(widths[i], width(columns.get(i).title));
            }
        }
        String[] titles = columns.stream().map(Column::title).toArray(String[]::new);
        streams.print(streams.bold(line(titles)) + "\n");
    }

    /// Prints a row.
    public void print(Streams streams, String... row) throws IOException {
        streams.print(line(row) + "\n");
    }

    /// Measures and prints rows.
    public void print(Streams streams, Rows rows) throws IOException {
        rows.forEach(this::measure);
        printTitles(streams);
        rows.forEach(row -> print(streams, row));
    }

    /// Formats a row as a line, without a line feed.
    public String line(String... row) {
        StringBuilder line = new StringBuilder(120);
        // Spaces are added with the text after them, so that no line ends with spaces.
        int missing = 0;
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] == 0) {
                continue;
            }
            int space = Math.max(0, widths[i] - width(row[i]));
            boolean isText = columns.get(i).isText;
            if (row[i].isEmpty()) {
                missing += widths[i] + 2;
                continue;
            }
            line.repeat(' ', missing + (isText ? 0 : space)).append(row[i]);
            missing = 2 + (isText ? space : 0);
        }
        return line.toString();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
