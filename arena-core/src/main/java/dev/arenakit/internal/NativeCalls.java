package dev.arenakit.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// Calls of an allocator's functions, which are given by address.
///
/// One constant handle per signature, made without an address: the function is the first argument, so that a call into
/// any allocator is compiled as well as a call into libc. Pointers and `size_t` travel as `long`, which spares a segment
/// for each result; so does the function, since a segment made on the spot costs nothing and one out of a field has to be
/// looked at again for each call.
///
/// A *critical* call leaves out the transition between Java and native code, and holds back safepoints until it returns: it is
/// for calls known to be short. An empty one took 2.6 ns instead of 7.2 on one machine, and 2.7 instead of 3.6 on another.
///
/// [NativeAccess#require] comes before the first use of this class.
public final class NativeCalls {
    private static final Linker.Option CRITICAL = Linker.Option.critical(false);

    private static final MethodHandle CALL1 = CFunction.MALLOC.handleByAddress();
    private static final MethodHandle CALL1_CRITICAL = CFunction.MALLOC.handleByAddress(CRITICAL);
    private static final MethodHandle CALL2 = CFunction.CALLOC.handleByAddress();
    private static final MethodHandle CALL2_CRITICAL = CFunction.CALLOC.handleByAddress(CRITICAL);
    private static final MethodHandle RUN1 = CFunction.FREE.handleByAddress();
    private static final MethodHandle RUN1_CRITICAL = CFunction.FREE.handleByAddress(CRITICAL);

    private static final MethodHandle MEMSET_CRITICAL = CFunction.MEMSET.handle(CRITICAL);

    private NativeCalls() {}

    /// The symbols of the C library.
    public static SymbolLookup libc() {
        return Linker.nativeLinker().defaultLookup();
    }

    /// The symbols of a shared library, which stays loaded until the JVM ends.
    ///
    /// @throws IllegalArgumentException when the library cannot be loaded
    @SuppressWarnings("restricted")
    public static SymbolLookup library(Path path) {
        return SymbolLookup.libraryLookup(path, Arena.global());
    }

    /// Calls `long function(long)`: malloc.
    public static long call(long function, long argument, boolean critical) {
        try {
            return critical
                    ? (long) CALL1_CRITICAL.invokeExact(MemorySegment.ofAddress(function), argument)
                    : (long) CALL1.invokeExact(MemorySegment.ofAddress(function), argument);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /// Calls `long function(long, long)`: calloc, realloc, aligned_alloc.
    public static long call(long function, long first, long second, boolean critical) {
        try {
            return critical
                    ? (long) CALL2_CRITICAL.invokeExact(MemorySegment.ofAddress(function), first, second)
                    : (long) CALL2.invokeExact(MemorySegment.ofAddress(function), first, second);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /// Sets a range of up to some kilobytes to zero, by a critical call.
    public static void zero(long address, long byteSize) {
        try {
            long _ = (long) MEMSET_CRITICAL.invokeExact(address, 0, byteSize);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /// Calls `void function(long)`: free.
    public static void run(long function, long argument, boolean critical) {
        try {
            if (critical) {
                RUN1_CRITICAL.invokeExact(MemorySegment.ofAddress(function), argument);
            } else {
                RUN1.invokeExact(MemorySegment.ofAddress(function), argument);
            }
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /// A downcall declares Throwable and throws nothing of its own but errors of the JVM.
    static Error unexpected(Throwable t) {
        return t instanceof Error error ? error : new AssertionError("Native call failed", t);
    }
}
