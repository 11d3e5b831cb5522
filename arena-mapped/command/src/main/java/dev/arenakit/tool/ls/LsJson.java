package dev.arenakit.tool.ls;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.Streams;
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
import tools.jackson.core.JsonGenerator;

/// Lists as JSON.
final class LsJson implements LsForm {
    private final Streams streams;
    private final Optional<LsOrder> order;
    private final JsonLines lines;

    LsJson(Streams streams, Optional<LsOrder> order) {
        this.streams = streams;
        this.order = order;
        lines = new JsonLines(streams, "ls");
    }

    @Override
    public boolean printImages(Collection<ImageFileSet> images) throws IOException {
        LsImage.Reader reader = new LsImage.Reader(streams, order);
        for (LsImage image : reader.read(images)) {
            write(image);
        }
        return !reader.hasFailed();
    }

    @Override
    public boolean printImage(ArenaImage image, ImageFileSet found) throws IOException {
        DiskUsage.Meter meter = new DiskUsage.Meter(streams);
        MeasuredAllocations allocations = LsForm.allocations(image, meter, order);
        allocations.measure((_, _) -> {
            // This pass only computes the sums.
        });
        DiskUsage data = meter.measureData(found);
        write(new LsImage(found, ImageState.of(image), OptionalLong.of(allocations.count() - allocations.freed()),
                allocations.live().byteSize(), data, data.plus(meter.measureOthers(found))));
        allocations.forEach((allocation, usage) -> write(image, allocation, usage));
        return allocations.damaged() == 0 && !meter.hasFailed();
    }

    private void write(LsImage image) throws IOException {
        lines.write("image", json -> {
            ImageFileSet.writeJson(json, image.files().base());
            json.writeNumberProperty("files", image.files().numbers().size());
            JsonLines.number(json, "allocations", image.count());
            json.writeNumberProperty("byteSize", image.byteSize());
            json.writeNumberProperty("fileByteSize", image.disk().byteSize());
            JsonLines.number(json, "onDisk", image.disk().storedByteSize());
            JsonLines.number(json, "dataOnDisk", image.data().storedByteSize());
            JsonLines.number(json, "extents", image.disk().extents());
            image.state().writeJson(json);
        });
    }

    private void write(ArenaImage image, Allocation allocation, AllocationUsage usage) throws IOException {
        Optional<StructType> type = TypeNames.readable(image, allocation);
        OptionalLong count = type.isEmpty() ? OptionalLong.empty() : count(image, allocation, type.get());
        lines.write("allocation", json -> {
            json.writeStringProperty("allocation", allocation.label());
            json.writeNumberProperty("number", allocation.number());
            json.writeStringProperty("state", usage.state().toString());
            json.writeNumberProperty("byteSize", allocation.byteSize());
            JsonLines.number(json, "written", usage.disk().storedByteSize());
            JsonLines.number(json, "extents", usage.disk().extents());
            writePlace(json, allocation);
            JsonLines.time(json, "made", allocation.time());
            JsonLines.number(json, "thread", allocation.thread());
            JsonLines.text(json, "typeName", type.map(TypeNames::of));
            JsonLines.number(json, "count", count);
            JsonLines.number(json, "elementCount", allocation.elementCount());
            JsonLines.number(json, "storedCount", allocation.storedCount());
            JsonLines.text(json, "type", allocation.typeText());
        });
    }

    /// An allocation without bytes has no place.
    private static void writePlace(JsonGenerator json, Allocation allocation) {
        if (allocation.file() >= 0) {
            json.writeNumberProperty("file", allocation.file());
            json.writeNumberProperty("byteOffset", allocation.byteOffset());
        } else {
            json.writeNullProperty("file");
            json.writeNullProperty("byteOffset");
        }
    }

    /// The number of structs, or of the entries of a structure; empty if the structure is damaged.
    private static OptionalLong count(ArenaImage image, Allocation allocation, StructType type) {
        try {
            Optional<ImageEntries> entries = allocation.isLive() ? image.entries(allocation) : Optional.empty();
            return OptionalLong.of(entries.isPresent()
                    ? entries.get().count()
                    : TypeNames.count(type, allocation));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
