package dev.arenakit.internal.layout.emit;

import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.util.Objects;

/// Checks of sizes and counts that the mappers of records and of views share.
public final class SegmentChecks {
    private SegmentChecks() {}

    /// Returns the number of structs in a segment.
    ///
    /// @throws IllegalArgumentException if the size of the segment is not a multiple of the size of the struct
    public static long count(MemorySegment segment, StructType type) {
        long byteSize = Objects.requireNonNull(segment, "segment").byteSize();
        if (byteSize % type.byteSize() != 0) {
            throw new IllegalArgumentException(
                    "Size of the segment is not a multiple of the layout: segment.byteSize=" + byteSize
                            + ", layout=" + type.name() + ", layout.byteSize=" + type.byteSize()
                            + "; take a slice of the structs alone");
        }
        return byteSize / type.byteSize();
    }

    /// Allocates memory for a number of structs.
    ///
    /// @throws IllegalArgumentException if the count is negative
    public static MemorySegment allocate(SegmentAllocator allocator, StructType type, StructLayout layout, long count) {
        Objects.requireNonNull(allocator, "allocator");
        if (count < 0) {
            throw new IllegalArgumentException("Count is negative: count=" + count + ", layout=" + type.name());
        }
        return allocator.allocate(layout, count);
    }
}
