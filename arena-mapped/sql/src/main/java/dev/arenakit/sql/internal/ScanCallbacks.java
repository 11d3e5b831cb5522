package dev.arenakit.sql.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.column.LogicalTypes;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbHeader;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// The table function that reads all tables. Its only argument is the number of a table. The engine calls the methods
/// of this class from its own threads.
public final class ScanCallbacks {
    /*
     * An exception that left a callback would end the process. Each callback passes its exceptions to the engine as
     * errors. If the heap is exhausted, the error is a constant, which needs no heap memory. If even that fails,
     * because the stack is exhausted, the callback sets the field `failed`, which needs neither heap nor stack. Then
     * the query fails after the engine has executed it.
     *
     * DuckDbLibrary calls each callback with 0 when it is created, while there is heap memory.
     *
     * The engine holds numbers instead of references to objects. It deletes each object by its number.
     */
    static final String FUNCTION = "arenakit_scan";
    private static final String NO_MEMORY = "Java has no memory for the error that occurred while structs were read";

    private final DuckDbLibrary engine;
    private final Map<Long, SqlTable> tables = new ConcurrentHashMap<>();
    private final AtomicLong lastTable = new AtomicLong();
    private final Map<Long, AutoCloseable> objects = new ConcurrentHashMap<>();
    private final AtomicLong lastObject = new AtomicLong();
    private final MemorySegment noMemory;
    private final long delete;
    private volatile boolean failed;
    private volatile boolean cancelled;

    /// @param arena the lifetime of the callbacks, which must last until the database is closed
    ScanCallbacks(DuckDbLibrary engine, Arena arena) {
        this.engine = engine;
        noMemory = arena.allocateFrom(NO_MEMORY);
        delete = DuckDbLibrary.callback((number, _) -> delete(number), arena);
    }

    /// Adds the function to a database.
    void register(long connection, Arena arena) {
        long function = engine.call(DuckDbFunction.CREATE_TABLE_FUNCTION);
        long bigint = engine.createType(DuckDbHeader.TYPE_BIGINT);
        engine.run(DuckDbFunction.TABLE_FUNCTION_SET_NAME, function, arena.allocateFrom(FUNCTION).address());
        engine.run(DuckDbFunction.TABLE_FUNCTION_ADD_PARAMETER, function, bigint);
        engine.run(DuckDbFunction.TABLE_FUNCTION_SET_BIND, function,
                callback(DuckDbFunction.BIND_SET_ERROR, this::bind, arena));
        engine.run(DuckDbFunction.TABLE_FUNCTION_SET_INIT, function,
                callback(DuckDbFunction.INIT_SET_ERROR, this::init, arena));
        engine.run(DuckDbFunction.TABLE_FUNCTION_SET_LOCAL_INIT, function,
                callback(DuckDbFunction.INIT_SET_ERROR, this::initThread, arena));
        engine.run(DuckDbFunction.TABLE_FUNCTION_SET_FUNCTION, function,
                callback(DuckDbFunction.FUNCTION_SET_ERROR, this::scan, arena));
        engine.run(DuckDbFunction.TABLE_FUNCTION_SUPPORTS_PROJECTION_PUSHDOWN, function, 1);
        long state = engine.call(DuckDbFunction.REGISTER_TABLE_FUNCTION, connection, function);
        engine.destroyType(bigint);
        engine.destroy(DuckDbFunction.DESTROY_TABLE_FUNCTION, function);
        if (state != 0) {
            throw new SqlException("Engine refuses the table function: name=" + FUNCTION);
        }
    }

    /// Adds a table.
    ///
    /// @return its number, the argument of the function
    public long add(SqlTable table) {
        long number = lastTable.incrementAndGet();
        tables.put(number, table);
        return number;
    }

    /// Adds a table.
    ///
    /// @return the definition of its view, which follows `create` in a statement
    public String view(String schema, String name, SqlTable table) {
        return "view " + SqlIdentifiers.quote(schema) + "." + SqlIdentifiers.quote(name) + " as select * from "
                + FUNCTION + "("
                + add(table) + ")";
    }

    void remove(Collection<? extends SqlTable> removed) {
        tables.values().removeAll(removed);
    }

    /// The number of tables.
    public int tableCount() {
        return tables.size();
    }

    public void beginQuery() {
        failed = false;
        cancelled = false;
    }

    void cancelQuery() {
        cancelled = true;
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /// Checks that the engine has got all errors.
    ///
    /// @throws SqlException if a callback could not pass its error to the engine
    public void checkComplete() {
        if (failed) {
            throw new SqlException("Java has no memory for an error that occurred while structs were read");
        }
    }

    /// The number of scans and their threads that the engine has not deleted.
    public int objectCount() {
        return objects.size();
    }

    /// A callback whose exceptions become errors of the engine.
    private long callback(DuckDbFunction setError, Body body, Arena arena) {
        return DuckDbLibrary.callback((info, chunk) -> run(setError, body, info, chunk), arena);
    }

    @FunctionalInterface
    private interface Body {
        void run(long info, long chunk) throws IOException;
    }

    private void run(DuckDbFunction setError, Body body, long info, long chunk) {
        if (info == 0) {
            return;
        }
        try {
            body.run(info, chunk);
        } catch (Throwable t) {
            try {
                fail(setError, info, t);
            } catch (Throwable _) {
                failed = true;
            }
        }
    }

    private void bind(long info, long unused) {
        long number = parameter(info);
        SqlTable table = table(number);
        check(table);
        addColumn(info, table.columns().rowIdName(), engine.createType(DuckDbHeader.TYPE_BIGINT));
        for (ColumnType.Column column : table.columns().columns()) {
            addColumn(info, column.name(), LogicalTypes.create(engine, column.type()));
        }
        if (table.rowCount().isPresent()) {
            engine.run(DuckDbFunction.BIND_SET_CARDINALITY, info, table.rowCount().getAsLong(), 1);
        }
        engine.run(DuckDbFunction.BIND_SET_BIND_DATA, info, number + 1, 0);
    }

    private long parameter(long info) {
        long value = engine.call(DuckDbFunction.BIND_GET_PARAMETER, info, 0);
        // The engine ends the process if NULL is read as a number.
        boolean isNull = engine.call(DuckDbFunction.IS_NULL_VALUE, value) != 0;
        long number = isNull ? -1 : engine.call(DuckDbFunction.GET_INT64, value);
        engine.destroy(DuckDbFunction.DESTROY_VALUE, value);
        return number;
    }

    private void addColumn(long info, String name, long type) {
        try (Arena arena = Arena.ofConfined()) {
            engine.run(DuckDbFunction.BIND_ADD_RESULT_COLUMN, info, arena.allocateFrom(name).address(), type);
        } finally {
            engine.destroyType(type);
        }
    }

    private void init(long info, long unused) throws IOException {
        SqlTable table = table(engine.call(DuckDbFunction.INIT_GET_BIND_DATA, info) - 1);
        check(table);
        SqlTable.TableScan scan = table.scan();
        setObject(info, scan);
        engine.run(DuckDbFunction.INIT_SET_MAX_THREADS, info, Math.max(1, scan.threads()));
    }

    private void initThread(long info, long unused) {
        SqlTable table = table(engine.call(DuckDbFunction.INIT_GET_BIND_DATA, info) - 1);
        long[] columns = new long[Math.toIntExact(engine.call(DuckDbFunction.INIT_GET_COLUMN_COUNT, info))];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = engine.call(DuckDbFunction.INIT_GET_COLUMN_INDEX, info, i);
        }
        setObject(info, new ScanThread(engine, table, columns));
    }

    private void setObject(long info, AutoCloseable object) {
        long number = lastObject.incrementAndGet();
        objects.put(number, object);
        engine.run(DuckDbFunction.INIT_SET_INIT_DATA, info, number, delete);
    }

    private void scan(long info, long chunk) throws IOException {
        if (cancelled) {
            throw new SqlException("Query was cancelled");
        }
        SqlTable.TableScan scan = object(SqlTable.TableScan.class,
                engine.call(DuckDbFunction.FUNCTION_GET_INIT_DATA, info));
        ScanThread thread = object(ScanThread.class,
                engine.call(DuckDbFunction.FUNCTION_GET_LOCAL_INIT_DATA, info));
        thread.fill(scan, chunk);
    }

    private void delete(long number) {
        try {
            AutoCloseable object = objects.remove(number);
            if (object != null) {
                object.close();
            }
        } catch (Throwable _) {
            // The object's memory leaks, but the result of the query is right.
        }
    }

    private <T> T object(Class<T> type, long number) {
        AutoCloseable object = objects.get(number);
        if (object == null) {
            throw new SqlException("Scan has not begun: number=" + number);
        }
        return type.cast(object);
    }

    private SqlTable table(long number) {
        SqlTable table = tables.get(number);
        if (table == null) {
            throw new SqlException("No such table: number=" + number);
        }
        return table;
    }

    private static void check(SqlTable table) {
        String refusal = table.refusal();
        if (!refusal.isEmpty()) {
            throw new SqlException("Table cannot be read: table=" + table.name() + ", reason=" + refusal);
        }
    }

    private void fail(DuckDbFunction setError, long info, Throwable t) {
        try (Arena arena = Arena.ofConfined()) {
            String message = t instanceof SqlException ? String.valueOf(t.getMessage()) : t.toString();
            engine.run(setError, info, arena.allocateFrom(message.replace('\0', ' ')).address());
        } catch (Throwable _) {
            engine.run(setError, info, noMemory.address());
        }
    }
}
