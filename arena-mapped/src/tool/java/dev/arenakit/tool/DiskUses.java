package dev.arenakit.tool;

import dev.arenakit.mapped.SparseFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Asks what files take on disk, and reports those that cannot be asked.
final class DiskUses {
    private final Streams streams;
    private boolean failed;
    private boolean warned;

    DiskUses(Streams streams) {
        this.streams = streams;
    }

    /// Whether a file could not be read.
    boolean hasFailed() {
        return failed;
    }

    /// What a file takes, empty where it cannot be read.
    Optional<DiskUse> of(Path path) {
        try (SparseFile file = SparseFile.open(path)) {
            warn(file);
            return Optional.of(DiskUse.of(file));
        } catch (IOException e) {
            failed = true;
            streams.complain(path.toString(), e);
            return Optional.empty();
        }
    }

    /// What the data files of an image take, but for those that cannot be read.
    DiskUse of(FoundImage image) {
        DiskUse sum = DiskUse.NONE;
        for (long number : image.numbers()) {
            sum = sum.plus(of(image.file(number)).orElse(DiskUse.NONE));
        }
        return sum;
    }

    /// What all files of an image take, its catalog included.
    DiskUse ofAll(FoundImage image) {
        DiskUse data = of(image);
        return image.hasCatalog() ? data.plus(of(image.catalog()).orElse(DiskUse.NONE)) : data;
    }

    /// Says once why nothing is known of what is on disk, where that is so.
    void warn(SparseFile file) {
        if (!warned && file.holesUnknown().isPresent()) {
            warned = true;
            streams.complain("what is on disk is unknown: " + file.holesUnknown().get());
        }
    }
}
