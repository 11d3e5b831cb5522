package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Nested structs, member by member.
final class StructBuffer extends ColumnBuffer {
    private final ColumnBuffer[] members;
    private final long[] byteOffsets;

    StructBuffer(ArrowField field, ColumnType.Struct struct, Arena arena) {
        super(arena);
        members = field.children().stream().map(child -> of(child, arena)).toArray(ColumnBuffer[]::new);
        byteOffsets = struct.members().stream().mapToLong(ColumnType.Column::byteOffset).toArray();
    }

    @Override
    void begin() {
        super.begin();
        for (ColumnBuffer member : members) {
            member.begin();
        }
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < members.length; i++) {
            members[i].write(from, at + byteOffsets[i], stride, count, index, at, stride);
        }
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        for (ColumnBuffer member : members) {
            member.setNull(index);
        }
    }

    @Override
    void collect(long length, BatchBuffers to) {
        super.collect(length, to);
        for (ColumnBuffer member : members) {
            member.collect(length, to);
        }
    }
}
