package dev.arenakit.tool;

import dev.arenakit.tool.Table.Column;

import java.io.IOException;

/// What each of several things takes on disk, with a bar, and the sum.
final class UseTable {
    /// Longer ones are no easier to compare.
    private static final int WIDEST_BAR = 60;
    private static final int NARROWEST_BAR = 10;
    private static final String LEAST_BAR = "#";

    private final Streams streams;
    private final Table table = new Table(Column.text("NAME"), Column.number("SIZE"), Column.number("ON DISK"),
            Column.number("EXTENTS"), Column.text(""));
    private long most;
    private Bar bar = new Bar(NARROWEST_BAR, Streams.CHARSET);

    UseTable(Streams streams) {
        this.streams = streams;
    }

    /// Measures something that will be printed.
    void measure(String name, DiskUse use) {
        most = Math.max(most, use.storedByteSize().orElse(0));
        table.measure(row(name, use, LEAST_BAR));
    }

    /// Measures the sum.
    void measureSum(String name, DiskUse use) {
        table.measure(row(name, use, ""));
    }

    /// Prints the titles, after everything has been measured.
    void printTitles() throws IOException {
        table.printTitles(streams);
        int room = streams.width().getAsInt() - table.width() + LEAST_BAR.length();
        bar = new Bar(Math.clamp(room, NARROWEST_BAR, WIDEST_BAR), Streams.CHARSET);
    }

    /// Prints something that has been measured.
    void print(String name, DiskUse use) throws IOException {
        table.print(streams, row(name, use, bar.of(use.storedByteSize().orElse(0), most)));
    }

    /// Prints the sum.
    void printSum(String name, DiskUse use) throws IOException {
        table.print(streams, row(name, use, ""));
    }

    private static String[] row(String name, DiskUse use, String bar) {
        return new String[]{name, ByteSizes.format(use.byteSize()), ByteSizes.format(use.storedByteSize()),
                ByteSizes.grouped(use.extents()), bar};
    }
}
