package dev.arenakit.examples.debugging;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Two functions of C that know no sizes.
final class CStrings {
    private static final MethodHandle STRCPY = function("strcpy", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle STRLEN = function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));

    private CStrings() {}

    static void copy(MemorySegment to, MemorySegment from) {
        try {
            MemorySegment _ = (MemorySegment) STRCPY.invokeExact(to, from);
        } catch (Throwable t) {
            throw new AssertionError("strcpy throws nothing", t);
        }
    }

    static long length(MemorySegment text) {
        try {
            return (long) STRLEN.invokeExact(text);
        } catch (Throwable t) {
            throw new AssertionError("strlen throws nothing", t);
        }
    }

    @SuppressWarnings("restricted") // The programs call C.
    private static MethodHandle function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }
}
