package dev.arenakit.sql.internal.duckdb;

import dev.arenakit.sql.SqlException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A statement in SQL with its parameters. It is executed once, in the thread of the engine.
public final class DuckDbStatement implements AutoCloseable {
    private final DuckDbLibrary engine;
    /// The result outlives the statement.
    private final MemorySegment result = Arena.ofAuto().allocate(DuckDbHeader.RESULT);
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment statement = arena.allocate(JAVA_LONG);

    /// @throws SqlException if the engine refuses the statement
    public DuckDbStatement(DuckDbLibrary engine, long connection, String sql, @Nullable Object[] parameters) {
        this.engine = engine;
        try {
            long state = engine.call(DuckDbFunction.PREPARE, connection, allocate(arena, sql).address(),
                    statement.address());
            if (state != 0) {
                throw new SqlException(DuckDbLibrary.text(engine.call(DuckDbFunction.PREPARE_ERROR, statement())));
            }
            bind(parameters);
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    private static MemorySegment allocate(Arena arena, String sql) {
        if (sql.indexOf('\0') >= 0) {
            throw new SqlException("SQL contains a NUL: index=" + sql.indexOf('\0'));
        }
        if (!isUnicode(sql)) {
            throw new SqlException("SQL contains an unpaired surrogate");
        }
        return arena.allocateFrom(sql);
    }

    /// Returns the number of statements in a text, without executing them.
    ///
    /// @throws SqlException if the engine cannot parse the text
    public static long count(DuckDbLibrary engine, long connection, String sql) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment extracted = arena.allocate(JAVA_LONG);
            long count = engine.call(DuckDbFunction.EXTRACT_STATEMENTS, connection, allocate(arena, sql).address(),
                    extracted.address());
            try {
                String error = DuckDbLibrary.text(
                        engine.call(DuckDbFunction.EXTRACT_STATEMENTS_ERROR, extracted.get(JAVA_LONG, 0)));
                if (!error.isEmpty()) {
                    throw new SqlException(error);
                }
                return count;
            } finally {
                engine.run(DuckDbFunction.DESTROY_EXTRACTED, extracted.address());
            }
        }
    }

    private long statement() {
        return statement.get(JAVA_LONG, 0);
    }

    private void bind(@Nullable Object[] parameters) {
        long expected = engine.call(DuckDbFunction.NPARAMS, statement());
        if (expected != parameters.length) {
            throw new IllegalArgumentException("Number of parameters does not match the query: expected=" + expected
                    + ", parameters=" + parameters.length);
        }
        for (int i = 0; i < parameters.length; i++) {
            if (bind(i + 1, parameters[i]) != 0) {
                throw new SqlException("Parameter is refused: index=" + (i + 1));
            }
        }
    }

    private long bind(long index, @Nullable Object value) {
        return switch (value) {
            case null -> engine.call(DuckDbFunction.BIND_NULL, statement(), index);
            case Optional<?> none when none.isEmpty() -> engine.call(DuckDbFunction.BIND_NULL, statement(), index);
            case Boolean b -> engine.call(DuckDbFunction.BIND_BOOLEAN, statement(), index, b ? 1 : 0);
            case Number n when n instanceof Float || n instanceof Double ->
                engine.bind(statement(), index, n.doubleValue());
            case Number n when n instanceof Long || n instanceof Integer || n instanceof Short || n instanceof Byte ->
                engine.call(DuckDbFunction.BIND_INT64, statement(), index, n.longValue());
            case String text -> bindText(index, text);
            case Enum<?> constant -> bindText(index, constant.name());
            case byte[] bytes -> bindBytes(DuckDbFunction.BIND_BLOB, index, bytes);
            default -> throw new IllegalArgumentException("Parameter has no equivalent in SQL: index=" + index
                    + ", class=" + value.getClass().getName()
                    + "; use a number, a boolean, a string, an enum, byte[], or Optional.empty() for NULL");
        };
    }

    private long bindText(long index, String text) {
        if (!isUnicode(text)) {
            throw new SqlException("Parameter contains an unpaired surrogate: index=" + index);
        }
        return bindBytes(DuckDbFunction.BIND_VARCHAR_LENGTH, index, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Whether UTF-8 can represent the text. Without this check, an unpaired surrogate would become `?`.
    private static boolean isUnicode(String text) {
        return text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private long bindBytes(DuckDbFunction function, long index, byte[] bytes) {
        MemorySegment copy = arena.allocateFrom(JAVA_BYTE, bytes);
        return engine.call(function, statement(), index, copy.address(), bytes.length);
    }

    /// Executes the statement, and holds the arenas of segments open during the call.
    ///
    /// @return the result, which the caller destroys
    /// @throws SqlException          if the query fails
    /// @throws IllegalStateException if an arena is closed; nothing was executed
    public MemorySegment execute(MemorySegment... segments) {
        return checked(engine.execute(statement(), result.address(), segments));
    }

    /// Executes the statement. If it asks for rows, the engine computes them while they are fetched. If
    /// that fails, the rows end, and the result has the error.
    ///
    /// @return the result, which the caller destroys
    /// @throws SqlException if the statement fails before its first row
    public MemorySegment executeStreaming() {
        return checked(engine.call(DuckDbFunction.EXECUTE_PREPARED_STREAMING, statement(), result.address()));
    }

    private MemorySegment checked(long state) {
        if (state != 0) {
            String message = DuckDbLibrary.text(engine.call(DuckDbFunction.RESULT_ERROR, result.address()));
            engine.run(DuckDbFunction.DESTROY_RESULT, result.address());
            throw new SqlException(message);
        }
        return result;
    }

    /// Whether the statement only asks for rows.
    public boolean isQuery() {
        long type = engine.call(DuckDbFunction.PREPARED_STATEMENT_TYPE, statement());
        return type == DuckDbHeader.STATEMENT_TYPE_SELECT || type == DuckDbHeader.STATEMENT_TYPE_EXPLAIN;
    }

    @Override
    public void close() {
        if (statement() != 0) {
            engine.run(DuckDbFunction.DESTROY_PREPARE, statement.address());
        }
        arena.close();
    }
}
