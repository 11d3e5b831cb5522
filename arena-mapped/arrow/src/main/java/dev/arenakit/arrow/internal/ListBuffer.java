package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Arrays with different numbers of valid elements.
final class ListBuffer extends ColumnBuffer {
    private final ColumnType.Array array;
    private final ColumnBuffer elements;
    private final Offsets offsets;

    ListBuffer(ArrowField field, ColumnType.Array array, SegmentAllocator memory) {
        super(memory);
        this.array = array;
        elements = of(field.children().getFirst(), memory);
        offsets = new Offsets(memory);
    }

    @Override
    void begin() {
        super.begin();
        offsets.begin();
        elements.begin();
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment ends = offsets.reserve(index + count);
        for (int i = 0; i < count; i++) {
            long structAt = struct + i * structStride;
            // A row is small enough for an int: see ArrowFields.
            int valid = (int) array.validLength(from, structAt);
            int start = offsets.start(index + i);
            elements.write(from, at + i * stride, array.elementByteSize(), valid, start, structAt, 0);
            Offsets.setEnd(ends, index + i, (long) start + valid);
        }
    }

    @Override
    void reserve(long length) {
        offsets.reserve(length);
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        offsets.setEmpty(index);
    }

    @Override
    void collect(long length, BatchBuffers to) {
        super.collect(length, to);
        offsets.collect(length, to);
        elements.collect(offsets.start(length), to);
    }
}
