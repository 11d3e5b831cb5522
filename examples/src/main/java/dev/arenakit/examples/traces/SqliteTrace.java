package dev.arenakit.examples.traces;

import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceRecorder;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Stores rows in SQLite and reads them, as a binding does: each call that passes a text or takes a pointer has an arena
/// of its own. The allocations are recorded.
///
/// It needs SQLite's library (Debian's package `libsqlite3-0`).
@SuppressWarnings("restricted") // This class links functions of SQLite.
public final class SqliteTrace implements AutoCloseable {
    private static final int OK = 0;
    private static final int ROW = 100;
    private static final int DONE = 101;
    // Makes SQLite copy a bound text before the call returns.
    private static final MemorySegment TRANSIENT = MemorySegment.ofAddress(-1);

    private final Arena library = Arena.ofConfined();
    private final SymbolLookup functions = SymbolLookup.libraryLookup("libsqlite3.so.0", library);
    private final MethodHandle open = link("sqlite3_open", JAVA_INT, ADDRESS, ADDRESS);
    private final MethodHandle close = link("sqlite3_close", JAVA_INT, ADDRESS);
    private final MethodHandle prepare = link("sqlite3_prepare_v2", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS,
            ADDRESS);
    private final MethodHandle bindLong = link("sqlite3_bind_int64", JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG);
    private final MethodHandle bindText = link("sqlite3_bind_text", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT,
            ADDRESS);
    private final MethodHandle step = link("sqlite3_step", JAVA_INT, ADDRESS);
    private final MethodHandle reset = link("sqlite3_reset", JAVA_INT, ADDRESS);
    private final MethodHandle finish = link("sqlite3_finalize", JAVA_INT, ADDRESS);
    private final MethodHandle columnDouble = link("sqlite3_column_double", JAVA_DOUBLE, ADDRESS, JAVA_INT);

    private final TraceRecorder recorder;
    private final MemorySegment database;

    private SqliteTrace(TraceRecorder recorder) throws Throwable {
        this.recorder = recorder;
        try (Arena arena = recorder.wrap(Arena.ofConfined())) {
            MemorySegment opened = arena.allocate(ADDRESS);
            check((int) open.invokeExact(arena.allocateFrom(":memory:"), opened));
            database = opened.get(ADDRESS, 0);
        }
    }

    private MethodHandle link(String name, MemoryLayout result, MemoryLayout... parameters) {
        return Linker.nativeLinker()
                .downcallHandle(functions.findOrThrow(name), FunctionDescriptor.of(result, parameters));
    }

    /// Runs the program.
    ///
    /// @param args the path of the trace, and the number of rows, 100,000 by default
    /// @throws Throwable if a call fails
    public static void main(String[] args) throws Throwable {
        run(System.out, Path.of(args[0]), args.length == 1 ? 100_000 : Integer.parseInt(args[1]));
    }

    static void run(PrintStream out, Path trace, int rows) throws Throwable {
        try (TraceRecorder recorder = AllocationTrace.record(trace); SqliteTrace sqlite = new SqliteTrace(recorder)) {
            sqlite.execute("create table words (id integer primary key, word text)");
            sqlite.execute("begin");
            sqlite.insert(rows);
            sqlite.execute("commit");
            out.printf("%d rows, %.0f characters%n", rows, sqlite.query("select sum(length(word)) from words"));
        }
    }

    private void insert(int rows) throws Throwable {
        MemorySegment statement = prepare("insert into words values (?, ?)");
        for (int i = 0; i < rows; i++) {
            check((int) bindLong.invokeExact(statement, 1, (long) i));
            // The sizes of words differ.
            String word = "w" + "ord".repeat(i * 7 % 23);
            try (Arena arena = recorder.wrap(Arena.ofConfined())) {
                MemorySegment text = arena.allocateFrom(word);
                check((int) bindText.invokeExact(statement, 2, text, word.length(), TRANSIENT));
            }
            expect(DONE, (int) step.invokeExact(statement));
            check((int) reset.invokeExact(statement));
        }
        check((int) finish.invokeExact(statement));
    }

    private void execute(String sql) throws Throwable {
        MemorySegment statement = prepare(sql);
        expect(DONE, (int) step.invokeExact(statement));
        check((int) finish.invokeExact(statement));
    }

    private double query(String sql) throws Throwable {
        MemorySegment statement = prepare(sql);
        expect(ROW, (int) step.invokeExact(statement));
        double value = (double) columnDouble.invokeExact(statement, 0);
        check((int) finish.invokeExact(statement));
        return value;
    }

    private MemorySegment prepare(String sql) throws Throwable {
        try (Arena arena = recorder.wrap(Arena.ofConfined())) {
            MemorySegment statement = arena.allocate(ADDRESS);
            check((int) prepare.invokeExact(database, arena.allocateFrom(sql), -1, statement, MemorySegment.NULL));
            return statement.get(ADDRESS, 0);
        }
    }

    private static void check(int result) {
        expect(OK, result);
    }

    private static void expect(int expected, int result) {
        if (result != expected) {
            throw new IllegalStateException("SQLite has failed: result=" + result + ", expected=" + expected);
        }
    }

    /// Closes the database and the library.
    @Override
    public void close() {
        try {
            int _ = (int) close.invokeExact(database);
        } catch (Throwable t) {
            throw new IllegalStateException("SQLite has failed", t);
        } finally {
            library.close();
        }
    }
}
