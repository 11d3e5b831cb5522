package dev.arenakit;

import dev.arenakit.diagnostics.DebugArena;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.abort;

/// Function pointers of an arena that C code calls: by their pointers, by zlib and by SQLite.
@SuppressWarnings("restricted") // This class calls C.
class AllocatorCallbacksTest {
    private static final Linker LINKER = Linker.nativeLinker();

    private static MethodHandle handle(MemorySegment function, FunctionDescriptor type) {
        return LINKER.downcallHandle(function, type);
    }

    private static SymbolLookup library(String name, String debianPackage) {
        try {
            return SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalArgumentException _) {
            return abort("needs " + name + ": apt-get install " + debianPackage);
        }
    }

    @Test
    void functions_calledByC_useTheArena() throws Throwable {
        try (MallocArena arena = MallocArena.ofConfined()) {
            AllocatorCallbacks callbacks = AllocatorCallbacks.of(arena, arena);
            MethodHandle malloc = handle(callbacks.malloc(), FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
            MethodHandle calloc = handle(callbacks.calloc(), FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
            MethodHandle realloc = handle(callbacks.realloc(), FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
            MethodHandle free = handle(callbacks.free(), FunctionDescriptor.ofVoid(JAVA_LONG));
            long before = arena.stats().liveBlocks();
            long block = (long) malloc.invokeExact(100L);
            assertThat(arena.blockAt(block).byteSize()).isEqualTo(100);
            assertThat(block % 16).isZero();
            block = (long) realloc.invokeExact(block, 200L);
            assertThat(arena.blockAt(block).byteSize()).isEqualTo(200);
            long zeroed = (long) calloc.invokeExact(3L, 8L);
            assertThat(arena.blockAt(zeroed).toArray(JAVA_BYTE)).hasSize(24).containsOnly(0);
            free.invokeExact(block);
            free.invokeExact(zeroed);
            free.invokeExact(0L);
            assertThat(arena.stats().liveBlocks()).isEqualTo(before);
            assertThat(callbacks.takeFailure()).isEmpty();
            // Failures are kept from C.
            assertThat((long) calloc.invokeExact(Long.MAX_VALUE, 2L)).isZero();
            free.invokeExact(block);
            assertThat((long) realloc.invokeExact(8L, 2L)).isZero();
            assertThat(callbacks.takeFailure()).containsInstanceOf(ArithmeticException.class);
            free.invokeExact(block);
            assertThat(callbacks.takeFailure()).as("a later one").containsInstanceOf(IllegalArgumentException.class);
            assertThat(callbacks.takeFailure()).isEmpty();
        }
    }

    @Test
    void of_aWrappedArena_isRefused() {
        try (MallocArena arena = MallocArena.ofConfined().wrapped(DebugArena::wrap)) {
            assertRefused(() -> AllocatorCallbacks.of(arena, arena), "Arena is wrapped");
        }
    }

    @Test
    void zlib_withCallbacks_allocatesInTheArena() throws Throwable {
        SymbolLookup zlib = library("libz.so.1", "zlib1g");
        byte[] text = "the same text again and again, ".repeat(1000).getBytes(StandardCharsets.UTF_8);
        try (FreeListArena arena = FreeListArena.ofConfined(); Arena own = Arena.ofConfined()) {
            AllocatorCallbacks callbacks = AllocatorCallbacks.of(arena, own);
            // struct z_stream: zalloc at 64, zfree at 72
            MemorySegment stream = own.allocate(112, 8);
            stream.set(ADDRESS, 64, callbacks.zalloc());
            stream.set(ADDRESS, 72, callbacks.zfree());
            MethodHandle init = handle(zlib.findOrThrow("deflateInit_"),
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));
            MethodHandle deflate = handle(zlib.findOrThrow("deflate"),
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
            MethodHandle end = handle(zlib.findOrThrow("deflateEnd"), FunctionDescriptor.of(JAVA_INT, ADDRESS));
            assertThat((int) init.invokeExact(stream, 6, own.allocateFrom("1.2.11"), 112)).isZero();
            assertThat(arena.stats().liveBlocks()).isGreaterThan(3);
            stream.set(ADDRESS, 0, own.allocateFrom(JAVA_BYTE, text));
            stream.set(JAVA_INT, 8, text.length);
            stream.set(ADDRESS, 24, own.allocate(4096));
            stream.set(JAVA_INT, 32, 4096);
            assertThat((int) deflate.invokeExact(stream, 4)).isEqualTo(1); // Z_FINISH, Z_STREAM_END
            assertThat(stream.get(JAVA_LONG, 40)).isBetween(10L, 1000L); // total_out
            assertThat((int) end.invokeExact(stream)).isZero();
            assertThat(arena.stats().liveBlocks()).isZero();
            assertThat(callbacks.takeFailure()).isEmpty();
        }
    }

    /// SQLite is configured once in a process.
    @Test
    void sqlite_withCallbacks_allocatesInTheArena() throws Throwable {
        SymbolLookup sqlite = library("libsqlite3.so.0", "libsqlite3-0");
        int configMalloc = 4; // SQLITE_CONFIG_MALLOC
        MethodHandle config = LINKER.downcallHandle(sqlite.findOrThrow("sqlite3_config"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS), Linker.Option.firstVariadicArg(1));
        MethodHandle shutdown = handle(sqlite.findOrThrow("sqlite3_shutdown"), FunctionDescriptor.of(JAVA_INT));
        MethodHandle open = handle(sqlite.findOrThrow("sqlite3_open"),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        MethodHandle exec = handle(sqlite.findOrThrow("sqlite3_exec"),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        MethodHandle close = handle(sqlite.findOrThrow("sqlite3_close"), FunctionDescriptor.of(JAVA_INT, ADDRESS));
        try (MallocArena arena = MallocArena.ofShared(); Arena own = Arena.ofConfined()) {
            AllocatorCallbacks callbacks = AllocatorCallbacks.of(arena, own);
            MemorySegment before = own.allocate(64, 8);
            assertThat((int) config.invokeExact(5, before)).isZero(); // SQLITE_CONFIG_GETMALLOC
            assertThat((int) config.invokeExact(configMalloc, callbacks.sqliteMethods())).isZero();
            try {
                MemorySegment database = own.allocate(ADDRESS);
                assertThat((int) open.invokeExact(own.allocateFrom(":memory:"), database)).isZero();
                assertThat(arena.stats().liveBlocks()).isGreaterThan(10);
                String statements = "CREATE TABLE t(x TEXT); WITH RECURSIVE c(n) AS (VALUES(1) UNION ALL SELECT n + 1 "
                        + "FROM c WHERE n < 2000) INSERT INTO t SELECT 'row ' || n FROM c; "
                        + "UPDATE t SET x = x || ' changed'; DELETE FROM t WHERE x LIKE '%7%';";
                MemorySegment opened = database.get(ADDRESS, 0);
                assertThat((int) exec.invokeExact(opened, own.allocateFrom(statements), MemorySegment.NULL,
                        MemorySegment.NULL, MemorySegment.NULL)).isZero();
                assertThat((int) close.invokeExact(opened)).isZero();
            } finally {
                assertThat((int) shutdown.invokeExact()).isZero();
                assertThat((int) config.invokeExact(configMalloc, before)).isZero();
            }
            assertThat(arena.stats().liveBlocks()).isZero();
            assertThat(callbacks.takeFailure()).isEmpty();
        }
    }

    @Test
    void ofErrno_failedCall_hasTheTextOfTheCLibrary() throws Throwable {
        MethodHandle open = LINKER.downcallHandle(CStrings.find("open"),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), Linker.Option.firstVariadicArg(2),
                Linker.Option.captureCallState("errno"));
        try (Arena arena = Arena.ofConfined()) {
            assertThatExceptionOfType(NativeCallException.class)
                    .isThrownBy(() -> Snippets.open(open, arena.allocateFrom("/no/such/file")))
                    .withMessage("open failed: errno=2, reason=No such file or directory")
                    .satisfies(e -> assertThat(e.errno()).isEqualTo(2));
        }
    }

    @Test
    void unexpected_anyThrowable_isThrownOrWrapped() {
        RuntimeException runtime = new IllegalStateException();
        assertThat(NativeCallException.unexpected(runtime)).isSameAs(runtime);
        Exception checked = new Exception("checked");
        assertThat(NativeCallException.unexpected(checked)).isInstanceOf(NativeCallException.class).hasCause(checked);
        Error error = new OutOfMemoryError();
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> {
            throw NativeCallException.unexpected(error);
        }).isSameAs(error);
    }
}
