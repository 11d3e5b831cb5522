package dev.arenakit.sql.internal.column;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.lang.foreign.Arena;

/// Copies the values of a column of consecutive structs into a vector of the engine. Not thread-safe.
public abstract sealed class ColumnWriter
        permits
        FixedWriter,
        TextWriter,
        EnumWriter,
        ListWriter,
        ArrayWriter,
        StructWriter {
    final DuckDbLibrary engine;
    /// The writers of the members or elements within a value.
    final ColumnWriter[] children;
    /// The vector, the address of its values, and the address of its validity mask, or 0 if the mask is not known.
    long vector;
    long data;
    private long validity;

    ColumnWriter(DuckDbLibrary engine, ColumnWriter... children) {
        this.engine = engine;
        this.children = children;
    }

    /// Creates the writer of a column.
    ///
    /// @param arena the lifetime of buffers
    public static ColumnWriter of(DuckDbLibrary engine, ColumnType type, Arena arena) {
        return switch (type) {
            case ColumnType.Fixed fixed -> new FixedWriter(engine, fixed);
            case ColumnType.Text text -> new TextWriter(engine, text.type(), arena);
            case ColumnType.Constant constant -> new EnumWriter(engine, constant);
            case ColumnType.Array array when array.isList() -> new ListWriter(engine, array, arena);
            case ColumnType.Array array -> new ArrayWriter(engine, array, arena);
            case ColumnType.Struct struct -> new StructWriter(engine, struct.members(), arena);
            case ColumnType.Union union -> new UnionWriter(engine, union, arena);
        };
    }

    /// Begins an empty vector. The caller calls [#attach] next.
    public void begin() {
        for (ColumnWriter child : children) {
            child.begin();
        }
    }

    /// Sets the vector, and gets the addresses of its parts. The caller calls this method again after they have moved.
    public void attach(long vector) {
        this.vector = vector;
        data = engine.call(DuckDbFunction.VECTOR_GET_DATA, vector);
        validity = 0;
    }

    /// Copies values.
    ///
    /// @param from         the address of the value in the first struct
    /// @param stride       the number of bytes from a value to the next one
    /// @param count        the number of values
    /// @param index        the index of the first value in the vector
    /// @param struct       the address of the innermost struct that contains the first value
    /// @param structStride the number of bytes from this struct to the struct that contains the next value
    /// @throws ConversionFailure if a value has no equivalent in the engine
    public abstract void write(long from, long stride, int count, long index, long struct, long structStride);

    /// Sets a value, and all values within it, to NULL.
    void setNull(long index) {
        if (validity == 0) {
            engine.run(DuckDbFunction.VECTOR_ENSURE_VALIDITY_WRITABLE, vector);
            validity = engine.call(DuckDbFunction.VECTOR_GET_VALIDITY, vector);
        }
        long word = validity + (index >>> 6) * Long.BYTES;
        NativeMemory.putLong(word, NativeMemory.getLong(word) & ~(1L << index));
    }

    /// Ends the vector, after all its values were written.
    public void end() {
        for (ColumnWriter child : children) {
            child.end();
        }
    }
}
