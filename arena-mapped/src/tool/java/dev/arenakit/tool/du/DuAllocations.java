package dev.arenakit.tool.du;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.DiskUsageMeter;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.MeasuredAllocations;
import java.io.IOException;

/// Prints the sizes of the allocations of an image on disk.
final class DuAllocations {
    private static final String CATALOG = "(catalog)";

    private final Streams streams;

    DuAllocations(Streams streams) {
        this.streams = streams;
    }

    /// Prints the allocations of an image, its catalog, and the sum of its files.
    ///
    /// @return whether all files could be read and no allocation has lost bytes
    boolean print(ArenaImage image, ImageFileSet found) throws IOException {
        DuTable table = new DuTable(streams);
        DiskUsageMeter meter = new DiskUsageMeter(streams);
        DiskUsage catalog = meter.measure(found.catalog()).orElse(DiskUsage.NONE);
        String sumName = ByteSizes.count(found.numbers().size() + 1L, "file");
        MeasuredAllocations allocations = new MeasuredAllocations(streams, image, found.name(), meter);
        allocations.measure((allocation, usage) -> table.measure(name(allocation), usage.disk()));
        DiskUsage sum = allocations.files(found).plus(catalog);
        table.measure(CATALOG, catalog);
        table.measureSum(sumName, sum);
        table.printTitles();
        allocations.forEach((allocation, usage) -> table.print(name(allocation), usage.disk()));
        table.print(CATALOG, catalog);
        table.printSum(sumName, sum);
        return !meter.hasFailed() && allocations.damaged() == 0;
    }

    private static String name(Allocation allocation) {
        return PrintableText.of(allocation.label());
    }
}
