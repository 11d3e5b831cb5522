package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.GrowingSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/// Values that all have the same size.
abstract sealed class FixedBuffer extends ColumnBuffer
        permits
        NumberBuffer,
        IndexBuffer,
        TextViewBuffer {
    final int byteSize;
    private final GrowingSegment values;

    FixedBuffer(ColumnType type, int byteSize, SegmentAllocator memory) {
        super(type, memory);
        this.byteSize = byteSize;
        values = new GrowingSegment(memory);
    }

    /// Returns memory for a number of values.
    final MemorySegment values(long length) {
        return values.atLeast(length * byteSize);
    }

    /// Sets an integer of 1, 2, 4 or 8 bytes.
    final void put(MemorySegment target, long index, long value) {
        long at = index * byteSize;
        switch (byteSize) {
            case Byte.BYTES -> target.set(JAVA_BYTE, at, (byte) value);
            case Short.BYTES -> target.set(JAVA_SHORT_UNALIGNED, at, (short) value);
            case Integer.BYTES -> target.set(JAVA_INT_UNALIGNED, at, (int) value);
            default -> target.set(JAVA_LONG_UNALIGNED, at, value);
        }
    }

    @Override
    final void reserve(long length) {
        values(length);
    }

    @Override
    final void setNull(long index) {
        super.setNull(index);
        MemorySegment target = values(index + 1);
        for (long i = 0; i < byteSize; i++) {
            target.set(JAVA_BYTE, index * byteSize + i, (byte) 0);
        }
    }

    @Override
    public final void useMemory(MemorySegment memory) {
        values.use(memory);
    }

    @Override
    void addBuffers(long length, List<MemorySegment> to) {
        to.add(values.first(length * byteSize));
    }
}
