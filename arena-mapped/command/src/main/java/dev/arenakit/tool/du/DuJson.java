package dev.arenakit.tool.du;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationJson;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.MeasuredAllocations;
import java.io.IOException;
import java.util.Collection;

/// Sizes as JSON.
final class DuJson implements DuForm {
    private final Streams streams;
    private final JsonLines lines;
    private final DiskUsage.Meter meter;

    DuJson(Streams streams) {
        this.streams = streams;
        lines = new JsonLines(streams, "du");
        meter = new DiskUsage.Meter(streams);
    }

    @Override
    public boolean printImages(Collection<ImageFileSet> images) throws IOException {
        for (ImageFileSet image : images) {
            write(image);
        }
        return !meter.hasFailed();
    }

    @Override
    public boolean printImage(ArenaImage image, ImageFileSet found) throws IOException {
        write(found);
        MeasuredAllocations allocations = new MeasuredAllocations(streams, image, found.name(), meter);
        allocations.measure((allocation, usage) -> AllocationJson.write(lines, image, allocation, usage));
        return !meter.hasFailed() && allocations.damaged() == 0;
    }

    private void write(ImageFileSet image) throws IOException {
        DiskUsage data = meter.measureData(image);
        DiskUsage all = data.plus(meter.measureOthers(image));
        lines.write("image", json -> {
            ImageFileSet.writeJson(json, image.base());
            json.writeNumberProperty("files", image.numbers().size());
            json.writeNumberProperty("fileByteSize", all.byteSize());
            JsonLines.number(json, "onDisk", all.storedByteSize());
            JsonLines.number(json, "dataOnDisk", data.storedByteSize());
            JsonLines.number(json, "extents", all.extents());
        });
    }
}
