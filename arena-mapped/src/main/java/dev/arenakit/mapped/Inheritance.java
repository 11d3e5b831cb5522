package dev.arenakit.mapped;

import dev.arenakit.mapped.CatalogEntry.Allocated;
import dev.arenakit.mapped.CatalogEntry.DataFile;
import dev.arenakit.mapped.CatalogEntry.Text;
import dev.arenakit.mapped.CatalogEntry.Unreadable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the owner of an image takes over from those before it.
///
/// @param names the allocations that have names
/// @param texts the texts in the catalog
/// @param end   the end of the catalog, where new entries go
/// @param files how many numbers of data files are taken
/// @param free  the largest part of a chunk that nobody has allocated
record Inheritance(NamedAllocations names, List<Text> texts, long end, int files, Optional<Free> free) {
    /// A part of a file that nothing has been allocated in.
    record Free(int file, long start, long end) {
        long byteSize() {
            return end - start;
        }
    }

    /// Of the first owner.
    static Inheritance none() {
        return new Inheritance(new NamedAllocations(), List.of(), CatalogFormat.FIRST_ENTRY, 0, Optional.empty());
    }

    /// Of an image that the caller has locked.
    ///
    /// @throws IOException when it cannot be read, or new entries could be written over others
    static Inheritance of(Path base, CatalogReader reader) throws IOException {
        if (!reader.isHeaderIntact()) {
            throw new IOException("Header of the catalog is damaged: path=" + reader.file());
        }
        CatalogScan scan = new CatalogScan(reader);
        boolean isDamaged = !reader.isEndKnown() || reader.highWater() > scan.end();
        if (!isDamaged && !reader.isEndOfAll(scan.end())) {
            throw new IOException("High-water mark of the catalog is damaged: path=" + reader.file() + ", highWater="
                    + reader.highWater());
        }
        NamedAllocations names = new NamedAllocations();
        List<Text> texts = new ArrayList<>();
        Map<Integer, Long> sizes = new HashMap<>();
        Map<Integer, Long> ends = new HashMap<>();
        int files = 0;
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            switch (entry) {
                case Allocated allocated -> {
                    ends.merge(allocated.file(), allocated.byteOffset() + allocated.byteSize(), Math::max);
                    files = Math.max(files, allocated.file() + 1);
                    names.know(allocated);
                }
                case DataFile file -> {
                    sizes.put(file.number(), file.byteSize());
                    files = Math.max(files, file.number() + 1);
                }
                case Text text -> texts.add(text);
                case Unreadable unreadable -> isDamaged |= unreadable.isFinished();
                case CatalogEntry.Opened _,CatalogEntry.Nothing _ -> {
                    // The new owner adds itself.
                }
            }
        }
        // What is not recorded any more may have been written to: memory behind it would not be zero.
        Optional<Free> free = isDamaged || !reader.isChunked() ? Optional.empty() : largestFree(base, sizes, ends);
        return new Inheritance(names, texts, scan.end(), files, free);
    }

    private static Optional<Free> largestFree(Path base, Map<Integer, Long> sizes, Map<Integer, Long> ends)
            throws IOException {
        Free largest = null;
        for (Map.Entry<Integer, Long> file : sizes.entrySet()) {
            Free free = new Free(file.getKey(), ends.getOrDefault(file.getKey(), 0L), file.getValue());
            Path path = DataFiles.file(base, file.getKey());
            if ((largest == null || free.byteSize() > largest.byteSize())
                    && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && Files.size(path) >= free.end) {
                largest = free;
            }
        }
        return Optional.ofNullable(largest);
    }
}
