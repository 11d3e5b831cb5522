package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.EnumIndices;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Constants of an enum, as indices of their names.
final class EnumBuffer extends FixedBuffer {
    private final EnumIndices indices;

    EnumBuffer(ColumnType.Constant constant, SegmentAllocator memory) {
        super(constant, constant.indexByteSize(), memory);
        indices = new EnumIndices(constant);
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment target = values(index + count);
        for (int i = 0; i < count; i++) {
            put(target, index + i, indices.read(from, at + i * stride));
        }
    }
}
