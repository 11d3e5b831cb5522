package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.GrowingSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Booleans, as bits. Any value that is not 0 is true.
final class BitBuffer extends ColumnBuffer {
    private final StoredInteger integer;
    private final GrowingSegment bits;

    BitBuffer(ColumnType.Fixed type, SegmentAllocator memory) {
        super(type, memory);
        integer = type.integer();
        bits = new GrowingSegment(memory);
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment target = bits.atLeast(NullBits.byteSize(index + count));
        for (int i = 0; i < count;) {
            // All bits of the byte that belong to these values, in one access.
            int first = (int) ((index + i) & 7);
            int end = Math.min(Byte.SIZE, first + count - i);
            long to = (index + i) >>> 3;
            int byteBits = first == 0 ? 0 : target.get(JAVA_BYTE, to) & ((1 << first) - 1);
            for (int bit = first; bit < end; bit++, i++) {
                byteBits |= (integer.get(from, at + i * stride) == 0 ? 0 : 1) << bit;
            }
            target.set(JAVA_BYTE, to, (byte) byteBits);
        }
    }

    @Override
    void reserve(long length) {
        bits.atLeast(NullBits.byteSize(length));
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        MemorySegment target = bits.atLeast(NullBits.byteSize(index + 1));
        target.set(JAVA_BYTE, index >>> 3, (byte) (target.get(JAVA_BYTE, index >>> 3) & ((1 << (index & 7)) - 1)));
    }

    @Override
    void addBuffers(long length, List<MemorySegment> to) {
        to.add(bits.first(NullBits.byteSize(length)));
    }
}
