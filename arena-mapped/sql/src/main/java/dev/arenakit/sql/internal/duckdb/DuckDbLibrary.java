package dev.arenakit.sql.internal.duckdb;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.nativecall.NativeCalls;
import dev.arenakit.internal.nativecall.NativeFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A loaded library of DuckDB.
///
/// Callers must call [NativeAccess#require] before the first use of this class.
public final class DuckDbLibrary {
    /*
     * One handle calls all functions whose arguments are integers. It takes the address of the function as its first
     * argument, as in NativeCalls, and passes four integers in registers. A function ignores the registers that it has
     * no argument for. The register of the result has 64 bits. Its lowest bits are a smaller result.
     */
    private static final MethodHandle CALL = NativeFunctions.downcallHandle(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

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

    /// Calls a function of two arguments. It needs no heap memory.
    public void run(DuckDbFunction function, long a, long b) {
        long _ = invoke(function, 2, a, b, 0, 0);
    }

    public void run(DuckDbFunction function, long... arguments) {
        long _ = call(function, arguments);
    }

    public long call(DuckDbFunction function, long... arguments) {
        long[] all = Arrays.copyOf(arguments, 4);
        return invoke(function, arguments.length, all[0], all[1], all[2], all[3]);
    }

    private long invoke(DuckDbFunction function, int count, long a, long b, long c, long d) {
        if (function.integerCount() != count) {
            throw new IllegalArgumentException("Function has other arguments: function=" + function);
        }
        try {
            return function.result((long) CALL.invokeExact(address(function), a, b, c, d));
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Creates a type of [DuckDbHeader] that has no parameters.
    public long createType(int type) {
        return call(DuckDbFunction.CREATE_LOGICAL_TYPE, type);
    }

    /// Destroys a type that the engine has created.
    public void destroyType(long type) {
        destroy(DuckDbFunction.DESTROY_LOGICAL_TYPE, type);
    }

    /// Destroys an object of the engine by a function that takes the address of its pointer.
    public void destroy(DuckDbFunction function, long object) {
        try (Arena arena = Arena.ofConfined()) {
            run(function, arena.allocateFrom(JAVA_LONG, object).address());
        }
    }

    /// Binds a parameter of a statement to a number, which is no integer argument.
    public long bind(long statement, long index, double value) {
        try {
            return (int) Binding.DOUBLE.invokeExact(address(DuckDbFunction.BIND_DOUBLE), statement, index, value);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Executes a statement, and holds the arenas of segments open during the call.
    ///
    /// @param result   the address of memory for a [DuckDbHeader#RESULT]
    /// @param segments segments of the arenas
    /// @throws IllegalStateException if an arena is closed; the statement has not been executed
    /// @throws WrongThreadException  if an arena is confined to another thread; the statement has not been executed
    public long execute(long statement, long result, MemorySegment... segments) {
        if (segments.length == 0) {
            return call(DuckDbFunction.EXECUTE_PREPARED, statement, result);
        }
        try {
            // With powers of two as the number of segments, few handles are created.
            MemorySegment[] padded = new MemorySegment[Integer.highestOneBit(segments.length * 2 - 1)];
            Arrays.fill(padded, MemorySegment.NULL);
            System.arraycopy(segments, 0, padded, 0, segments.length);
            return (int) DuckDbFunction.EXECUTE_PREPARED.handleByAddress(padded.length)
                    .invokeExact(address(DuckDbFunction.EXECUTE_PREPARED), statement, result, padded);
        } catch (IllegalStateException | WrongThreadException e) {
            throw e;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Returns the next chunk of a result, or 0 if there is none.
    ///
    /// @param result the memory of a result
    public long fetch(MemorySegment result) {
        try {
            return (long) Fetching.CHUNK.invokeExact(address(DuckDbFunction.FETCH_CHUNK), result);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// The number of rows in a chunk, or 0 without a chunk.
    public long rowCount(long chunk) {
        return chunk == 0 ? 0 : call(DuckDbFunction.DATA_CHUNK_GET_SIZE, chunk);
    }

    /// Returns the text at an address of the engine, up to its NUL, or "" for a null pointer.
    public static String text(long address) {
        return address == 0 ? "" : Memory.ALL.getString(address);
    }

    /// A function that the engine calls, with one or two arguments. The second argument has no meaning if the engine
    /// passes one.
    @FunctionalInterface
    public interface Callback {
        /// Must not throw.
        void call(long a, long b);
    }

    /// Returns the address of a function that calls a callback.
    ///
    /// @param callback the callback, which has no effect if its first argument is 0: this method calls it with 0,
    ///                 because the first calls need heap memory
    /// @param arena    the lifetime of the function
    public static long callback(Callback callback, Arena arena) {
        FunctionDescriptor type = DuckDbFunction.FUNCTION_SET_ERROR.type();
        try {
            MethodHandle handle = MethodHandles.lookup().findVirtual(Callback.class, "call", type.toMethodType());
            MemorySegment address = NativeFunctions.upcallStub(handle.bindTo(callback), type, arena);
            for (int i = 0; i < NativeFunctions.CALLS_THAT_NEED_HEAP; i++) {
                long _ = (long) CALL.invokeExact(address, 0L, 0L, 0L, 0L);
            }
            return address.address();
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    private MemorySegment address(DuckDbFunction function) {
        return Objects.requireNonNull(addresses.get(function), function::cName);
    }

    /// A class of its own, because linking a call takes tens of milliseconds, and most queries bind no numbers.
    private static final class Binding {
        static final MethodHandle DOUBLE = DuckDbFunction.BIND_DOUBLE.handleByAddress(0);

        private Binding() {}
    }

    /// A class of its own, because linking a call takes tens of milliseconds.
    private static final class Fetching {
        static final MethodHandle CHUNK = DuckDbFunction.FETCH_CHUNK.handleByAddress(0);

        private Fetching() {}
    }
}
