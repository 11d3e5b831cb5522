package dev.arenakit.tool.image;

import dev.arenakit.mapped.SparseFile;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Measures the sizes of files on disk. Files that cannot be read are reported.
public final class DiskUsageMeter {
    private final Streams streams;
    private final UnknownHolesWarning warning;
    private boolean failed;

    public DiskUsageMeter(Streams streams) {
        this.streams = streams;
        warning = UnknownHolesWarning.ofSizes(streams);
    }

    /// The warning that this meter prints if the file system does not report holes.
    public UnknownHolesWarning warning() {
        return warning;
    }

    /// Whether a file could not be read.
    public boolean hasFailed() {
        return failed;
    }

    /// Measures a file.
    ///
    /// @return empty if the file cannot be read
    public Optional<DiskUsage> measure(Path path) {
        try (SparseFile file = SparseFile.open(path)) {
            warning.check(file);
            return Optional.of(DiskUsage.of(file));
        } catch (IOException e) {
            failed = true;
            streams.report(path.toString(), e);
            return Optional.empty();
        }
    }

    /// Measures the data files of an image.
    ///
    /// @return the sum of the files that can be read
    public DiskUsage measureData(ImageFileSet image) {
        DiskUsage sum = DiskUsage.NONE;
        for (long number : image.numbers()) {
            sum = sum.plus(measure(image.file(number)).orElse(DiskUsage.NONE));
        }
        return sum;
    }

    /// Measures all files of an image, its catalog included.
    ///
    /// @return the sum of the files that can be read
    public DiskUsage measureAll(ImageFileSet image) {
        DiskUsage data = measureData(image);
        return image.hasCatalog() ? data.plus(measure(image.catalog()).orElse(DiskUsage.NONE)) : data;
    }
}
