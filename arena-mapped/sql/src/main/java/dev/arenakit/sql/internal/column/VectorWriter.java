package dev.arenakit.sql.internal.column;

import dev.arenakit.mapped.internal.column.ColumnBuffer;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.NumberKind;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

/// Copies columns to vectors of the engine.
public final class VectorWriter {
    /*
     * The vectors differ from the columns: a boolean has a byte, a list its first element and its length, the index of
     * an enum is unsigned, and the view of a long text is an object of the engine. All other values have the same form,
     * and are copied from the structs to the vectors, except elements of lists, whose number is not known before.
     */
    private static final int VIEW_BYTE_SIZE = 16;
    private static final int INLINE_LENGTH = 12;
    /// The largest number of names of an enum whose index has 1 byte, and 2 bytes, in the engine.
    private static final int MOST_BYTES = 0xff;
    private static final int MOST_SHORTS = 0xffff;

    private final DuckDbLibrary engine;

    public VectorWriter(DuckDbLibrary engine) {
        this.engine = engine;
    }

    /// Makes the vector the memory of a column's values where they have the same form.
    ///
    /// @param length the largest number of values
    public void attach(ColumnType type, ColumnBuffer column, long vector, long length) {
        switch (type) {
            case ColumnType.Fixed fixed when fixed.kind() != NumberKind.BOOLEAN ->
                use(column, vector, length * fixed.kind().byteSize());
            case ColumnType.Text _ -> use(column, vector, length * VIEW_BYTE_SIZE);
            case ColumnType.Constant constant when indexByteSize(constant) == constant.indexByteSize() ->
                use(column, vector, length * constant.indexByteSize());
            case ColumnType.Array array when !array.isList() -> attach(array.element(), column.child(0),
                    engine.call(DuckDbFunction.ARRAY_VECTOR_GET_CHILD, vector), column.childLength(length));
            case ColumnType.Struct struct -> attachMembers(struct.members(), column, vector, length);
            case ColumnType.Union union -> attachMembers(union.members(), column, vector, length);
            case ColumnType.Fixed _,ColumnType.Constant _,ColumnType.Array _ -> {
                // The values are copied later.
            }
        }
    }

    private void attachMembers(List<ColumnType.Column> members, ColumnBuffer column, long vector, long length) {
        for (int i = 0; i < members.size(); i++) {
            attach(members.get(i).type(), column.child(i), member(vector, i), length);
        }
    }

    private void use(ColumnBuffer column, long vector, long byteSize) {
        column.useMemory(NativeMemory.ALL.asSlice(engine.call(DuckDbFunction.VECTOR_GET_DATA, vector), byteSize));
    }

    private long member(long vector, int index) {
        return engine.call(DuckDbFunction.STRUCT_VECTOR_GET_CHILD, vector, index);
    }

    /// The size of the unsigned index of a name in the engine.
    private static int indexByteSize(ColumnType.Constant constant) {
        int names = constant.names().size();
        return names <= MOST_BYTES ? Byte.BYTES : names <= MOST_SHORTS ? Short.BYTES : Integer.BYTES;
    }

    /// Copies the values of a column to a vector, unless they are there.
    ///
    /// @throws SqlException if the engine has no memory for the elements of lists
    public void write(ColumnType type, ColumnBuffer column, long vector, long length) {
        List<MemorySegment> buffers = column.buffers(length);
        long data = engine.call(DuckDbFunction.VECTOR_GET_DATA, vector);
        switch (type) {
            case ColumnType.Fixed fixed when fixed.kind() == NumberKind.BOOLEAN ->
                writeBooleans(buffers.get(1).address(), data, length);
            case ColumnType.Fixed _ -> copy(buffers.get(1), data);
            case ColumnType.Constant constant -> writeConstants(constant, buffers.get(1), data, length);
            case ColumnType.Text _ -> writeTexts(buffers.get(1), buffers.get(2), vector, data, length);
            case ColumnType.Array array when array.isList() ->
                writeLists(array, column, buffers.get(1).address(), vector, data, length);
            case ColumnType.Array array -> write(array.element(), column.child(0),
                    engine.call(DuckDbFunction.ARRAY_VECTOR_GET_CHILD, vector), column.childLength(length));
            case ColumnType.Struct struct -> writeMembers(struct.members(), column, vector, length);
            case ColumnType.Union union -> writeMembers(union.members(), column, vector, length);
        }
        if (column.nullCount(length) > 0) {
            engine.run(DuckDbFunction.VECTOR_ENSURE_VALIDITY_WRITABLE, vector);
            NativeMemory.copy(buffers.getFirst().address(),
                    engine.call(DuckDbFunction.VECTOR_GET_VALIDITY, vector), buffers.getFirst().byteSize());
        }
    }

    private static void writeBooleans(long bits, long data, long length) {
        for (int i = 0; i < length; i++) {
            NativeMemory.putByte(data + i, (byte) ((NativeMemory.getByte(bits + (i >>> 3)) >>> (i & 7)) & 1));
        }
    }

    private static void copy(MemorySegment values, long data) {
        if (values.address() != data) {
            NativeMemory.copy(values.address(), data, values.byteSize());
        }
    }

    private static void writeConstants(ColumnType.Constant constant, MemorySegment indices, long data, long length) {
        int byteSize = indexByteSize(constant);
        if (byteSize == constant.indexByteSize()) {
            copy(indices, data);
        } else if (byteSize == Byte.BYTES) {
            for (int i = 0; i < length; i++) {
                NativeMemory.putByte(data + i, (byte) indices.getAtIndex(JAVA_SHORT, i));
            }
        } else {
            for (int i = 0; i < length; i++) {
                NativeMemory.putShort(data + (long) i * Short.BYTES, (short) indices.getAtIndex(JAVA_INT, i));
            }
        }
    }

    private void writeTexts(MemorySegment views, MemorySegment bytes, long vector, long data, long length) {
        copy(views, data);
        for (int i = 0; bytes.byteSize() > 0 && i < length; i++) {
            long view = data + (long) i * VIEW_BYTE_SIZE;
            int byteSize = NativeMemory.getInt(view);
            if (byteSize > INLINE_LENGTH) {
                engine.run(DuckDbFunction.VECTOR_ASSIGN_STRING_ELEMENT_LEN, vector, i,
                        bytes.address() + NativeMemory.getInt(view + INLINE_LENGTH), byteSize);
            }
        }
    }

    private void writeLists(ColumnType.Array array, ColumnBuffer column, long offsets, long vector, long data,
            long length) {
        for (int i = 0; i < length; i++) {
            int start = NativeMemory.getInt(offsets + (long) i * Integer.BYTES);
            NativeMemory.putLong(data + 2L * i * Long.BYTES, start);
            NativeMemory.putLong(data + (2L * i + 1) * Long.BYTES,
                    NativeMemory.getInt(offsets + (i + 1L) * Integer.BYTES) - start);
        }
        long elements = column.childLength(length);
        if (engine.call(DuckDbFunction.LIST_VECTOR_RESERVE, vector, elements) != 0) {
            throw new SqlException("Engine has no memory for the elements of lists: length=" + elements
                    + "; select fewer columns, or raise memory_limit");
        }
        write(array.element(), column.child(0), engine.call(DuckDbFunction.LIST_VECTOR_GET_CHILD, vector), elements);
        engine.run(DuckDbFunction.LIST_VECTOR_SET_SIZE, vector, elements);
    }

    private void writeMembers(List<ColumnType.Column> members, ColumnBuffer column, long vector, long length) {
        for (int i = 0; i < members.size(); i++) {
            write(members.get(i).type(), column.child(i), member(vector, i), length);
        }
    }
}
