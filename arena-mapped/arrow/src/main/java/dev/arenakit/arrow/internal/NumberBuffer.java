package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.IntegerColumnReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteOrder;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/// Numbers, in native byte order.
final class NumberBuffer extends ColumnBuffer {
    private final IntegerColumnReader integer;
    private final int byteSize;
    private final boolean isCopy;
    private final boolean isSwapped;
    private final GrowingSegment values;

    NumberBuffer(ColumnType.Fixed type, SegmentAllocator memory) {
        super(memory);
        integer = type.integer();
        byteSize = type.kind().byteSize();
        isCopy = integer.isWhole() && integer.byteSize() == byteSize;
        isSwapped = isCopy && integer.order() != ByteOrder.nativeOrder();
        values = new GrowingSegment(memory);
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment target = values.atLeast((index + count) * byteSize);
        long to = index * byteSize;
        if (!isCopy) {
            for (int i = 0; i < count; i++) {
                put(target, to + (long) i * byteSize, integer.read(from, at + i * stride));
            }
            return;
        }
        switch (byteSize) {
            case Byte.BYTES -> copyBytes(from, at, stride, count, target, to);
            case Short.BYTES -> copyShorts(from, at, stride, count, target, to);
            case Integer.BYTES -> copyInts(from, at, stride, count, target, to);
            default -> copyLongs(from, at, stride, count, target, to);
        }
        if (isSwapped) {
            swap(target, to, count);
        }
    }

    private static void copyBytes(MemorySegment from, long at, long stride, int count, MemorySegment target, long to) {
        for (int i = 0; i < count; i++) {
            target.set(JAVA_BYTE, to + i, from.get(JAVA_BYTE, at + i * stride));
        }
    }

    private static void copyShorts(MemorySegment from, long at, long stride, int count, MemorySegment target,
            long to) {
        for (int i = 0; i < count; i++) {
            target.set(JAVA_SHORT_UNALIGNED, to + (long) i * Short.BYTES,
                    from.get(JAVA_SHORT_UNALIGNED, at + i * stride));
        }
    }

    private static void copyInts(MemorySegment from, long at, long stride, int count, MemorySegment target, long to) {
        for (int i = 0; i < count; i++) {
            target.set(JAVA_INT_UNALIGNED, to + (long) i * Integer.BYTES,
                    from.get(JAVA_INT_UNALIGNED, at + i * stride));
        }
    }

    private static void copyLongs(MemorySegment from, long at, long stride, int count, MemorySegment target, long to) {
        for (int i = 0; i < count; i++) {
            target.set(JAVA_LONG_UNALIGNED, to + (long) i * Long.BYTES,
                    from.get(JAVA_LONG_UNALIGNED, at + i * stride));
        }
    }

    private void swap(MemorySegment target, long to, int count) {
        for (int i = 0; i < count; i++) {
            long at = to + (long) i * byteSize;
            switch (byteSize) {
                case Short.BYTES -> target.set(JAVA_SHORT_UNALIGNED, at,
                        Short.reverseBytes(target.get(JAVA_SHORT_UNALIGNED, at)));
                case Integer.BYTES -> target.set(JAVA_INT_UNALIGNED, at,
                        Integer.reverseBytes(target.get(JAVA_INT_UNALIGNED, at)));
                default -> target.set(JAVA_LONG_UNALIGNED, at,
                        Long.reverseBytes(target.get(JAVA_LONG_UNALIGNED, at)));
            }
        }
    }

    private void put(MemorySegment target, long at, long value) {
        switch (byteSize) {
            case Byte.BYTES -> target.set(JAVA_BYTE, at, (byte) value);
            case Short.BYTES -> target.set(JAVA_SHORT_UNALIGNED, at, (short) value);
            case Integer.BYTES -> target.set(JAVA_INT_UNALIGNED, at, (int) value);
            default -> target.set(JAVA_LONG_UNALIGNED, at, value);
        }
    }

    @Override
    void reserve(long length) {
        values.atLeast(length * byteSize);
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        put(values.atLeast((index + 1) * byteSize), index * byteSize, 0);
    }

    @Override
    void collect(long length, BatchBuffers to) {
        super.collect(length, to);
        to.addBuffer(values.get(), length * byteSize);
    }
}
