package dev.arenakit.mapped;

import java.util.List;
import java.util.stream.LongStream;

/// A range of a data file that contains an allocation, or a part of one.
///
/// @param file       the number of the data file, `base-0` and so on
/// @param byteOffset the offset in the data file
/// @param byteSize   the size in bytes, at least 1
public record AllocationPart(int file, long byteOffset, long byteSize) {
    /// The parts of an allocation.
    ///
    /// @param partByteSize the size of each part except for the last one, or 0 if there is one part; several parts are
    ///                     in consecutive files, from their starts
    static List<AllocationPart> list(int file, long byteOffset, long byteSize, long partByteSize) {
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
