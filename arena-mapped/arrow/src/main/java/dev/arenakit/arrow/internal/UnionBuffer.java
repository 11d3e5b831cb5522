package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.UnionIndices;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Unions as structs. All members but the valid member are null.
///
/// If the valid member is unknown, a member is copied unless its bytes are no value of its type, in which case it
/// cannot be valid.
final class UnionBuffer extends ColumnBuffer {
    private final UnionIndices indices;

    UnionBuffer(ArrowField field, ColumnType.Union union, SegmentAllocator memory) {
        super(memory, field.children());
        indices = new UnionIndices(union);
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < count; i++) {
            long unionAt = at + i * stride;
            long structAt = struct + i * structStride;
            int valid = indices.read(from, structAt);
            if (valid == UnionIndices.UNKNOWN) {
                copyAll(from, unionAt, index + i, structAt);
            } else {
                copyOne(valid, from, unionAt, index + i, structAt);
            }
        }
    }

    private void copyOne(int valid, MemorySegment from, long at, long index, long struct) {
        for (int i = 0; i < members.length; i++) {
            if (i == valid) {
                members[i].write(from, at, 0, 1, index, struct, 0);
            } else {
                members[i].setNull(index);
            }
        }
    }

    private void copyAll(MemorySegment from, long at, long index, long struct) {
        for (ColumnBuffer member : members) {
            try {
                member.write(from, at, 0, 1, index, struct, 0);
            } catch (ConversionFailure _) {
                member.setNull(index);
            }
        }
    }
}
