package dev.arenakit.sql.internal.duckdb;

import dev.arenakit.internal.NativeAccess;
import dev.arenakit.internal.NativeCalls;
import dev.arenakit.internal.NativeFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A loaded library of DuckDB, with a method for each type of function.
///
/// There is one constant handle per type. It takes the address of the function as its first argument, as in
/// [NativeCalls]. Each method checks that the function has the type of its handle.
///
/// Callers must call [NativeAccess#require] before the first use of this class.
public final class DuckDbLibrary {
    private static final MethodHandle RUN1 = DuckDbFunction.CLOSE.handleByAddress();
    private static final MethodHandle RUN2 = DuckDbFunction.FUNCTION_SET_ERROR.handleByAddress();
    private static final MethodHandle RUN3 = DuckDbFunction.BIND_SET_BIND_DATA.handleByAddress();
    private static final MethodHandle RUN4 = DuckDbFunction.VECTOR_ASSIGN_STRING_ELEMENT_LEN.handleByAddress();
    private static final MethodHandle SWITCH1 = DuckDbFunction.TABLE_FUNCTION_SUPPORTS_PROJECTION_PUSHDOWN
            .handleByAddress();
    private static final MethodHandle SWITCH2 = DuckDbFunction.BIND_SET_CARDINALITY.handleByAddress();
    private static final MethodHandle CALL0 = DuckDbFunction.VECTOR_SIZE.handleByAddress();
    private static final MethodHandle CALL1 = DuckDbFunction.VECTOR_GET_DATA.handleByAddress();
    private static final MethodHandle CALL2 = DuckDbFunction.DATA_CHUNK_GET_VECTOR.handleByAddress();
    private static final MethodHandle CALL3 = DuckDbFunction.CREATE_STRUCT_TYPE.handleByAddress();
    private static final MethodHandle STATE1 = DuckDbFunction.GET_TYPE_ID.handleByAddress();
    private static final MethodHandle STATE2 = DuckDbFunction.CONNECT.handleByAddress();
    private static final MethodHandle STATE3 = DuckDbFunction.PREPARE.handleByAddress();
    private static final MethodHandle STATE4 = DuckDbFunction.OPEN_EXT.handleByAddress();
    private static final MethodHandle CREATE_TYPE = DuckDbFunction.CREATE_LOGICAL_TYPE.handleByAddress();
    private static final MethodHandle TEST1 = DuckDbFunction.IS_NULL_VALUE.handleByAddress();
    private static final MethodHandle BYTE1 = DuckDbFunction.DECIMAL_SCALE.handleByAddress();

    private final Map<DuckDbFunction, MemorySegment> addresses = new EnumMap<>(DuckDbFunction.class);
    private final List<DuckDbFunction> missing = new ArrayList<>();

    private DuckDbLibrary(SymbolLookup symbols) {
        // NativeCalls reports failed calls. If its initializer ran out of memory later, it could never be used.
        NativeCalls.initialize();
        for (DuckDbFunction function : DuckDbFunction.values()) {
            symbols.find(function.cName())
                    .ifPresentOrElse(address -> addresses.put(function, address), () -> missing.add(function));
        }
    }

    /// Loads a library, which stays loaded until the JVM terminates.
    ///
    /// @throws IllegalArgumentException if the file is not a library that can be loaded
    public static DuckDbLibrary load(Path path) {
        return new DuckDbLibrary(NativeFunctions.load(path));
    }

    /// {@return the functions that the library lacks; they must not be called}
    public List<DuckDbFunction> missing() {
        return List.copyOf(missing);
    }

    public void run(DuckDbFunction function, long a) {
        try {
            RUN1.invokeExact(address(function, RUN1), a);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public void run(DuckDbFunction function, long a, long b) {
        try {
            RUN2.invokeExact(address(function, RUN2), a, b);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public void run(DuckDbFunction function, long a, long b, long c) {
        try {
            RUN3.invokeExact(address(function, RUN3), a, b, c);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public void run(DuckDbFunction function, long a, long b, long c, long d) {
        try {
            RUN4.invokeExact(address(function, RUN4), a, b, c, d);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public void run(DuckDbFunction function, long a, boolean on) {
        try {
            SWITCH1.invokeExact(address(function, SWITCH1), a, on);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public void run(DuckDbFunction function, long a, long b, boolean on) {
        try {
            SWITCH2.invokeExact(address(function, SWITCH2), a, b, on);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public long call(DuckDbFunction function) {
        try {
            return (long) CALL0.invokeExact(address(function, CALL0));
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public long call(DuckDbFunction function, long a) {
        try {
            return (long) CALL1.invokeExact(address(function, CALL1), a);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public long call(DuckDbFunction function, long a, long b) {
        try {
            return (long) CALL2.invokeExact(address(function, CALL2), a, b);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public long call(DuckDbFunction function, long a, long b, long c) {
        try {
            return (long) CALL3.invokeExact(address(function, CALL3), a, b, c);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Creates a type of [DuckDbHeader] that has no parameters.
    public long createType(int type) {
        try {
            return (long) CREATE_TYPE.invokeExact(address(DuckDbFunction.CREATE_LOGICAL_TYPE, CREATE_TYPE), type);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Destroys a type that the engine has created.
    public void destroyType(long type) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocateFrom(JAVA_LONG, type);
            run(DuckDbFunction.DESTROY_LOGICAL_TYPE, pointer.address());
        }
    }

    public int state(DuckDbFunction function, long a) {
        try {
            return (int) STATE1.invokeExact(address(function, STATE1), a);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public int state(DuckDbFunction function, long a, long b) {
        try {
            return (int) STATE2.invokeExact(address(function, STATE2), a, b);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public int state(DuckDbFunction function, long a, long b, long c) {
        try {
            return (int) STATE3.invokeExact(address(function, STATE3), a, b, c);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public int state(DuckDbFunction function, long a, long b, long c, long d) {
        try {
            return (int) STATE4.invokeExact(address(function, STATE4), a, b, c, d);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public int byteOf(DuckDbFunction function, long a) {
        try {
            return (byte) BYTE1.invokeExact(address(function, BYTE1), a) & 0xff;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public boolean test(DuckDbFunction function, long a) {
        try {
            return (boolean) TEST1.invokeExact(address(function, TEST1), a);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public int bind(long statement, long index, boolean value) {
        try {
            return (int) Binding.BOOLEAN.invokeExact(address(DuckDbFunction.BIND_BOOLEAN, Binding.BOOLEAN), statement,
                    index, value);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    public int bind(long statement, long index, double value) {
        try {
            return (int) Binding.DOUBLE.invokeExact(address(DuckDbFunction.BIND_DOUBLE, Binding.DOUBLE), statement,
                    index, value);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Executes a statement, and holds the arenas of segments open during the call.
    ///
    /// @param result   the address of a result of [#resultByteSize] bytes
    /// @param segments segments of the arenas
    /// @throws IllegalStateException if an arena is closed; the statement has not been executed
    /// @throws WrongThreadException  if an arena is confined to another thread; the statement has not been executed
    public int execute(long statement, long result, MemorySegment... segments) {
        try {
            MemorySegment function = address(DuckDbFunction.EXECUTE_PREPARED, STATE2);
            if (segments.length == 0) {
                return (int) STATE2.invokeExact(function, statement, result);
            }
            // With powers of two as the number of segments, few handles are created.
            MemorySegment[] padded = new MemorySegment[Integer.highestOneBit(segments.length * 2 - 1)];
            Arrays.fill(padded, MemorySegment.NULL);
            System.arraycopy(segments, 0, padded, 0, segments.length);
            return (int) DuckDbFunction.EXECUTE_PREPARED.handleByAddress(padded.length)
                    .invokeExact(function, statement, result, padded);
        } catch (IllegalStateException | WrongThreadException e) {
            throw e;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Returns the next chunk of a result, or 0 if there is none.
    ///
    /// @param result a segment of [#resultByteSize] bytes
    public long fetch(MemorySegment result) {
        try {
            return (long) Fetching.CHUNK.invokeExact(address(DuckDbFunction.FETCH_CHUNK, Fetching.CHUNK), result);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// The number of rows in a chunk, or 0 without a chunk.
    public long rowCount(long chunk) {
        return chunk == 0 ? 0 : call(DuckDbFunction.DATA_CHUNK_GET_SIZE, chunk);
    }

    public static long resultByteSize() {
        return DuckDbHeader.RESULT.byteSize();
    }

    /// Returns the text at an address of the engine, up to its NUL, or "" for a null pointer.
    public static String text(long address) {
        if (address == 0) {
            return "";
        }
        long length = 0;
        while (NativeMemory.getByte(address + length) != 0) {
            length++;
        }
        byte[] bytes = new byte[Math.toIntExact(length)];
        MemorySegment.copy(NativeMemory.ALL, JAVA_BYTE, address, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// A callback with two arguments.
    public interface Callback2 {
        /// Must not throw.
        void call(long a, long b);
    }

    /// Returns the address of a function that calls a callback, which must not throw.
    ///
    /// @param callback the callback, which has no effect if its argument is 0: this method calls it with 0, because the
    ///                 first calls need heap memory
    /// @param arena    the lifetime of the function
    public static long callback(LongConsumer callback, Arena arena) {
        long address = callback(LongConsumer.class, "accept", callback, DuckDbFunction.CLOSE.type(), arena);
        try {
            for (int i = 0; i < NativeFunctions.CALLS_THAT_NEED_HEAP; i++) {
                RUN1.invokeExact(MemorySegment.ofAddress(address), 0L);
            }
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
        return address;
    }

    /// Returns the address of a function that calls a callback with two arguments.
    ///
    /// @param callback the callback, which has no effect if its arguments are 0: this method calls it with 0, because
    ///                 the first calls need heap memory
    /// @param arena    the lifetime of the function
    public static long callback(Callback2 callback, Arena arena) {
        long address = callback(Callback2.class, "call", callback, DuckDbFunction.FUNCTION_SET_ERROR.type(), arena);
        try {
            for (int i = 0; i < NativeFunctions.CALLS_THAT_NEED_HEAP; i++) {
                RUN2.invokeExact(MemorySegment.ofAddress(address), 0L, 0L);
            }
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
        return address;
    }

    private static long callback(Class<?> type, String method, Object callback, FunctionDescriptor function,
            Arena arena) {
        try {
            MethodHandle handle = MethodHandles.lookup().findVirtual(type, method, function.toMethodType());
            return NativeFunctions.upcallStub(handle.bindTo(callback), function, arena).address();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Method of a callback is missing: method=" + method, e);
        }
    }

    private MemorySegment address(DuckDbFunction function, MethodHandle handle) {
        if (!function.hasTypeOf(handle)) {
            throw new IllegalArgumentException("Function has another type: function=" + function);
        }
        return Objects.requireNonNull(addresses.get(function), function::cName);
    }

    /// A class of its own, because most queries bind no parameters.
    private static final class Binding {
        static final MethodHandle BOOLEAN = DuckDbFunction.BIND_BOOLEAN.handleByAddress();
        static final MethodHandle DOUBLE = DuckDbFunction.BIND_DOUBLE.handleByAddress();

        private Binding() {}
    }

    /// A class of its own, because linking a call takes tens of milliseconds.
    private static final class Fetching {
        static final MethodHandle CHUNK = DuckDbFunction.FETCH_CHUNK.handleByAddress();

        private Fetching() {}
    }
}
