package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// Nested structs, member by member.
sealed class StructBuffer extends ColumnBuffer permits UnionBuffer {
    private final long[] byteOffsets;

    StructBuffer(ColumnType type, SegmentAllocator memory) {
        super(type, memory);
        byteOffsets = type.children().stream().mapToLong(ColumnType.Column::byteOffset).toArray();
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < children.length; i++) {
            children[i].write(from, at + byteOffsets[i], stride, count, index, at, stride);
        }
    }

    @Override
    final void setNull(long index) {
        super.setNull(index);
        for (ColumnBuffer member : children) {
            member.setNull(index);
        }
    }

    @Override
    final void addBuffers(long length, List<MemorySegment> to) {
        // The members are the values.
    }
}
