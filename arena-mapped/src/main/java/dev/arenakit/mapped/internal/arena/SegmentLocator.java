package dev.arenakit.mapped.internal.arena;

import dev.arenakit.mapped.internal.files.PageSize;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/// Finds the mapped data file of an open arena that contains a segment. Thread-safe.
final class SegmentLocator {
    private final ConcurrentSkipListMap<Long, Mapping> files = new ConcurrentSkipListMap<>();

    SegmentLocator() {}

    private record Mapping(int number, MemorySegment segment, int files) {}

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
        files.put(segment.address(), new Mapping(number, segment, mappedFiles));
    }

    /// Removes the mappings of files that were removed.
    ///
    /// @param numbers the numbers of the files
    List<ReplacedMappings.Mapped> remove(Set<Integer> numbers) {
        List<ReplacedMappings.Mapped> removed = new ArrayList<>();
        files.values().removeIf(mapping -> {
            boolean isRemoved = numbers.contains(mapping.number);
            if (isRemoved) {
                removed.add(new ReplacedMappings.Mapped(mapping.number, mapping.segment, mapping.files));
            }
            return isRemoved;
        });
        return removed;
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
        Map.Entry<Long, Mapping> floor = files.floorEntry(segment.address());
        if (floor != null) {
            Mapping file = floor.getValue();
            long byteOffset = segment.address() - floor.getKey();
            if (segment.scope().equals(file.segment.scope())
                    && segment.byteSize() <= file.segment.byteSize() - byteOffset) {
                return new Range(file.number, file.segment, byteOffset, segment.byteSize(), file.files);
            }
        }
        throw new IllegalArgumentException("Segment is not in a file of this arena, or its file was removed after the "
                + "allocation was freed: segment=" + segment);
    }
}
