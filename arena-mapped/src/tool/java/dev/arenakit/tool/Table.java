package dev.arenakit.tool;

import java.io.IOException;
import java.util.List;

/// Aligned text in columns, with two spaces between them, that needs no memory for its rows: they come twice, to be measured
/// and to be printed. A column that has no text in any row is left out.
final class Table {
    /// A column.
    ///
    /// @param title  its first line
    /// @param isText whether it is aligned to the left; numbers are to the right
    record Column(String title, boolean isText) {
        static Column text(String title) {
            return new Column(title, true);
        }

        static Column number(String title) {
            return new Column(title, false);
        }
    }

    /// Hands the rows over, the same ones each time.
    @FunctionalInterface
    interface Rows {
        void forEach(RowConsumer consumer) throws IOException;
    }

    /// Takes a row.
    @FunctionalInterface
    interface RowConsumer {
        void row(String... cells) throws IOException;
    }

    /// What is longer, which only names are, pushes the rest of its row aside rather than all rows.
    private static final int WIDEST_TEXT = 40;

    private final List<Column> columns;
    private final int[] widths;

    Table(Column... columns) {
        this.columns = List.of(columns);
        widths = new int[columns.length];
    }

    /// Measures a row that will be printed.
    void measure(String... row) {
        for (int i = 0; i < widths.length; i++) {
            int width = width(row[i]);
            widths[i] = Math.max(widths[i], columns.get(i).isText ? Math.min(width, WIDEST_TEXT) : width);
        }
    }

    /// How wide the lines are.
    int width() {
        int width = 0;
        for (int i = 0; i < widths.length; i++) {
            width += widths[i] == 0 ? 0 : 2 + Math.max(widths[i], width(columns.get(i).title));
        }
        return Math.max(0, width - 2);
    }

    /// Prints the titles, bold on a terminal. All rows have been measured.
    void printTitles(Streams streams) throws IOException {
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > 0) {
                widths[i] = Math.max(widths[i], width(columns.get(i).title));
            }
        }
        String[] titles = columns.stream().map(Column::title).toArray(String[]::new);
        streams.print(streams.bold(line(titles)) + "\n");
    }

    /// Prints a row.
    void print(Streams streams, String... row) throws IOException {
        streams.print(line(row) + "\n");
    }

    /// Measures and prints rows.
    void print(Streams streams, Rows rows) throws IOException {
        rows.forEach(this::measure);
        printTitles(streams);
        rows.forEach(row -> print(streams, row));
    }

    /// A row as a line, without its end.
    String line(String... row) {
        StringBuilder line = new StringBuilder(120);
        // Spaces come with the text behind them, so that none end the line.
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
