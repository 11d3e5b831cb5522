package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// Arrays of a fixed length.
final class ArrayBuffer extends ColumnBuffer {
    private final long elementByteSize;
    private final int length;

    ArrayBuffer(ColumnType.Array array, SegmentAllocator memory) {
        super(array, memory);
        elementByteSize = array.elementByteSize();
        length = (int) array.length();
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < count; i++) {
            children[0].write(from, at + i * stride, elementByteSize, length, (index + i) * length,
                    struct + i * structStride, 0);
        }
    }

    @Override
    void reserve(long count) {
        super.reserve(childLength(count));
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        for (int i = 0; i < length; i++) {
            children[0].setNull(index * length + i);
        }
    }

    @Override
    void addBuffers(long count, List<MemorySegment> to) {
        // The elements are the values.
    }

    @Override
    public long childLength(long count) {
        return count * length;
    }
}
