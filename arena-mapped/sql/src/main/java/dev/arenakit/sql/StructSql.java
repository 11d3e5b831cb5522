package dev.arenakit.sql;

import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.internal.files.FileReplacement;
import dev.arenakit.sql.internal.ImageViews;
import dev.arenakit.sql.internal.ScanCallbacks;
import dev.arenakit.sql.internal.SegmentTable;
import dev.arenakit.sql.internal.SqlDatabase;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.DuckDbStatement;
import dev.arenakit.sql.internal.duckdb.EngineThread;
import dev.arenakit.sql.internal.duckdb.LibraryFinder;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Queries in SQL over structs in memory, and over the allocations of images.
///
/// DuckDB executes the queries. Its native library is loaded at run time: from a path, from the path in the environment
/// variable `ARENAKIT_DUCKDB`, or from the jar `org.duckdb:duckdb_jdbc` on the class path. The library in a jar is
/// unpacked once, into the directory `arenakit` of the user's cache directory. DuckDB 1.4 and newer versions work.
///
/// **Tables.** [#table] makes a table of a segment of structs. [#image] makes a table of each allocation of an image
/// that has a type. The first column, `rowid`, is the index of the struct (`rowid_1` if a member is called `rowid`).
/// The other columns are the members. If two names differ only in upper and lower case, the column of the second member
/// has the suffix `_1`.
///
/// | member | column |
/// |---|---|
/// | `boolean`, signed and unsigned integers, `float`, `double`, bit fields | DuckDB's type of the same size; a `char` is a `USMALLINT`, an unsigned integer of 3 bytes a `UINTEGER`, of 5 to 7 bytes a `UBIGINT` |
/// | text | `VARCHAR`, up to the end that the type defines |
/// | enum | `ENUM` |
/// | address | `UBIGINT` |
/// | array | `ARRAY`; a `LIST` of the valid elements if the array has a count; a `LIST` if it has more than 1,024 elements or is in a union |
/// | struct | `STRUCT` |
/// | union | `STRUCT` of the members, where all but the valid member are `NULL`; if the valid member is unknown, a member is `NULL` if its bytes are no value of its type |
///
/// A member without values, such as an empty struct, has no column. A query fails if it uses a column with a value that
/// cannot be converted, such as malformed text or a number that is no constant of the enum. The message names the
/// struct.
///
/// **Memory.** A query reads the structs in place, and copies the columns that it uses. It holds the arenas of all
/// segments open: an attempt to close such an arena during a query throws [IllegalStateException]. A query fails if it
/// uses a segment whose arena is closed. Only the owner of a confined arena can register and query its segments. If
/// other threads write during a query, the query may see a struct with only some of its members written. The files of
/// images are read, not mapped.
///
/// **Threads.** Safe for use by several threads. Queries run one after the other, each in several threads of the
/// engine, while the caller waits. Interrupting the caller has no effect. [#cancel] ends the current query.
///
/// **The engine** has its tables in memory. It loads no extensions by itself and uses no network. It accesses files
/// only if a query names them. If native memory is exhausted, the engine ends the process, as other native libraries
/// do. A `LIST` column has at most 2^27 elements in a batch of rows; their size in bytes is not limited.
///
/// **Flags.** Native access is needed: pass `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path.
///
/// {@snippet file="dev/arenakit/sql/StructSqlExample.java" region="example"}
public final class StructSql implements AutoCloseable {
    private static final String MAIN = "main";
    /// The length of an array in the text of a type, or else a name or text in quotes, which may look like a length.
    private static final Pattern ARRAY_LENGTH = Pattern.compile("\\[\\d+]|\"[^\"]*+\"|'[^']*+'");

    private final EngineThread thread = new EngineThread();
    /// Tests ask it for its tables.
    final SqlDatabase database;
    private final ImageViews images;
    /// A monitor is released even if the stack is exhausted, unlike a lock.
    private final Object lock = new Object();
    private final Set<SqlResult> results = ConcurrentHashMap.newKeySet();
    /// The number of statements that the thread of the engine has executed.
    private long statements;
    private volatile boolean busy;
    private volatile boolean closed;

    private StructSql(DuckDbLibrary engine) {
        try {
            database = thread.call(() -> new SqlDatabase(engine, thread));
        } catch (Throwable t) {
            thread.end();
            throw t;
        }
        images = new ImageViews(database.callbacks(), this::texts);
    }

    /// Opens an engine with the library that the environment variable `ARENAKIT_DUCKDB` names, or else with the library
    /// in a jar on the class path.
    ///
    /// @return the engine, without tables, which the caller closes
    /// @throws SqlException           if there is no library, or it cannot be used
    /// @throws IllegalCallerException if native access is denied
    public static StructSql open() {
        return new StructSql(LibraryFinder.find());
    }

    /// Opens an engine with a library of DuckDB, for example `libduckdb.so`, or with the library in the jar
    /// `org.duckdb:duckdb_jdbc`.
    ///
    /// @param library the path of the library or of the jar; the library stays loaded until the JVM terminates
    /// @return the engine, without tables, which the caller closes
    /// @throws SqlException           if the library cannot be used
    /// @throws IllegalCallerException if native access is denied
    public static StructSql open(Path library) {
        return new StructSql(LibraryFinder.load(library));
    }

    /// Returns the version of DuckDB.
    ///
    /// @return the version, for example `v2.0.0`
    public String version() {
        return DuckDbLibrary.text(database.engine().call(DuckDbFunction.LIBRARY_VERSION));
    }

    /// Makes a table of all structs in a segment. Bytes after the last whole struct are ignored. If the type is the
    /// [type][dev.arenakit.layout.ColumnMapper#type] of a table of columns, the rows are its records, and a query reads
    /// the columns that it uses.
    ///
    /// @param name    the name of the table, any text that is not empty and contains neither a NUL nor an unpaired
    ///                surrogate
    /// @param type    the type of the structs
    /// @param segment the structs
    /// @throws IllegalArgumentException if the segment is on the heap, the type has no size, or the segment has no
    ///                                  table of these columns
    /// @throws WrongThreadException     if the segment is confined to another thread
    /// @throws IllegalStateException    if the segment's arena, or this engine, is closed, or if tables use 64 other
    ///                                  open arenas that are not confined
    /// @throws SqlException             if a table of this name exists
    public void table(String name, StructType type, MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException("Segment is not in native memory: segment=" + segment
                    + "; copy it to a segment of an arena");
        }
        if (type.byteSize() == 0) {
            throw new IllegalArgumentException("Type has no size: type=" + type.name());
        }
        Scopes.checkOpen(segment);
        synchronized (lock) {
            requireOpen();
            SegmentTable table = new SegmentTable(name, type, segment);
            try {
                database.segments().add(table);
                query("create " + database.callbacks().view(MAIN, name, table)).close();
            } catch (Throwable t) {
                database.segments().remove(table);
                throw t;
            }
        }
    }

    /// Drops the table of a segment. Later queries do not hold the segment's arena open. If a statement drops the view
    /// instead, queries continue to hold the arena.
    ///
    /// @param name the name of the table
    /// @throws SqlException          if there is no such table, or it cannot be dropped
    /// @throws IllegalStateException if this engine is closed
    public void drop(String name) {
        synchronized (lock) {
            requireOpen();
            query("drop view " + SqlIdentifiers.quote(MAIN) + "." + SqlIdentifiers.quote(name)).close();
            database.segments().remove(name);
        }
    }

    /// Makes a schema with a table of each allocation of an image that has a type and is not freed. In the schema
    /// `desk`, the allocation `trades` is the table `desk.trades`. The name of a table may need quotes: `desk."#27"`.
    ///
    /// Structs whose bytes are all zero are no rows unless [SqlImage#withZeroRows] includes them. Therefore the result
    /// does not depend on the holes in the files. If a data file is truncated, the rows end there.
    ///
    /// The image may be closed afterwards: queries open its data files again. Allocations that are recorded later have
    /// no tables.
    ///
    /// This method reads the catalog of the image, and keeps the name and the place of each allocation. The engine
    /// learns of a table when the first statement names it or may use all tables: `show tables` and queries of
    /// `information_schema` may. This costs about half a millisecond for each table.
    ///
    /// @param name  the name of the schema, which may exist; `main` is the default schema, and the engine reserves
    ///              `memory`, `temp`, `system`, `pg_catalog` and `information_schema`
    /// @param image the image
    /// @return the tables
    /// @throws IOException           if the catalog cannot be read
    /// @throws SqlException          if the schema has a table with the name of an allocation, or the engine reserves
    ///                               the name of the schema
    /// @throws IllegalStateException if this engine is closed
    public SqlImage image(String name, ArenaImage image) throws IOException {
        SqlImage tables = new SqlImage(name, image, database.callbacks()::isCancelled);
        synchronized (lock) {
            requireOpen();
            run("begin transaction");
            try {
                run("create schema if not exists " + SqlIdentifiers.quote(name));
                images.add(tables.imageSchema());
                run("commit");
            } catch (Throwable t) {
                images.remove(tables.imageSchema());
                rollback();
                throw t;
            }
        }
        return tables;
    }

    private void rollback() {
        try {
            run("rollback");
        } catch (SqlException _) {
            // The first rollback was cancelled.
            run("rollback");
        }
    }

    /// Executes a statement.
    ///
    /// @param sql        one statement, which need not be a query; `?` or `$1` stands for a parameter
    /// @param parameters the parameters: boxes of primitive numbers and booleans, strings, enums (as their names),
    ///                   `byte[]`, null or an empty [java.util.Optional] for NULL
    /// @return the whole result, which the caller closes
    /// @throws SqlException             if the statement fails, or is cancelled
    /// @throws IllegalArgumentException if the statement has another number of parameters, or the class of a parameter
    ///                                  is not supported
    /// @throws IllegalStateException    if this engine is closed
    public SqlResult query(String sql, Object... parameters) {
        return withViews(sql, () -> execute(sql, parameters));
    }

    /// Executes a statement after the views that it may use were created. If a name is unknown, the statement is
    /// executed again, after the views of images with few tables were created, so that the engine suggests the nearest
    /// name.
    private SqlResult withViews(String sql, Supplier<SqlResult> execution) {
        synchronized (lock) {
            requireOpen();
            images.create(sql);
            try {
                return execution.get();
            } catch (SqlException failure) {
                if (!images.createSuggestions(failure)) {
                    throw failure;
                }
                try {
                    return execution.get();
                } catch (SqlException e) {
                    throw ImageViews.isUnknown(e) ? e : failure;
                }
            }
        }
    }

    private void run(String sql) {
        execute(sql).close();
    }

    private List<String> texts(String sql) {
        List<String> texts = new ArrayList<>();
        try (SqlResult result = execute(sql)) {
            while (result.next()) {
                texts.add(result.text(0));
            }
        }
        return texts;
    }

    private SqlResult execute(String sql, @Nullable Object... parameters) {
        Thread caller = Thread.currentThread();
        return onThread(() -> execute(caller, sql, parameters));
    }

    /// Executes a statement in the thread of the engine.
    private SqlResult execute(Thread caller, String sql, @Nullable Object[] parameters) {
        statements++;
        ScanCallbacks callbacks = database.callbacks();
        callbacks.beginQuery();
        MemorySegment[] held = database.segments().begin(caller);
        try (DuckDbStatement statement = new DuckDbStatement(database.engine(), database.connection(), sql,
                parameters)) {
            MemorySegment memory = execute(statement, caller, held);
            SqlResult result = new SqlResult(database.engine(), memory, () -> database.engine().fetch(memory),
                    statement.isQuery(), results);
            try {
                callbacks.checkComplete();
            } catch (SqlException e) {
                result.close();
                throw e;
            }
            return result;
        } finally {
            database.segments().end();
        }
    }

    private MemorySegment execute(DuckDbStatement statement, Thread caller, MemorySegment[] held) {
        try {
            return statement.execute(held);
        } catch (IllegalStateException e) {
            // An arena was closed meanwhile. The statement may use other tables only.
            MemorySegment[] open = database.segments().begin(caller);
            if (open.length == held.length) {
                throw e;
            }
            return execute(statement, caller, open);
        }
    }

    /// Executes a statement whose rows the engine computes while [SqlResult#next] asks for them, so that a result of any
    /// size needs little memory. Read the result to its end, or close it, before the next statement. `next` throws a
    /// [SqlException] if the engine fails between two rows, or if another statement has been executed meanwhile. Tables
    /// of segments cannot be read, because nothing holds their arenas open.
    ///
    /// @param sql        one statement, which need not be a query
    /// @param parameters the parameters, as in [#query]
    /// @return the result, which the caller closes
    /// @throws SqlException             if the statement fails before its first row, or is cancelled
    /// @throws IllegalArgumentException if the statement has another number of parameters, or the class of a parameter
    ///                                  is not supported
    /// @throws IllegalStateException    if this engine is closed
    public SqlResult stream(String sql, Object... parameters) {
        return withViews(sql, () -> onThread(() -> openStream(sql, parameters)));
    }

    /// Returns the number of statements in a text, without executing them. A program can thus divide a script, since
    /// the other methods execute one statement.
    ///
    /// @param sql statements, separated by semicolons
    /// @return the number of statements
    /// @throws SqlException          if the engine cannot parse the text
    /// @throws IllegalStateException if this engine is closed
    public long countStatements(String sql) {
        synchronized (lock) {
            requireOpen();
            return onThread(() -> DuckDbStatement.count(database.engine(), database.connection(), sql));
        }
    }

    private SqlResult openStream(String sql, Object... parameters) {
        long number = ++statements;
        database.callbacks().beginQuery();
        DuckDbLibrary engine = database.engine();
        try (DuckDbStatement statement = new DuckDbStatement(engine, database.connection(), sql, parameters)) {
            MemorySegment memory = statement.executeStreaming();
            return new SqlResult(engine, memory, () -> onThread(() -> nextChunk(memory, number)), statement.isQuery(),
                    results);
        }
    }

    /// A result ends at its last row, or where the engine has failed.
    private long nextChunk(MemorySegment result, long number) {
        if (statements != number) {
            // Some engines end the result without an error.
            throw new SqlException("Result is incomplete, because another statement has been executed; "
                    + "read a streamed result to its end first");
        }
        long chunk = database.engine().fetch(result);
        if (database.engine().rowCount(chunk) == 0) {
            String error = DuckDbLibrary.text(database.engine().call(DuckDbFunction.RESULT_ERROR, result.address()));
            if (!error.isEmpty()) {
                throw new SqlException(error);
            }
            database.callbacks().checkComplete();
        }
        return chunk;
    }

    private <R> R onThread(Supplier<R> body) {
        busy = true;
        try {
            return thread.call(body);
        } finally {
            busy = false;
        }
    }

    /// Writes the result of a query to a file in the format Parquet. The result goes to a temporary file in the same
    /// directory, which then replaces an existing file. If the query fails, the existing file does not change. Only the
    /// owner of the file may read and write it, as with the files of an image.
    ///
    /// @param sql        the query, without a semicolon
    /// @param file       the path of the file
    /// @param parameters the parameters, as in [#query]
    /// @throws SqlException             if the query fails, or the file cannot be written
    /// @throws IllegalArgumentException if the query has another number of parameters, or the class of a parameter is
    ///                                  not supported
    /// @throws IllegalStateException    if this engine is closed
    public void copyToParquet(String sql, Path file, Object... parameters) {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            // For example, a pipe.
            copy(sql, file, parameters);
            return;
        }
        try {
            Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            try (FileReplacement replacement = FileReplacement.of(target)) {
                copy(sql, replacement.written(), parameters);
                replacement.commit();
            }
        } catch (IOException e) {
            throw new SqlException("File cannot be written: path=" + file + ", reason=" + e, e);
        }
    }

    private void copy(String sql, Path file, Object... parameters) {
        synchronized (lock) {
            // Creates the views of the query. Words in the path of the file are no tables.
            String lists = withLists(sql, parameters);
            if (database.callbacks().isCancelled()) {
                // The next statement would reset the cancellation.
                throw new SqlException("Query was cancelled");
            }
            // The engine's own temporary file might replace another file.
            execute("copy (" + lists + ") to " + SqlIdentifiers.literal(file.toAbsolutePath().toString())
                    + " (format parquet, use_tmp_file false)", parameters).close();
        }
    }

    /// Returns a query with lists instead of the arrays of a query. A Parquet file has the same columns for both, but
    /// the engine writes wrong levels for an array that is NULL, so that other readers refuse the file or read other
    /// values.
    private String withLists(String sql, Object... parameters) {
        // The line break ends a comment at the end of the query.
        String from = "from (" + sql + "\n)";
        List<String> columns = new ArrayList<>();
        List<String> converted = new ArrayList<>();
        boolean hasArrays = false;
        try (SqlResult described = query("describe " + from, parameters)) {
            while (described.next()) {
                String type = described.text(1);
                String lists = ARRAY_LENGTH.matcher(type)
                        .replaceAll(found -> found.group().startsWith("[")
                                ? "[]"
                                : Matcher.quoteReplacement(found.group()));
                String column = "c" + columns.size();
                columns.add(column);
                converted.add((type.equals(lists) ? column : "cast(" + column + " as " + lists + ")") + " as "
                        + SqlIdentifiers.quote(described.text(0)));
                hasArrays |= !type.equals(lists);
            }
        }
        return hasArrays
                ? "select " + String.join(", ", converted) + " " + from + " as t(" + String.join(", ", columns) + ")"
                : sql + "\n";
    }

    /// Ends the current query, which fails. If there is none, nothing happens.
    public void cancel() {
        database.interrupt();
    }

    /// Closes the engine with its tables and results. If it is closed already, nothing happens.
    ///
    /// @throws IllegalStateException if a query runs in another thread; nothing has changed
    @Override
    public void close() {
        if (closed) {
            return;
        }
        if (busy) {
            throw new IllegalStateException("Query is running; end it with cancel()");
        }
        synchronized (lock) {
            if (!closed) {
                List.copyOf(results).forEach(SqlResult::close);
                thread.call(() -> {
                    database.close();
                    return this;
                });
                thread.end();
                database.segments().clear();
                closed = true;
            }
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("Already closed");
        }
    }
}
