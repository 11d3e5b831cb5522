package dev.arenakit.internal.nativecall;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// Loads native libraries, and creates the handles and the stubs for calls to and from their functions.
///
/// Other modules have the tables of the functions that they call, and this class calls the restricted methods for them.
/// Users enable native access for this module alone.
///
/// Callers must call [NativeAccess#require] before the first use of any method but [#libc].
public final class NativeFunctions {
    /// HotSpot compiles a method handle anew at its 128th call by code that does not know it as a constant (the system
    /// property `java.lang.invoke.MethodHandle.CUSTOMIZE_THRESHOLD`). It needs heap memory for that, as it does at the
    /// first call. After so many calls, a callback needs none: an error that it threw would terminate the JVM.
    public static final long CALLS_THAT_NEED_HEAP = 130;

    private NativeFunctions() {}

    /// Returns the symbols of the C library.
    public static SymbolLookup libc() {
        return Linker.nativeLinker().defaultLookup();
    }

    /// Returns the symbols of a shared library, which stays loaded until the JVM terminates.
    ///
    /// @throws IllegalArgumentException if the library cannot be loaded
    @SuppressWarnings("restricted")
    public static SymbolLookup load(Path path) {
        return SymbolLookup.libraryLookup(path, Arena.global());
    }

    /// Returns a handle for all functions of one type, which takes the address of the function as its first argument.
    ///
    /// The compiler treats the handle as a constant if it is in a `static final` field, whichever function is called.
    @SuppressWarnings("restricted")
    public static MethodHandle downcallHandle(FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(type);
    }

    /// Returns a function pointer to a Java method, which must not throw.
    ///
    /// @param arena the lifetime of the function pointer
    @SuppressWarnings("restricted")
    public static MemorySegment upcallStub(MethodHandle method, FunctionDescriptor type, Arena arena) {
        return Linker.nativeLinker().upcallStub(method, type, arena);
    }
}
