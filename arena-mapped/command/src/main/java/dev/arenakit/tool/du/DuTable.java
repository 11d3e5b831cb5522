package dev.arenakit.tool.du;

import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import dev.arenakit.tool.console.Table.Column;
import dev.arenakit.tool.image.DiskUsage;
import java.io.IOException;
import java.nio.charset.Charset;

/// A table of sizes with a bar in each row.
final class DuTable {
    /// Stands for a bar while the columns are measured.
    private static final String NARROW_BAR = "#".repeat(Bar.MIN_WIDTH);

    private final Streams streams;
    private final Table table;
    private long most;
    private Bar bar = Bar.forColumn(Bar.MIN_WIDTH, Streams.CHARSET);

    /// @param measure the title of the column that the bars show
    DuTable(Streams streams, String measure) {
        this.streams = streams;
        table = new Table(Column.name("NAME"), Column.number("SIZE").optional(), Column.number(measure),
                Column.number("EXTENTS").optional(), Column.text(""));
    }

    /// Measures a row that will be printed.
    void measure(String name, DiskUsage usage) {
        most = Math.max(most, usage.storedByteSize().orElse(0));
        table.measure(row(name, usage, NARROW_BAR));
    }

    /// Measures the row of the sum.
    void measureSum(String name, DiskUsage usage) {
        table.measure(row(name, usage, ""));
    }

    /// Prints the titles after all rows have been measured.
    void printTitles() throws IOException {
        table.printTitles(streams);
        int available = streams.width().getAsInt() - table.width() + Bar.MIN_WIDTH;
        bar = Bar.forColumn(available, Streams.CHARSET);
    }

    /// Prints a row that has been measured.
    void print(String name, DiskUsage usage) throws IOException {
        table.print(streams, row(name, usage, bar.of(usage.storedByteSize().orElse(0), most)));
    }

    /// Prints the row of the sum.
    void printSum(String name, DiskUsage usage) throws IOException {
        table.print(streams, row(name, usage, ""));
    }

    private static String[] row(String name, DiskUsage usage, String bar) {
        return new String[]{name, ByteSizes.format(usage.byteSize()), ByteSizes.format(usage.storedByteSize()),
                Counts.grouped(usage.extents()), bar};
    }

    /// A number as a bar. The bar consists of block characters if the charset has them.
    static final class Bar {
        /// The width of the longest bar on a narrow terminal, in characters.
        static final int MIN_WIDTH = 10;
        /// Longer bars are no easier to compare.
        private static final int MAX_WIDTH = 60;
        private static final char FULL = '\u2588';
        /// Blocks from one eighth to seven eighths.
        private static final String EIGHTHS = "\u258f\u258e\u258d\u258c\u258b\u258a\u2589";
        private static final char PLAIN = '#';

        private final int width;
        private final boolean hasBlocks;

        /// @param width   the width of the longest bar, in characters
        /// @param charset the charset of the output
        Bar(int width, Charset charset) {
            this.width = width;
            hasBlocks = charset.newEncoder().canEncode(FULL + EIGHTHS);
        }

        /// Returns bars for a column. They may be narrower or wider than the column.
        static Bar forColumn(int width, Charset charset) {
            return new Bar(Math.clamp(width, MIN_WIDTH, MAX_WIDTH), charset);
        }

        /// Returns the bar of a number. Only the bar of 0 is empty.
        ///
        /// @param most the number with the longest bar
        String of(long number, long most) {
            if (number <= 0) {
                return "";
            }
            double share = Math.min(1, number / (double) most) * width;
            if (!hasBlocks) {
                return String.valueOf(PLAIN).repeat((int) Math.max(1, Math.round(share)));
            }
            int eighths = (int) Math.max(1, Math.round(share * 8));
            String full = String.valueOf(FULL).repeat(eighths / 8);
            return eighths % 8 == 0 ? full : full + EIGHTHS.charAt(eighths % 8 - 1);
        }
    }
}
