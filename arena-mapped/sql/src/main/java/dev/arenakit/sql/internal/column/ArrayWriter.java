package dev.arenakit.sql.internal.column;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import java.lang.foreign.Arena;

/// Copies arrays of a fixed length. Their elements are consecutive in a vector of their own.
final class ArrayWriter extends ColumnWriter {
    private final ColumnWriter elements;
    private final long elementByteSize;
    private final int length;

    ArrayWriter(DuckDbLibrary engine, ColumnType.Array array, Arena arena) {
        super(engine, of(engine, array.element(), arena));
        elements = children[0];
        elementByteSize = array.elementByteSize();
        length = (int) array.length();
    }

    @Override
    public void attach(long vector) {
        super.attach(vector);
        elements.attach(engine.call(DuckDbFunction.ARRAY_VECTOR_GET_CHILD, vector));
    }

    @Override
    public void write(long from, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < count; i++) {
            elements.write(from + i * stride, elementByteSize, length, (index + i) * length, struct + i * structStride,
                    0);
        }
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        for (int i = 0; i < length; i++) {
            elements.setNull(index * length + i);
        }
    }
}
