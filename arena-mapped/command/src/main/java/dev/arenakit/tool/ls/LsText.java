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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Lists as tables for people.
final class LsText implements LsForm {
    /// A row of the table of data files.
    private record Row(String name, DiskUsage usage) {}

    /// The values of the last row and their texts: a program makes many allocations of one type and size.
    private static final class LastRow {
        private long size = -1;
        private String sizeText = "";
        private Optional<String> type = Optional.empty();
        private OptionalLong elements = OptionalLong.empty();
        private OptionalLong stored = OptionalLong.empty();
        private String typeText = "";
        /// Whether the type has a number of entries, which the record of the allocation does not have.
        private boolean hasEntries;
        private OptionalLong written = OptionalLong.empty();
        private String writtenText = ByteSizes.format(written);
        private OptionalLong extents = OptionalLong.empty();
        private String extentsText = Counts.grouped(extents);
        private OptionalLong thread = OptionalLong.empty();
        private String threadText = "";
    }

    private final Streams streams;
    private final Optional<LsOrder> order;
    private final LastRow last = new LastRow();

    LsText(Streams streams, Optional<LsOrder> order) {
        this.streams = streams;
        this.order = order;
    }

    @Override
    public boolean printImages(Collection<ImageFileSet> images) throws IOException {
        Table table = new Table(Column.name("NAME"), Column.number("FILES").optional(),
                Column.number("ALLOCATIONS").optional(), Column.number("SIZE"), Column.number("ON DISK"),
                Column.state("STATE"), Column.text("OWNER").optional(), Column.number("EXTENTS").optional());
        LsImage.Reader reader = new LsImage.Reader(streams, order);
        table.print(streams, reader.read(images).stream().map(this::cells).toList());
        return !reader.hasFailed();
    }

    @Override
    public boolean printImage(ArenaImage image, ImageFileSet found) throws IOException {
        Table table = new Table(Column.name("NAME"), Column.name("TYPE").optional(), Column.number("SIZE"),
                Column.number("WRITTEN"), Column.state("STATE"), Column.text("MADE").optional(),
                Column.number("THREAD").optional(), Column.number("EXTENTS").optional());
        DiskUsage.Meter meter = new DiskUsage.Meter(streams);
        MeasuredAllocations allocations = LsForm.allocations(streams, image, found, meter, order);
        allocations.measure((allocation, usage) -> table.measureAndKeep(cells(image, allocation, usage)));
        printHeading(image, found, allocations, meter);
        if (allocations.count() > 0) {
            streams.print("\n");
            table.printTitles(streams);
            printRows(table, allocations, image);
        }
        return allocations.damaged() == 0 && !meter.hasFailed();
    }

    private void printRows(Table table, MeasuredAllocations allocations, ArenaImage image) throws IOException {
        long kept = table.printKept(streams);
        if (kept < allocations.count()) {
            long[] index = {0};
            allocations.forEach((allocation, usage) -> {
                if (index[0]++ >= kept) {
                    table.print(streams, cells(image, allocation, usage));
                }
            });
        }
    }

    @Override
    public boolean printFiles(ImageFileSet image) throws IOException {
        Table table = new Table(Column.name("NAME"), Column.number("SIZE"), Column.number("BYTES").optional(),
                Column.number("ON DISK"), Column.number("BYTES").optional(), Column.number("EXTENTS").optional());
        DiskUsage.Meter meter = new DiskUsage.Meter(streams);
        List<Row> rows = new ArrayList<>();
        for (long number : image.numbers()) {
            meter.measure(image.file(number)).ifPresent(usage -> rows.add(new Row(name(image.file(number)), usage)));
        }
        if (rows.size() > 1) {
            DiskUsage sum = rows.stream().map(Row::usage).reduce(DiskUsage.NONE, DiskUsage::plus);
            rows.add(new Row(Counts.of(rows.size(), "file"), sum));
        }
        table.print(streams, rows.stream().map(LsText::cells).toList());
        return !meter.hasFailed();
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
        LastRow row = last;
        if (row.hasEntries || row.size != allocation.byteSize() || !row.type.equals(allocation.typeText())
                || !row.elements.equals(allocation.elementCount()) || !row.stored.equals(allocation.storedCount())) {
            row.size = allocation.byteSize();
            row.sizeText = ByteSizes.format(row.size);
            row.type = allocation.typeText();
            row.elements = allocation.elementCount();
            row.stored = allocation.storedCount();
            row.typeText = TypeNames.of(image, allocation);
            row.hasEntries = AllocationStructs.hasEntries(image, allocation);
        }
        if (!row.written.equals(usage.disk().storedByteSize())) {
            row.written = usage.disk().storedByteSize();
            row.writtenText = ByteSizes.format(row.written);
        }
        if (!row.extents.equals(usage.disk().extents())) {
            row.extents = usage.disk().extents();
            row.extentsText = Counts.grouped(row.extents);
        }
        if (!row.thread.equals(allocation.thread())) {
            row.thread = allocation.thread();
            row.threadText = row.thread.isPresent() ? Long.toString(row.thread.getAsLong()) : "";
        }
        return new String[]{PrintableText.of(allocation.label()), row.typeText, row.sizeText, row.writtenText,
                usage.state().toString(), allocation.time().map(Times::format).orElse(""), row.threadText,
                row.extentsText};
    }

    private static String name(Path file) {
        return PrintableText.of(String.valueOf(file.getFileName()));
    }

    private static String[] cells(Row row) {
        DiskUsage usage = row.usage;
        return new String[]{row.name, ByteSizes.format(usage.byteSize()), Long.toString(usage.byteSize()),
                ByteSizes.format(usage.storedByteSize()), plain(usage.storedByteSize()), plain(usage.extents())};
    }

    private static String plain(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : Counts.grouped(value);
    }
}
