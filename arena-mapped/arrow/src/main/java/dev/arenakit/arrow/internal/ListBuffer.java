package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Arrays with different numbers of valid elements.
final class ListBuffer extends ColumnBuffer {
    private final ColumnType.Array array;
    private final ColumnBuffer elements;
    private final Offsets offsets;

    ListBuffer(ArrowField field, ColumnType.Array array, Arena arena) {
        super(arena);
        this.array = array;
        elements = of(field.children().getFirst(), arena);
        offsets = new Offsets(arena);
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
            // A batch is small enough for offsets of type int: see ArrowFields.
            int valid = (int) array.validLength(from, structAt);
            int start = offsets.start(index + i);
            elements.write(from, at + i * stride, array.elementByteSize(), valid, start, structAt, 0);
            Offsets.setEnd(ends, index + i, start + valid);
        }
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
