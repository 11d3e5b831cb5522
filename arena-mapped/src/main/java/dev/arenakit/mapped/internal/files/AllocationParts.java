package dev.arenakit.mapped.internal.files;

import dev.arenakit.mapped.AllocationPart;
import java.util.List;
import java.util.stream.LongStream;

/// Divides an allocation into the ranges of data files that contain it.
public final class AllocationParts {
    private AllocationParts() {}

    /// The parts of an allocation, in the order of its bytes. An allocation without a data file has no parts.
    ///
    /// @param file         the number of the first data file, or -1
    /// @param byteOffset   the offset in the data file
    /// @param partByteSize the size of each part except for the last one, or 0 if there is one part; several parts are
    ///                     in consecutive files, from their starts
    public static List<AllocationPart> list(int file, long byteOffset, long byteSize, long partByteSize) {
        if (file < 0) {
            return List.of();
        }
        if (partByteSize == 0) {
            return List.of(new AllocationPart(file, byteOffset, byteSize));
        }
        return LongStream.range(0, Math.ceilDiv(byteSize, partByteSize))
                .mapToObj(part -> new AllocationPart((int) (file + part), 0,
                        Math.min(partByteSize, byteSize - part * partByteSize)))
                .toList();
    }
}
