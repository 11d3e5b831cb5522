package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.ImagePaths;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// The names of the files of an image.
///
/// The base of an image is a path such as `dir/memory`. Its files are in the same directory, and their names begin with
/// the file name of the base:
///
/// | file | contents |
/// |---|---|
/// | `memory.catalog` | a record of each allocation |
/// | `memory.lock` | nothing: the process that owns the image holds a lock on it |
/// | `memory-0`, `memory-1`, … | the data files, which hold the allocated memory |
///
/// To copy an image by other means than [ArenaImage#copyTo], copy the catalog and the data files. The methods of this
/// class do not access the file system.
public final class ImageFiles {
    private ImageFiles() {}

    /// {@return the path of the catalog}
    ///
    /// @param base the base of the image
    public static Path catalog(Path base) {
        return ImagePaths.catalog(base);
    }

    /// {@return the path of the lock file}
    ///
    /// @param base the base of the image
    public static Path lock(Path base) {
        return ImagePaths.lock(base);
    }

    /// {@return the path of a data file}
    ///
    /// @param base   the base of the image
    /// @param number the number of the data file, from 0
    public static Path data(Path base, long number) {
        return ImagePaths.data(base, number);
    }

    /// {@return the base of the image that a file with this name belongs to, or empty if no file of an image has this
    /// name}
    ///
    /// @param file the path of a catalog, a lock file or a data file
    public static Optional<Path> baseOf(Path file) {
        return ImagePaths.baseOf(file);
    }

    /// {@return the number in the name of a data file, or empty if no data file has this name}
    ///
    /// @param file the path of a data file
    public static OptionalLong numberOf(Path file) {
        return ImagePaths.numberOf(file);
    }
}
