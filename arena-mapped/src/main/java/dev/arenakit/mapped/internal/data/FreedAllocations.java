package dev.arenakit.mapped.internal.data;

import dev.arenakit.internal.file.FileBlocks;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.catalog.AllocationRecords;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.files.AllocationParts;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Frees allocations, and gives their space back to the disk, many at a time. The caller holds the lock of the arena.
public final class FreedAllocations {
    /* A file system may write a hole to the disk before it writes the page of the catalog that says that the allocation
     * was freed. After a power loss, the allocation would be live and empty. Therefore the catalog is written to the
     * device before any contents go, and again before files are removed:
     *
     *   free       state of the allocation: freed, in memory and in the catalog
     *   flush      write the catalog
     *              ranges of shared files: make them zero, state: ended
     *              whole files: state of the files: removed; write the catalog; unlink, unmap, state: ended
     *
     * What a process leaves that dies in between, the next owner does again: its allocations have the state freed. */

    /// The number of allocations, and of their bytes, that wait for one write of the catalog.
    private static final int MOST = 1_000;
    private static final long MOST_BYTES = 64L << 20;
    /// The number of bytes of addresses that wait: four structures, of the 500 that a process can have.
    private static final long MOST_ADDRESSES = 1L << 40;

    /// Below this size, zeroing takes less time than a hole once the data has been written to the device.
    private static final long LEAST_HOLE = 1 << 20;

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();

    private final MappedFiles files;
    private final DataFileNumbers numbers;
    private final CatalogWriter catalog;
    private final boolean keepBlocks;
    private final AllocationRecords records;
    private List<Freed> pending = new ArrayList<>();
    private long pendingBytes;
    private long pendingAddresses;

    /// @param keepBlocks whether allocations keep their blocks, and become zero only
    FreedAllocations(MappedFiles files, DataFileNumbers numbers, CatalogWriter catalog, boolean keepBlocks) {
        this.files = files;
        this.numbers = numbers;
        this.catalog = catalog;
        this.keepBlocks = keepBlocks;
        records = catalog.records();
    }

    /// A freed allocation.
    ///
    /// @param file           the number of its first data file
    /// @param mappedByteSize the size of its mapping, or 0 if it is not mapped as a whole
    public record Freed(AllocationRecords.Found record, int file, long byteOffset, long byteSize, long mappedByteSize) {
        /// An allocation that a previous owner has freed.
        ///
        /// @param isSlot whether it is recorded in a run
        public static Freed of(CatalogWriter catalog, CatalogEntry.Allocated allocated, boolean isSlot) {
            return new Freed(catalog.records().found(allocated.number() * CatalogFormat.SLOT, isSlot), allocated.file(),
                    allocated.byteOffset(), allocated.byteSize(), 0);
        }

        /// The ranges of its data files, which may be more than its present size needs.
        List<AllocationPart> parts() {
            // Memory that has not grown yet has a file, too.
            return AllocationParts.list(file, byteOffset, Math.max(1, Math.max(byteSize, record.largestByteSize())),
                    record.partByteSize());
        }
    }

    /// Frees an allocation. This may free the space of all freed allocations.
    ///
    /// @param ended gets the record of the allocation after it has the state freed
    /// @throws IllegalArgumentException if no live allocation has exactly this range
    void free(MappedFiles.Range range, Consumer<AllocationRecords.Found> ended) {
        AllocationRecords.Found found = records.find(range.number(), range.byteOffset(), range.byteSize());
        if (found == null) {
            throw notALiveAllocation(range, "it is a slice, or is not recorded");
        }
        if (!records.free(found.at(), found.isSlot())) {
            throw notALiveAllocation(range, "it was freed before");
        }
        ended.accept(found);
        add(new Freed(found, range.number(), range.byteOffset(), range.byteSize(),
                found.isWhole() ? range.file().byteSize() : 0));
    }

    /// Frees memory that grows. This may free the space of all freed allocations.
    ///
    /// @param line  the line of its record
    /// @param ended runs when the record has the state freed
    /// @return false if it had ended before
    boolean free(int line, int file, long byteSize, long maxByteSize, Runnable ended) {
        AllocationRecords.Found found = records.found(line * CatalogFormat.LINE, false);
        boolean isFreed = records.free(found.at(), false);
        if (isFreed) {
            ended.run();
            add(new Freed(found, file, 0, byteSize, maxByteSize));
        }
        return isFreed;
    }

    private static IllegalArgumentException notALiveAllocation(MappedFiles.Range range, String reason) {
        return new IllegalArgumentException("Segment is no live allocation: file=" + range.number() + ", byteOffset="
                + range.byteOffset() + ", byteSize=" + range.byteSize() + ", reason=" + reason);
    }

    /// Adds an allocation whose record has the state freed. This may free the space of all added allocations.
    void add(Freed freed) {
        pending.add(freed);
        pendingBytes += freed.byteSize();
        pendingAddresses += freed.mappedByteSize();
        if (pending.size() >= MOST || pendingBytes >= MOST_BYTES || pendingAddresses >= MOST_ADDRESSES) {
            flush();
        }
    }

    /// Frees the space of the added allocations.
    ///
    /// @return false if there were none
    /// @throws UncheckedIOException if the space of some could not be freed; the next owner tries again
    boolean flush() {
        List<Freed> batch = pending;
        if (batch.isEmpty()) {
            return false;
        }
        pending = new ArrayList<>();
        pendingBytes = 0;
        pendingAddresses = 0;
        forceCatalog();
        Failures failures = new Failures();
        Map<Integer, List<Freed>> ranges = new TreeMap<>();
        List<Freed> whole = new ArrayList<>();
        for (Freed freed : batch) {
            if (freed.record.isWhole() && canRemove(freed.parts())) {
                whole.add(freed);
            } else {
                freed.parts().forEach(part -> ranges.computeIfAbsent(part.file(), _ -> new ArrayList<>()).add(freed));
            }
        }
        // An allocation with several files has ended when all of them are zero.
        Set<Freed> zero = new LinkedHashSet<>(batch);
        whole.forEach(zero::remove);
        ranges.forEach((file, inFile) -> {
            if (!failures.run(inFile.getFirst(), () -> clear(file, inFile))) {
                inFile.forEach(zero::remove);
            }
        });
        zero.forEach(freed -> records.endFreed(freed.record.at(), freed.record.isSlot()));
        if (!whole.isEmpty()) {
            remove(whole, failures);
        }
        failures.check();
        return true;
    }

    /// Whether the data files of an allocation are removed: a record tells others that they are not missing. If blocks
    /// are reserved, files stay, except for those whose removal a previous owner has begun.
    private boolean canRemove(List<AllocationPart> parts) {
        return parts.stream().allMatch(part -> numbers.isRecorded(part.file()))
                && (!keepBlocks || parts.stream().anyMatch(part -> numbers.isBeingRemoved(part.file())));
    }

    private void forceCatalog() {
        try {
            catalog.file().forceOwn();
        } catch (IOException e) {
            throw FileErrors.force(files.base(), e);
        }
    }

    /// Makes ranges of a file zero, and frees the blocks of large ones.
    private void clear(int file, List<Freed> ranges) throws IOException {
        FileIdentity identity = files.identityOrTrusted(file);
        SafeFiles.uninterrupted(() -> {
            try (FileChannel channel = identity.open(); FileBlocks blocks = identity.openBlocks()) {
                for (Freed freed : ranges) {
                    for (AllocationPart part : freed.parts()) {
                        if (part.file() == file) {
                            clear(channel, blocks, part.byteOffset(), part.byteSize());
                        }
                    }
                }
            }
            return file;
        });
    }

    private void clear(FileChannel channel, FileBlocks blocks, long start, long byteSize) throws IOException {
        if (!keepBlocks && byteSize >= LEAST_HOLE && blocks.punch(start, byteSize)) {
            return;
        }
        long end = start + byteSize;
        // Nothing is written to a hole, which would then take space.
        for (long data = blocks.extents().nextData(start); data >= 0 && data < end;) {
            long hole = blocks.extents().nextHole(data);
            long limit = hole < 0 ? end : Math.min(hole, end);
            while (data < limit) {
                data += channel.write(ZEROS.duplicate().limit((int) Math.min(ZEROS.capacity(), limit - data)), data);
            }
            data = blocks.extents().nextData(limit);
        }
    }

    /// Removes the files of allocations that consist of whole files.
    private void remove(List<Freed> batch, Failures failures) {
        List<Freed> recorded = new ArrayList<>();
        for (Freed freed : batch) {
            failures.run(freed, () -> {
                for (AllocationPart part : freed.parts()) {
                    check(part);
                }
                freed.parts().forEach(part -> numbers.recordRemoval(part.file()));
                recorded.add(freed);
            });
        }
        forceCatalog();
        List<Freed> removed = new ArrayList<>();
        for (Freed freed : recorded) {
            failures.run(freed, () -> {
                for (AllocationPart part : freed.parts()) {
                    // The file is still mapped, so that no other file can have its identity.
                    if (check(part)) {
                        Files.delete(ImagePaths.data(files.base(), part.file()));
                    }
                }
                removed.add(freed);
            });
        }
        Map<Integer, Long> byteSizes = new HashMap<>();
        removed.stream()
                .filter(freed -> freed.mappedByteSize > 0 && freed.record.partByteSize() == 0)
                .forEach(freed -> byteSizes.put(freed.file, freed.byteSize));
        Set<Integer> gone = removed.stream()
                .flatMap(freed -> freed.parts().stream())
                .map(AllocationPart::file)
                .collect(Collectors.toSet());
        files.forget(gone, byteSizes);
        gone.forEach(numbers::forget);
        removed.forEach(freed -> records.endFreed(freed.record.at(), freed.record.isSlot()));
    }

    /// Checks that the path of a part leads to the file of the arena.
    ///
    /// @return false if somebody has removed the file
    private boolean check(AllocationPart part) throws IOException {
        try {
            files.identityOrTrusted(part.file()).check();
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /// The failures of a batch. One allocation does not prevent the others from being freed.
    private final class Failures {
        private @Nullable UncheckedIOException first;

        /// Runs a step.
        ///
        /// @return whether it has succeeded
        boolean run(Freed freed, Step step) {
            try {
                step.run();
                return true;
            } catch (IOException e) {
                UncheckedIOException failure = FileErrors.free(ImagePaths.data(files.base(), freed.file),
                        freed.byteSize,
                        e);
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
                return false;
            }
        }

        void check() {
            if (first != null) {
                throw first;
            }
        }
    }

    private interface Step {
        void run() throws IOException;
    }
}
