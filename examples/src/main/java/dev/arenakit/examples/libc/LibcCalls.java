package dev.arenakit.examples.libc;

import dev.arenakit.NativeCallException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Functions of the C library: each has a handle in a `static final` field and a typed method.
@SuppressWarnings("restricted") // This class only links functions.
final class LibcCalls {
    private static final MethodHandle REALPATH = function("realpath", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle STRLEN = function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
    private static final MethodHandle FOPEN = function("fopen", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle FCLOSE = function("fclose", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle GETLINE = function("getline",
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

    private LibcCalls() {}

    static MemorySegment realpath(MemorySegment path, MemorySegment resolved) {
        try {
            return (MemorySegment) REALPATH.invokeExact(path, resolved);
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    static long strlen(MemorySegment text) {
        try {
            return (long) STRLEN.invokeExact(text);
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    static MemorySegment fopen(MemorySegment path, MemorySegment mode) {
        try {
            return (MemorySegment) FOPEN.invokeExact(path, mode);
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    static int fclose(MemorySegment stream) {
        try {
            return (int) FCLOSE.invokeExact(stream);
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    static long getline(MemorySegment line, MemorySegment capacity, MemorySegment stream) {
        try {
            return (long) GETLINE.invokeExact(line, capacity, stream);
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }
}
