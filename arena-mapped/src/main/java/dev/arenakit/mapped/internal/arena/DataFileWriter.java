package dev.arenakit.mapped.internal.arena;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.diagnostics.ImageStatistics;
import dev.arenakit.internal.diagnostics.MemoryRegistry;
import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.internal.file.MappedPages;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.DiskFullException;
import dev.arenakit.mapped.internal.catalog.AllocationIndex;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.files.AllocationParts;
import dev.arenakit.mapped.internal.files.ChannelMapper;
import dev.arenakit.mapped.internal.files.DiskReservation;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.NewFile;
import dev.arenakit.mapped.internal.files.ReservedSpace;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Creates and maps the data files of an arena: `base-0`, `base-1` and so on, each of them as a whole.
///
/// Several threads may use it. A caller whose steps belong together holds the monitor of this object.
public final class DataFileWriter implements MemoryRegistry.Source {
    private final Path base;

    /// The arena whose scope the mappings get.
    private final Arena arena;
    private final FileMode mode;
    private final boolean reserved;
    private final boolean randomAccess;
    private final ReservedSpace space;
    private final DataFileGrowth growth;
    private final SegmentLocator locator = new SegmentLocator();

    /// The keys of the mapped files by their numbers, see [FileIdentity].
    private final Map<Integer, Object> keys = new ConcurrentHashMap<>();

    /// The number of the first file that previous owners have not made.
    private final int firstOwn;

    private final DataFileNumbers numbers;
    private int mappings;
    private final ReplacedMappings replaced = new ReplacedMappings();

    /// Null if there is no catalog.
    private final @Nullable FreedAllocations freed;

    /// The mapped files of previous owners, by their numbers.
    private final Map<Integer, MemorySegment> existing = new HashMap<>();

    /// Makes the data files of an arena.
    ///
    /// @param catalog  the catalog that records the files, or null
    /// @param recorded the files that previous owners have recorded
    public DataFileWriter(Path base, Arena arena, @Nullable CatalogWriter catalog, RecordedFiles recorded,
            ArenaOptions options) {
        this.base = base;
        this.arena = arena;
        mode = options.mode;
        reserved = options.reserved;
        randomAccess = options.randomAccess;
        space = new ReservedSpace(options.disk);
        firstOwn = recorded.next();
        growth = new DataFileGrowth(base, this::identity, firstOwn, reserved, space);
        numbers = new DataFileNumbers(base, catalog, recorded);
        freed = catalog == null ? null : new FreedAllocations(this, catalog, reserved);
    }

    /// The range of a data file that an allocation of a previous owner occupies.
    record ExistingRange(int file, long byteOffset, long byteSize, long partByteSize, long byteAlignment) {
        long end() {
            return byteOffset + byteSize;
        }
    }

    /// The range of a data file of a previous owner behind its last allocation.
    record FreeRange(int file, long start, long end) {
        long byteSize() {
            return end - start;
        }
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
    synchronized Chunk map(long fileByteSize, long leastByteSize, long needed, long byteSize) {
        return map(fileByteSize, leastByteSize, needed, byteSize, false);
    }

    /// Creates empty files, and maps them with the size up to which they may grow. No blocks are reserved yet.
    ///
    /// @param maxByteSize   the requested size up to which they may grow
    /// @param leastByteSize the smallest size, which addresses that are used again may have
    synchronized Chunk mapGrowable(long maxByteSize, long leastByteSize) {
        MemorySegment unused = replaced.take(maxByteSize, leastByteSize);
        return unused == null
                ? map(maxByteSize, maxByteSize, maxByteSize, maxByteSize, true)
                : make(1, unused.byteSize(), true, number -> createOver(number, unused));
    }

    /// Creates an empty file, and maps it over unused addresses.
    private Chunk createOver(int number, MemorySegment unused) {
        Path file = ImagePaths.data(base, number);
        boolean isMapped = false;
        try {
            Chunk chunk = SafeFiles.uninterrupted(() -> {
                try (NewFile created = NewFile.create(file, mode)) {
                    keys.put(number, created.identity().key());
                    AddressRange.map(unused, file, created.identity().key());
                    return new Chunk(advised(unused), number, 0);
                } catch (ClosedByInterruptException e) {
                    // This method is called again, and creates the file anew.
                    SafeFiles.delete(file);
                    throw e;
                }
            });
            isMapped = true;
            return chunk;
        } catch (IOException e) {
            throw FileErrors.create(file, unused.byteSize(), e);
        } finally {
            if (!isMapped) {
                replaced.giveBack(unused);
            }
        }
    }

    private Chunk map(long fileByteSize, long leastByteSize, long needed, long byteSize, boolean isEmpty) {
        try {
            return make(1, byteSize, isEmpty,
                    number -> create(number, fileByteSize, leastByteSize, needed, byteSize, isEmpty));
        } catch (FileErrors.FileTooLargeException e) {
            return mapParts(byteSize, isEmpty, e);
        }
    }

    /// Grows the data files of allocations.
    DataFileGrowth growth() {
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
                    (file, number) -> keys.put(number, file.key()), arena);
            adviseParts(ImagePaths.data(base, first), segment);
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
        int mappingsBefore = mappings;
        boolean made = false;
        MappingLimit.reserve(files);
        try {
            Chunk chunk = numbers.make(files, byteSize, first -> {
                Chunk created = creation.apply(first);
                // The files stay mapped until the arena is closed, even if they cannot be recorded.
                mappings += files;
                checkSame(first, files, byteSize);
                // Add the chunk before it is confirmed: nothing can fail afterwards.
                created.addTo(locator);
                confirm(created, isEmpty);
                return created;
            });
            made = true;
            return chunk;
        } finally {
            if (!made && mappings == mappingsBefore) {
                MappingLimit.release(files);
            }
        }
    }

    /// Checks that the paths of new files still lead to them.
    private void checkSame(int first, int files, long byteSize) {
        for (int number = first; number < first + files; number++) {
            try {
                identity(number).check();
            } catch (IOException e) {
                throw FileErrors.create(ImagePaths.data(base, number), byteSize, e);
            }
        }
    }

    private void confirm(Chunk chunk, boolean isEmpty) {
        for (AllocationPart part : AllocationParts.list(chunk.file(), 0, chunk.byteSize(), chunk.partByteSize())) {
            numbers.confirm(part.file(), isEmpty ? 0 : part.byteSize());
        }
    }

    /// A chunk over the free range that a previous owner has left in a file.
    Chunk resume(FreeRange free) {
        MemorySegment segment = existing(free.file(), free.end());
        return reserved
                ? new Chunk(segment, free.file(), free.start(), free.start(), reservation(free.file()))
                : new Chunk(segment, free.file(), free.start());
    }

    /// The memory that a previous owner has allocated.
    MemorySegment existing(ExistingRange range) {
        MemorySegment file = existing(range.file(), range.end());
        if (reserved) {
            reservation(range.file()).reserveExisting(range.byteOffset(), range.byteSize(), file.byteSize());
        }
        return file.asSlice(range.byteOffset(), range.byteSize());
    }

    private DiskReservation reservation(int number) {
        return new DiskReservation(identity(number), space);
    }

    /// The identity of a mapped file.
    FileIdentity identity(int number) {
        return new FileIdentity(ImagePaths.data(base, number), Objects.requireNonNull(keys.get(number), "key"));
    }

    /// The mapping of a file that a previous owner has made. It is mapped when it is first requested.
    ///
    /// @param end the least size of the file
    synchronized MemorySegment existing(int number, long end) {
        MemorySegment segment = existing.get(number);
        if (segment == null || segment.byteSize() < end) {
            segment = mapExisting(number, end, 0);
            existing.put(number, segment);
        }
        return segment;
    }

    /// The files of an allocation of a previous owner that grows, mapped with the size up to which it may grow.
    synchronized Chunk reopenGrowable(ExistingRange range, long maxByteSize) {
        if (range.partByteSize() > 0) {
            return Chunk.ofParts(mapExistingParts(range, maxByteSize), range.file(), range.partByteSize());
        }
        growth.reserveExisting(range);
        return new Chunk(mapExisting(range.file(), range.byteSize(), maxByteSize), range.file(), 0);
    }

    /// The memory of an allocation of a previous owner that has several files. The files are mapped when the memory is
    /// first requested.
    synchronized MemorySegment existingParts(ExistingRange range) {
        MemorySegment mapped = existing.get(range.file());
        if (mapped == null) {
            mapped = mapExistingParts(range, range.byteSize());
            existing.put(range.file(), mapped);
        }
        return mapped;
    }

    /// @param byteSize the size of the mapping, to which the files may grow
    private MemorySegment mapExistingParts(ExistingRange range, long byteSize) {
        if (reserved) {
            throw new UnsupportedOperationException("Allocation in several files cannot be reserved: first="
                    + ImagePaths.data(base, range.file()) + ", byteSize=" + range.byteSize()
                    + "; reopen the image without reserved()");
        }
        List<AllocationPart> parts = AllocationParts.list(range.file(), 0, byteSize, range.partByteSize());
        MappingLimit.reserve(parts.size());
        boolean made = false;
        try {
            Map<Integer, Object> found = new HashMap<>();
            MemorySegment segment = DataFileParts.map(base, parts, range.byteSize(), number -> {
                FileIdentity identity = FileIdentity.of(ImagePaths.data(base, number));
                if (!keys.getOrDefault(number, identity.key()).equals(identity.key())) {
                    throw new FileTrust.UntrustedException(identity.path(), "another file has replaced it");
                }
                found.put(number, identity.key());
                return identity;
            }, true, arena);
            keys.putAll(found);
            made = true;
            mappings += parts.size();
            adviseParts(ImagePaths.data(base, range.file()), segment);
            if (segment.byteSize() > 0) {
                locator.add(range.file(), segment, parts.size());
            }
            return segment;
        } catch (IOException e) {
            throw FileErrors.mapExisting(ImagePaths.data(base, range.file()), range.byteSize(), e);
        } finally {
            if (!made) {
                MappingLimit.release(parts.size());
            }
        }
    }

    private void adviseParts(Path file, MemorySegment segment) {
        if (randomAccess && segment.byteSize() > 0) {
            try {
                MappedPages.advise(segment, MappedPages.Use.RANDOM);
            } catch (IOException e) {
                throw FileErrors.map(file, segment.byteSize(), segment.byteSize(), e);
            }
        }
    }

    /// @param end         the least size of the file
    /// @param maxByteSize the size to which the file may grow, or 0 if only the file is mapped
    private MemorySegment mapExisting(int number, long end, long maxByteSize) {
        Path file = ImagePaths.data(base, number);
        MappingLimit.reserve();
        boolean isMapped = false;
        try {
            MemorySegment segment = SafeFiles.uninterrupted(() -> {
                FileIdentity identity = FileIdentity.of(file);
                try (FileChannel channel = identity.open()) {
                    long byteSize = channel.size();
                    if (byteSize < end) {
                        throw FileErrors.truncatedExisting(file, byteSize, end);
                    }
                    Object key = identity.key();
                    if (!keys.getOrDefault(number, key).equals(key)) {
                        throw new FileTrust.UntrustedException(file, "another file has replaced it");
                    }
                    MemorySegment mapping = advised(
                            ChannelMapper.map(channel, file, Math.max(byteSize, maxByteSize), arena));
                    // The mapping has made the file larger. Other systems may refuse to truncate a file that is mapped.
                    if (maxByteSize > byteSize && AddressRange.isKnownFor(file)) {
                        channel.truncate(byteSize);
                    }
                    keys.put(number, key);
                    return mapping;
                }
            });
            isMapped = true;
            mappings++;
            locator.add(number, segment, 1);
            return segment;
        } catch (IOException e) {
            throw FileErrors.mapExisting(file, end, e);
        } finally {
            if (!isMapped) {
                MappingLimit.release(1);
            }
        }
    }

    @Override
    public synchronized List<ImageStatistics> statistics() {
        return List.of(new ImageStatistics(base.toString(), mappings, space.byteSize()));
    }

    /// Finds mapped files by segments.
    SegmentLocator locator() {
        return locator;
    }

    /// Frees an allocation. Its space is freed together with the space of others.
    ///
    /// @param ended gets the record of the allocation after it has the state freed
    /// @throws IllegalArgumentException if the segment is no live allocation
    void free(MemorySegment segment, Consumer<AllocationIndex.Found> ended) {
        SegmentLocator.Range range = locator.findAny(segment);
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
    synchronized boolean freeGrowable(int line, int file, long byteSize, long maxByteSize, Runnable ended) {
        return Objects.requireNonNull(freed).free(line, file, byteSize, maxByteSize, ended);
    }

    /// Frees the space of all freed allocations.
    ///
    /// @return false if there were none
    public synchronized boolean freeSpace() {
        return freed != null && freed.flush();
    }

    /// Makes an allocation, and tries once more if space or mappings of freed allocations may have been missing.
    <T> T allocated(Supplier<T> allocation) {
        try {
            return allocation.get();
        } catch (DiskFullException | CapacityExceededException e) {
            freeSpaceAfter(e);
            return allocation.get();
        } catch (OutOfMemoryError e) {
            // Freed memory may have the addresses.
            try {
                if (!freeSpace()) {
                    throw e;
                }
            } catch (UncheckedIOException failed) {
                e.addSuppressed(failed);
                throw e;
            }
            return allocation.get();
        }
    }

    /// Frees the space and the mappings of freed allocations that a failed call needs.
    ///
    /// @throws RuntimeException the given failure if there is nothing to free, or it cannot be freed
    public void freeSpaceAfter(RuntimeException failure) {
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
    synchronized void freeSpace(List<FreedAllocations.Freed> before) {
        try {
            MappedPages.require();
            before.forEach(Objects.requireNonNull(freed)::add);
            freeSpace();
        } catch (UncheckedIOException | UnsupportedOperationException | IllegalCallerException _) {
            // Nobody needs the space at present, and the next owner tries again.
        }
    }

    /// Whether the data files of an allocation are removed: a record tells others that they are not missing. If blocks
    /// are reserved, files stay, except for those whose removal a previous owner has begun.
    boolean canRemove(List<AllocationPart> parts) {
        return parts.stream().allMatch(part -> numbers.isRecorded(part.file()))
                && (!reserved || parts.stream().anyMatch(part -> numbers.isBeingRemoved(part.file())));
    }

    void recordRemoval(int number) {
        numbers.recordRemoval(number);
    }

    /// Unmaps files that were removed, as far as segments allow it.
    ///
    /// @param byteSizes the sizes up to which segments refer to files, by their numbers
    void forget(List<Integer> removed, Map<Integer, Long> byteSizes) {
        Set<Integer> all = Set.copyOf(removed);
        int unmapped = replaced.replace(locator.remove(all), byteSizes);
        mappings -= unmapped;
        MappingLimit.release(unmapped);
        for (int number : all) {
            numbers.forget(number);
            keys.remove(number);
            existing.remove(number);
        }
    }

    /// The identity of a mapped file, or of a file that this user alone may have made.
    FileIdentity identityOrTrusted(int number) throws IOException {
        Path file = ImagePaths.data(base, number);
        Object key = keys.get(number);
        return new FileIdentity(file, key == null ? FileTrust.check(file) : key);
    }

    /// Writes the contents of a segment to the device.
    ///
    /// @throws IllegalArgumentException if the segment is not of this arena
    /// @throws UncheckedIOException     if the device fails
    public void force(MemorySegment segment) {
        if (!segment.scope().equals(arena.scope())) {
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
            AddressRange.force(arena, segment);
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
        MappingLimit.release(mappings);
        mappings = 0;
        space.close();
        List<Path> files = delete
                ? numbers.all().mapToObj(number -> ImagePaths.data(base, number)).toList()
                : List.of();
        numbers.clear();
        SafeFiles.deleteAll(files);
    }

    private Chunk create(int number, long fileByteSize, long leastByteSize, long needed, long byteSize,
            boolean isEmpty) {
        Path file = ImagePaths.data(base, number);
        try {
            return SafeFiles.uninterrupted(
                    () -> createAndMap(number, file, fileByteSize, leastByteSize, needed, byteSize, isEmpty));
        } catch (IOException e) {
            throw FileErrors.close(file, byteSize, e);
        }
    }

    private Chunk createAndMap(int number, Path file, long fileByteSize, long leastByteSize, long needed,
            long byteSize, boolean isEmpty) throws IOException {
        NewFile created;
        try {
            created = NewFile.create(file, mode);
        } catch (IOException e) {
            throw FileErrors.create(file, byteSize, e);
        }
        try (created) {
            FileIdentity identity = created.identity();
            keys.put(number, identity.key());
            DiskReservation reservation = reserved && !isEmpty ? new DiskReservation(identity, space) : null;
            Chunk chunk = mapLargest(created.channel(), number, file, fileByteSize, leastByteSize, needed, byteSize,
                    reservation);
            // Other systems may refuse to truncate a file that is mapped. It is sparse in any case.
            if (isEmpty && AddressRange.isKnownFor(file)) {
                empty(created);
            }
            return chunk;
        } catch (ClosedByInterruptException e) {
            // This method is called again, and creates the file anew. After another exception, the caller deletes it.
            SafeFiles.delete(file);
            throw e;
        }
    }

    /// Empties a new file that is mapped. The arena has the mapping now, and keeps it: an interrupt, which closes the
    /// channel, must not end this call.
    private static void empty(NewFile file) throws IOException {
        try {
            file.channel().truncate(0);
        } catch (ClosedByInterruptException _) {
            SafeFiles.uninterrupted(() -> {
                try (FileChannel reopened = file.identity().open()) {
                    return reopened.truncate(0);
                }
            });
        }
    }

    private Chunk mapLargest(FileChannel channel, int number, Path file, long fileByteSize, long leastByteSize,
            long needed, long byteSize, @Nullable DiskReservation reservation) throws IOException {
        try {
            return mapLargestReserved(channel, number, file, fileByteSize, leastByteSize, needed, byteSize,
                    reservation);
        } catch (Throwable t) {
            // The file is not mapped, and is deleted.
            if (reservation != null) {
                reservation.deleted();
            }
            throw t;
        }
    }

    private Chunk mapLargestReserved(FileChannel channel, int number, Path file, long fileByteSize, long leastByteSize,
            long needed, long byteSize, @Nullable DiskReservation reservation) throws IOException {
        long size = fileByteSize;
        while (true) {
            // Before the file is mapped: on failure it is deleted, but a mapping would keep its blocks until the arena
            // is closed.
            long limit = reservation == null ? size : reservation.reserveNew(needed, size);
            try {
                return new Chunk(advised(ChannelMapper.mapNew(channel, file, size, arena)), number, 0, limit,
                        reservation);
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (IOException e) {
                if (size == leastByteSize) {
                    throw failure(channel, file, size, byteSize, e);
                }
                // A file that was grown but not mapped keeps its size, and would hide that the next size is refused.
                channel.truncate(0);
                size = Math.max(size / 2, leastByteSize);
            }
        }
    }

    private MemorySegment advised(MemorySegment segment) throws IOException {
        if (randomAccess) {
            MappedPages.advise(segment, MappedPages.Use.RANDOM);
        }
        return segment;
    }

    private static RuntimeException failure(FileChannel channel, Path file, long fileByteSize, long byteSize,
            IOException cause) throws IOException {
        if (cause.getCause() instanceof OutOfMemoryError) {
            throw FileErrors.noAddresses(file, byteSize, fileByteSize, cause);
        }
        // Mapping grows the file first. Its size shows which of the two steps has failed, whatever the locale.
        return channel.size() < fileByteSize
                ? FileErrors.grow(file, byteSize, fileByteSize, cause)
                : FileErrors.map(file, byteSize, fileByteSize, cause);
    }
}
