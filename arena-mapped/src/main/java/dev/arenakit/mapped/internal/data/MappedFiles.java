package dev.arenakit.mapped.internal.data;

import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.internal.file.MappedPages;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.data.ReplacedMappings.Mapped;
import dev.arenakit.mapped.internal.files.AllocationParts;
import dev.arenakit.mapped.internal.files.ChannelMapper;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.PageSize;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// The mapped data files of an open arena, by their numbers and by the addresses of their memory.
///
/// Any thread may find a file, and identify it by its number. The caller of any other method holds the lock of the
/// arena.
public final class MappedFiles {
    private final Path base;

    /// The arena whose scope the mappings get.
    private final Arena arena;
    private final boolean randomAccess;
    private final ConcurrentSkipListMap<Long, Mapped> files = new ConcurrentSkipListMap<>();

    /// The keys of the mapped files by their numbers, see [FileIdentity].
    private final Map<Integer, Object> keys = new ConcurrentHashMap<>();

    /// The mapped files of previous owners, by their numbers.
    private final Map<Integer, MemorySegment> existing = new HashMap<>();

    private final ReplacedMappings replaced = new ReplacedMappings();
    private int mappings;

    /// @param arena the arena whose scope the mappings get
    public MappedFiles(Path base, Arena arena, boolean randomAccess) {
        this.base = base;
        this.arena = arena;
        this.randomAccess = randomAccess;
    }

    public Path base() {
        return base;
    }

    Arena arena() {
        return arena;
    }

    /// The mappings of removed files.
    ReplacedMappings replaced() {
        return replaced;
    }

    /// The number of mappings now.
    int mappings() {
        return mappings;
    }

    /// Counts mappings that the arena unmaps when it is closed.
    void count(int made) {
        mappings += made;
    }

    /// Releases the count of the mappings, which the arena has unmapped. A second call has no effect.
    void release() {
        MappingLimit.release(mappings);
        mappings = 0;
    }

    /// Sets the identity of a file that is being mapped.
    void identify(FileIdentity identity, int number) {
        keys.put(number, identity.key());
    }

    /// The range of a data file that an allocation of a previous owner occupies.
    public record ExistingRange(int file, long byteOffset, long byteSize, long partByteSize, long byteAlignment) {
        public long end() {
            return byteOffset + byteSize;
        }
    }

    /// The range of a data file of a previous owner behind its last allocation.
    public record FreeRange(int file, long start, long end) {
        public long byteSize() {
            return end - start;
        }
    }

    /// The range of a file that a segment occupies.
    ///
    /// @param file  the mapping of the whole file
    /// @param files the number of files that the mapping has
    record Range(int number, MemorySegment file, long byteOffset, long byteSize, int files) {
        long end() {
            return byteOffset + byteSize;
        }

        /// The pages that the range touches.
        MemorySegment pages() {
            long end = Math.min((end() + PageSize.BYTES - 1) & -PageSize.BYTES, file.byteSize());
            return file.asSlice(firstPage(), end - firstPage());
        }

        long firstPage() {
            return byteOffset & -PageSize.BYTES;
        }
    }

    /// Adds a mapping.
    ///
    /// @param number      the number of the data file, or of the first one if there are several
    /// @param mappedFiles the number of files
    void add(int number, MemorySegment segment, int mappedFiles) {
        files.put(segment.address(), new Mapped(number, segment, mappedFiles));
    }

    /// Finds the file of a segment.
    ///
    /// @throws IllegalArgumentException      if the segment is not in a file of the arena
    /// @throws UnsupportedOperationException if it is in an allocation that has several files
    Range find(MemorySegment segment) {
        Range range = findAny(segment);
        if (range.files > 1) {
            throw new UnsupportedOperationException(
                    "Segment of an allocation that has several files can neither be advised, prefaulted nor measured: "
                            + "segment=" + segment + ", firstFile=" + range.number
                            + "; make allocations that fit into a file");
        }
        return range;
    }

    /// Finds the file of a segment, or the first file if its allocation has several.
    ///
    /// @throws IllegalArgumentException if the segment is not in a file of the arena
    Range findAny(MemorySegment segment) {
        Map.Entry<Long, Mapped> floor = files.floorEntry(segment.address());
        if (floor != null) {
            Mapped file = floor.getValue();
            long byteOffset = segment.address() - floor.getKey();
            if (segment.scope().equals(file.segment().scope())
                    && segment.byteSize() <= file.segment().byteSize() - byteOffset) {
                return new Range(file.file(), file.segment(), byteOffset, segment.byteSize(), file.mappings());
            }
        }
        throw new IllegalArgumentException("Segment is not in a file of this arena, or its file was removed after the "
                + "allocation was freed: segment=" + segment);
    }

    /// The identity of a mapped file.
    public FileIdentity identity(int number) {
        return new FileIdentity(ImagePaths.data(base, number), Objects.requireNonNull(keys.get(number), "key"));
    }

    /// The identity of a mapped file, or of a file that this user alone may have made.
    public FileIdentity identityOrTrusted(int number) throws IOException {
        Path file = ImagePaths.data(base, number);
        Object key = keys.get(number);
        return new FileIdentity(file, key == null ? FileTrust.check(file) : key);
    }

    /// The mapping of a file that a previous owner has made. It is mapped when it is first requested.
    ///
    /// @param end the least size of the file
    MemorySegment existing(int number, long end) {
        MemorySegment segment = existing.get(number);
        if (segment == null || segment.byteSize() < end) {
            segment = mapExisting(number, end, 0, 0);
            existing.put(number, segment);
        }
        return segment;
    }

    /// The memory of an allocation of a previous owner that has several files. The files are mapped when the memory is
    /// first requested.
    MemorySegment existingParts(ExistingRange range) {
        return existing.computeIfAbsent(range.file(), _ -> mapExistingParts(range, range.byteSize()));
    }

    /// Maps the files of an allocation that a previous owner has made.
    ///
    /// @param byteSize the size of the mapping, to which the files may grow
    MemorySegment mapExistingParts(ExistingRange range, long byteSize) {
        List<AllocationPart> parts = AllocationParts.list(range.file(), 0, byteSize, range.partByteSize());
        MappingLimit.reserve(parts.size());
        boolean made = false;
        try {
            Map<Integer, Object> found = new HashMap<>();
            MemorySegment segment = DataFileParts.map(base, parts, range.byteSize(), number -> {
                FileIdentity identity = FileIdentity.of(ImagePaths.data(base, number));
                checkSame(number, identity);
                found.put(number, identity.key());
                return identity;
            }, true, arena);
            keys.putAll(found);
            made = true;
            mappings += parts.size();
            adviseParts(range.file(), segment);
            if (segment.byteSize() > 0) {
                add(range.file(), segment, parts.size());
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

    /// Maps a file that a previous owner has made, or its start if the address space has no room for all of it.
    ///
    /// @param end              the least size of the file and of the mapping
    /// @param maxByteSize      the size to which the file may grow, or 0 if only the file is mapped
    /// @param leastMaxByteSize the least such size, if the address space has no room for more
    MemorySegment mapExisting(int number, long end, long maxByteSize, long leastMaxByteSize) {
        Path file = ImagePaths.data(base, number);
        MappingLimit.reserve();
        boolean isMapped = false;
        try {
            FileIdentity identity = FileIdentity.of(file);
            MemorySegment segment = SafeFiles.withChannel(identity::open, channel -> {
                long byteSize = channel.size();
                if (byteSize < end) {
                    throw FileErrors.truncatedExisting(file, byteSize, end);
                }
                checkSame(number, identity);
                MemorySegment mapping;
                try {
                    mapping = advised(ChannelMapper.mapAtMost(channel, file,
                            maxByteSize == 0 ? byteSize : Math.max(end, maxByteSize), Math.max(end, leastMaxByteSize),
                            arena, false));
                } finally {
                    // The mapping has made the file larger. Other systems may refuse to truncate a file that is mapped.
                    if (maxByteSize > byteSize && channel.isOpen() && AddressRange.isKnownFor(file)) {
                        channel.truncate(byteSize);
                    }
                }
                keys.put(number, identity.key());
                return mapping;
            });
            isMapped = true;
            mappings++;
            add(number, segment, 1);
            return segment;
        } catch (IOException e) {
            if (maxByteSize > 0 && e.getCause() instanceof OutOfMemoryError) {
                throw FileErrors.noAddressesToGrow(file, Math.max(end, leastMaxByteSize), maxByteSize, e);
            }
            throw FileErrors.mapExisting(file, end, e);
        } finally {
            if (!isMapped) {
                MappingLimit.release(1);
            }
        }
    }

    /// Checks that the paths of new files still lead to them.
    ///
    /// @param byteSize the requested size
    void checkNew(int first, int count, long byteSize) {
        for (int number = first; number < first + count; number++) {
            try {
                identity(number).check();
            } catch (IOException e) {
                throw FileErrors.create(ImagePaths.data(base, number), byteSize, e);
            }
        }
    }

    private void checkSame(int number, FileIdentity found) throws FileTrust.UntrustedException {
        if (!keys.getOrDefault(number, found.key()).equals(found.key())) {
            throw new FileTrust.UntrustedException(found.path(), "another file has replaced it");
        }
    }

    /// Tells the kernel how the memory of the arena is used.
    ///
    /// @return the same segment
    MemorySegment advised(MemorySegment segment) throws IOException {
        if (randomAccess && segment.byteSize() > 0) {
            MappedPages.advise(segment, MappedPages.Use.RANDOM);
        }
        return segment;
    }

    /// Advises the kernel about several files as [#advised] does about one.
    void adviseParts(int first, MemorySegment segment) {
        try {
            advised(segment);
        } catch (IOException e) {
            throw FileErrors.map(ImagePaths.data(base, first), segment.byteSize(), segment.byteSize(), e);
        }
    }

    /// Unmaps files that were removed, as far as segments allow it.
    ///
    /// @param byteSizes the sizes up to which segments refer to files, by their numbers
    void forget(Set<Integer> removed, Map<Integer, Long> byteSizes) {
        List<Mapped> unused = files.values().stream().filter(mapping -> removed.contains(mapping.file())).toList();
        files.values().removeIf(mapping -> removed.contains(mapping.file()));
        int unmapped = replaced.replace(unused, byteSizes);
        mappings -= unmapped;
        MappingLimit.release(unmapped);
        for (int number : removed) {
            keys.remove(number);
            existing.remove(number);
        }
    }
}
