package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Arrays of a fixed length.
final class ArrayBuffer extends ColumnBuffer {
    private final ColumnBuffer elements;
    private final long elementByteSize;
    private final int length;

    ArrayBuffer(ArrowField field, ColumnType.Array array, SegmentAllocator memory) {
        super(memory);
        elements = of(field.children().getFirst(), memory);
        elementByteSize = array.elementByteSize();
        length = (int) array.length();
    }

    @Override
    void begin() {
        super.begin();
        elements.begin();
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < count; i++) {
            elements.write(from, at + i * stride, elementByteSize, length, (index + i) * length,
                    struct + i * structStride, 0);
        }
    }

    @Override
    void reserve(long length) {
        elements.reserve(length * this.length);
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        for (int i = 0; i < length; i++) {
            elements.setNull(index * length + i);
        }
    }

    @Override
    void collect(long count, BatchBuffers to) {
        super.collect(count, to);
        elements.collect(count * length, to);
    }
}
