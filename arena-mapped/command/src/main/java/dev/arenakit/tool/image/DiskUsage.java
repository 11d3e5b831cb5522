package dev.arenakit.tool.image;

import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// The sizes of files, or of allocations in them.
///
/// @param byteSize       the size, holes included
/// @param storedByteSize for files, the size on disk, which the file system has allocated for them; for an allocation,
///                       the number of written bytes; empty if unknown
/// @param extents        the number of extents of data between the holes; empty if unknown
public record DiskUsage(long byteSize, OptionalLong storedByteSize, OptionalLong extents) {
    /// The usage of no file.
    public static final DiskUsage NONE = new DiskUsage(0, OptionalLong.of(0), OptionalLong.of(0));

    /// The usage of a file. `storedByteSize` is the size that the file system has allocated.
    static DiskUsage of(SparseFile file) throws IOException {
        return new DiskUsage(file.byteSize(), file.storedByteSize(), file.extentCount());
    }

    /// Returns the sum of this usage and another.
    public DiskUsage plus(DiskUsage other) {
        return new DiskUsage(ByteSizes.sum(byteSize, other.byteSize),
                ByteSizes.sum(storedByteSize, other.storedByteSize), ByteSizes.sum(extents, other.extents));
    }

    /// Measures the sizes of files on disk. Files that cannot be read are reported.
    public static final class Meter {
        private final Streams streams;
        private final UnknownHolesWarning warning;
        private boolean failed;

        public Meter(Streams streams) {
            this.streams = streams;
            warning = new UnknownHolesWarning(streams, "sizes on disk and written sizes are unknown");
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

        /// Measures the size on disk of all files of an image: data, catalog and lock. All commands print this measure.
        ///
        /// @return the sum of the files that can be read
        public OptionalLong onDisk(ImageFileSet image) {
            return measureData(image).plus(measureOthers(image)).storedByteSize();
        }

        /// Measures the data files of an image.
        ///
        /// @return the sum of the files that can be read
        public DiskUsage measureData(ImageFileSet image) {
            DiskUsage sum = NONE;
            for (long number : image.numbers()) {
                sum = sum.plus(measure(image.file(number)).orElse(NONE));
            }
            return sum;
        }

        /// Measures the catalog and the lock file of an image.
        public DiskUsage measureOthers(ImageFileSet image) {
            return measureIfThere(image.catalog()).plus(measureLock(image.lock()));
        }

        /// An empty lock file takes no space. It must not be opened, since closing it would release a lock that this
        /// process holds.
        private DiskUsage measureLock(Path path) {
            try {
                return Files.size(path) == 0 ? NONE : measureIfThere(path);
            } catch (IOException e) {
                // Either there is no lock file, or it cannot be opened either, and this is reported.
                return measureIfThere(path);
            }
        }

        /// Measures a file that may not exist. No link is followed.
        public DiskUsage measureIfThere(Path path) {
            return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                    ? measure(path).orElse(NONE)
                    : NONE;
        }
    }
}
