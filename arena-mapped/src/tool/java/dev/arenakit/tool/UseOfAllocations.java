package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;

import java.io.IOException;

/// What the allocations of an image take on disk.
final class UseOfAllocations {
    private static final String CATALOG = "(catalog)";

    private final Streams streams;

    UseOfAllocations(Streams streams) {
        this.streams = streams;
    }

    /// Prints an image: its allocations, its catalog and all its files together.
    ///
    /// @return whether all could be read
    boolean print(ArenaImage image, FoundImage found) throws IOException {
        UseTable table = new UseTable(streams);
        DiskUses uses = new DiskUses(streams);
        DiskUse catalog = uses.of(found.catalog()).orElse(DiskUse.NONE);
        String sumName = ByteSizes.count(found.numbers().size() + 1L, "file");
        AllocationList list = new AllocationList(streams, image, found.name(), uses);
        list.measure((allocation, use) -> table.measure(name(allocation), use.disk()));
        DiskUse sum = list.files(found).plus(catalog);
        table.measure(CATALOG, catalog);
        table.measureSum(sumName, sum);
        table.printTitles();
        list.forEach((allocation, use) -> table.print(name(allocation), use.disk()));
        table.print(CATALOG, catalog);
        table.printSum(sumName, sum);
        return !uses.hasFailed() && list.damaged() == 0;
    }

    private static String name(Allocation allocation) {
        return Streams.printable(allocation.label());
    }
}
