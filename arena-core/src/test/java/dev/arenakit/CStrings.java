package dev.arenakit;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Functions of C that return a block to be freed, or keep the block that they are given.
@SuppressWarnings("restricted") // This class links functions of C.
final class CStrings {
    private static final AddressLayout TO_TEXT = ADDRESS.withTargetLayout(sequenceLayout(Long.MAX_VALUE, JAVA_BYTE));

    private static final MethodHandle STRDUP = function("strdup", FunctionDescriptor.of(ADDRESS, ADDRESS));
    private static final MethodHandle STRLEN = function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
    private static final MethodHandle PUTENV = function("putenv", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle GETENV = function("getenv", FunctionDescriptor.of(TO_TEXT, ADDRESS));

    private CStrings() {}

    static MemorySegment strdup(MemorySegment text) {
        try {
            return (MemorySegment) STRDUP.invokeExact(text);
        } catch (Throwable t) {
            throw new AssertionError("strdup throws nothing", t);
        }
    }

    static long strlen(MemorySegment text) {
        try {
            return (long) STRLEN.invokeExact(text);
        } catch (Throwable t) {
            throw new AssertionError("strlen throws nothing", t);
        }
    }

    static int putenv(MemorySegment assignment) {
        try {
            return (int) PUTENV.invokeExact(assignment);
        } catch (Throwable t) {
            throw new AssertionError("putenv throws nothing", t);
        }
    }

    static String getenv(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = (MemorySegment) GETENV.invokeExact(arena.allocateFrom(name));
            return value.getString(0);
        } catch (Throwable t) {
            throw new AssertionError("getenv throws nothing", t);
        }
    }

    /// Finds a function of POSIX, whose name begins with an underscore in the C library of Windows.
    static MemorySegment find(String name) {
        SymbolLookup lookup = Linker.nativeLinker().defaultLookup();
        return lookup.find(name).orElseGet(() -> lookup.findOrThrow("_" + name));
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(find(name), type);
    }
}
