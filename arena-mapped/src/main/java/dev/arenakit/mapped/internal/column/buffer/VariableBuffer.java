package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.GrowingSegment;
import dev.arenakit.mapped.internal.column.Offsets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// Texts in UTF-8: their ends, and their bytes one after another.
abstract sealed class VariableBuffer extends ColumnBuffer permits TextBuffer, EnumNameBuffer {
    private final Offsets offsets;
    private final GrowingSegment bytes;

    VariableBuffer(ColumnType type, SegmentAllocator memory) {
        super(type, memory);
        offsets = new Offsets(memory);
        bytes = new GrowingSegment(memory);
    }

    @Override
    final void begin() {
        super.begin();
        offsets.begin();
    }

    @Override
    final void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment ends = offsets.reserve(index + count);
        long end = offsets.start(index);
        for (int i = 0; i < count; i++) {
            end += copyText(from, at + i * stride, bytes, end);
            Offsets.setEnd(ends, index + i, end);
        }
    }

    /// Copies a text.
    ///
    /// @return the number of its bytes
    abstract int copyText(MemorySegment from, long at, GrowingSegment target, long to);

    @Override
    final void reserve(long length) {
        offsets.reserve(length);
    }

    @Override
    final void setNull(long index) {
        super.setNull(index);
        offsets.setEmpty(index);
    }

    @Override
    final void addBuffers(long length, List<MemorySegment> to) {
        to.add(offsets.first(length));
        to.add(bytes.first(offsets.start(length)));
    }
}
