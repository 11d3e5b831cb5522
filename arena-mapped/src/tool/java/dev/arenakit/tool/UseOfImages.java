package dev.arenakit.tool;

import dev.arenakit.tool.Progress.Task;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// What images take on disk.
final class UseOfImages {
    private final Streams streams;

    UseOfImages(Streams streams) {
        this.streams = streams;
    }

    /// Prints images, and their sum where there are several.
    ///
    /// @return whether all could be read
    boolean print(Collection<FoundImage> images) throws IOException {
        UseTable table = new UseTable(streams);
        DiskUses uses = new DiskUses(streams);
        Map<String, DiskUse> rows = new LinkedHashMap<>();
        try (Task task = streams.progress().start("reading images", "images")) {
            for (FoundImage image : images) {
                rows.put(image.name(), uses.ofAll(image));
                task.at(rows.size());
            }
        }
        rows.forEach(table::measure);
        String sumName = ByteSizes.count(rows.size(), "image");
        DiskUse sum = rows.values().stream().reduce(DiskUse.NONE, DiskUse::plus);
        table.measureSum(sumName, sum);
        table.printTitles();
        for (Map.Entry<String, DiskUse> row : rows.entrySet()) {
            table.print(row.getKey(), row.getValue());
        }
        if (rows.size() > 1) {
            table.printSum(sumName, sum);
        }
        return !uses.hasFailed();
    }
}
