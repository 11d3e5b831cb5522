package dev.arenakit.tool.console;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Aligned text in columns, with two spaces between them. Rows are measured, and then printed. A column without text in
/// any row is left out.
///
/// On a terminal, no line is wider than the terminal: long names are shortened, and if that is not enough, columns are
/// left out. Elsewhere nothing is shortened.
public final class Table {
    /// A column.
    ///
    /// @param title      the title
    /// @param isText     whether the column is aligned to the left, unlike numbers
    /// @param isName     whether the text can be shortened
    /// @param isOptional whether the column can be left out
    /// @param style      returns the style of a cell on a terminal, a code of [AnsiCodes] or ""
    public record Column(String title, boolean isText, boolean isName, boolean isOptional,
            UnaryOperator<String> style) {
        public static Column text(String title) {
            return new Column(title, true, false, false, _ -> "");
        }

        public static Column number(String title) {
            return new Column(title, false, false, false, _ -> "");
        }

        /// Text that can be shortened.
        public static Column name(String title) {
            return new Column(title, true, true, false, _ -> "");
        }

        /// The state of an image or an allocation.
        public static Column state(String title) {
            return new Column(title, true, false, false, AnsiCodes::ofState);
        }

        /// Returns a column that can be left out on a narrow terminal.
        public Column optional() {
            return new Column(title, isText, isName, true, style);
        }
    }

    /// The largest width of a column of text. A longer name shifts the rest of its own row only.
    private static final int MAX_TEXT_WIDTH = 40;
    /// So many rows take tens of megabytes.
    private static final int MAX_KEPT = 1 << 16;
    /// The initial capacity of a line.
    private static final int LINE = 120;
    /// Names become shorter than this only if no column can be left out.
    private static final int GOOD_NAME_WIDTH = 16;
    /// Shorter names cannot be told apart.
    private static final int MIN_NAME_WIDTH = 8;

    private final List<Column> columns;
    /// The longest text of each column, 0 if the column is left out.
    private final int[] longest;
    /// The width of each column, 0 if the column is left out.
    private final int[] widths;
    private final List<String[]> kept = new ArrayList<>();
    private boolean isFitted;

    public Table(Column... columns) {
        this.columns = List.of(columns);
        longest = new int[columns.length];
        widths = new int[columns.length];
    }

    /// Measures a row that will be printed.
    public void measure(String... row) {
        for (int i = 0; i < longest.length; i++) {
            longest[i] = Math.max(longest[i], TextWidth.of(row[i]));
        }
    }

    /// Measures a row that will be printed, and keeps it for [#printKept]. If there are very many rows, only the first
    /// ones are kept.
    public void measureAndKeep(String... row) {
        measure(row);
        if (kept.size() < MAX_KEPT) {
            kept.add(row);
        }
    }

    /// Prints the rows that were kept.
    ///
    /// @return their number: the later rows are still to be printed
    public long printKept(Streams streams) throws IOException {
        for (String[] row : kept) {
            print(streams, row);
        }
        return kept.size();
    }

    /// Makes the lines as narrow as the terminal is, after all rows have been measured.
    void fit(int width) {
        isFitted = true;
        resetWidths();
        while (lineWidth() > width && (shortenName(GOOD_NAME_WIDTH) || leaveOut(true) || shortenName(MIN_NAME_WIDTH)
                || leaveOut(false))) {
            // Each step makes one column narrower, or leaves one out.
        }
    }

    private int lineWidth() {
        return IntStream.of(widths).filter(width -> width > 0).map(width -> width + 2).sum() - 2;
    }

    /// Prints the titles, bold on a terminal, after all rows have been measured.
    public void printTitles(Streams streams) throws IOException {
        resetWidths();
        // A terminal without a movable cursor, such as an editor's, shows lines of any width.
        if (streams.terminal().canMoveCursor()) {
            fit(streams.width().getAsInt());
        }
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

    /// Gives each column the width of its longest text, which is limited if a longer text can move the rest of its row.
    private void resetWidths() {
        for (int i = 0; i < widths.length; i++) {
            int width = columns.get(i).isText && !isFitted ? Math.min(longest[i], MAX_TEXT_WIDTH) : longest[i];
            widths[i] = width == 0 ? 0 : Math.max(width, TextWidth.of(columns.get(i).title));
        }
    }

    /// Makes the widest column of names one column narrower.
    private boolean shortenName(int least) {
        int widest = -1;
        for (int i = 0; i < widths.length; i++) {
            if (columns.get(i).isName && widths[i] > least && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        if (widest >= 0) {
            widths[widest]--;
        }
        return widest >= 0;
    }

    /// Leaves out the last column that is or is not optional, but never the first column. Names get their full widths
    /// again.
    private boolean leaveOut(boolean isOptional) {
        for (int i = widths.length - 1; i > 0; i--) {
            if (widths[i] > 0 && columns.get(i).isOptional == isOptional) {
                longest[i] = 0;
                resetWidths();
                return true;
            }
        }
        return false;
    }
}
