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
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.AllocationUsage;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.MeasuredAllocations;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Lists as tables for people.
final class LsText implements LsForm {
    private final Streams streams;
    private final Optional<LsOrder> order;
    /// The last allocation whose type needed a look, and its type. A program makes many allocations of one type.
    private @Nullable Allocation last;
    private String lastType = "";

    LsText(Streams streams, Optional<LsOrder> order) {
        this.streams = streams;
        this.order = order;
    }

    @Override
    public boolean printImages(Collection<ImageFileSet> images) throws IOException {
        Table table = new Table(Column.text("NAME"), Column.number("FILES"),
                Column.number("ALLOCATIONS"), Column.number("SIZE"), Column.number("ON DISK"),
                Column.state("STATE"), Column.text("OWNER"), Column.number("EXTENTS"));
        LsImage.Reader reader = new LsImage.Reader(streams, order);
        table.print(streams, reader.read(images).stream().map(this::cells).toList());
        return !reader.hasFailed();
    }

    @Override
    public boolean printImage(ArenaImage image, ImageFileSet found) throws IOException {
        Table table = new Table(Column.text("NAME"), Column.text("TYPE"), Column.number("SIZE"),
                Column.number("WRITTEN"), Column.state("STATE"), Column.text("MADE"),
                Column.number("THREAD"), Column.number("EXTENTS"));
        DiskUsage.Meter meter = new DiskUsage.Meter(streams);
        MeasuredAllocations allocations = LsForm.allocations(image, meter, order);
        allocations.measure((allocation, usage) -> table.measure(cells(image, allocation, usage)));
        printHeading(image, found, allocations, meter);
        if (allocations.count() > 0) {
            streams.print("\n");
            table.printTitles(streams);
            allocations.forEach((allocation, usage) -> table.print(streams, cells(image, allocation, usage)));
        }
        return allocations.damaged() == 0 && !meter.hasFailed();
    }

    private String[] cells(LsImage image) {
        return new String[]{image.files().name(), Counts.grouped(image.files().numbers().size()),
                image.count().isPresent() ? Counts.grouped(image.count()) : "", ByteSizes.format(image.byteSize()),
                ByteSizes.format(image.disk().storedByteSize()), image.state().word(), image.state().owner(),
                Counts.grouped(image.disk().extents())};
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
        streams.print(ImageState.of(image).describe(streams));
    }

    private String[] cells(ArenaImage image, Allocation allocation, AllocationUsage usage) {
        OptionalLong thread = allocation.thread();
        return new String[]{PrintableText.of(allocation.label()), type(image, allocation),
                ByteSizes.format(allocation.byteSize()), ByteSizes.format(usage.disk().storedByteSize()),
                usage.state().toString(), allocation.time().map(Times::format).orElse(""),
                thread.isPresent() ? Long.toString(thread.getAsLong()) : "", Counts.grouped(usage.disk().extents())};
    }

    private String type(ArenaImage image, Allocation allocation) {
        boolean hasCount = allocation.elementCount().isPresent() || allocation.storedCount().isPresent();
        Allocation known = last;
        if (hasCount || known == null || known.isLive() != allocation.isLive()
                || known.byteSize() != allocation.byteSize() || !known.typeText().equals(allocation.typeText())) {
            lastType = TypeNames.of(image, allocation);
            // The number of entries is not in the record of the allocation.
            last = hasCount || AllocationStructs.hasEntries(image, allocation) ? null : allocation;
        }
        return lastType;
    }
}
