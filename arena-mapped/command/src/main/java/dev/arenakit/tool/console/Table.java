package dev.arenakit.tool.console;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Aligned text in columns, with two spaces between them. Rows are measured, and then printed. A column without text in
/// any row is left out.
///
/// On a terminal, no line is wider than the terminal: names are shortened, and if that is not enough, the last columns
/// are left out. Elsewhere nothing is shortened.
public final class Table {
    /// A column.
    ///
    /// @param title  the title
    /// @param isText whether the column is aligned to the left, unlike numbers
    /// @param isName whether the text can be shortened
    /// @param style  returns the style of a cell on a terminal, a code of [AnsiCodes] or ""
    public record Column(String title, boolean isText, boolean isName, UnaryOperator<String> style) {
        public static Column text(String title) {
            return new Column(title, true, false, _ -> "");
        }

        public static Column number(String title) {
            return new Column(title, false, false, _ -> "");
        }

        /// Text that can be shortened.
        public static Column name(String title) {
            return new Column(title, true, true, _ -> "");
        }

        /// The state of an image or an allocation.
        public static Column state(String title) {
            return new Column(title, true, false, AnsiCodes::ofState);
        }
    }

    /// The largest width of a column of text. A longer text shifts the rest of its own row only.
    private static final int MAX_TEXT_WIDTH = 40;
    /// The initial capacity of a line.
    private static final int LINE = 120;
    /// Shorter names cannot be told apart.
    private static final int MIN_NAME_WIDTH = 12;

    private final List<Column> columns;
    /// The width of each column, 0 if the column is left out.
    private final int[] widths;
    private boolean isFitted;

    public Table(Column... columns) {
        this.columns = List.of(columns);
        widths = new int[columns.length];
    }

    /// Measures a row that will be printed.
    public void measure(String... row) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], TextWidth.of(row[i]));
        }
    }

    /// Decides on the widths, after all rows have been measured. No line becomes wider than the terminal.
    void fit(int width) {
        isFitted = width < Integer.MAX_VALUE;
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > 0) {
                // A longer text can move the rest of its row, unless it is shortened.
                int longest = columns.get(i).isText && !isFitted ? Math.min(widths[i], MAX_TEXT_WIDTH) : widths[i];
                widths[i] = Math.max(longest, TextWidth.of(columns.get(i).title));
            }
        }
        for (int last = widths.length - 1; last > 0 && lineWidth(MIN_NAME_WIDTH) > width; last--) {
            widths[last] = 0;
        }
        while (lineWidth(Integer.MAX_VALUE) > width) {
            widths[widest()]--;
        }
    }

    /// The width of a line whose names have at most a width.
    private long lineWidth(int nameWidth) {
        return IntStream.range(0, widths.length)
                .filter(i -> widths[i] > 0)
                .mapToLong(i -> 2 + (columns.get(i).isName ? Math.min(widths[i], nameWidth) : widths[i]))
                .sum() - 2;
    }

    /// The widest column of names, or the first column if there are no names.
    private int widest() {
        return IntStream.range(0, widths.length)
                .filter(i -> columns.get(i).isName && widths[i] > 0)
                .boxed()
                .max(Comparator.comparingInt(i -> widths[i]))
                .orElse(0);
    }

    /// Prints the titles, bold on a terminal, after all rows have been measured.
    public void printTitles(Streams streams) throws IOException {
        // A terminal without a movable cursor, such as an editor's, shows lines of any width.
        fit(streams.terminal().canMoveCursor() ? streams.width().getAsInt() : Integer.MAX_VALUE);
        streams.print(streams.bold(line(columns.stream().map(Column::title).toArray(String[]::new))) + "\n");
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

    /// The titles of the columns that are left out, after the titles have been printed.
    public List<String> leftOut() {
        return IntStream.range(0, widths.length)
                .filter(column -> widths[column] == 0)
                .mapToObj(column -> columns.get(column).title)
                .toList();
    }

    /// Formats a row as a line, without styles and without a line feed.
    String line(String... row) {
        return line((_, cell) -> cell, row);
    }

    private String line(BiFunction<Column, String, String> styling, String... row) {
        StringBuilder line = new StringBuilder(LINE);
        // Spaces are added with the text that follows them, so that no line ends with spaces.
        int missing = 0;
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] == 0) {
                continue;
            }
            Column column = columns.get(i);
            String cell = isFitted && column.isName ? TextWidth.shortened(row[i], widths[i]) : row[i];
            int space = Math.max(0, widths[i] - TextWidth.of(cell));
            if (cell.isEmpty()) {
                missing += space + 2;
            } else {
                line.repeat(' ', missing + (column.isText ? 0 : space)).append(styling.apply(column, cell));
                missing = 2 + (column.isText ? space : 0);
            }
        }
        return line.toString();
    }
}
