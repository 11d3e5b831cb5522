package dev.arenakit.mapped.internal.arena;

import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.ImageTakenOverException;
import dev.arenakit.mapped.internal.catalog.AllocationRecords;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.catalog.ElementCounts;
import dev.arenakit.mapped.internal.catalog.UnforcedElements;
import dev.arenakit.mapped.internal.data.Chunk;
import dev.arenakit.mapped.internal.data.DataFileWriter;
import dev.arenakit.mapped.internal.data.MappedFiles.ExistingRange;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.PageSize;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Allocates the memory of an arena that grows, and lets other allocations grow. Thread-safe if the arena is shared.
public final class GrowableAllocator {
    private static final String UNFORCED = "the forced elements count, and the others stay in the memory until an"
            + " element is appended. If the image was moved, they are complete, and GrowableTable.acceptUnforced, or"
            + " GrowableSegment.elementCount(stored), counts them";

    private final ChunkAllocator memory;
    private final DataFileWriter files;
    private final @Nullable CatalogWriter catalog;
    private final @Nullable ElementCounts counts;

    /// @param catalog the catalog that records the allocations, or null
    /// @param boot    the boot of the machine
    public GrowableAllocator(ChunkAllocator memory, DataFileWriter files, @Nullable CatalogWriter catalog, long boot) {
        this.memory = memory;
        this.files = files;
        this.catalog = catalog;
        counts = catalog == null ? null : new ElementCounts(catalog, boot);
    }

    static void checkMaximum(long maxByteSize) {
        if (maxByteSize <= 0) {
            throw new IllegalArgumentException("Largest size is not positive: maxByteSize=" + maxByteSize);
        }
    }

    /// Reserves addresses for bytes without a name that grow.
    public GrowableMemory allocate(long maxByteSize) {
        checkMaximum(maxByteSize);
        return files.allocated(() -> allocate(maxByteSize, maxByteSize, PageSize.BYTES, Text.NONE, Text.NONE, 1));
    }

    /// Reserves addresses for memory that grows, and records it with a size of 0 if there is a catalog. Memory that may
    /// have fewer addresses than requested can have more when a later owner opens it.
    ///
    /// @param leastMaxByteSize the smallest size up to which it must be able to grow
    /// @param elementByteSize  the size of an element, or 0 if elements have no size
    GrowableMemory allocate(long maxByteSize, long leastMaxByteSize, long byteAlignment, Text name, Text type,
            long elementByteSize) {
        memory.checkOpen();
        Sizes.checkAddressable(maxByteSize, byteAlignment);
        int line = counts == null ? 0 : counts.reserve();
        try {
            Chunk own = files.mapGrowable(maxByteSize, leastMaxByteSize);
            GrowableMemory growable = new GrowableMemory(files, catalog, counts, line, own, 0, elementByteSize,
                    -1);
            if (counts != null) {
                long largest = leastMaxByteSize < maxByteSize && own.partByteSize() == 0
                        ? Math.max(maxByteSize, ArenaOptions.DEFAULT_STRUCTURE_BYTE_SIZE)
                        : own.byteSize();
                counts.add(line, own.file(), largest, own.partByteSize(), byteAlignment, name, type);
            }
            return growable;
        } catch (Throwable t) {
            if (counts != null) {
                counts.cancel(line);
            }
            throw t;
        }
    }

    /// Restores the size of memory that a previous owner has made to grow, if the machine has failed. It is not mapped
    /// yet.
    void restoreByteSize(ExistingRange range, StoredByteSize stored) {
        memory.checkOpen();
        Path file = ImagePaths.data(files.base(), range.file());
        synchronized (files) {
            try {
                FileIdentity identity = FileIdentity.of(file);
                long byteSize = SafeFiles.withChannel(identity::open, channel -> stored.of(channel, range.byteSize()));
                files.growth().restoreByteSize(range.file(), range.partByteSize(), range.byteSize(), byteSize);
            } catch (IOException e) {
                throw FileErrors.mapExisting(file, range.byteSize(), e);
            }
        }
    }

    /// Tells how many bytes of memory are on the device.
    @FunctionalInterface
    public interface StoredByteSize {
        /// Returns the number of bytes.
        ///
        /// @param file     the first file
        /// @param recorded the recorded size
        long of(FileChannel file, long recorded) throws IOException;
    }

    /// Opens memory that a previous owner has made to grow.
    ///
    /// @param line             the line of its record
    /// @param maxByteSize      the size up to which it can grow
    /// @param leastMaxByteSize the least such size
    GrowableMemory reopen(int line, ExistingRange range, long maxByteSize, long leastMaxByteSize,
            long elementByteSize) {
        memory.checkOpen();
        ElementCounts records = Objects.requireNonNull(counts);
        synchronized (files) {
            long forced = records.forcedInEarlierBoot(line);
            if (forced >= 0) {
                files.growth()
                        .restoreByteSize(range.file(), range.partByteSize(), range.byteSize(),
                                forced * elementByteSize);
            }
            Chunk own = files.reopenGrowable(range, maxByteSize, leastMaxByteSize);
            long unforced = records.open(line);
            if (unforced >= 0) {
                UnforcedElements
                        .ofMemory(Objects.requireNonNull(catalog).records().nameOf(line * CatalogFormat.LINE), unforced,
                                records.forced(line))
                        .warn(UNFORCED);
            }
            return new GrowableMemory(files, catalog, records, line, own, range.byteSize(), elementByteSize, unforced);
        }
    }

    /// Grows the only data file of an allocation, and maps it again.
    ///
    /// @param line the line of its record
    MemorySegment resize(String name, int line, long newByteSize) {
        synchronized (files) {
            memory.checkOpen();
            AllocationRecords records = Objects.requireNonNull(catalog).records();
            int file = records.wholeFile(line);
            if (file < 0) {
                throw new IllegalStateException("Allocation cannot be resized: name=" + name + ", base=" + files.base()
                        + "; it shares its data file, as the allocations of a chunked arena do, or has several: "
                        + "allocate it by growable, which works in every arena");
            }
            long recorded = records.checkGrowth(line);
            files.growth().grow(file, 0, recorded, newByteSize);
            MemorySegment grown = files.existing(file, newByteSize).asSlice(0, newByteSize);
            records.grow(line, recorded, newByteSize);
            return grown;
        }
    }

    /// Adds the elements of memory that a previous owner has allocated to those that [#force] counts.
    ///
    /// @param line the line of its record
    void addPrevious(int line) {
        Objects.requireNonNull(counts).addPrevious(line);
    }

    /// Checks that the image belongs to this owner.
    ///
    /// @throws ImageTakenOverException if another owner has taken the image over
    public void checkOwner() {
        if (catalog != null) {
            catalog.file().checkOwner();
        }
    }

    /// Whether elements were counted that were not forced.
    public boolean hasUnforced() {
        return counts != null && !counts.unforced().isEmpty();
    }

    /// Writes all data, its records and then the counts of its elements to the device. After the machine has failed, no
    /// count is larger than the number of elements on the device.
    ///
    /// @throws UncheckedIOException if the device fails
    public void force() {
        Map<Integer, Long> stored = counts == null ? Map.of() : counts.unforced();
        try {
            files.force();
            if (catalog != null) {
                catalog.file().force();
            }
            SafeFiles.forceDirectory(files.base());
            if (catalog != null && counts != null && !stored.isEmpty()) {
                counts.setForced(stored);
                catalog.file().force();
            }
        } catch (IOException e) {
            throw FileErrors.force(files.base(), e);
        }
    }

    /// Writes the elements to the device that threads have counted while the arena was being closed. The scope of the arena
    /// has ended.
    ///
    /// @throws UncheckedIOException if the device fails
    public void finish() {
        if (counts != null) {
            try {
                counts.finish(() -> {
                    files.force();
                    SafeFiles.forceDirectory(files.base());
                    return this;
                });
            } catch (IOException e) {
                throw FileErrors.force(files.base(), e);
            }
        }
    }
}
