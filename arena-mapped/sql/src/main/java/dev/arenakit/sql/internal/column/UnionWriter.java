package dev.arenakit.sql.internal.column;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.UnionIndices;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.lang.foreign.Arena;

/// Copies unions as structs. All members but the valid member are NULL.
///
/// If the valid member is unknown, a member is copied unless its bytes are no value of its type, in which case it
/// cannot be valid.
final class UnionWriter extends StructWriter {
    private final UnionIndices indices;

    UnionWriter(DuckDbLibrary engine, ColumnType.Union union, Arena arena) {
        super(engine, union.members(), arena);
        indices = new UnionIndices(union);
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
        for (int i = 0; i < children.length; i++) {
            if (i == valid) {
                children[i].write(from, 0, 1, index, struct, 0);
            } else {
                children[i].setNull(index);
            }
        }
    }

    private void writeAll(long from, long index, long struct) {
        for (ColumnWriter member : children) {
            try {
                member.write(from, 0, 1, index, struct, 0);
            } catch (ConversionFailure _) {
                member.setNull(index);
            }
        }
    }
}
