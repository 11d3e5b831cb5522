package dev.arenakit.tool.ls;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import dev.arenakit.tool.console.Table.Column;
import dev.arenakit.tool.console.Times;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.DiskUsageMeter;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Prints a table of images.
final class LsImageTable {
    private final Streams streams;
    private final Times times = new Times();
    private final DiskUsageMeter meter;
    private final Table table = new Table(Column.text("NAME"), Column.number("FILES"), Column.number("ALLOCATIONS"),
            Column.number("SIZE"), Column.number("ON DISK"), Column.text("STATE"), Column.text("OWNER"));
    private boolean failed;

    LsImageTable(Streams streams) {
        this.streams = streams;
        meter = new DiskUsageMeter(streams);
    }

    /// Prints images.
    ///
    /// @return whether all could be read
    boolean print(Collection<ImageFileSet> images) throws IOException {
        List<String[]> rows = new ArrayList<>();
        try (Task task = streams.progress().start("reading images", "images")) {
            for (ImageFileSet image : images) {
                rows.add(row(image));
                task.at(rows.size());
            }
        }
        table.print(streams, consumer -> {
            for (String[] row : rows) {
                consumer.row(row);
            }
        });
        return !failed && !meter.hasFailed();
    }

    private String[] row(ImageFileSet image) {
        String files = ByteSizes.grouped(image.numbers().size());
        DiskUsage usage = meter.measureData(image);
        String stored = ByteSizes.format(usage.plus(meter.measureOthers(image)).storedByteSize());
        if (!image.hasCatalog()) {
            return new String[]{image.name(), files, "", ByteSizes.format(usage.byteSize()), stored, "no catalog", ""};
        }
        try (ArenaImage opened = ArenaImage.open(image.base())) {
            ImageState state = ImageState.of(opened);
            long[] live = {0, 0};
            new AllocationSequence(opened).forEachLive(allocation -> {
                live[0]++;
                live[1] = ByteSizes.sum(live[1], allocation.byteSize());
            });
            return new String[]{image.name(), files, ByteSizes.grouped(live[0]), ByteSizes.format(live[1]),
                    stored, state.word(), state.owner(times)};
        } catch (IOException | UncheckedIOException e) {
            failed = true;
            streams.report(image.catalog().toString(), ErrorText.cause(e));
            return new String[]{image.name(), files, "", ByteSizes.format(usage.byteSize()), stored, "unreadable", ""};
        }
    }
}
