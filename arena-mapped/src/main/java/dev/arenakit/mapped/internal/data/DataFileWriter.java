package dev.arenakit.mapped.internal.data;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.diagnostics.ImageStatistics;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.diagnostics.event.MemoryRegistry;
import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.internal.file.MappedPages;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.DiskFullException;
import dev.arenakit.mapped.internal.catalog.AllocationRecords;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.data.MappedFiles.ExistingRange;
import dev.arenakit.mapped.internal.data.MappedFiles.FreeRange;
import dev.arenakit.mapped.internal.files.AllocationParts;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileExtentSource;
import dev.arenakit.mapped.internal.files.FileExtentSource.ZeroRange;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.reservation.DataFileGrowth;
import dev.arenakit.mapped.internal.reservation.DiskReservation;
import dev.arenakit.mapped.internal.reservation.ReservedSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Creates and maps the data files of an arena: `base-0`, `base-1` and so on, each of them as a whole.
///
/// Several threads may use it. A caller whose steps belong together holds the monitor of this object.
public final class DataFileWriter implements MemoryRegistry.Source {
    private final Path base;
    private final MappedFiles mapped;
    private final FileMode mode;
    private final boolean reserved;
    private final ReservedSpace space;
    private final DataFileGrowth growth;
    private final DataFileNumbers numbers;
    private final DataFileCreator creator;
    /// The size of the mapping of the last growing memory that got fewer addresses than it could use.
    private long fittingByteSize = Long.MAX_VALUE;

    /// Null if there is no catalog.
    private final @Nullable FreedAllocations freed;

    /// Makes the data files of an arena.
    ///
    /// @param catalog  the catalog that records the files, or null
    /// @param recorded the files that previous owners have recorded
    /// @param reserved whether all blocks are reserved
    /// @param disk     counts the disk space that is reserved, or null
    public DataFileWriter(MappedFiles mapped, @Nullable CatalogWriter catalog, RecordedFiles recorded, FileMode mode,
            boolean reserved, @Nullable ByteAccount disk) {
        this.mapped = mapped;
        base = mapped.base();
        this.mode = mode;
        this.reserved = reserved;
        space = new ReservedSpace(disk);
        growth = new DataFileGrowth(base, mapped::identity, recorded.next(), reserved, space);
        numbers = new DataFileNumbers(base, catalog, recorded);
        creator = new DataFileCreator(mapped, mode, reserved ? space : null);
        freed = catalog == null ? null : new FreedAllocations(mapped, numbers, catalog, reserved);
    }

    public Path base() {
        return base;
    }

    /// Creates the next file and maps it. On failure no file remains and the number is free again.
    ///
    /// If the file system refuses a file of the smallest size, several files are mapped side by side.
    ///
    /// @param fileByteSize  the size of the file; it is halved while the file system or the address space refuses it
    /// @param leastByteSize the smallest size to try
    /// @param needed        the size of the range at its start that is handed out first
    /// @param byteSize      the requested size
    public synchronized Chunk map(long fileByteSize, long leastByteSize, long needed, long byteSize) {
        return map(new DataFileCreator.Request(fileByteSize, leastByteSize, needed, byteSize, false));
    }

    /// Creates empty files, and maps them with the size up to which they may grow. No blocks are reserved yet.
    ///
    /// @param maxByteSize   the requested size up to which they may grow
    /// @param leastByteSize the smallest size, if the address space has no room for more
    public synchronized Chunk mapGrowable(long maxByteSize, long leastByteSize) {
        long most = fitting(maxByteSize, leastByteSize);
        MemorySegment unused = mapped.replaced().take(most, Math.max(leastByteSize, most / 2));
        return unused == null
                ? fitted(map(new DataFileCreator.Request(most, most, leastByteSize, most, true)), most)
                : make(1, unused.byteSize(), true, number -> creator.createOver(number, unused));
    }

    /// Each attempt to map more than there are addresses makes the JVM collect garbage, and takes 100 ms or more.
    private long fitting(long maxByteSize, long leastByteSize) {
        return Math.max(Math.min(maxByteSize, fittingByteSize), leastByteSize);
    }

    private Chunk fitted(Chunk chunk, long requested) {
        if (chunk.byteSize() < requested) {
            fittingByteSize = chunk.byteSize();
        }
        return chunk;
    }

    private Chunk map(DataFileCreator.Request request) {
        try {
            return make(1, request.byteSize(), request.isEmpty(), number -> creator.create(number, request));
        } catch (FileErrors.FileTooLargeException e) {
            return mapParts(request.byteSize(), request.isEmpty(), e);
        }
    }

    /// Grows the data files of allocations.
    public DataFileGrowth growth() {
        return growth;
    }

    private Chunk mapParts(long byteSize, boolean isEmpty, FileErrors.FileTooLargeException refused) {
        if (reserved || !AddressRange.isKnownFor(base)) {
            throw refused;
        }
        try {
            NativeAccess.require();
        } catch (IllegalCallerException e) {
            throw FileErrors.noParts(refused, e);
        }
        long partByteSize = DataFileParts.largestPart(base, byteSize);
        if (partByteSize == 0) {
            throw refused;
        }
        int files = (int) Math.ceilDiv(byteSize, partByteSize);
        return make(files, byteSize, isEmpty, first -> {
            DataFileParts parts = new DataFileParts(base, first, partByteSize, byteSize);
            MemorySegment segment = parts.create(mode, isEmpty ? 0 : byteSize,
                    mapped::identify, mapped.arena());
            mapped.adviseParts(first, segment);
            return Chunk.ofParts(segment, first, partByteSize);
        });
    }

    /// Makes files for a chunk and records them. On failure, no file remains: the arena may have been closed meanwhile,
    /// and its catalog with it.
    ///
    /// @param byteSize the requested size
    /// @param isEmpty  whether the files are recorded with a size of 0
    /// @param creation creates and maps the files, whose first number it gets
    private Chunk make(int files, long byteSize, boolean isEmpty, IntFunction<Chunk> creation) {
        int mappingsBefore = mapped.mappings();
        boolean made = false;
        MappingLimit.reserve(files);
        try {
            Chunk chunk = numbers.make(files, byteSize, first -> {
                Chunk created = creation.apply(first);
                // The files stay mapped until the arena is closed, even if they cannot be recorded.
                mapped.count(files);
                mapped.checkNew(first, files, byteSize);
                // Add the chunk before it is confirmed: nothing can fail afterwards.
                mapped.add(first, created.segment(), files);
                confirm(created, isEmpty);
                return created;
            });
            made = true;
            return chunk;
        } finally {
            if (!made && mapped.mappings() == mappingsBefore) {
                MappingLimit.release(files);
            }
        }
    }

    private void confirm(Chunk chunk, boolean isEmpty) {
        for (AllocationPart part : AllocationParts.list(chunk.file(), 0, chunk.byteSize(), chunk.partByteSize())) {
            numbers.confirm(part.file(), isEmpty ? 0 : part.byteSize());
        }
    }

    /// A chunk over the rest that previous owners have left in a file.
    public Chunk resume(FreeRange free) {
        int number = free.file();
        // A small address space may have no room for the whole file.
        MemorySegment segment = existing(number, Math.min(free.end(), free.start() + Chunk.LEAST_BYTE_SIZE));
        return Chunk.resumed(segment, number, free.start(), reserved ? reservation(number) : null,
                (byteOffset, leastByteSize) -> zeros(number, byteOffset, leastByteSize, segment.byteSize()));
    }

    private ZeroRange zeros(int number, long byteOffset, long leastByteSize, long end) {
        Path path = ImagePaths.data(base, number);
        try {
            return SafeFiles.uninterrupted(() -> {
                try (FileExtentSource file = FileExtentSource.open(path)) {
                    mapped.identity(number).check();
                    return file.nextZeros(byteOffset, leastByteSize, end);
                }
            });
        } catch (IOException e) {
            throw FileErrors.mapExisting(path, end, e);
        }
    }

    /// The memory that a previous owner has allocated.
    public MemorySegment existing(ExistingRange range) {
        MemorySegment file = existing(range.file(), range.end());
        if (reserved) {
            reservation(range.file()).reserveExisting(range.byteOffset(), range.byteSize(), file.byteSize());
        }
        return DataFileParts.aligned(base, file.asSlice(range.byteOffset(), range.byteSize()), range.byteAlignment());
    }

    private DiskReservation reservation(int number) {
        return new DiskReservation(mapped.identity(number), space);
    }

    /// The mapping of a file that a previous owner has made. It is mapped when it is first requested.
    ///
    /// @param end the least size of the file
    public synchronized MemorySegment existing(int number, long end) {
        return mapped.existing(number, end);
    }

    /// The files of an allocation of a previous owner that grows, mapped with the size up to which it may grow.
    ///
    /// @param leastMaxByteSize the least such size, if the address space has no room for more
    public synchronized Chunk reopenGrowable(ExistingRange range, long maxByteSize, long leastMaxByteSize) {
        if (range.partByteSize() > 0) {
            checkNotReserved(range);
            return Chunk.ofParts(mapped.mapExistingParts(range, maxByteSize), range.file(), range.partByteSize());
        }
        growth.reserveExisting(range.file(), range.byteSize());
        long most = fitting(maxByteSize, leastMaxByteSize);
        MemorySegment segment = mapped.mapExisting(range.file(), range.byteSize(), most, leastMaxByteSize);
        return fitted(new Chunk(DataFileParts.aligned(base, segment, range.byteAlignment()), range.file(), 0), most);
    }

    /// The memory of an allocation of a previous owner that has several files.
    public synchronized MemorySegment existingParts(ExistingRange range) {
        checkNotReserved(range);
        return mapped.existingParts(range);
    }

    private void checkNotReserved(ExistingRange range) {
        if (reserved) {
            throw new UnsupportedOperationException("Allocation in several files cannot be reserved: first="
                    + ImagePaths.data(base, range.file()) + ", byteSize=" + range.byteSize()
                    + "; reopen the image without reserved()");
        }
    }

    @Override
    public synchronized List<ImageStatistics> statistics() {
        return List.of(new ImageStatistics(base.toString(), mapped.mappings(), space.byteSize()));
    }

    /// The mapped files.
    public MappedFiles mapped() {
        return mapped;
    }

    /// Frees an allocation. Its space is freed together with the space of others.
    ///
    /// @param ended gets the record of the allocation after it has the state freed
    /// @throws IllegalArgumentException if the segment is no live allocation
    public void free(MemorySegment segment, Consumer<AllocationRecords.Found> ended) {
        MappedFiles.Range range = mapped.findAny(segment);
        if (segment.isReadOnly()) {
            throw new IllegalArgumentException("Segment is read-only: segment=" + segment);
        }
        if (freed == null) {
            throw new IllegalStateException("Arena has no catalog that records what is live: base=" + base
                    + "; build it with catalog(CatalogLevel.SIZES) or catalog(CatalogLevel.FULL)");
        }
        // Memory that grows at the same time is freed with its new size, which the segment then must have, or grows no
        // more: growth holds the same lock.
        synchronized (this) {
            freed.free(range, ended);
        }
    }

    /// Frees memory that grows. Its space is freed together with the space of others.
    ///
    /// @param line  the line of its record
    /// @param ended runs when the record has the state freed
    /// @return false if it had ended before
    public synchronized boolean freeGrowable(int line, int file, long byteSize, long maxByteSize, Runnable ended) {
        return Objects.requireNonNull(freed).free(line, file, byteSize, maxByteSize, ended);
    }

    /// Frees the space of all freed allocations.
    ///
    /// @return false if there were none
    public synchronized boolean freeSpace() {
        return freed != null && freed.flush();
    }

    /// Makes an allocation, and tries once more if space or mappings of freed allocations may have been missing.
    public <T> T allocated(Supplier<T> allocation) {
        try {
            return allocation.get();
        } catch (DiskFullException | CapacityExceededException e) {
            freeSpaceAfter(e);
        } catch (OutOfMemoryError e) {
            // Freed memory may have the addresses.
            freeSpaceAfter(e);
        }
        return allocation.get();
    }

    /// Frees the space and the mappings of freed allocations that a failed call needs.
    ///
    /// @throws X the given failure if there is nothing to free, or it cannot be freed
    public <X extends Throwable> void freeSpaceAfter(X failure) throws X {
        try {
            if (freeSpace()) {
                return;
            }
        } catch (UncheckedIOException e) {
            failure.addSuppressed(e);
        }
        throw failure;
    }

    /// Frees the space of allocations that a previous owner has freed. What cannot be freed stays as it is.
    public synchronized void freeSpace(List<FreedAllocations.Freed> before) {
        try {
            MappedPages.require();
            before.forEach(Objects.requireNonNull(freed)::add);
            freeSpace();
        } catch (UncheckedIOException | UnsupportedOperationException | IllegalCallerException _) {
            // Nobody needs the space at present, and the next owner tries again.
        }
    }

    /// Writes the contents of a segment to the device.
    ///
    /// @throws IllegalArgumentException if the segment is not of this arena
    /// @throws UncheckedIOException     if the device fails
    public void force(MemorySegment segment) {
        if (!segment.scope().equals(mapped.arena().scope())) {
            throw new IllegalArgumentException("Segment is not of this arena: base=" + base + ", segment=" + segment);
        }
        Scopes.checkOpen(segment);
        if (segment.byteSize() == 0) {
            return;
        }
        // The JDK does not know that a segment with several files is mapped.
        if (segment.isMapped()) {
            segment.force();
            return;
        }
        try {
            AddressRange.force(mapped.arena(), segment);
        } catch (IOException e) {
            throw FileErrors.force(base, e);
        }
    }

    /// Writes the contents of all files to the device.
    public synchronized void force() throws IOException {
        for (int number : numbers.all().toArray()) {
            try {
                SafeFiles.force(ImagePaths.data(base, number));
            } catch (NoSuchFileException _) {
                // The file was removed, or a previous owner died before it made the file.
            }
        }
    }

    /// Releases the count of the mappings, which the arena has unmapped. A second call has no effect.
    ///
    /// @param delete whether the files are deleted
    /// @throws UncheckedIOException if files could not be deleted; all others were
    public synchronized void release(boolean delete) {
        mapped.release();
        space.close();
        List<Path> files = delete
                ? numbers.all().mapToObj(number -> ImagePaths.data(base, number)).toList()
                : List.of();
        numbers.clear();
        SafeFiles.deleteAll(files);
    }
}
