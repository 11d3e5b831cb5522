package dev.arenakit.tool.ls;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import dev.arenakit.tool.console.Table.Column;
import dev.arenakit.tool.console.Times;
import dev.arenakit.tool.image.AllocationUsage;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.MeasuredAllocations;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;

/// Prints an image, and a table of its allocations.
final class LsAllocationTable {
    private final Streams streams;
    private final Times times = new Times();
    private final Table table = new Table(Column.name("NAME"), Column.name("TYPE").optional(), Column.number("SIZE"),
            Column.number("WRITTEN"), Column.state("STATE"), Column.text("MADE").optional(),
            Column.number("THREAD").optional());

    LsAllocationTable(Streams streams) {
        this.streams = streams;
    }

    /// Prints an image.
    ///
    /// @return whether all files could be read and no allocation has lost bytes
    boolean print(ArenaImage image, ImageFileSet found) throws IOException {
        DiskUsage.Meter meter = new DiskUsage.Meter(streams);
        MeasuredAllocations allocations = new MeasuredAllocations(streams, image, found.name(), meter);
        allocations.measure((allocation, usage) -> table.measure(row(image, allocation, usage)));
        printHeading(image, found, allocations, meter);
        if (allocations.count() > 0) {
            streams.print("\n");
            table.printTitles(streams);
            allocations.forEach((allocation, usage) -> table.print(streams, row(image, allocation, usage)));
        }
        return allocations.damaged() == 0 && !meter.hasFailed();
    }

    private void printHeading(ArenaImage image, ImageFileSet found, MeasuredAllocations all, DiskUsage.Meter meter)
            throws IOException {
        String freed = all.freed() == 0 ? "" : ", " + Counts.grouped(all.freed()) + " freed";
        String damaged = all.damaged() == 0
                ? ""
                : ", " + streams.styled(AnsiCodes.RED, Counts.grouped(all.damaged()) + " damaged");
        String chunked = image.isChunked() ? " (chunked)" : "";
        streams.print("%s: %s of %s%s%s; %s%s, %s on disk\n".formatted(streams.bold(found.name()),
                Counts.of(all.count() - all.freed(), "allocation"), ByteSizes.format(all.live().byteSize()),
                freed, damaged,
                Counts.of(found.numbers().size(), "file"), chunked,
                ByteSizes.format(meter.onDisk(found))));
        streams.print(ImageState.of(image).describe(times, streams));
    }

    private String[] row(ArenaImage image, Allocation allocation, AllocationUsage usage) {
        return new String[]{PrintableText.of(allocation.label()), TypeNames.of(image, allocation),
                ByteSizes.format(allocation.byteSize()), ByteSizes.format(usage.disk().storedByteSize()),
                usage.state().toString(), allocation.time().map(times::format).orElse(""),
                allocation.thread().isPresent() ? Long.toString(allocation.thread().getAsLong()) : ""};
    }
}
