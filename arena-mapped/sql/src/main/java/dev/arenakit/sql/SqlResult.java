package dev.arenakit.sql;

import dev.arenakit.sql.internal.ResultRecords;
import dev.arenakit.sql.internal.ResultType;
import dev.arenakit.sql.internal.ResultVector;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The result of a query, in the memory of the engine. [#next] goes from row to row.
///
/// The result does not change when the structs change. [#close] closes it, and so does closing its [StructSql]. Columns
/// are counted from 0.
///
/// **Threads.** Safe for use by several threads, which share the current row.
public final class SqlResult implements AutoCloseable {
    /// The columns in the results of statements that are no queries and have no RETURNING.
    private static final Set<List<String>> NO_ROWS = Set.of(List.of(), List.of("Count"), List.of("Success"));

    private final DuckDbLibrary engine;
    private final MemorySegment result;
    private final LongSupplier chunks;
    private final boolean hasRows;
    private final Set<SqlResult> open;
    private final List<String> names = new ArrayList<>();
    private final List<ResultVector> vectors = new ArrayList<>();
    private long chunk;
    private long chunkRows;
    private long row = -1;
    private boolean isAtEnd;
    private boolean closed;

    /// @param chunks  fetches the next chunk of the result, or returns 0 if there is none
    /// @param isQuery whether the statement only asked for rows
    /// @param open    the open results of the engine, which contain this result until it is closed
    SqlResult(DuckDbLibrary engine, MemorySegment result, LongSupplier chunks, boolean isQuery, Set<SqlResult> open) {
        this.engine = engine;
        this.result = result;
        this.chunks = chunks;
        this.open = open;
        try {
            long columns = engine.call(DuckDbFunction.COLUMN_COUNT, result.address());
            for (long i = 0; i < columns; i++) {
                names.add(DuckDbLibrary.text(engine.call(DuckDbFunction.COLUMN_NAME, result.address(), i)));
                vectors.add(new ResultVector(engine, ResultType.of(engine,
                        engine.call(DuckDbFunction.COLUMN_LOGICAL_TYPE, result.address(), i))));
            }
            hasRows = isQuery || !NO_ROWS.contains(names);
            open.add(this);
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    /// {@return the names of the columns}
    public List<String> columns() {
        return List.copyOf(names);
    }

    /// Returns whether the statement asked for rows: it is a query or has RETURNING. Other statements return the number
    /// of changed rows, or nothing.
    ///
    /// @return whether the statement asked for rows
    public boolean hasRows() {
        return hasRows;
    }

    /// Goes to the next row. The first call goes to the first row.
    ///
    /// @return whether there is such a row
    /// @throws IllegalStateException if the result is closed
    public synchronized boolean next() {
        requireOpen();
        if (row + 1 < chunkRows) {
            row++;
            return true;
        }
        destroyChunk();
        if (isAtEnd) {
            return false;
        }
        chunk = chunks.getAsLong();
        chunkRows = engine.rowCount(chunk);
        if (chunkRows == 0) {
            isAtEnd = true;
            return false;
        }
        for (int i = 0; i < vectors.size(); i++) {
            vectors.get(i).attach(engine.call(DuckDbFunction.DATA_CHUNK_GET_VECTOR, chunk, i));
        }
        row = 0;
        return true;
    }

    /// Returns whether a value is NULL.
    ///
    /// @param column the index of the column
    /// @return whether it is NULL
    /// @throws IndexOutOfBoundsException if there is no such column
    /// @throws IllegalStateException     if there is no current row, or the result is closed
    public synchronized boolean isNull(int column) {
        return vector(column).isNull(row);
    }

    /// Returns an integer.
    ///
    /// @param column the index of the column
    /// @return the value
    /// @throws SqlException              if it is NULL, is no integer, or is out of the range of a `long`
    /// @throws IndexOutOfBoundsException if there is no such column
    /// @throws IllegalStateException     if there is no current row, or the result is closed
    public synchronized long longValue(int column) {
        Number number = value(Number.class, "an integer", column);
        try {
            return switch (number) {
                case Long value -> value;
                case BigInteger value -> value.longValueExact();
                case BigDecimal value -> value.longValueExact();
                default -> throw notA("an integer", column, number);
            };
        } catch (ArithmeticException _) {
            throw notA("a long", column, number);
        }
    }

    /// Returns a number, which may be rounded.
    ///
    /// @param column the index of the column
    /// @return the value
    /// @throws SqlException              if it is NULL, or is no number
    /// @throws IndexOutOfBoundsException if there is no such column
    /// @throws IllegalStateException     if there is no current row, or the result is closed
    public synchronized double doubleValue(int column) {
        return value(Number.class, "a number", column).doubleValue();
    }

    /// Returns a boolean.
    ///
    /// @param column the index of the column
    /// @return the value
    /// @throws SqlException              if it is NULL, or is no boolean
    /// @throws IndexOutOfBoundsException if there is no such column
    /// @throws IllegalStateException     if there is no current row, or the result is closed
    public synchronized boolean booleanValue(int column) {
        return value(Boolean.class, "a boolean", column);
    }

    /// Returns a value as text. Texts and the names of enum constants are unchanged. Other values are converted by the
    /// [Object#toString] of the object that [#value] returns.
    ///
    /// @param column the index of the column
    /// @return the text
    /// @throws SqlException              if the value is NULL
    /// @throws IndexOutOfBoundsException if there is no such column
    /// @throws IllegalStateException     if there is no current row, or the result is closed
    public synchronized String text(int column) {
        return notNull(column).value(row).toString();
    }

    /// Returns a value.
    ///
    /// | type of DuckDB | class |
    /// |---|---|
    /// | BOOLEAN | [Boolean] |
    /// | integers, signed or not | [Long], or [BigInteger] for a UBIGINT beyond the range of a `long`, HUGEINT and UHUGEINT |
    /// | FLOAT, DOUBLE, DECIMAL | [Float], [Double], [BigDecimal] |
    /// | VARCHAR, ENUM | [String] |
    /// | BLOB | `byte[]` |
    /// | LIST, ARRAY | an unmodifiable [List] |
    /// | STRUCT | an unmodifiable [java.util.Map] from names to values, in order; a member without a name has its number, from 1 |
    /// | DATE, TIME, TIMESTAMP, TIMESTAMPTZ, UUID | [java.time.LocalDate], [java.time.LocalTime], [java.time.LocalDateTime], [java.time.Instant], [java.util.UUID] |
    ///
    /// NULL in a list or a map is null.
    ///
    /// @param column the index of the column
    /// @return the value, or empty if it is NULL
    /// @throws SqlException              if the table does not list the type, or the class cannot represent the value,
    ///                                   for example the timestamp `infinity`
    /// @throws IndexOutOfBoundsException if there is no such column
    /// @throws IllegalStateException     if there is no current row, or the result is closed
    public synchronized Optional<Object> value(int column) {
        ResultVector vector = vector(column);
        return vector.isNull(row) ? Optional.empty() : Optional.of(vector.value(row));
    }

    /// Returns the rows after the current row as records of a class that is public in an exported package. For other
    /// classes, use [#list(MethodHandles.Lookup, Class)].
    ///
    /// @param type the record class
    /// @param <R>  the record class
    /// @return the records
    /// @throws SqlException             if a value does not suit its component
    /// @throws IllegalArgumentException if a component has no column, or several, or the class is not accessible
    /// @throws IllegalStateException    if the result is closed
    public <R extends Record> List<R> list(Class<R> type) {
        return list(MethodHandles.publicLookup(), type);
    }

    /// Returns the rows after the current row as records. Each component takes the value of the column with its name.
    /// Upper and lower case may differ if only one column matches. A component is a primitive value, a box or an enum,
    /// or has a class that [#value] returns. NULL is null.
    ///
    /// @param lookup `MethodHandles.lookup()` in a class that can invoke the constructor of the record
    /// @param type   the record class
    /// @param <R>    the record class
    /// @return the records
    /// @throws SqlException             if a value does not suit its component
    /// @throws IllegalArgumentException if a component has no column, or several, or the class is not accessible
    /// @throws IllegalStateException    if the result is closed
    public <R extends Record> List<R> list(MethodHandles.Lookup lookup, Class<R> type) {
        ResultRecords<R> rows = new ResultRecords<>(lookup, type, names);
        List<R> list = new ArrayList<>();
        for (@Nullable
        Object[] row = nextRow(rows.columns()); row != null; row = nextRow(rows.columns())) {
            list.add(rows.create(row));
        }
        return list;
    }

    /// Returns values of the next row, or null if there is no next row. Records are created without this object's
    /// monitor, because their constructors may wait for a thread that closes the result.
    private synchronized @Nullable Object @Nullable [] nextRow(int[] columns) {
        if (!next()) {
            return null;
        }
        @Nullable
        Object[] row = new Object[columns.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = value(columns[i]).orElse(null);
        }
        return row;
    }

    /// Returns times and timestamps as other objects from now on. The [Object#toString] of such an object has as many
    /// digits as its type, so that the texts of a column have the same length. `java.time` leaves out zeros at the end.
    ///
    /// @return this result
    public SqlResult withTimeTexts() {
        vectors.forEach(ResultVector::useTimeTexts);
        return this;
    }

    private ResultVector notNull(int column) {
        ResultVector vector = vector(column);
        if (vector.isNull(row)) {
            throw new SqlException("Value is NULL: column=" + names.get(column) + "; ask isNull first");
        }
        return vector;
    }

    private ResultVector vector(int column) {
        Objects.checkIndex(column, vectors.size());
        requireOpen();
        if (row < 0) {
            throw new IllegalStateException("No current row: call next() first, which returns whether there is one");
        }
        return vectors.get(column);
    }

    private <T> T value(Class<T> type, String what, int column) {
        Object value = notNull(column).value(row);
        if (!type.isInstance(value)) {
            throw notA(what, column, value);
        }
        return type.cast(value);
    }

    private SqlException notA(String what, int column, Object value) {
        return new SqlException("Value is not " + what + ": column=" + names.get(column) + ", value=" + value);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("Already closed");
        }
    }

    private void destroyChunk() {
        row = -1;
        chunkRows = 0;
        if (chunk != 0) {
            engine.destroy(DuckDbFunction.DESTROY_DATA_CHUNK, chunk);
            chunk = 0;
        }
    }

    /// Frees the result. If it is closed already, nothing happens.
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            open.remove(this);
            destroyChunk();
            engine.run(DuckDbFunction.DESTROY_RESULT, result.address());
        }
    }
}
