package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/// Copies an image with its holes, while its owner may be writing it.
public final class ImageCopy {
    /* The catalog is copied first: all that the copy records exists. Each data file is copied up to the last allocation
     * that the copy records in it, so that the rest is zero, as the next owner of the copy expects. An allocation that
     * is freed meanwhile may have lost its contents before they were copied, hence its state is copied after them. The
     * header is written last, so that an incomplete copy is not an image. */

    private final CatalogReader catalog;
    private final Path from;
    private final Path to;
    private final CopyTarget files;
    private final CopiedStructures copiedStructures;

    private ImageCopy(CatalogReader catalog, Path from, Path to, LongConsumer progress) throws IOException {
        files = new CopyTarget(progress);
        this.catalog = catalog;
        this.from = from;
        this.to = to;
        copiedStructures = new CopiedStructures(catalog, from, to);
    }

    /// Copies an image.
    ///
    /// @param to the base of the copy
    /// @throws IOException if a file cannot be read or created; the files that were created are deleted
    public static void copy(CatalogReader catalog, Path from, Path to, LongConsumer progress) throws IOException {
        ImageCopy copy = new ImageCopy(catalog, from, to, progress);
        try {
            copy.run();
        } catch (Throwable t) {
            copy.files.undo(t);
            throw t;
        }
    }

    private void run() throws IOException {
        long end = end();
        try (FileChannel copy = files.create(ImagePaths.catalog(to))) {
            copyEntries(copy, end);
            Map<Integer, Long> ends = new TreeMap<>();
            Map<Integer, Long> counts = new TreeMap<>();
            Map<Integer, Integer> lines = new HashMap<>();
            BitSet removed = new BitSet();
            BitSet live = new BitSet();
            Map<Integer, Integer> structures = new HashMap<>();
            try (CatalogReader copied = CatalogReader.openEntries(ImagePaths.catalog(to), catalog.boot())) {
                CatalogScan scan = CatalogScan.of(copied);
                for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                    switch (entry) {
                        case CatalogEntry.DataFile file -> {
                            lines.put(file.number(), file.line());
                            if (file.isRemoved()) {
                                removed.set(file.number());
                            } else if (!file.isPlanned()) {
                                ends.merge(file.number(), 0L, Math::max);
                            }
                        }
                        case CatalogEntry.Allocated allocated -> {
                            for (AllocationPart part : allocated.partsOfAllFiles()) {
                                ends.merge(part.file(), part.byteOffset() + part.byteSize(), Math::max);
                                if (allocated.isLive()) {
                                    live.set(part.file());
                                }
                            }
                            if (files.isStructure(allocated)) {
                                allocated.partsOfAllFiles()
                                        .forEach(part -> structures.put(part.file(), allocated.file()));
                            }
                            // Elements that do not count stay so.
                            if (allocated.elementCount() >= 0
                                    && allocated.elementCount() == allocated.storedCount()) {
                                counts.put(allocated.line() - 1, allocated.elementCount());
                            }
                        }
                        default -> {
                            // It is in no data file.
                        }
                    }
                }
            }
            int fileCount = Stream.concat(ends.keySet().stream(), lines.keySet().stream())
                    .mapToInt(number -> number + 1)
                    .max()
                    .orElse(0);
            // A file with live allocations is there, unless its owner has removed it since the catalog was copied.
            removed.andNot(live);
            removed.stream().forEach(ends::remove);
            CatalogPatch patch = new CatalogPatch(copy);
            for (Map.Entry<Integer, Long> file : ends.entrySet()) {
                int number = file.getKey();
                if (!copyFile(number, file.getValue(), structures.getOrDefault(number, CatalogFormat.NO_FILE))) {
                    patch.setState(removedNow(number, lines) * CatalogFormat.LINE, CatalogFormat.STATE_REMOVED);
                }
            }
            // The elements were in the files before they were counted, hence they are in the copies. Another machine
            // trusts a count that was forced.
            for (Map.Entry<Integer, Long> count : counts.entrySet()) {
                patch.setCounts(count.getKey(), count.getValue());
            }
            if (copiedStructures.complete()) {
                copyStates(patch);
            }
            files.complete(to, copy, catalog.header(end, fileCount));
        }
    }

    /// The end of the copied catalog. If there is an owner, the copy ends before the first record that is unfinished,
    /// or whose data file is recorded behind the end of the copy.
    private long end() throws IOException {
        CatalogScan scan = CatalogScan.of(catalog);
        if (!copiedStructures.mayHaveOwner()) {
            return scan.end();
        }
        Map<Integer, Long> firstUses = new HashMap<>();
        Map<Integer, Long> recordEnds = new HashMap<>();
        long end = scan.end();
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            switch (entry) {
                case CatalogEntry.DataFile file -> recordEnds.putIfAbsent(file.number(), scan.position());
                case CatalogEntry.Run run -> firstUses.putIfAbsent(run.file(), run.line() * CatalogFormat.LINE);
                case CatalogEntry.Allocated allocated -> allocated.partsOfAllFiles()
                        .forEach(part -> firstUses.putIfAbsent(part.file(), allocated.line() * CatalogFormat.LINE));
                case CatalogEntry.Unreadable unreadable when !unreadable.isFinished() -> end = Math.min(end,
                        unreadable.line() * CatalogFormat.LINE);
                default -> {
                    // It refers to no data file.
                }
            }
        }
        long previous;
        do {
            previous = end;
            for (Map.Entry<Integer, Long> use : firstUses.entrySet()) {
                // Leaving out a record may leave out the record of a file that an earlier allocation uses.
                if (use.getValue() < end && recordEnds.getOrDefault(use.getKey(), Long.MAX_VALUE) > end) {
                    end = use.getValue();
                }
            }
        } while (end < previous);
        return end;
    }

    /// Ends the allocations of the copy that have ended since the catalog was copied.
    private void copyStates(CatalogPatch patch) throws IOException {
        try (CatalogReader copied = CatalogReader.openEntries(ImagePaths.catalog(to))) {
            CatalogScan scan = CatalogScan.of(copied);
            CatalogScan original = CatalogScan.of(catalog);
            CatalogEntry.Allocated present = null;
            long runEnd = 0;
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                if (entry instanceof CatalogEntry.Run run) {
                    runEnd = (run.line() + run.lines()) * CatalogFormat.LINE;
                } else if (entry instanceof CatalogEntry.Allocated allocated
                        && allocated.isLive()) {
                    while (present == null || present.number() < allocated.number()) {
                        Optional<CatalogEntry.Allocated> next = original.following(CatalogEntry.Allocated.class);
                        if (next.isEmpty()) {
                            return;
                        }
                        present = next.get();
                    }
                    if (present.number() == allocated.number() && !present.isLive()) {
                        patch.end(allocated.number() * CatalogFormat.SLOT, runEnd);
                    }
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// @param structure the first file of the structure that the file contains, or -1
    /// @return false if the file does not exist
    private boolean copyFile(int number, long byteSize, int structure) throws IOException {
        Path copy = ImagePaths.data(to, number);
        try (FileChannel channel = files.create(copy)) {
            long fileByteSize = files.transfer(ImagePaths.data(from, number), 0, byteSize, copy, channel);
            if (number == structure) {
                copiedStructures.add(number, channel);
            }
            if (fileByteSize < byteSize) {
                copiedStructures.remove(structure);
            }
            CopyTarget.complete(channel, fileByteSize);
            return true;
        } catch (NoSuchFileException _) {
            files.delete(copy);
            return false;
        }
    }

    /// The line of the record of a file that the owner has removed since the catalog was copied.
    ///
    /// @throws NoSuchFileException if the owner has not removed it
    private int removedNow(int number, Map<Integer, Integer> lines) throws IOException {
        int line = lines.getOrDefault(number, 0);
        if (line > 0 && CatalogScan.at(catalog, line).next() instanceof CatalogEntry.DataFile now && now.isRemoved()) {
            return line;
        }
        throw new NoSuchFileException(ImagePaths.data(from, number).toString());
    }

    private void copyEntries(FileChannel copy, long end) throws IOException {
        files.transfer(ImagePaths.catalog(from), CatalogFormat.FIRST_ENTRY, end, ImagePaths.catalog(to), copy);
        SafeFiles.growTo(copy, end);
    }
}
