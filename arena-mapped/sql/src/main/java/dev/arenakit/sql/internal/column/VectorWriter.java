package dev.arenakit.sql.internal.column;

import dev.arenakit.internal.Memory;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.buffer.ColumnBuffer;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import java.lang.foreign.MemorySegment;

/// Gives the values of a column to a vector of the engine.
public final class VectorWriter {
    /*
     * Values of the same size have the same form in a vector as in a column. The vector is the memory of the column, so
     * that nothing is copied twice, except the elements of lists, whose number is not known before. Lists have another
     * form, and the engine keeps texts of more than 12 bytes in memory of its own.
     */
    private static final int VIEW_BYTE_SIZE = 16;
    private static final int INLINE_LENGTH = 12;

    private final DuckDbLibrary engine;
    private final ColumnType type;
    private final ColumnBuffer column;
    /// The writers of the elements of an array, or the members of a struct or union.
    private final VectorWriter[] children;
    /// The address of the values of the vector that is the memory of the column, or 0.
    private long attached;

    public VectorWriter(DuckDbLibrary engine, ColumnType type, ColumnBuffer column) {
        this.engine = engine;
        this.type = type;
        this.column = column;
        children = new VectorWriter[column.childCount()];
        for (int i = 0; i < children.length; i++) {
            children[i] = new VectorWriter(engine, type.children().get(i).type(), column.child(i));
        }
    }

    /// Makes an empty vector the memory of the column.
    ///
    /// @param length the largest number of values
    public void attach(long vector, long length) {
        int byteSize = switch (type) {
            case ColumnType.Fixed fixed -> fixed.kind().byteSize();
            case ColumnType.Text _ -> VIEW_BYTE_SIZE;
            case ColumnType.Constant constant -> constant.indexByteSize();
            case ColumnType.Array _,ColumnType.Struct _,ColumnType.Union _ -> 0;
        };
        if (byteSize > 0) {
            attached = data(vector);
            column.useMemory(Memory.segment(attached, length * byteSize));
        } else if (!isList()) {
            for (int i = 0; i < children.length; i++) {
                children[i].attach(child(vector, i), column.childLength(length));
            }
        }
    }

    private boolean isList() {
        return type instanceof ColumnType.Array array && array.isList();
    }

    private long data(long vector) {
        return engine.call(DuckDbFunction.VECTOR_GET_DATA, vector);
    }

    private long child(long vector, int index) {
        return switch (type) {
            case ColumnType.Array array when array.isList() ->
                engine.call(DuckDbFunction.LIST_VECTOR_GET_CHILD, vector);
            case ColumnType.Array _ -> engine.call(DuckDbFunction.ARRAY_VECTOR_GET_CHILD, vector);
            default -> engine.call(DuckDbFunction.STRUCT_VECTOR_GET_CHILD, vector, index);
        };
    }

    /// Completes a vector after the column was filled.
    ///
    /// @throws SqlException if the engine has no memory for the elements of lists
    public void write(long vector, long length) {
        if (isList()) {
            writeLists(vector, length);
        } else if (children.length == 0) {
            writeValues(vector, length);
        }
        for (int i = 0; i < children.length; i++) {
            children[i].write(child(vector, i), column.childLength(length));
        }
        if (column.nullCount(length) > 0) {
            engine.run(DuckDbFunction.VECTOR_ENSURE_VALIDITY_WRITABLE, vector);
            copy(column.buffers(length).getFirst(), engine.call(DuckDbFunction.VECTOR_GET_VALIDITY, vector));
        }
    }

    private static void copy(MemorySegment buffer, long to) {
        Memory.copy(buffer.address(), to, buffer.byteSize());
    }

    private void writeValues(long vector, long length) {
        long data = attached;
        attached = 0;
        if (data == 0) {
            data = data(vector);
            copy(column.buffers(length).get(1), data);
        }
        if (type instanceof ColumnType.Text) {
            writeLongTexts(column.buffers(length).get(2), vector, data, length);
        }
    }

    private void writeLongTexts(MemorySegment bytes, long vector, long data, long length) {
        for (int i = 0; bytes.byteSize() > 0 && i < length; i++) {
            long view = data + (long) i * VIEW_BYTE_SIZE;
            int byteSize = Memory.getInt(view);
            if (byteSize > INLINE_LENGTH) {
                engine.run(DuckDbFunction.VECTOR_ASSIGN_STRING_ELEMENT_LEN, vector, i,
                        bytes.address() + Memory.getInt(view + INLINE_LENGTH), byteSize);
            }
        }
    }

    /// Writes the first element and the number of elements of each list, and reserves memory for the elements.
    private void writeLists(long vector, long length) {
        long offsets = column.buffers(length).get(1).address();
        long data = data(vector);
        for (int i = 0; i < length; i++) {
            long start = Memory.getInt(offsets + (long) i * Integer.BYTES);
            long end = Memory.getInt(offsets + (i + 1L) * Integer.BYTES);
            Memory.putLong(data + 2L * i * Long.BYTES, start);
            Memory.putLong(data + (2L * i + 1) * Long.BYTES, end - start);
        }
        long elements = column.childLength(length);
        if (engine.call(DuckDbFunction.LIST_VECTOR_RESERVE, vector, elements) != 0) {
            throw new SqlException("Engine has no memory for the elements of lists: length=" + elements
                    + "; select fewer columns, or raise memory_limit");
        }
        engine.run(DuckDbFunction.LIST_VECTOR_SET_SIZE, vector, elements);
    }
}
