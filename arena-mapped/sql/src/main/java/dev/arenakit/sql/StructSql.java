package dev.arenakit.sql;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.sql.internal.ImageViews;
import dev.arenakit.sql.internal.ScanCallbacks;
import dev.arenakit.sql.internal.SegmentTable;
import dev.arenakit.sql.internal.SqlDatabase;
import dev.arenakit.sql.internal.SqlTable;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.DuckDbStatement;
import dev.arenakit.sql.internal.duckdb.EngineThread;
import dev.arenakit.sql.internal.duckdb.LibraryFinder;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Queries in SQL over structs in memory, and over the allocations of images.
///
/// The queries are those of DuckDB, whose native library is loaded at run time: from a path, from the path in the
/// environment variable `ARENAKIT_DUCKDB`, or out of the jar `org.duckdb:duckdb_jdbc` on the class path, which is
/// unpacked once into the directory `arenakit` of the user's directory for caches. DuckDB 1.4 and newer versions work.
///
/// **Tables.** [#table] makes a table of a segment of structs, and [#image] one of each allocation of an image that has
/// a type. The first column, `rowid`, is the index of the struct (`rowid_1` if a member has that name); the others are
/// its members, of which the second of two names that differ only in upper and lower case is followed by `_1`:
///
/// | member | column |
/// |---|---|
/// | `boolean`, signed and unsigned integers, `float`, `double`, bit fields | the type of DuckDB of that size; a `char` is a `USMALLINT`, an unsigned integer of 3 bytes a `UINTEGER`, of 5 to 7 bytes a `UBIGINT` |
/// | text | `VARCHAR`, up to where its type says it ends |
/// | enum | `ENUM` |
/// | address | `UBIGINT` |
/// | array | `ARRAY`; `LIST` of the valid elements if it has a count; `LIST` if there are more than 1,024 elements |
/// | struct | `STRUCT` |
/// | union | `STRUCT` of its members, of which all but the valid one are `NULL`; if the valid one is unknown, those are `NULL` whose bytes are no value of their type |
///
/// A member without values, such as an empty struct, has no column. A value that cannot be converted, such as malformed
/// text or a value that is no constant of its enum, makes a query fail that uses its column; the message names the
/// struct.
///
/// **Memory.** Structs are read where they are when a query runs; the columns that it uses are copied. A query holds
/// the arenas of all segments open: closing one meanwhile throws [IllegalStateException]. A query that uses a segment
/// whose arena is closed fails. A segment of a confined arena is registered and queried by its owner only. If other
/// threads write meanwhile, a query may see a struct with some of its members written. Images are read and not mapped.
///
/// **Threads.** Safe for use by several threads. Queries run one after the other, each in several threads of the
/// engine, while the caller waits; interrupting it has no effect. [#cancel] ends the current query.
///
/// **The engine** has its tables in memory. It loads no extensions by itself and uses no network; it accesses files
/// only if a query names them. If native memory is exhausted, it ends the process, as others do; the elements that are
/// copied of arrays with a count, or of more than 1,024 elements, are limited by their number, 2^27 in a batch of rows,
/// and not by their bytes.
///
/// **Flags.** Native access is needed: pass `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path.
///
/// {@snippet file="dev/arenakit/sql/StructSqlExample.java" region="example"}
public final class StructSql implements AutoCloseable {
    private static final String MAIN = "main";

    private final EngineThread thread = new EngineThread();
    private final SqlDatabase database;
    private final ImageViews images;
    /// A monitor is released even if the stack is exhausted, unlike a lock.
    private final Object lock = new Object();
    private final Set<SqlResult> results = ConcurrentHashMap.newKeySet();
    private volatile boolean busy;
    private volatile boolean closed;

    private StructSql(DuckDbLibrary engine) {
        boolean opened = false;
        try {
            database = thread.call(() -> new SqlDatabase(engine, thread));
            opened = true;
        } finally {
            if (!opened) {
                thread.end();
            }
        }
        images = new ImageViews(database.callbacks(), new ImageViews.Statements() {
            @Override
            public void execute(String sql) {
                run(sql);
            }

            @Override
            public List<String> texts(String sql) {
                return StructSql.this.texts(sql);
            }
        });
    }

    /// Opens an engine with the library of the environment variable `ARENAKIT_DUCKDB`, or of a jar on the class path.
    ///
    /// @return the engine, without tables, which the caller closes
    /// @throws SqlException           if there is no library, or it cannot be used
    /// @throws IllegalCallerException if native access is denied
    public static StructSql open() {
        return new StructSql(LibraryFinder.find());
    }

    /// Opens an engine with a library of DuckDB, for example `libduckdb.so`, or with the one in the jar
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

    /// Makes a table of the structs in a segment, with all of them. Bytes after the last whole struct are ignored.
    ///
    /// @param name    the name of the table, any text that is not empty and has neither a NUL nor an unpaired surrogate
    /// @param type    the type of the structs
    /// @param segment the structs
    /// @throws IllegalArgumentException if the segment is on the heap, or the type has no size
    /// @throws WrongThreadException     if the segment is confined to another thread
    /// @throws IllegalStateException    if the segment's arena, or this engine, is closed, or if there are tables of 64
    ///                                  other open arenas that are not confined
    /// @throws SqlException             if there is a table of that name
    public void table(String name, StructType type, MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException("Segment is not in native memory: segment=" + segment
                    + "; copy it to a segment of an arena");
        }
        if (type.byteSize() == 0) {
            throw new IllegalArgumentException("Type has no size: type=" + type.name());
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("Segment is confined to another thread: segment=" + segment);
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("Already closed");
        }
        synchronized (lock) {
            requireOpen();
            SegmentTable table = new SegmentTable(name, type, segment);
            boolean added = false;
            try {
                database.segments().add(table);
                query(database.callbacks().view(MAIN, name, table)).close();
                added = true;
            } finally {
                if (!added) {
                    database.segments().remove(table);
                }
            }
        }
    }

    /// Drops a table of a segment, whose arena is no longer held by queries. A view that a statement drops instead is
    /// held until its arena is closed.
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

    /// Makes a table of each allocation of an image that has a type and is not freed, in a schema: `desk.trades` of the
    /// allocation `trades`. The name of a table may need quotes: `desk."#27"`.
    ///
    /// Structs whose bytes are all zero are no rows, so that the result does not depend on where the files have holes,
    /// unless [SqlImage#withZeroRows] includes them. If a data file is truncated, the rows end there.
    ///
    /// The image may be closed afterwards: queries open its data files again. Allocations that are recorded later are
    /// no tables.
    ///
    /// This method reads the catalog of the image, and keeps the name and the place of each allocation. The engine
    /// knows a table from the first statement on that has its name, or that may use all tables, such as one that reads
    /// `information_schema` or executes `show tables`. That costs about half a millisecond for each table.
    ///
    /// @param name  the name of the schema, which may exist; `main` is the schema of names without one, and the engine
    ///              needs `memory`, `temp`, `system`, `pg_catalog` and `information_schema`
    /// @param image the image
    /// @return the tables
    /// @throws IOException           if the catalog cannot be read
    /// @throws SqlException          if the schema has a table of one of the names, or the engine needs the name of the
    ///                               schema
    /// @throws IllegalStateException if this engine is closed
    public SqlImage image(String name, ArenaImage image) throws IOException {
        SqlImage tables = new SqlImage(name, image, database.callbacks()::isCancelled);
        synchronized (lock) {
            requireOpen();
            run("begin transaction");
            boolean added = false;
            try {
                run("create schema if not exists " + SqlIdentifiers.quote(name));
                images.add(tables.imageSchema());
                run("commit");
                added = true;
            } finally {
                if (!added) {
                    images.remove(tables.imageSchema());
                    rollback();
                }
            }
        }
        return tables;
    }

    private void rollback() {
        try {
            run("rollback");
        } catch (SqlException _) {
            // It was cancelled.
            run("rollback");
        }
    }

    /// Executes a statement.
    ///
    /// @param sql        one statement, a query or another one; `?` or `$1` stands for a parameter
    /// @param parameters the parameters: boxes of primitive numbers and booleans, strings, enums (as their names),
    ///                   `byte[]`, null or an empty [java.util.Optional] for NULL
    /// @return the whole result, which the caller closes
    /// @throws SqlException             if the statement fails, or is cancelled
    /// @throws IllegalArgumentException if the parameters are not those of the statement
    /// @throws IllegalStateException    if this engine is closed
    public SqlResult query(String sql, Object... parameters) {
        synchronized (lock) {
            requireOpen();
            images.create(sql);
            try {
                return execute(sql, parameters);
            } catch (SqlException e) {
                return executeAgain(e, sql, parameters);
            }
        }
    }

    /// Executes a statement again in which a name is unknown, so that its message suggests others.
    private SqlResult executeAgain(SqlException failure, String sql, Object... parameters) {
        if (!images.createNearest(sql, failure)) {
            throw failure;
        }
        try {
            return execute(sql, parameters);
        } catch (SqlException e) {
            throw ImageViews.isUnknown(e) ? e : failure;
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
        busy = true;
        try {
            return thread.call(() -> execute(caller, sql, parameters));
        } finally {
            busy = false;
        }
    }

    /// Executes a statement in the thread of the engine.
    private SqlResult execute(Thread caller, String sql, @Nullable Object[] parameters) {
        ScanCallbacks callbacks = database.callbacks();
        callbacks.beginQuery();
        MemorySegment[] held = database.segments().begin(caller);
        try (DuckDbStatement statement = new DuckDbStatement(database.engine(), database.connection(), sql,
                parameters)) {
            MemorySegment memory = Arena.ofAuto().allocate(DuckDbLibrary.resultByteSize(), Long.BYTES);
            while (true) {
                try {
                    statement.execute(memory, held);
                    break;
                } catch (IllegalStateException e) {
                    MemorySegment[] open = database.segments().begin(caller);
                    if (open.length == held.length) {
                        throw e;
                    }
                    held = open;
                }
            }
            SqlResult result = new SqlResult(database.engine(), memory, statement.isQuery(), results);
            if (callbacks.hasFailed()) {
                result.close();
                throw new SqlException("Java has no memory for an error that occurred while structs were read");
            }
            return result;
        } finally {
            database.segments().end();
        }
    }

    /// Writes the result of a query to a file in the format Parquet. It is written to a file of another name in the
    /// same directory, which then replaces a file that exists; if the query fails, that one does not change.
    ///
    /// @param sql        the query, without a semicolon
    /// @param file       the path of the file
    /// @param parameters the parameters, as of [#query]
    /// @throws SqlException             if the query fails, or the file cannot be written
    /// @throws IllegalArgumentException if the parameters are not those of the query
    /// @throws IllegalStateException    if this engine is closed
    public void copyToParquet(String sql, Path file, Object... parameters) {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            // For example, a pipe.
            copy(sql, file, parameters);
            return;
        }
        try {
            Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            Path temporary = target.resolveSibling(".arenakit-" + UUID.randomUUID() + ".parquet");
            try {
                copy(sql, temporary, parameters);
                Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new SqlException("File cannot be written: path=" + file + ", reason=" + e, e);
        }
    }

    private void copy(String sql, Path file, Object... parameters) {
        // A comment at the end of the query ends with its line. The engine's own temporary file could be somebody's.
        query("copy (" + sql + "\n) to " + SqlIdentifiers.literal(file.toAbsolutePath().toString())
                + " (format parquet, use_tmp_file false)", parameters).close();
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

    /// For tests: makes a table, which has no view.
    long addTable(SqlTable table) {
        return database.callbacks().add(table);
    }

    /// For tests: the number of tables that are not dropped.
    int tableCount() {
        return database.callbacks().tableCount();
    }

    /// For tests: the number of scans and their threads that the engine has not deleted.
    int scanObjectCount() {
        return database.callbacks().objectCount();
    }
}
