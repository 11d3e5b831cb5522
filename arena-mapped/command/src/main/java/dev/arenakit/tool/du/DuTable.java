package dev.arenakit.tool.du;

import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import dev.arenakit.tool.console.Table.Column;
import dev.arenakit.tool.image.DiskUsage;
import java.io.IOException;

/// A table of sizes with a bar in each row.
final class DuTable {
    /// Stands for a bar while the columns are measured.
    private static final String NARROW_BAR = "#".repeat(DuBar.MIN_WIDTH);

    private final Streams streams;
    private final Table table;
    private long most;
    private DuBar bar = DuBar.forColumn(DuBar.MIN_WIDTH, Streams.CHARSET);

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
        int available = streams.width().getAsInt() - table.width() + DuBar.MIN_WIDTH;
        bar = DuBar.forColumn(available, Streams.CHARSET);
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
}
