package dev.arenakit.sql;

import dev.arenakit.internal.DuckDbFunction;
import dev.arenakit.internal.DuckDbLibrary;
import java.lang.foreign.Arena;
import java.util.List;

/// Copies nested structs, member by member.
final class GroupWriter extends ColumnWriter {
    private final ColumnWriter[] members;
    private final long[] byteOffsets;

    GroupWriter(DuckDbLibrary engine, ColumnType.Group group, Arena arena) {
        super(engine);
        List<ColumnType.Column> columns = group.members();
        members = columns.stream().map(column -> of(engine, column.type(), arena)).toArray(ColumnWriter[]::new);
        byteOffsets = columns.stream().mapToLong(ColumnType.Column::byteOffset).toArray();
    }

    @Override
    void begin() {
        for (ColumnWriter member : members) {
            member.begin();
        }
    }

    @Override
    void attach(long vector) {
        super.attach(vector);
        for (int i = 0; i < members.length; i++) {
            members[i].attach(engine.call(DuckDbFunction.STRUCT_VECTOR_GET_CHILD, vector, i));
        }
    }

    @Override
    void write(long from, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < members.length; i++) {
            members[i].write(from + byteOffsets[i], stride, count, index, from, stride);
        }
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        for (ColumnWriter member : members) {
            member.setNull(index);
        }
    }

    @Override
    void end() {
        for (ColumnWriter member : members) {
            member.end();
        }
    }
}
