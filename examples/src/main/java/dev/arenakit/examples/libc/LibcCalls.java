package dev.arenakit.examples.libc;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Functions of the C library: each has a handle in a `static final` field and a typed method.
@SuppressWarnings("restricted") // This class only links functions.
final class LibcCalls {
    private static final AddressLayout TO_TEXT = ADDRESS.withTargetLayout(sequenceLayout(Long.MAX_VALUE, JAVA_BYTE));

    private static final MethodHandle STAT = function("stat", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS),
            Linker.Option.captureCallState("errno"));
    private static final MethodHandle REGCOMP = function("regcomp",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle REGEXEC = function("regexec",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_INT));
    private static final MethodHandle REGERROR = function("regerror",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
    private static final MethodHandle REGFREE = function("regfree", FunctionDescriptor.ofVoid(ADDRESS));
    private static final MethodHandle GETADDRINFO = function("getaddrinfo",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle FREEADDRINFO = function("freeaddrinfo", FunctionDescriptor.ofVoid(ADDRESS));
    private static final MethodHandle GAI_STRERROR = function("gai_strerror", FunctionDescriptor.of(TO_TEXT, JAVA_INT));
    private static final MethodHandle REALPATH = function("realpath", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle STRLEN = function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
    private static final MethodHandle FOPEN = function("fopen", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle FCLOSE = function("fclose", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle GETLINE = function("getline",
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));
    // A critical call suits this function, because it computes a few bytes and returns.
    private static final MethodHandle INET_NTOP = function("inet_ntop",
            FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT), Linker.Option.critical(false));

    private LibcCalls() {}

    /// @param state receives errno when the result is not 0
    static int stat(MemorySegment state, MemorySegment path, MemorySegment status) {
        try {
            return (int) STAT.invokeExact(state, path, status);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int regcomp(MemorySegment regex, MemorySegment expression, int flags) {
        try {
            return (int) REGCOMP.invokeExact(regex, expression, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int regexec(MemorySegment regex, MemorySegment text, long count, MemorySegment matches, int flags) {
        try {
            return (int) REGEXEC.invokeExact(regex, text, count, matches, flags);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long regerror(int error, MemorySegment regex, MemorySegment message, long byteSize) {
        try {
            return (long) REGERROR.invokeExact(error, regex, message, byteSize);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static void regfree(MemorySegment regex) {
        try {
            REGFREE.invokeExact(regex);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int getaddrinfo(MemorySegment node, MemorySegment service, MemorySegment hints, MemorySegment result) {
        try {
            return (int) GETADDRINFO.invokeExact(node, service, hints, result);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static void freeaddrinfo(MemorySegment info) {
        try {
            FREEADDRINFO.invokeExact(info);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static MemorySegment gai_strerror(int error) {
        try {
            return (MemorySegment) GAI_STRERROR.invokeExact(error);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static MemorySegment inet_ntop(int family, MemorySegment address, MemorySegment text, int byteSize) {
        try {
            return (MemorySegment) INET_NTOP.invokeExact(family, address, text, byteSize);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static MemorySegment realpath(MemorySegment path, MemorySegment resolved) {
        try {
            return (MemorySegment) REALPATH.invokeExact(path, resolved);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long strlen(MemorySegment text) {
        try {
            return (long) STRLEN.invokeExact(text);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static MemorySegment fopen(MemorySegment path, MemorySegment mode) {
        try {
            return (MemorySegment) FOPEN.invokeExact(path, mode);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int fclose(MemorySegment stream) {
        try {
            return (int) FCLOSE.invokeExact(stream);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long getline(MemorySegment line, MemorySegment capacity, MemorySegment stream) {
        try {
            return (long) GETLINE.invokeExact(line, capacity, stream);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }

    /// Returns the exception of a call. Handles declare Throwable; a call throws, for example, if the lifetime of a
    /// segment has ended.
    static RuntimeException unexpected(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return t instanceof RuntimeException runtime ? runtime : new IllegalStateException("Native call failed", t);
    }
}
