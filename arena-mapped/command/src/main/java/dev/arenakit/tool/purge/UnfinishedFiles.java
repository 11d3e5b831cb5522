package dev.arenakit.tool.purge;

import dev.arenakit.mapped.internal.files.FileExtentSource;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// The files of a process that was killed while it created an image: a lock file, a catalog of zeros, and data files
/// without data. No reader opens such an image.
final class UnfinishedFiles {
    /// The largest size of the catalog of a new image.
    private static final long LARGEST = 1 << 20;

    private UnfinishedFiles() {}

    /// The state of such an image.
    static final String STATE = "unfinished";

    /// Whether the files of an image are such files. The creator may still be running.
    static boolean areOf(ImageFileSet image) throws IOException {
        if (!Files.isRegularFile(image.lock(), LinkOption.NOFOLLOW_LINKS) || !isZero(image.catalog())) {
            return false;
        }
        for (long number : image.numbers()) {
            if (!FileExtentSource.isEmpty(image.file(number))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZero(Path catalog) throws IOException {
        return Files.isRegularFile(catalog, LinkOption.NOFOLLOW_LINKS) && Files.size(catalog) <= LARGEST
                && FileExtentSource.isZero(catalog);
    }
}
