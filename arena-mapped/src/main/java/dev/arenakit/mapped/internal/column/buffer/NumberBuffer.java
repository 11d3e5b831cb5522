package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.NumberKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteOrder;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/// Numbers, and booleans as bytes. Any boolean that is not 0 becomes 1.
final class NumberBuffer extends FixedBuffer {
    private final StoredInteger integer;
    private final boolean isBoolean;
    private final boolean isCopy;
    private final boolean isSwapped;

    NumberBuffer(ColumnType.Fixed type, SegmentAllocator memory) {
        super(type, type.kind().byteSize(), memory);
        integer = type.integer();
        isBoolean = type.kind() == NumberKind.BOOLEAN;
        isCopy = integer.byteSize() == byteSize && integer.bitSize() == Byte.SIZE * byteSize;
        isSwapped = byteSize > 1 && integer.order() != ByteOrder.nativeOrder();
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment target = values(index + count);
        long to = index * byteSize;
        if (!isCopy) {
            for (int i = 0; i < count; i++) {
                long value = integer.get(from, at + i * stride);
                put(target, index + i, isBoolean && value != 0 ? 1 : value);
            }
        } else if (stride == byteSize && !isSwapped && !isBoolean) {
            MemorySegment.copy(from, at, target, to, (long) count * byteSize);
        } else {
            switch (byteSize) {
                case Byte.BYTES -> copyBytes(from, at, stride, count, target, to);
                case Short.BYTES -> copyShorts(from, at, stride, count, target, to);
                case Integer.BYTES -> copyInts(from, at, stride, count, target, to);
                default -> copyLongs(from, at, stride, count, target, to);
            }
        }
    }

    private void copyBytes(MemorySegment from, long at, long stride, int count, MemorySegment target, long to) {
        for (int i = 0; i < count; i++) {
            byte value = from.get(JAVA_BYTE, at + i * stride);
            target.set(JAVA_BYTE, to + i, isBoolean && value != 0 ? 1 : value);
        }
    }

    private void copyShorts(MemorySegment from, long at, long stride, int count, MemorySegment target, long to) {
        for (int i = 0; i < count; i++) {
            short value = from.get(JAVA_SHORT_UNALIGNED, at + i * stride);
            target.set(JAVA_SHORT_UNALIGNED, to + (long) i * Short.BYTES,
                    isSwapped ? Short.reverseBytes(value) : value);
        }
    }

    private void copyInts(MemorySegment from, long at, long stride, int count, MemorySegment target, long to) {
        for (int i = 0; i < count; i++) {
            int value = from.get(JAVA_INT_UNALIGNED, at + i * stride);
            target.set(JAVA_INT_UNALIGNED, to + (long) i * Integer.BYTES,
                    isSwapped ? Integer.reverseBytes(value) : value);
        }
    }

    private void copyLongs(MemorySegment from, long at, long stride, int count, MemorySegment target, long to) {
        for (int i = 0; i < count; i++) {
            long value = from.get(JAVA_LONG_UNALIGNED, at + i * stride);
            target.set(JAVA_LONG_UNALIGNED, to + (long) i * Long.BYTES, isSwapped ? Long.reverseBytes(value) : value);
        }
    }
}
