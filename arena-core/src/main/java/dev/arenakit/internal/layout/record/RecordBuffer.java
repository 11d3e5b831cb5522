package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.value.RecordRanges;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;

/// The array of longs through which a large record is read and written: one check and one copy serve all components.
///
/// A write fills the array first, so that no byte of the segment changes if a component does not fit. Two kinds of
/// bytes do not change: members of the struct that the record lacks, and elements of a counted array after its last
/// valid element.
///
/// @param byteSize      the size of the struct
/// @param byteAlignment the alignment of the struct
/// @param ranges        the bytes that a write copies
public record RecordBuffer(int byteSize, long byteAlignment, RecordRanges ranges) {
    static RecordBuffer of(Class<?> record, StructType type) {
        return new RecordBuffer((int) type.byteSize(), type.byteAlignment(), RecordRanges.of(record, type));
    }

    /// Returns a copy of the struct.
    public long[] read(MemorySegment segment, long byteOffset) {
        check(segment, byteOffset);
        long[] words = newArray();
        MemorySegment.copy(segment, byteOffset, MemorySegment.ofArray(words), 0, byteSize);
        return words;
    }

    /// Returns an array for a write.
    public long[] begin(MemorySegment segment, long byteOffset) {
        // The bits of other members may be in the same bytes.
        return ranges.partial() ? read(segment, byteOffset) : newArray();
    }

    private long[] newArray() {
        return new long[(byteSize + Long.BYTES - 1) / Long.BYTES];
    }

    /// Copies the array to the struct.
    public void end(long[] words, MemorySegment segment, long byteOffset) {
        check(segment, byteOffset);
        ranges.copy(MemorySegment.ofArray(words), 0, segment, byteOffset);
    }

    private void check(MemorySegment segment, long byteOffset) {
        var _ = segment.asSlice(byteOffset, byteSize, byteAlignment); // Throws.
    }
}
