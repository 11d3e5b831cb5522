package dev.arenakit.layout;

import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The array of longs through which a large record is read and written: one check and one copy for all of its components.
///
/// A write fills the array first, so that no byte of the segment changes if a component does not fit. The members of
/// the struct that the record does not have keep their bytes.
///
/// @param byteSize      the size of the struct
/// @param byteAlignment the alignment of the struct
/// @param ranges        the offset and the limit of each range of bytes that a write copies, in pairs
/// @param partial       whether the struct has members that the record does not have
@SuppressWarnings("ArrayRecordComponent") // Buffers are not compared.
record RecordBuffer(int byteSize, long byteAlignment, int[] ranges, boolean partial) {
    /// @param used the offset and the limit of each member that the record has
    static RecordBuffer of(StructType type, boolean partial, List<long[]> used) {
        int byteSize = (int) type.byteSize();
        return new RecordBuffer(byteSize, type.byteAlignment(), partial ? merged(used) : new int[]{0, byteSize},
                partial);
    }

    private static int[] merged(List<long[]> used) {
        List<long[]> sorted = new ArrayList<>(used);
        sorted.sort(Comparator.comparingLong(range -> range[0]));
        List<long[]> merged = new ArrayList<>();
        for (long[] range : sorted) {
            if (!merged.isEmpty() && range[0] <= merged.getLast()[1]) {
                merged.getLast()[1] = Math.max(merged.getLast()[1], range[1]);
            } else {
                merged.add(range.clone());
            }
        }
        return merged.stream().flatMapToInt(range -> IntStream.of((int) range[0], (int) range[1])).toArray();
    }

    /// Returns a copy of the struct.
    long[] read(MemorySegment segment, long byteOffset) {
        check(segment, byteOffset);
        long[] words = newArray();
        MemorySegment.copy(segment, byteOffset, MemorySegment.ofArray(words), 0, byteSize);
        return words;
    }

    /// Returns an array for a write.
    long[] begin(MemorySegment segment, long byteOffset) {
        // The bits of other members may be in the same bytes.
        return partial ? read(segment, byteOffset) : newArray();
    }

    private long[] newArray() {
        return new long[(byteSize + Long.BYTES - 1) / Long.BYTES];
    }

    /// Copies the array to the struct.
    void end(long[] words, MemorySegment segment, long byteOffset) {
        check(segment, byteOffset);
        MemorySegment from = MemorySegment.ofArray(words);
        if (!partial) {
            MemorySegment.copy(from, 0, segment, byteOffset, byteSize);
            return;
        }
        for (int i = 0; i < ranges.length; i += 2) {
            MemorySegment.copy(from, ranges[i], segment, byteOffset + ranges[i], ranges[i + 1] - ranges[i]);
        }
    }

    private void check(MemorySegment segment, long byteOffset) {
        var _ = segment.asSlice(byteOffset, byteSize, byteAlignment); // Throws.
    }
}
