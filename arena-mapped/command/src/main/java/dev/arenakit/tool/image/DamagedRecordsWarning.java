package dev.arenakit.tool.image;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.Streams;
import java.nio.file.Path;

/// The warning about an image whose catalog is damaged.
public final class DamagedRecordsWarning {
    private DamagedRecordsWarning() {}

    /// Reports that damaged records were skipped when the allocations were read.
    ///
    /// @return whether records were skipped
    public static boolean report(Streams streams, ArenaImage image, Path base) {
        if (image.hasSkippedDamage()) {
            streams.report(base + ": records of the catalog are damaged, and allocations may be missing (try arena"
                    + " verify)");
        }
        return image.hasSkippedDamage();
    }
}
