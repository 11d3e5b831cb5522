package dev.arenakit.tool;

import dev.arenakit.tool.Table.Column;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// The files of an image without a catalog, one a line.
final class FileTable {
    private record Row(String name, DiskUse use) {}

    private final Streams streams;
    private final Table table = new Table(Column.text("NAME"), Column.number("SIZE"), Column.number("BYTES"),
            Column.number("ON DISK"), Column.number("BYTES"), Column.number("EXTENTS"));

    FileTable(Streams streams) {
        this.streams = streams;
    }

    /// Prints the files.
    ///
    /// @return whether all could be read
    boolean print(FoundImage image) throws IOException {
        DiskUses uses = new DiskUses(streams);
        List<Row> rows = new ArrayList<>();
        for (long number : image.numbers()) {
            uses.of(image.file(number)).ifPresent(use -> rows.add(new Row(image.name() + "-" + number, use)));
        }
        if (rows.size() > 1) {
            DiskUse sum = rows.stream().map(Row::use).reduce(DiskUse.NONE, DiskUse::plus);
            rows.add(new Row(ByteSizes.count(rows.size(), "file"), sum));
        }
        table.print(streams, consumer -> {
            for (Row row : rows) {
                consumer.row(cells(row));
            }
        });
        return !uses.hasFailed();
    }

    private static String[] cells(Row row) {
        DiskUse use = row.use;
        return new String[]{row.name, ByteSizes.format(use.byteSize()), Long.toString(use.byteSize()),
                ByteSizes.format(use.storedByteSize()), plain(use.storedByteSize()), plain(use.extents())};
    }

    private static String plain(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : ByteSizes.grouped(value);
    }
}
