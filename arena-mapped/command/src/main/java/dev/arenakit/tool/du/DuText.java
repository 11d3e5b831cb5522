package dev.arenakit.tool.du;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.MeasuredAllocations;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// Sizes as tables for people: the size of each image on disk, or the written size of each allocation of an image.
final class DuText implements DuForm {
    private final Streams streams;

    DuText(Streams streams) {
        this.streams = streams;
    }

    @Override
    public boolean printImages(Collection<ImageFileSet> images) throws IOException {
        DuTable table = new DuTable(streams, "ON DISK");
        DiskUsage.Meter meter = new DiskUsage.Meter(streams);
        Map<String, DiskUsage> rows = new LinkedHashMap<>();
        try (Task task = streams.progress().start("reading images", "images")) {
            for (ImageFileSet image : images) {
                rows.put(image.name(), meter.measureAll(image));
                task.at(rows.size());
            }
        }
        rows.forEach(table::measure);
        String sumName = Counts.of(rows.size(), "image");
        DiskUsage sum = rows.values().stream().reduce(DiskUsage.NONE, DiskUsage::plus);
        table.measureSum(sumName, sum);
        table.printTitles();
        for (Map.Entry<String, DiskUsage> row : rows.entrySet()) {
            table.print(row.getKey(), row.getValue());
        }
        if (rows.size() > 1) {
            table.printSum(sumName, sum);
        }
        return !meter.hasFailed();
    }

    @Override
    public boolean printImage(ArenaImage image, ImageFileSet found) throws IOException {
        DuTable table = new DuTable(streams, "WRITTEN");
        DiskUsage.Meter meter = new DiskUsage.Meter(streams);
        MeasuredAllocations allocations = new MeasuredAllocations(streams, image, found.name(), meter);
        allocations.measure((allocation, usage) -> table.measure(name(allocation), usage.disk()));
        if (allocations.count() > 0) {
            table.printTitles();
            allocations.forEach((allocation, usage) -> table.print(name(allocation), usage.disk()));
            streams.print("\n");
        }
        printFiles(found, meter);
        return !meter.hasFailed() && allocations.damaged() == 0;
    }

    private void printFiles(ImageFileSet found, DiskUsage.Meter meter) throws IOException {
        DiskUsage data = meter.measureData(found);
        DiskUsage others = meter.measureOthers(found);
        streams.print("%s: %s on disk (%s %s, catalog and lock %s)\n".formatted(streams.bold(found.name()),
                ByteSizes.format(data.plus(others).storedByteSize()),
                Counts.of(found.numbers().size(), "data file"),
                ByteSizes.format(data.storedByteSize()),
                ByteSizes.format(others.storedByteSize())));
    }

    private static String name(Allocation allocation) {
        return PrintableText.of(allocation.label());
    }
}
