package dev.arenakit.tool.ls;

import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import dev.arenakit.tool.console.Table.Column;
import dev.arenakit.tool.console.Times;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.util.Collection;
import java.util.List;

/// Prints a table of images.
final class LsImageTable {
    private final Streams streams;
    private final Times times = new Times();
    private final LsImage.Reader reader;
    private final Table table = new Table(Column.name("NAME"), Column.number("FILES").optional(),
            Column.number("ALLOCATIONS").optional(), Column.number("SIZE"), Column.number("ON DISK"),
            Column.state("STATE"), Column.text("OWNER").optional());

    LsImageTable(Streams streams) {
        this.streams = streams;
        reader = new LsImage.Reader(streams);
    }

    /// Prints images.
    ///
    /// @return whether all images could be read
    boolean print(Collection<ImageFileSet> images) throws IOException {
        List<LsImage> read = reader.read(images);
        table.print(streams, consumer -> {
            for (LsImage image : read) {
                consumer.row(row(image));
            }
        });
        return !reader.hasFailed();
    }

    private String[] row(LsImage image) {
        return new String[]{image.files().name(), Counts.grouped(image.files().numbers().size()),
                image.count().isPresent() ? Counts.grouped(image.count()) : "", ByteSizes.format(image.byteSize()),
                ByteSizes.format(image.onDisk()), image.state().word(), image.state().owner(times)};
    }
}
