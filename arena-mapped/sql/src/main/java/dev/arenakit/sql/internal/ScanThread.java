package dev.arenakit.sql.internal;

import dev.arenakit.internal.Memory;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.buffer.StructBatch;
import dev.arenakit.mapped.internal.column.buffer.StructColumns;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.column.VectorWriter;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
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
    private final StructBatch rows;
    /// The position of the next row in the batch.
    private int position;

    /// @param columns the indices of the used columns, where 0 is the column of the struct's index
    ScanThread(DuckDbLibrary engine, SqlTable table, long[] columns) {
        this.engine = engine;
        this.table = table;
        writers = new VectorWriter[columns.length];
        try {
            List<ColumnType.Column> all = table.columns().columns();
            used = Arrays.stream(columns)
                    .filter(column -> isMember(column, all))
                    .mapToObj(column -> all.get((int) column - 1))
                    .toList();
            structs = new StructColumns(used, table.structByteSize(), arena);
            rows = new StructBatch(table.structByteSize(), arena);
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

    /// Fills a chunk of the engine, or leaves it empty at the end of the scan.
    void fill(SqlTable.TableScan scan, long chunk) throws IOException {
        int count = 0;
        if (position >= rows.count() && scan.next(rows, used)) {
            position = 0;
        }
        if (position < rows.count()) {
            count = Math.min(mostRows, rows.count() - position);
            try {
                write(chunk, count);
            } catch (ConversionFailure e) {
                throw new SqlException("Value cannot be converted: table=" + table.name() + ", "
                        + rows.describe(e, position));
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
        rows.copyTo(structs, position, count);
        for (int i = 0; i < vectors.length; i++) {
            VectorWriter writer = writers[i];
            if (writer != null) {
                writer.write(vectors[i], count);
            }
        }
    }

    private void writeRowIds(long data, int count) {
        for (int i = 0; i < count; i++) {
            Memory.putLong(data + (long) i * Long.BYTES, rows.rowId(position + i));
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
