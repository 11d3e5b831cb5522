package dev.arenakit.mapped.internal.arena;

import dev.arenakit.mapped.internal.files.PageSize;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/// Finds the mapped data file of an open arena that contains a segment. Thread-safe.
public final class SegmentLocator {
    private final ConcurrentSkipListMap<Long, Mapping> files = new ConcurrentSkipListMap<>();

    SegmentLocator() {}

    private record Mapping(int number, MemorySegment segment, boolean hasParts) {}

    /// The range of a file that a segment occupies.
    ///
    /// @param file  the mapping of the whole file
    public record Range(int number, MemorySegment file, long byteOffset, long byteSize) {
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
    /// @param number   the number of the data file, or of the first one if there are several
    /// @param hasParts whether the mapping has several files
    void add(int number, MemorySegment segment, boolean hasParts) {
        files.put(segment.address(), new Mapping(number, segment, hasParts));
    }

    /// Finds the file of a segment.
    ///
    /// @throws IllegalArgumentException      if the segment is not in a file of the arena
    /// @throws UnsupportedOperationException if it is in an allocation that has several files
    public Range find(MemorySegment segment) {
        Map.Entry<Long, Mapping> floor = files.floorEntry(segment.address());
        if (floor != null) {
            Mapping file = floor.getValue();
            long byteOffset = segment.address() - floor.getKey();
            if (segment.scope().equals(file.segment.scope())
                    && segment.byteSize() <= file.segment.byteSize() - byteOffset) {
                if (file.hasParts) {
                    throw new UnsupportedOperationException(
                            "Segment of an allocation that has several files can neither be freed, advised, prefaulted "
                                    + "nor measured: segment=" + segment + ", firstFile=" + file.number
                                    + "; free it by its name, or make allocations that fit into a file");
                }
                return new Range(file.number, file.segment, byteOffset, segment.byteSize());
            }
        }
        throw new IllegalArgumentException("Segment is not in a file of this arena: segment=" + segment);
    }
}
