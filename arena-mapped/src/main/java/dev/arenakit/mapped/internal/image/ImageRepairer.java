package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.internal.arena.UnfinishedImage;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.data.RecordedFiles;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.locks.ImageLock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/// Copies a damaged image and mends the copy.
public final class ImageRepairer {
    /* The header is written last, as in each copy, so that an incomplete copy is not an image. Data files are copied as
     * a whole: they may contain the bytes of allocations whose records are lost. */

    private final CatalogReader catalog;
    private final Path from;
    private final Path to;
    private final CopyTarget copies;
    private final CopiedStructures structures;
    private final List<ImageFiles.Repair> repairs = new ArrayList<>();
    private final Set<Integer> missing = new TreeSet<>();
    /// The sizes of the copied data files that the catalog does not record.
    private final Map<Integer, Long> unrecorded = new TreeMap<>();

    private ImageRepairer(CatalogReader catalog, Path from, Path to, LongConsumer progress) throws IOException {
        copies = new CopyTarget(progress);
        this.catalog = catalog;
        this.from = from;
        this.to = to;
        structures = new CopiedStructures(catalog, from, to);
    }

    /// Copies a damaged image and mends the copy.
    ///
    /// @return the repairs, in the order in which they were made
    public static List<ImageFiles.Repair> repair(Path from, Path to, LongConsumer progress) throws IOException {
        try (CatalogReader catalog = CatalogReader.openDamaged(ImagePaths.catalog(from))) {
            if (ImageLock.holderOf(from) == ImageLock.Holder.PROCESS) {
                throw new IllegalStateException("A process owns the image: base=" + from
                        + "; repair it after the process has ended, or copy it with ArenaImage.copyTo");
            }
            if (UnfinishedImage.exists(from)) {
                throw new IOException("Image was never finished, and has no data, so that there is nothing to repair: "
                        + "base=" + from + "; remove it with ImageFiles.delete or arena purge, or create it anew: "
                        + "openOrCreate replaces it");
            }
            ImageRepairer repairer = new ImageRepairer(catalog, from, to, progress);
            try {
                repairer.run();
                return List.copyOf(repairer.repairs);
            } catch (Throwable t) {
                repairer.copies.undo(t);
                throw t;
            }
        }
    }

    private void run() throws IOException {
        try (FileChannel channel = copies.create(ImagePaths.catalog(to))) {
            CatalogRepair entries = new CatalogRepair(catalog, channel, repairs, copies::reportProgress,
                    copies::isStructure);
            copies.transfer(catalog.file(), CatalogFormat.FIRST_ENTRY, entries.end(), ImagePaths.catalog(to), channel);
            SafeFiles.growTo(channel, entries.end());
            NavigableMap<Integer, CatalogRepair.RepairedFile> files = entries.mendEntries();
            entries.confirmPlanned(from);
            addUnrecorded(entries, files);
            for (Map.Entry<Integer, CatalogRepair.RepairedFile> file : files.entrySet()) {
                copy(file.getKey(), file.getValue());
            }
            structures.complete();
            entries.endAllocations(ImagePaths.catalog(to), missing);
            entries.addRecords(unrecorded);
            copies.complete(to, channel, entries.header(files));
        }
    }

    /// Adds the files that the owner made, but whose records are lost: all numbers up to the next one. An empty one has
    /// nothing to copy if the owner has died.
    private void addUnrecorded(CatalogRepair entries, NavigableMap<Integer, CatalogRepair.RepairedFile> files)
            throws IOException {
        Set<Path> lost = entries.hasDied()
                ? Set.copyOf(RecordedFiles.emptyUnrecorded(from, entries.known()))
                : Set.of();
        for (long number : ImagePaths.numbers(from).headSet(files.isEmpty() ? 1 : files.lastKey() + 2L)) {
            if (!entries.isExpectedToBeMissing((int) number) && !lost.contains(ImagePaths.data(from, number))) {
                files.computeIfAbsent((int) number, _ -> new CatalogRepair.RepairedFile());
            }
        }
    }

    private void copy(int number, CatalogRepair.RepairedFile recorded) throws IOException {
        Path original = ImagePaths.data(from, number);
        Path copy = ImagePaths.data(to, number);
        long byteSize = recorded.byteSize();
        try (FileChannel channel = copies.create(copy)) {
            if (Files.isRegularFile(original)) {
                long found = copies.transfer(original, 0, Long.MAX_VALUE, copy, channel);
                if (found < byteSize) {
                    repairs.add(new ImageFiles.Repair(
                            "Data file is truncated, and the copy has a hole instead of the lost "
                                    + "bytes: path=" + original + ", lost=" + found + ".." + byteSize
                                    + (found < recorded.end() ? "" : "; no allocation was there"),
                            found < recorded.end()));
                }
                byteSize = Math.max(found, byteSize);
                if (recorded.structure() == number) {
                    structures.add(number, channel);
                }
                if (found < recorded.end()) {
                    structures.remove(recorded.structure());
                }
            } else {
                missing.add(number);
                repairs.add(new ImageFiles.Repair(
                        "Data file is missing, and its allocations were ended: path=" + original
                                + ", byteSize=" + byteSize + ", allocations=" + recorded.allocations(),
                        recorded.allocations() > 0));
            }
            CopyTarget.complete(channel, byteSize);
        }
        if (!recorded.isRecorded()) {
            unrecorded.put(number, byteSize);
        }
    }
}
