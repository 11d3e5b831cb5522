package dev.arenakit.internal.nativecall;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Calls to the functions of an allocator, by address.
///
/// There is one constant handle per signature, created without an address. The function is the first argument, so that
/// a call to any allocator is compiled as well as a call to libc. Pointers and `size_t` are passed as `long`, which
/// saves a segment for each result. The function is passed as a `long` too, because a segment created at the call costs
/// nothing, while a segment loaded from a field must be checked again on each call.
///
/// A *critical* call omits the transition between Java and native code, and delays safepoints until it returns, so that
/// it suits short calls only. An empty critical call took 2.6 ns instead of 7.2 ns on one machine, and 2.7 ns instead
/// of 3.6 ns on another.
///
/// Callers must call [NativeAccess#require] before the first use of this class.
public final class NativeCalls {
    private static final Linker.Option CRITICAL = Linker.Option.critical(false);

    private static final MethodHandle CALL1 = CFunction.MALLOC.handleByAddress();
    private static final MethodHandle CALL1_CRITICAL = CFunction.MALLOC.handleByAddress(CRITICAL);
    private static final MethodHandle CALL2 = CFunction.CALLOC.handleByAddress();
    private static final MethodHandle CALL2_CRITICAL = CFunction.CALLOC.handleByAddress(CRITICAL);
    private static final MethodHandle RUN1 = CFunction.FREE.handleByAddress();
    private static final MethodHandle RUN1_CRITICAL = CFunction.FREE.handleByAddress(CRITICAL);

    private static final MethodHandle MEMSET_CRITICAL = CFunction.MEMSET.handle(CRITICAL);

    static {
        // Link the calls that release memory, while there is heap memory. free(NULL) has no effect.
        long free = NativeFunctions.libc().findOrThrow("free").address();
        run(free, 0, false);
        run(free, 0, true);
        zero(free, 0);
    }

    private NativeCalls() {}

    /// Initializes this class, while there is heap memory.
    public static void initialize() {
        // The initializer has run.
    }

    /// Calls a function of the type `long function(long)`: malloc.
    public static long call(long function, long argument, boolean critical) {
        try {
            return critical
                    ? (long) CALL1_CRITICAL.invokeExact(MemorySegment.ofAddress(function), argument)
                    : (long) CALL1.invokeExact(MemorySegment.ofAddress(function), argument);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /// Calls a function of the type `long function(long, long)`: calloc, aligned_alloc.
    public static long call(long function, long first, long second, boolean critical) {
        try {
            return critical
                    ? (long) CALL2_CRITICAL.invokeExact(MemorySegment.ofAddress(function), first, second)
                    : (long) CALL2.invokeExact(MemorySegment.ofAddress(function), first, second);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /// Sets a range of at most a few kilobytes to zero, by a critical call of memset.
    public static void zero(long address, long byteSize) {
        try {
            long _ = (long) MEMSET_CRITICAL.invokeExact(address, 0, byteSize);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /// Calls a function of the type `void function(long)`: free.
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

    /// Returns the error to throw for the result of a downcall, which declares Throwable but throws only errors of the
    /// JVM, or [UnsupportedOperationException] if the C library lacks the function.
    public static Error unexpected(Throwable t) {
        if (t instanceof UnsupportedOperationException missing) {
            throw missing;
        }
        return t instanceof Error error ? error : new AssertionError("Native call failed", t);
    }
}
