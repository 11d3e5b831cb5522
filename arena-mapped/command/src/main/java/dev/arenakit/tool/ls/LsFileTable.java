package dev.arenakit.tool.ls;

import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import dev.arenakit.tool.console.Table.Column;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Prints a table of the data files of an image without a catalog.
final class LsFileTable {
    private record Row(String name, DiskUsage usage) {}

    private final Streams streams;
    private final Table table = new Table(Column.name("NAME"), Column.number("SIZE"),
            Column.number("BYTES").optional(), Column.number("ON DISK"), Column.number("BYTES").optional(),
            Column.number("EXTENTS").optional());

    LsFileTable(Streams streams) {
        this.streams = streams;
    }

    /// Prints the files.
    ///
    /// @return whether all files could be read
    boolean print(ImageFileSet image) throws IOException {
        DiskUsage.Meter meter = new DiskUsage.Meter(streams);
        List<Row> rows = new ArrayList<>();
        for (long number : image.numbers()) {
            meter.measure(image.file(number)).ifPresent(usage -> rows.add(new Row(name(image.file(number)), usage)));
        }
        if (rows.size() > 1) {
            DiskUsage sum = rows.stream().map(Row::usage).reduce(DiskUsage.NONE, DiskUsage::plus);
            rows.add(new Row(Counts.of(rows.size(), "file"), sum));
        }
        table.print(streams, consumer -> {
            for (Row row : rows) {
                consumer.row(cells(row));
            }
        });
        return !meter.hasFailed();
    }

    private static String name(Path file) {
        return PrintableText.of(String.valueOf(file.getFileName()));
    }

    private static String[] cells(Row row) {
        DiskUsage usage = row.usage;
        return new String[]{row.name, ByteSizes.format(usage.byteSize()), Long.toString(usage.byteSize()),
                ByteSizes.format(usage.storedByteSize()), plain(usage.storedByteSize()), plain(usage.extents())};
    }

    private static String plain(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : Counts.grouped(value);
    }
}
