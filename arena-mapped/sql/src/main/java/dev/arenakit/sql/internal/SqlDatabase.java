package dev.arenakit.sql.internal;

import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.EngineThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A database in memory, with its connection and its table function. Not thread-safe, except for [#interrupt].
public final class SqlDatabase implements AutoCloseable {
    /// The engine does not load or install extensions by itself, because they could come from the network. It reads no
    /// stored secrets and writes no temporary files.
    private static final Map<String, String> OPTIONS = Map.of("autoinstall_known_extensions", "false",
            "autoload_known_extensions", "false", "allow_persistent_secrets", "false", "temp_directory", "");

    private final DuckDbLibrary engine;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment database = arena.allocate(JAVA_LONG);
    private final MemorySegment connection = arena.allocate(JAVA_LONG);
    private final ScanCallbacks callbacks;
    private final SegmentTables segments;
    private boolean closed;

    /// @param thread the thread that executes queries
    public SqlDatabase(DuckDbLibrary engine, EngineThread thread) {
        this.engine = engine;
        try {
            open();
            callbacks = new ScanCallbacks(engine, arena);
            segments = new SegmentTables(callbacks, thread);
            callbacks.register(connection(), arena);
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    private void open() {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment config = local.allocate(JAVA_LONG);
            MemorySegment error = local.allocate(JAVA_LONG);
            check(engine.call(DuckDbFunction.CREATE_CONFIG, config.address()), "no memory for options");
            try {
                OPTIONS.forEach((name, value) -> check(
                        engine.call(DuckDbFunction.SET_CONFIG, config.get(JAVA_LONG, 0),
                                local.allocateFrom(name).address(), local.allocateFrom(value).address()),
                        "option is unknown: name=" + name));
                long state = engine.call(DuckDbFunction.OPEN_EXT, 0, database.address(), config.get(JAVA_LONG, 0),
                        error.address());
                String message = DuckDbLibrary.text(error.get(JAVA_LONG, 0));
                engine.run(DuckDbFunction.FREE, error.get(JAVA_LONG, 0));
                check(state, message);
            } finally {
                engine.run(DuckDbFunction.DESTROY_CONFIG, config.address());
            }
            check(engine.call(DuckDbFunction.CONNECT, database.get(JAVA_LONG, 0), connection.address()),
                    "no connection");
        }
    }

    private static void check(long state, String reason) {
        if (state != 0) {
            throw new SqlException("DuckDB cannot be opened: " + reason);
        }
    }

    public DuckDbLibrary engine() {
        return engine;
    }

    public ScanCallbacks callbacks() {
        return callbacks;
    }

    public SegmentTables segments() {
        return segments;
    }

    public long connection() {
        return connection.get(JAVA_LONG, 0);
    }

    /// Interrupts the current query, if there is one. Thread-safe.
    public synchronized void interrupt() {
        if (!closed) {
            callbacks.cancelQuery();
            engine.run(DuckDbFunction.INTERRUPT, connection());
        }
    }

    /// Closes the database. The caller has closed all results, and no query runs. The engine's threads end before the
    /// callbacks are freed.
    @Override
    public synchronized void close() {
        if (!closed) {
            if (connection() != 0) {
                engine.run(DuckDbFunction.DISCONNECT, connection.address());
            }
            if (database.get(JAVA_LONG, 0) != 0) {
                engine.run(DuckDbFunction.CLOSE, database.address());
            }
            arena.close();
            closed = true;
        }
    }
}
