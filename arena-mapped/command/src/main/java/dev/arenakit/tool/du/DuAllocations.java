package dev.arenakit.tool.du;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.MeasuredAllocations;
import java.io.IOException;

/// Prints the written size of each allocation of an image, and the size of the image's files on disk.
final class DuAllocations {
    private final Streams streams;

    DuAllocations(Streams streams) {
        this.streams = streams;
    }

    /// Prints the allocations of an image, and the sizes of its files.
    ///
    /// @return whether all files could be read and no allocation has lost bytes
    boolean print(ArenaImage image, ImageFileSet found) throws IOException {
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
