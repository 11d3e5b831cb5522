package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.EnumIndices;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/// Constants of an enum, as indices of their names in a dictionary.
final class EnumBuffer extends ColumnBuffer {
    private final EnumIndices indices;
    private final int byteSize;
    private final GrowingSegment values;

    EnumBuffer(ColumnType.Constant constant, SegmentAllocator memory) {
        super(memory);
        indices = new EnumIndices(constant);
        byteSize = indexByteSize(constant.names().size());
        values = new GrowingSegment(memory);
    }

    /// The size of an index, which is signed: readers of some languages have no unsigned integers.
    static int indexByteSize(int names) {
        return names <= Byte.MAX_VALUE + 1 ? Byte.BYTES : names <= Short.MAX_VALUE + 1 ? Short.BYTES : Integer.BYTES;
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment target = values.atLeast((index + count) * byteSize);
        for (int i = 0; i < count; i++) {
            put(target, index + i, indices.read(from, at + i * stride));
        }
    }

    private void put(MemorySegment target, long index, int value) {
        long at = index * byteSize;
        switch (byteSize) {
            case Byte.BYTES -> target.set(JAVA_BYTE, at, (byte) value);
            case Short.BYTES -> target.set(JAVA_SHORT_UNALIGNED, at, (short) value);
            default -> target.set(JAVA_INT_UNALIGNED, at, value);
        }
    }

    @Override
    void reserve(long length) {
        values.atLeast(length * byteSize);
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        put(values.atLeast((index + 1) * byteSize), index, 0);
    }

    @Override
    void collect(long length, BatchBuffers to) {
        super.collect(length, to);
        to.addBuffer(values.get(), length * byteSize);
    }
}
