package dev.arenakit.sql.internal.column;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.lang.foreign.Arena;

/// Copies arrays to LISTs: arrays that have a count in the struct, and arrays with many elements.
final class ListWriter extends ColumnWriter {
    /// An entry consists of the offset of the first element and the number of elements.
    private static final long ENTRY_BYTE_SIZE = 2 * Long.BYTES;
    /// The largest number of elements in a vector: the engine ends the process if it has no memory for them. The number
    /// of bytes is not limited, although texts and structs need more bytes than numbers.
    private static final long MOST_ELEMENTS = 1 << 27;

    private final ColumnWriter elements;
    private final long elementByteSize;
    private final ColumnType.Array array;
    private long used;
    private long capacity;

    ListWriter(DuckDbLibrary engine, ColumnType.Array array, Arena arena) {
        super(engine, of(engine, array.element(), arena));
        elements = children[0];
        elementByteSize = array.elementByteSize();
        this.array = array;
    }

    @Override
    public void begin() {
        used = 0;
        capacity = 0;
        super.begin();
    }

    @Override
    public void attach(long vector) {
        super.attach(vector);
        elements.attach(engine.call(DuckDbFunction.LIST_VECTOR_GET_CHILD, vector));
    }

    @Override
    public void write(long from, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < count; i++) {
            long structAt = struct + i * structStride;
            long at = from + i * stride;
            int valid = validLength(structAt, at);
            reserve(valid, at);
            elements.write(at, elementByteSize, valid, used, structAt, 0);
            setEntry(index + i, used, valid);
            used += valid;
        }
    }

    private int validLength(long struct, long at) {
        long valid = array.validLength(NativeMemory.ALL, struct);
        if (valid > MOST_ELEMENTS) {
            throw new ConversionFailure("too many elements: length=" + valid + ", limit=" + MOST_ELEMENTS, at);
        }
        return (int) valid;
    }

    private void reserve(int count, long at) {
        long needed = used + count;
        if (needed <= capacity) {
            return;
        }
        if (needed > MOST_ELEMENTS) {
            throw new ConversionFailure("too many elements: length=" + needed + ", limit=" + MOST_ELEMENTS, at);
        }
        capacity = Math.max(needed, 2 * capacity);
        if (engine.call(DuckDbFunction.LIST_VECTOR_RESERVE, vector, capacity) != 0) {
            throw new ConversionFailure("no memory for the elements: length=" + needed, at);
        }
        // The elements have moved.
        elements.attach(engine.call(DuckDbFunction.LIST_VECTOR_GET_CHILD, vector));
    }

    private void setEntry(long index, long offset, long count) {
        NativeMemory.putLong(data + index * ENTRY_BYTE_SIZE, offset);
        NativeMemory.putLong(data + index * ENTRY_BYTE_SIZE + Long.BYTES, count);
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        setEntry(index, used, 0);
    }

    @Override
    public void end() {
        engine.run(DuckDbFunction.LIST_VECTOR_SET_SIZE, vector, used);
        super.end();
    }
}
