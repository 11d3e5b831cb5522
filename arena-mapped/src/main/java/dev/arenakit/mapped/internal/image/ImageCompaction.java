package dev.arenakit.mapped.internal.image;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.Seal;
import dev.arenakit.mapped.internal.catalog.AllocationSpliterator;
import dev.arenakit.mapped.internal.catalog.BlockSums;
import dev.arenakit.mapped.internal.catalog.CatalogBuilder;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Allocated;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Count;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Unreadable;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import dev.arenakit.mapped.internal.catalog.SealReader;
import dev.arenakit.mapped.internal.files.ImagePaths;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Copies the live allocations of an image into a new image, while its owner may be writing it.
public final class ImageCompaction {
    /* The allocations are read in the order of their numbers, and packed in this order. An allocation that is freed
     * meanwhile may have lost its contents before they were copied, hence the states are read again after them. The
     * header is written last, as in each copy, so that an incomplete copy is not an image. */

    private final CatalogReader catalog;
    private final Path from;
    private final Path to;
    private final ImageCopyFiles files;
    /// Reads what the scan of the catalog must not be disturbed for.
    private final CatalogReader beside;
    private final SealReader seals;
    private final DataFileReader data;
    private final CopiedStructures structures;
    /// The numbers of the copied allocations, in the image and in the copy in turn, if they may be freed meanwhile.
    private final LongStream.@Nullable Builder numbers;

    private int nextFile;
    /// The present chunk, or null if there is none with space.
    private @Nullable FileChannel chunk;
    private int chunkNumber;
    private long chunkEnd;

    private ImageCompaction(CatalogReader catalog, CatalogReader beside, DataFileReader data, Path from, Path to,
            LongConsumer progress) throws IOException {
        files = new ImageCopyFiles(progress);
        this.catalog = catalog;
        this.data = data;
        this.from = from;
        this.to = to;
        this.beside = beside;
        seals = new SealReader(beside);
        structures = new CopiedStructures(catalog, from, to);
        numbers = structures.mayHaveOwner() ? LongStream.builder() : null;
    }

    /// Copies the live allocations.
    ///
    /// @param to the base of the copy
    /// @throws IOException if a file cannot be read or created; the files that were created are deleted
    public static void compact(CatalogReader catalog, Path from, Path to, LongConsumer progress)
            throws IOException {
        // Scans of one reader share its window, and seals are read between two allocations.
        try (CatalogReader beside = CatalogReader.open(catalog.file());
                DataFileReader data = new DataFileReader(from, false)) {
            ImageCompaction compaction = new ImageCompaction(catalog, beside, data, from, to, progress);
            try {
                compaction.run();
            } catch (Throwable t) {
                compaction.files.undo(t);
                throw t;
            }
        }
    }

    private void run() throws IOException {
        try (FileChannel copy = files.create(ImagePaths.catalog(to))) {
            CatalogBuilder entries = new CatalogBuilder(copy);
            try {
                CatalogScan scan = CatalogScan.of(catalog);
                int countLine = 0;
                for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                    switch (entry) {
                        case Allocated allocated when allocated.isLive() -> {
                            checkCounted(allocated, countLine);
                            copy(allocated, entries);
                        }
                        case Unreadable damaged when damaged.isFinished() -> throw damaged("Records are damaged",
                                damaged.line());
                        case Count count when count.isDamaged() && count.valid(catalog.boot()) < 0 -> throw damaged(
                                "Number of elements is damaged", count.line());
                        case Count count -> countLine = count.line();
                        default -> {
                            // It is not copied.
                        }
                    }
                }
                completeChunk();
            } finally {
                if (chunk != null) {
                    chunk.close();
                }
            }
            structures.complete();
            entries.addOwner();
            entries.flush();
            if (numbers != null) {
                endFreed(new CatalogPatch(copy), numbers.build().toArray());
            }
            files.complete(to, copy, entries.header(catalog, nextFile));
        }
    }

    /// The copy would say that no elements were stored.
    ///
    /// @param countLine the line of the last number of elements
    private void checkCounted(Allocated allocated, int countLine) throws IOException {
        if (allocated.maxByteSize() > 0 && countLine != allocated.line() - 1 && !files.isStructure(allocated)) {
            throw new IOException("Number of elements is unknown: file=" + catalog.file() + ", allocation="
                    + AllocationSpliterator.allocation(allocated).label() + "; count them, and store their number by"
                    + " InfiniteArena.growable(name, type, 1).elementCount(n)");
        }
    }

    /// The copy would have no trace of a damaged record.
    private IOException damaged(String what, int line) {
        return new IOException(what + ": file=" + catalog.file() + ", line=" + line + "; repair the image first");
    }

    private void copy(Allocated allocated, CatalogBuilder entries) throws IOException {
        Allocation allocation = AllocationSpliterator.allocation(allocated);
        boolean isInChunk = allocation.byteSize() > 0 && catalog.isChunked() && allocation.partByteSize() == 0
                && allocated.maxByteSize() == 0 && allocation.byteSize() <= catalog.chunkByteSize();
        // An allocation that grows has data files even if it is empty.
        boolean isWhole = !isInChunk && allocation.file() >= 0;
        int file = CatalogFormat.NO_FILE;
        long byteOffset = 0;
        if (isInChunk) {
            byteOffset = place(allocation, entries);
            file = chunkNumber;
            copyBytes(allocated, 0, allocation.byteSize(), chunkNumber, chunk(), byteOffset);
        } else if (isWhole) {
            file = nextFile;
            copyWhole(allocated, Math.max(allocation.byteSize(), allocated.maxByteSize()), entries);
        }
        long number = entries.addAllocation(allocated, file, byteOffset, isWhole);
        Seal seal = seals.find(allocation);
        BlockSums sums = seals.sums(allocation);
        if (seal != null && sums != null) {
            entries.addSeal(number, seal.byteSize(), seal.time().toEpochMilli(), sums);
        }
        if (numbers != null) {
            numbers.add(allocation.number()).add(number);
        }
        files.reportProgress();
    }

    /// Finds the place of an allocation in the present chunk, or in a new one if it does not fit.
    private long place(Allocation allocation, CatalogBuilder entries) throws IOException {
        long alignment = allocation.byteAlignment();
        long start = Math.ceilDiv(chunkEnd, alignment) * alignment;
        // An impossible alignment in a malicious catalog may overflow.
        if (chunk == null || start < 0 || start > catalog.chunkByteSize() - allocation.byteSize()) {
            completeChunk();
            chunkNumber = nextFile++;
            chunk = files.create(ImagePaths.data(to, chunkNumber));
            entries.addFile(chunkNumber, catalog.chunkByteSize());
            start = 0;
        }
        chunkEnd = start + allocation.byteSize();
        return start;
    }

    private FileChannel chunk() {
        if (chunk == null) {
            throw new IllegalStateException("No chunk");
        }
        return chunk;
    }

    private void completeChunk() throws IOException {
        FileChannel full = chunk;
        if (full != null) {
            ImageCopyFiles.complete(full, catalog.chunkByteSize());
            full.close();
            chunk = null;
        }
    }

    /// Copies an allocation that has data files of its own.
    ///
    /// @param maxByteSize the size up to which it may grow, in as many files
    private void copyWhole(Allocated allocated, long maxByteSize, CatalogBuilder entries) throws IOException {
        long partByteSize = allocated.partByteSize() == 0 ? Math.max(maxByteSize, 1) : allocated.partByteSize();
        long at = 0;
        do {
            long byteSize = Math.clamp(allocated.byteSize() - at, 0, partByteSize);
            int number = nextFile++;
            try (FileChannel file = files.create(ImagePaths.data(to, number))) {
                if (byteSize > 0) {
                    copyBytes(allocated, at, byteSize, number, file, 0);
                }
                if (at == 0 && files.isStructure(allocated)) {
                    addStructure(allocated, number, file);
                }
                ImageCopyFiles.complete(file, byteSize);
            }
            entries.addFile(number, byteSize);
            at += partByteSize;
        } while (at < maxByteSize);
    }

    private void addStructure(Allocated allocated, int number, FileChannel file) throws IOException {
        try {
            structures.add(allocated.file(), number, file);
        } catch (NoSuchFileException e) {
            if (!isFreedNow(allocated)) {
                throw e;
            }
        }
    }

    private void copyBytes(Allocated allocated, long start, long byteSize, int number, FileChannel file, long at)
            throws IOException {
        Allocation allocation = AllocationSpliterator.allocation(allocated);
        long copied;
        try {
            ExtentSource source = data.source(allocation);
            copied = files.transfer(source, start, byteSize, ImagePaths.data(to, number), file, at);
        } catch (NoSuchFileException e) {
            if (isFreedNow(allocated)) {
                // The copy of the allocation is ended after all others were copied.
                return;
            }
            throw e;
        }
        if (copied < byteSize) {
            throw new EOFException("Data file is truncated: path=" + ImagePaths.data(from, allocation.file())
                    + ", allocation=" + allocation.label() + ", byteSize=" + byteSize + ", found=" + copied
                    + "; repair the image first");
        }
    }

    /// Whether an allocation of whole data files was freed since its record was read. Its files may be gone.
    private boolean isFreedNow(Allocated allocated) throws IOException {
        return numbers != null && CatalogScan.at(beside, allocated.line()).next() instanceof Allocated now
                && now.number() == allocated.number() && !now.isLive();
    }

    /// Ends the allocations of the copy that were freed meanwhile.
    ///
    /// @param copied the numbers of each allocation, in the image and in the copy
    private void endFreed(CatalogPatch patch, long[] copied) throws IOException {
        CatalogScan scan = CatalogScan.of(catalog);
        int at = 0;
        for (CatalogEntry entry = scan.next(); entry != null && at < copied.length; entry = scan.next()) {
            if (entry instanceof Allocated allocated && allocated.number() == copied[at]) {
                if (!allocated.isLive()) {
                    patch.end(copied[at + 1] * CatalogFormat.SLOT, 0);
                }
                at += 2;
            }
        }
    }
}
