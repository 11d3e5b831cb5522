package dev.arenakit.sql.internal.column;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import java.lang.foreign.Arena;
import java.util.List;

/// Copies nested structs, member by member.
final class StructWriter extends ColumnWriter {
    private final ColumnWriter[] members;
    private final long[] byteOffsets;

    StructWriter(DuckDbLibrary engine, ColumnType.Struct struct, Arena arena) {
        super(engine);
        List<ColumnType.Column> columns = struct.members();
        members = columns.stream().map(column -> of(engine, column.type(), arena)).toArray(ColumnWriter[]::new);
        byteOffsets = columns.stream().mapToLong(ColumnType.Column::byteOffset).toArray();
    }

    @Override
    public void begin() {
        for (ColumnWriter member : members) {
            member.begin();
        }
    }

    @Override
    public void attach(long vector) {
        super.attach(vector);
        for (int i = 0; i < members.length; i++) {
            members[i].attach(engine.call(DuckDbFunction.STRUCT_VECTOR_GET_CHILD, vector, i));
        }
    }

    @Override
    public void write(long from, long stride, int count, long index, long struct, long structStride) {
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
    public void end() {
        for (ColumnWriter member : members) {
            member.end();
        }
    }
}
