package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.Progress.Task;
import dev.arenakit.tool.Table.Column;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/// Images, one a line.
final class ImageTable {
    private final Streams streams;
    private final Times times = new Times();
    private final DiskUses uses;
    private final Table table = new Table(Column.text("NAME"), Column.number("FILES"), Column.number("ALLOCATIONS"),
            Column.number("SIZE"), Column.number("ON DISK"), Column.text("STATE"), Column.text("OWNER"));
    private boolean failed;

    ImageTable(Streams streams) {
        this.streams = streams;
        uses = new DiskUses(streams);
    }

    /// Prints images.
    ///
    /// @return whether all could be read
    boolean print(Collection<FoundImage> images) throws IOException {
        List<String[]> rows = new ArrayList<>();
        try (Task task = streams.progress().start("reading images", "images")) {
            for (FoundImage image : images) {
                rows.add(row(image));
                task.at(rows.size());
            }
        }
        table.print(streams, consumer -> {
            for (String[] row : rows) {
                consumer.row(row);
            }
        });
        return !failed && !uses.hasFailed();
    }

    private String[] row(FoundImage image) {
        String files = ByteSizes.grouped(image.numbers().size());
        DiskUse use = uses.of(image);
        String stored = ByteSizes.format(use.storedByteSize());
        if (!image.hasCatalog()) {
            return new String[]{image.name(), files, "", ByteSizes.format(use.byteSize()), stored, "no catalog", ""};
        }
        try (ArenaImage opened = ArenaImage.open(image.base())) {
            ImageState state = ImageState.of(opened);
            Live live = live(opened);
            return new String[]{image.name(), files, ByteSizes.grouped(live.count), ByteSizes.format(live.byteSize),
                    stored, state.word(), state.owner(times)};
        } catch (IOException | UncheckedIOException e) {
            failed = true;
            streams.complain(image.catalog().toString(), Streams.cause(e));
            return new String[]{image.name(), files, "", ByteSizes.format(use.byteSize()), stored, "unreadable", ""};
        }
    }

    private static Live live(ArenaImage image) throws IOException {
        long count = 0;
        long byteSize = 0;
        try (Stream<Allocation> allocations = image.allocations()) {
            for (Iterator<Allocation> each = allocations.iterator(); each.hasNext();) {
                Allocation allocation = each.next();
                if (allocation.isLive()) {
                    count++;
                    byteSize = ByteSizes.sum(byteSize, allocation.byteSize());
                }
            }
        }
        return new Live(count, byteSize);
    }

    private record Live(long count, long byteSize) {}
}
