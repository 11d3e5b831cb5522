package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.Offsets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// Arrays with different numbers of valid elements.
final class ListBuffer extends ColumnBuffer {
    private final ColumnType.Array array;
    private final Offsets offsets;

    ListBuffer(ColumnType.Array array, SegmentAllocator memory) {
        super(array, memory);
        this.array = array;
        offsets = new Offsets(memory);
    }

    @Override
    void begin() {
        super.begin();
        offsets.begin();
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment ends = offsets.reserve(index + count);
        for (int i = 0; i < count; i++) {
            long structAt = struct + i * structStride;
            long valid = array.validLength(from, structAt);
            int start = offsets.start(index + i);
            if (valid > array.mostElements() - start) {
                throw new ConversionFailure("too many elements: length=" + (start + valid) + ", limit="
                        + array.mostElements(), at + i * stride);
            }
            Offsets.setEnd(ends, index + i, start + valid);
            children[0].write(from, at + i * stride, array.elementByteSize(), (int) valid, start, structAt, 0);
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
    void addBuffers(long length, List<MemorySegment> to) {
        to.add(offsets.first(length));
    }

    @Override
    public long childLength(long length) {
        return offsets.start(length);
    }
}
