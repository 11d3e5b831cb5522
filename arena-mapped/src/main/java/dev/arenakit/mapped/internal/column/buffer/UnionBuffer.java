package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.UnionIndices;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Unions as structs. All members but the valid member are null.
///
/// If the valid member is unknown, a member is copied unless its bytes are no value of its type, in which case it
/// cannot be valid.
final class UnionBuffer extends StructBuffer {
    private final UnionIndices indices;

    UnionBuffer(ColumnType.Union union, SegmentAllocator memory) {
        super(union, memory);
        indices = new UnionIndices(union);
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < count; i++) {
            long unionAt = at + i * stride;
            long structAt = struct + i * structStride;
            int valid = indices.read(from, structAt);
            for (int member = 0; member < children.length; member++) {
                if (valid == UnionIndices.UNKNOWN) {
                    copyIfConvertible(children[member], from, unionAt, index + i, structAt);
                } else if (valid == member) {
                    children[member].write(from, unionAt, 0, 1, index + i, structAt, 0);
                } else {
                    children[member].setNull(index + i);
                }
            }
        }
    }

    private static void copyIfConvertible(ColumnBuffer member, MemorySegment from, long at, long index, long struct) {
        try {
            member.write(from, at, 0, 1, index, struct, 0);
        } catch (ConversionFailure _) {
            member.setNull(index);
        }
    }
}
