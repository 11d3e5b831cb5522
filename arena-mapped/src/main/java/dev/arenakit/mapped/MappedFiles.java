package dev.arenakit.mapped;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/// The mapped data files of an open arena by their addresses. Thread-safe.
final class MappedFiles {
    private final ConcurrentSkipListMap<Long, MappedFile> files = new ConcurrentSkipListMap<>();

    private record MappedFile(int number, MemorySegment segment) {}

    /// The range of a file that a segment occupies.
    ///
    /// @param file  the mapping of the whole file
    record Range(int number, MemorySegment file, long byteOffset, long byteSize) {
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

    void add(int number, MemorySegment segment) {
        files.put(segment.address(), new MappedFile(number, segment));
    }

    /// Finds the file of a segment.
    ///
    /// @throws IllegalArgumentException if the segment is not in a file of the arena
    Range find(MemorySegment segment) {
        Map.Entry<Long, MappedFile> floor = segment.isMapped() ? files.floorEntry(segment.address()) : null;
        if (floor != null) {
            MappedFile file = floor.getValue();
            long byteOffset = segment.address() - floor.getKey();
            if (segment.scope().equals(file.segment.scope())
                    && segment.byteSize() <= file.segment.byteSize() - byteOffset) {
                return new Range(file.number, file.segment, byteOffset, segment.byteSize());
            }
        }
        throw new IllegalArgumentException("Segment is not in a file of this arena: segment=" + segment);
    }
}
