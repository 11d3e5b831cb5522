package dev.arenakit.sql.internal.column;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.UnionIndices;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.lang.foreign.Arena;
import java.util.List;

/// Copies unions as structs. All members but the valid member are NULL.
///
/// If the valid member is unknown, a member is copied unless its bytes are no value of its type, in which case it
/// cannot be valid.
final class UnionWriter extends ColumnWriter {
    private final ColumnWriter[] members;
    private final UnionIndices indices;

    UnionWriter(DuckDbLibrary engine, ColumnType.Union union, Arena arena) {
        super(engine);
        List<ColumnType.Column> columns = union.members();
        members = columns.stream().map(column -> of(engine, column.type(), arena)).toArray(ColumnWriter[]::new);
        indices = new UnionIndices(union);
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
        for (int i = 0; i < count; i++) {
            long at = from + i * stride;
            long structAt = struct + i * structStride;
            int valid = indices.read(NativeMemory.ALL, structAt);
            if (valid == UnionIndices.UNKNOWN) {
                writeAll(at, index + i, structAt);
            } else {
                writeOne(valid, at, index + i, structAt);
            }
        }
    }

    private void writeOne(int valid, long from, long index, long struct) {
        for (int i = 0; i < members.length; i++) {
            if (i == valid) {
                members[i].write(from, 0, 1, index, struct, 0);
            } else {
                members[i].setNull(index);
            }
        }
    }

    private void writeAll(long from, long index, long struct) {
        for (ColumnWriter member : members) {
            try {
                member.write(from, 0, 1, index, struct, 0);
            } catch (ConversionFailure _) {
                member.setNull(index);
            }
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
