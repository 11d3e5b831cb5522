package dev.arenakit.mapped.internal.arena;

import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Allocated;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.DataFile;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Run;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Unreadable;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.data.MappedFiles.FreeRange;
import dev.arenakit.mapped.internal.data.RecordedFiles;
import dev.arenakit.mapped.internal.files.ImagePaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The state of an image that its new owner reads from the catalog when it reopens the image.
///
/// @param names the allocations with names
/// @param texts the texts in the catalog that new entries may refer to: types, and the name of this JVM
/// @param end   the end of the catalog, where new entries go
/// @param files the data files in the catalog
/// @param free  the largest range behind the recorded allocations of a chunk, which need not be zero
/// @param freed the allocations that were freed, and whose memory may not be zero yet
public record ReopenedState(ConcurrentHashMap<String, NamedAllocation> names, List<Text> texts, long end,
        RecordedFiles files, Optional<FreeRange> free, List<FreedBefore> freed)
        implements
            CatalogWriter.Remains {
    /// An allocation that a previous owner has freed.
    ///
    /// @param isSlot whether it is recorded in a run
    public record FreedBefore(Allocated allocated, boolean isSlot) {}

    /// The state of a new image.
    public static ReopenedState none() {
        return new ReopenedState(new ConcurrentHashMap<>(), List.of(), CatalogFormat.FIRST_ENTRY, new RecordedFiles(),
                Optional.empty(), List.of());
    }

    /// Reads the state of an image that the caller has locked.
    ///
    /// @throws IOException if the image cannot be read
    public static ReopenedState read(Path base, CatalogReader reader) throws IOException {
        CatalogScan scan = CatalogScan.ofWholeFile(reader);
        boolean isDamaged = !reader.isHighWaterValid() || reader.highWater() != scan.end();
        ConcurrentHashMap<String, NamedAllocation> names = new ConcurrentHashMap<>();
        List<Text> texts = new ArrayList<>();
        Map<Integer, Long> sizes = new HashMap<>();
        Map<Integer, Long> ends = new HashMap<>();
        String jvm = CatalogWriter.jvm();
        RecordedFiles files = new RecordedFiles();
        List<FreedBefore> freed = new ArrayList<>();
        long runEnd = 0;
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            switch (entry) {
                case Allocated allocated -> {
                    for (AllocationPart part : allocated.partsOfAllFiles()) {
                        ends.merge(part.file(), part.byteOffset() + part.byteSize(), Math::max);
                        files.addReferred(part.file());
                    }
                    if (allocated.isFreed()) {
                        allocated.partsOfAllFiles().forEach(part -> files.addFreed(part.file()));
                        freed.add(new FreedBefore(allocated, allocated.number() * CatalogFormat.SLOT < runEnd));
                    }
                    // If a damaged catalog has two allocations with the same name, the later one is found.
                    if (allocated.name().line() != 0 && allocated.isLive()) {
                        names.put(allocated.name().text(), new NamedAllocation(allocated));
                    }
                }
                case Run run -> {
                    // A previous owner that is alive and has lost its lock may still allocate there.
                    ends.merge(run.file(), run.end(), Math::max);
                    files.addReferred(run.file());
                    runEnd = scan.position();
                }
                case DataFile file -> {
                    if (!file.isPlanned() && !file.isRemoved()) {
                        sizes.put(file.number(), file.byteSize());
                    }
                    files.add(file);
                }
                case Text text when CatalogFormat.isType(text.text()) || text.text().equals(jvm) -> texts.add(text);
                case Unreadable unreadable -> isDamaged |= unreadable.isFinished();
                case CatalogEntry.Opened owner -> files.add(owner);
                case Text _,CatalogEntry.Cancelled _,CatalogEntry.Count _ -> {
                    // Names belong to their allocations, and the new owner adds a record of its own.
                }
            }
        }
        Optional<FreeRange> free = isDamaged || !reader.isChunked() ? Optional.empty() : largestFree(base, sizes, ends);
        return new ReopenedState(names, texts, scan.claimedEnd(), files, free, freed);
    }

    private static Optional<FreeRange> largestFree(Path base, Map<Integer, Long> sizes, Map<Integer, Long> ends)
            throws IOException {
        FreeRange largest = null;
        for (Map.Entry<Integer, Long> file : sizes.entrySet()) {
            FreeRange free = new FreeRange(file.getKey(), ends.getOrDefault(file.getKey(), 0L), file.getValue());
            Path path = ImagePaths.data(base, file.getKey());
            // The recorded size of a file that grows is 0.
            if (free.byteSize() > (largest == null ? 0 : largest.byteSize())
                    && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && Files.size(path) >= free.end()) {
                largest = free;
            }
        }
        return Optional.ofNullable(largest);
    }
}
