package dev.arenakit.mapped.internal.arena;

import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/// The numbers of the data files of an arena. The caller holds the lock of the arena.
final class DataFileNumbers {
    /* Numbers are claimed before their files are created. If the heap or the stack is exhausted meanwhile, the file may
     * exist although the JDK has thrown: it creates the file before the objects that describe it. A claimed file that
     * is not kept is deleted at once. If that fails in the same way, the file is deleted before the next one is
     * created. */

    private final Path base;

    /// Whether the numbers of files that others have made are skipped. Without a catalog, nobody could tell such files
    /// from the files of the arena.
    private final boolean isRecorded;

    /// The numbers of the files that the arena has made or found in its catalog.
    private final BitSet own;

    /// The number of the next file.
    private int next;

    /// The number of files, from the next one on, that may exist although no caller has kept them.
    private int claimed;

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
        return attempt(files, files, byteSize, creation);
    }

    /// Makes a file that does not remain.
    ///
    /// @param byteSize the requested size
    /// @param creation creates the file, and deletes it
    long probe(long byteSize, ToLongFunction<Path> creation) {
        long result = attempt(1, 0, byteSize, number -> creation.applyAsLong(ImagePaths.data(base, number)));
        deleteClaimed();
        return result;
    }

    private <T> T attempt(int files, int kept, long byteSize, IntFunction<T> creation) {
        claim(files, byteSize);
        try {
            T result = creation.apply(next);
            next += kept;
            claimed -= kept;
            return result;
        } catch (Throwable t) {
            if (t.getCause() instanceof FileAlreadyExistsException) {
                // Somebody else has made the file since its number was claimed, or it is a symbolic link to nothing. No
                // other file remains.
                own.clear(next, next + claimed);
                next += isRecorded ? claimed : 0;
                claimed = 0;
            }
            try {
                deleteClaimed();
            } catch (UncheckedIOException e) {
                t.addSuppressed(e);
            }
            throw t;
        }
    }

    private void claim(int files, long byteSize) {
        try {
            deleteClaimed();
        } catch (UncheckedIOException _) {
            // The previous call has reported the failure. The file remains until the arena deletes all of its files.
            next += claimed;
            claimed = 0;
        }
        for (int number = next; number < next + files; number++) {
            Path file = ImagePaths.data(base, number);
            // Without NOFOLLOW_LINKS, which would make an exception for each file that does not exist.
            if (Files.exists(file)) {
                if (!isRecorded) {
                    throw FileErrors.create(file, byteSize, new FileAlreadyExistsException(file.toString()));
                }
                next = number + 1;
            }
        }
        own.set(next, next + files);
        claimed = files;
    }

    private void deleteClaimed() {
        while (claimed > 0) {
            int last = next + claimed - 1;
            Path file = ImagePaths.data(base, last);
            if (Files.exists(file)) {
                SafeFiles.delete(file);
            }
            own.clear(last);
            claimed--;
        }
    }

    /// The numbers of all files of the arena.
    IntStream all() {
        return own.stream();
    }

    /// Forgets all files.
    void clear() {
        own.clear();
        next = 0;
        claimed = 0;
    }
}
