package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Nested structs, member by member.
final class StructBuffer extends ColumnBuffer {
    private final long[] byteOffsets;

    StructBuffer(ArrowField field, ColumnType.Struct struct, SegmentAllocator memory) {
        super(memory, field.children());
        byteOffsets = struct.members().stream().mapToLong(ColumnType.Column::byteOffset).toArray();
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < members.length; i++) {
            members[i].write(from, at + byteOffsets[i], stride, count, index, at, stride);
        }
    }
}
