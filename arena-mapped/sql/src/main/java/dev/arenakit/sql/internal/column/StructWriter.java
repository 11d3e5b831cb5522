package dev.arenakit.sql.internal.column;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import java.lang.foreign.Arena;
import java.util.List;

/// Copies nested structs, member by member.
sealed class StructWriter extends ColumnWriter permits UnionWriter {
    private final long[] byteOffsets;

    StructWriter(DuckDbLibrary engine, List<ColumnType.Column> members, Arena arena) {
        super(engine, members.stream().map(member -> of(engine, member.type(), arena)).toArray(ColumnWriter[]::new));
        byteOffsets = members.stream().mapToLong(ColumnType.Column::byteOffset).toArray();
    }

    @Override
    public final void attach(long vector) {
        super.attach(vector);
        for (int i = 0; i < children.length; i++) {
            children[i].attach(engine.call(DuckDbFunction.STRUCT_VECTOR_GET_CHILD, vector, i));
        }
    }

    @Override
    public void write(long from, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < children.length; i++) {
            children[i].write(from + byteOffsets[i], stride, count, index, from, stride);
        }
    }

    @Override
    final void setNull(long index) {
        super.setNull(index);
        for (ColumnWriter member : children) {
            member.setNull(index);
        }
    }
}
