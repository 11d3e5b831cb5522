package dev.arenakit.sql;

import dev.arenakit.internal.DuckDbFunction;
import dev.arenakit.internal.DuckDbLibrary;
import java.lang.foreign.Arena;

/// Copies arrays of a fixed length, whose elements are consecutive in a vector of their own.
final class ArrayWriter extends ColumnWriter {
    private final ColumnWriter elements;
    private final long elementByteSize;
    private final int length;

    ArrayWriter(DuckDbLibrary engine, ColumnType.Array array, Arena arena) {
        super(engine);
        elements = of(engine, array.element(), arena);
        elementByteSize = array.elementByteSize();
        length = (int) array.length();
    }

    @Override
    void begin() {
        elements.begin();
    }

    @Override
    void attach(long vector) {
        super.attach(vector);
        elements.attach(engine.call(DuckDbFunction.ARRAY_VECTOR_GET_CHILD, vector));
    }

    @Override
    void write(long from, long stride, int count, long index, long struct, long structStride) {
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

    @Override
    void end() {
        elements.end();
    }
}
