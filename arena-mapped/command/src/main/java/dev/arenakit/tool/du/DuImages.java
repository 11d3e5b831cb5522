package dev.arenakit.tool.du;

import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// Prints the sizes of images on disk.
final class DuImages {
    private final Streams streams;

    DuImages(Streams streams) {
        this.streams = streams;
    }

    /// Prints images, and their sum if there are several.
    ///
    /// @return whether all files could be read
    boolean print(Collection<ImageFileSet> images) throws IOException {
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
}
