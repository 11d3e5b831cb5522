package dev.arenakit.mapped.internal.arena;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// The numbers of the data files of an arena. The caller holds the lock of the arena.
final class DataFileNumbers {
    /* Numbers are claimed before their files are created: an error that interrupts the creation may leave a file, and
     * the next file gets another number. The arena deletes such a file with all of its files. */

    private final Path base;

    /// Whether the numbers of files that others have made are skipped. Without a catalog, nobody could tell such files
    /// from the files of the arena.
    private final boolean isRecorded;

    /// The numbers of the files that the arena has made or found in its catalog.
    private final BitSet own;

    /// The number of the next file.
    private int next;

    /// @param recorded the numbers of the files that previous owners have recorded
    DataFileNumbers(Path base, boolean isRecorded, BitSet recorded) {
        this.base = base;
        this.isRecorded = isRecorded;
        own = (BitSet) recorded.clone();
        next = own.length();
    }

    /// Makes files of consecutive numbers. On failure, no file remains, and the numbers are free again.
    ///
    /// @param byteSize the requested size
    /// @param creation creates the files, whose first number it gets, and records them
    <T> T make(int files, long byteSize, IntFunction<T> creation) {
        int first = findFree(files, byteSize);
        own.set(first, first + files);
        next = first + files;
        try {
            return creation.apply(first);
        } catch (Throwable t) {
            try {
                giveBack(first, t);
            } catch (UncheckedIOException e) {
                t.addSuppressed(e);
            }
            throw t;
        }
    }

    /// The first of several consecutive numbers whose files do not exist.
    private int findFree(int files, long byteSize) {
        int first = next;
        for (int number = first; number < first + files; number++) {
            Path file = ImagePaths.data(base, number);
            // Without NOFOLLOW_LINKS, which would make an exception for each file that does not exist.
            if (Files.exists(file)) {
                if (!isRecorded) {
                    throw FileErrors.create(file, byteSize, new FileAlreadyExistsException(file.toString()));
                }
                first = number + 1;
            }
        }
        if (first > CatalogFormat.LARGEST_FILE - files + 1) {
            throw new CapacityExceededException("Numbers of data files are used up: base=" + base,
                    CatalogFormat.LARGEST_FILE + 1L, first, files, "build another arena with another base");
        }
        return first;
    }

    /// Deletes the files whose creation has failed. If that fails, too, their numbers stay in use.
    private void giveBack(int first, Throwable failure) {
        int end = next;
        int freed = first;
        if (failure.getCause() instanceof FileAlreadyExistsException foreign) {
            // Somebody else has made the file since its number was claimed, or it is a symbolic link to nothing.
            end = IntStream.range(first, next)
                    .filter(number -> ImagePaths.data(base, number).toString().equals(foreign.getFile()))
                    .findFirst()
                    .orElse(first);
            own.clear(end, next);
            freed = isRecorded ? end + 1 : first;
        }
        SafeFiles.deleteAll(IntStream.range(first, end).mapToObj(number -> ImagePaths.data(base, number)).toList());
        own.clear(first, next);
        next = freed;
    }

    /// The numbers of all files of the arena.
    IntStream all() {
        return own.stream();
    }

    /// Forgets all files.
    void clear() {
        own.clear();
        next = 0;
    }
}
