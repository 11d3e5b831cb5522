package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.Table.Column;

import java.io.IOException;

/// An image, and its allocations one a line.
final class AllocationTable {
    private final Streams streams;
    private final Times times = new Times();
    private final Table table = new Table(Column.text("NAME"), Column.text("TYPE"), Column.number("SIZE"),
            Column.number("ON DISK"), Column.text("STATE"), Column.text("MADE"), Column.number("THREAD"));

    AllocationTable(Streams streams) {
        this.streams = streams;
    }

    /// Prints an image.
    ///
    /// @return whether all is there
    boolean print(ArenaImage image, FoundImage found) throws IOException {
        DiskUses uses = new DiskUses(streams);
        AllocationList list = new AllocationList(streams, image, found.name(), uses);
        list.measure((allocation, use) -> table.measure(row(image, allocation, use)));
        printHeading(image, found, list);
        if (list.count() > 0) {
            streams.print("\n");
            table.printTitles(streams);
            list.forEach((allocation, use) -> table.print(streams, row(image, allocation, use)));
        }
        return list.damaged() == 0 && !uses.hasFailed();
    }

    private void printHeading(ArenaImage image, FoundImage found, AllocationList list) throws IOException {
        String freed = list.freed() == 0 ? "" : ", " + ByteSizes.grouped(list.freed()) + " freed";
        String damaged = list.damaged() == 0 ? "" : ", " + ByteSizes.grouped(list.damaged()) + " damaged";
        String chunked = image.isChunked() ? " (chunked)" : "";
        streams.print("%s: %s of %s%s%s; %s%s, %s on disk\n".formatted(streams.bold(found.name()),
                ByteSizes.count(list.count() - list.freed(), "allocation"), ByteSizes.format(list.live().byteSize()),
                freed, damaged,
                ByteSizes.count(found.numbers().size(), "file"), chunked,
                ByteSizes.format(list.files(found).storedByteSize())));
        streams.print(ImageState.of(image).describe(times));
    }

    private String[] row(ArenaImage image, Allocation allocation, AllocationUse use) {
        return new String[]{Streams.printable(allocation.label()), TypeNames.of(image, allocation),
                ByteSizes.format(allocation.byteSize()), ByteSizes.format(use.disk().storedByteSize()),
                use.state().toString(), allocation.time().map(times::format).orElse(""),
                allocation.thread().isPresent() ? Long.toString(allocation.thread().getAsLong()) : ""};
    }
}
