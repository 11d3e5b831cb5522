package dev.arenakit.mapped.internal.data;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The numbers of the data files of an arena, and their records in its catalog. The caller holds the lock of the arena.
final class DataFileNumbers {
    /* Numbers are claimed before their files are created: an error that interrupts the creation may leave a file, and
     * the next file gets another number. The arena deletes such a file with all of its files.
     *
     * A file is recorded as planned before it is created. If the process is killed then, the next owner knows that an
     * empty file with this number is a file of the arena. If the creation fails, the next file gets number and record. */

    private final Path base;

    /// Null if there is no catalog. Otherwise, the numbers of files that others have made are skipped. Without a
    /// catalog, nobody could tell such files from the files of the arena.
    private final @Nullable CatalogWriter catalog;

    /// The numbers of the files that the arena has made or found in its catalog.
    private final BitSet own = new BitSet();

    /// The lines of the records of planned and existing files by their numbers.
    private final Map<Integer, Integer> lines;

    /// The files that are recorded as removed, and that may still be there.
    private final BitSet removing;

    /// The number of the next file.
    private int next;

    /// @param recorded the files that previous owners have recorded
    DataFileNumbers(Path base, @Nullable CatalogWriter catalog, RecordedFiles recorded) {
        this.base = base;
        this.catalog = catalog;
        own.or(recorded.present());
        lines = recorded.lines();
        removing = recorded.removing();
        next = recorded.next();
    }

    /// Makes files of consecutive numbers. On failure, no file remains, and the numbers are free again.
    ///
    /// @param byteSize the requested size
    /// @param creation creates the files, whose first number it gets, and [confirms][#confirm] them
    <T> T make(int files, long byteSize, IntFunction<T> creation) {
        int first = findFree(files, byteSize);
        retire(next, first);
        next = first;
        if (catalog != null) {
            // On failure there is nothing to delete: a file that has appeared meanwhile belongs to somebody else.
            for (int number = first; number < first + files; number++) {
                lines.computeIfAbsent(number, catalog::planDataFile);
            }
        }
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
                if (catalog == null) {
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

    /// Records that a file is there, before its memory is handed out.
    void confirm(int number, long byteSize) {
        if (catalog != null) {
            catalog.confirmDataFile(line(number), byteSize);
        }
    }

    /// Whether the record of a file is known.
    boolean isRecorded(int number) {
        return lines.containsKey(number);
    }

    /// Whether a file is recorded as removed, and may still be there.
    boolean isBeingRemoved(int number) {
        return removing.get(number);
    }

    /// Records that a file is going to be removed.
    void recordRemoval(int number) {
        Objects.requireNonNull(catalog).removeDataFile(line(number));
    }

    /// Forgets a file that was removed. Its number is never used again.
    void forget(int number) {
        own.clear(number);
        removing.clear(number);
        lines.remove(number);
    }

    private int line(int number) {
        return Objects.requireNonNull(lines.get(number));
    }

    /// Deletes the files whose creation has failed. If that fails, too, their numbers stay in use.
    private void giveBack(int first, Throwable failure) {
        int end = next;
        int freed = first;
        IntStream.range(first, next).filter(this::isRecorded).map(this::line).forEach(this::planAgain);
        if (failure.getCause() instanceof FileAlreadyExistsException foreign) {
            // Somebody else has made the file since its number was claimed, or it is a symbolic link to nothing.
            end = IntStream.range(first, next)
                    .filter(number -> ImagePaths.data(base, number).toString().equals(foreign.getFile()))
                    .findFirst()
                    .orElse(first);
            own.clear(end, next);
            freed = catalog != null ? end + 1 : first;
        }
        SafeFiles.deleteAll(IntStream.range(first, end).mapToObj(number -> ImagePaths.data(base, number)).toList());
        own.clear(first, next);
        next = freed;
        retire(first, freed);
    }

    /// Ends the records of files that were not made, and whose numbers are not used again. Somebody else may make or
    /// have made files with these numbers.
    private void retire(int start, int end) {
        IntStream.range(start, end).filter(this::isRecorded).forEach(number -> {
            recordRemoval(number);
            lines.remove(number);
        });
    }

    /// The file may have been confirmed. Its record must not say that it is there when it is deleted.
    private void planAgain(int line) {
        Objects.requireNonNull(catalog).planDataFileAgain(line);
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
