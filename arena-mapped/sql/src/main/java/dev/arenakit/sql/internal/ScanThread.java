package dev.arenakit.sql.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.buffer.StructColumns;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.column.VectorWriter;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of one thread of a scan: the rows that the thread has taken, and the used columns. Its memory is reused for
/// all rows.
final class ScanThread implements AutoCloseable {
    /// The largest number of bytes of structs in a chunk. Large structs fill fewer rows than the engine's vectors have.
    private static final int MOST_BYTES = 1 << 22;

    private final DuckDbLibrary engine;
    private final SqlTable table;
    /// The writers of the columns in the order of the engine, null for the index of the struct.
    private final @Nullable VectorWriter[] writers;
    private final int mostRows;
    private final Arena arena = Arena.ofShared();
    private final List<ColumnType.Column> used;
    private final StructColumns structs;
    private MemorySegment buffer = MemorySegment.NULL;
    private long[] rowIdBuffer = {};

    /// The address of the first struct, and the number of bytes from each struct to the next.
    private long address;
    private long stride;
    /// The index of the first struct, unless the indices are in an array.
    private long firstRow;
    private long @Nullable [] rowIds;
    private int position;
    private int end;

    /// @param columns the indices of the used columns, where 0 is the column of the struct's index
    ScanThread(DuckDbLibrary engine, SqlTable table, long[] columns) {
        this.engine = engine;
        this.table = table;
        writers = new VectorWriter[columns.length];
        try {
            List<ColumnType.Column> all = table.columns();
            used = Arrays.stream(columns)
                    .filter(column -> isMember(column, all))
                    .mapToObj(column -> all.get((int) column - 1))
                    .toList();
            structs = new StructColumns(used, table.structByteSize(), arena);
            int members = 0;
            for (int i = 0; i < columns.length; i++) {
                if (isMember(columns[i], all)) {
                    writers[i] = new VectorWriter(engine, used.get(members).type(), structs.buffer(members));
                    members++;
                }
            }
            long vectorSize = engine.call(DuckDbFunction.VECTOR_SIZE);
            mostRows = Math.clamp(MOST_BYTES / table.structByteSize(), 1, Math.toIntExact(vectorSize));
        } catch (Throwable t) {
            arena.close();
            throw t;
        }
    }

    private static boolean isMember(long column, List<ColumnType.Column> all) {
        return column > 0 && column <= all.size();
    }

    SqlTable table() {
        return table;
    }

    /// The columns that are used.
    List<ColumnType.Column> used() {
        return used;
    }

    /// Returns a buffer for rows that are not in memory. All calls share its memory.
    MemorySegment buffer(long byteSize) {
        if (buffer.byteSize() < byteSize) {
            buffer = arena.allocate(byteSize, Long.BYTES);
        }
        return buffer;
    }

    /// Returns an array for the indices of rows. All calls share the array.
    long[] rowIds(int length) {
        if (rowIdBuffer.length < length) {
            rowIdBuffer = new long[length];
        }
        return rowIdBuffer;
    }

    /// Sets the rows to consecutive structs.
    void setRows(long address, long stride, long firstRow, int count) {
        this.address = address;
        this.stride = stride;
        this.firstRow = firstRow;
        rowIds = null;
        position = 0;
        end = count;
    }

    /// Sets the rows to structs with the given indices.
    void setRows(long address, long stride, long[] rowIds, int count) {
        setRows(address, stride, 0, count);
        this.rowIds = rowIds;
    }

    /// Fills a chunk of the engine, or leaves it empty at the end of the scan.
    void fill(SqlTable.TableScan scan, long chunk) throws IOException {
        int count = 0;
        if (position < end || scan.next(this)) {
            count = Math.min(mostRows, end - position);
            try {
                write(chunk, count);
            } catch (ConversionFailure e) {
                throw new SqlException("Value cannot be converted: table=" + table.name() + ", rowid="
                        + rowId(stride == 0 ? position : Math.clamp((e.byteOffset - address) / stride, 0, end - 1))
                        + ", reason=" + e.getMessage());
            }
            position += count;
        }
        engine.run(DuckDbFunction.DATA_CHUNK_SET_SIZE, chunk, count);
    }

    private void write(long chunk, int count) {
        long[] vectors = new long[writers.length];
        for (int i = 0; i < vectors.length; i++) {
            vectors[i] = engine.call(DuckDbFunction.DATA_CHUNK_GET_VECTOR, chunk, i);
            VectorWriter writer = writers[i];
            if (writer == null) {
                writeRowIds(engine.call(DuckDbFunction.VECTOR_GET_DATA, vectors[i]), count);
            } else {
                writer.attach(vectors[i], mostRows);
            }
        }
        structs.begin();
        structs.write(NativeMemory.ALL, address + position * stride, stride, count, 0);
        for (int i = 0; i < vectors.length; i++) {
            VectorWriter writer = writers[i];
            if (writer != null) {
                writer.write(vectors[i], count);
            }
        }
    }

    private void writeRowIds(long data, int count) {
        for (int i = 0; i < count; i++) {
            NativeMemory.putLong(data + (long) i * Long.BYTES, rowId(position + i));
        }
    }

    private long rowId(int index) {
        long[] ids = rowIds;
        return ids == null ? firstRow + index : ids[index];
    }

    @Override
    public void close() {
        arena.close();
    }
}
