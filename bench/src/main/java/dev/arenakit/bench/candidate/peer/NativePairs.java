package dev.arenakit.bench.candidate.peer;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// malloc and free of mimalloc and jemalloc. The calls are as direct as Java allows: critical, through constant
/// handles.
public final class NativePairs {
    private NativePairs() {}

    /// Looks for mimalloc.
    ///
    /// @throws UnavailableException if it is not installed
    public static void requireMimalloc() {
        AllocatorLibraries.mimallocPath();
    }

    /// Looks for jemalloc.
    ///
    /// @throws UnavailableException if it is not installed
    public static void requireJemalloc() {
        AllocatorLibraries.jemalloc();
    }

    /// {@return the address of a new block of mimalloc}
    ///
    /// @param byteSize size of the block
    public static long mimalloc(long byteSize) {
        try {
            return (long) Mimalloc.MALLOC.invokeExact(byteSize);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Frees a block of mimalloc.
    ///
    /// @param address address of the block
    public static void mimallocFree(long address) {
        try {
            Mimalloc.FREE.invokeExact(address);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// {@return the address of a new block of jemalloc}
    ///
    /// @param byteSize size of the block
    public static long jemalloc(long byteSize) {
        try {
            return (long) Jemalloc.MALLOC.invokeExact(byteSize);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Frees a block of jemalloc.
    ///
    /// @param address address of the block
    public static void jemallocFree(long address) {
        try {
            Jemalloc.FREE.invokeExact(address);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(SymbolLookup lookup, String function, FunctionDescriptor type) {
        return Linker.nativeLinker()
                .downcallHandle(lookup.findOrThrow(function), type, Linker.Option.critical(false));
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup library(Path path) {
        return SymbolLookup.libraryLookup(path, Arena.global());
    }

    private static final FunctionDescriptor MALLOC_TYPE = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor FREE_TYPE = FunctionDescriptor.ofVoid(JAVA_LONG);

    private static final class Mimalloc {
        private static final SymbolLookup LIBRARY = library(AllocatorLibraries.mimallocPath());
        static final MethodHandle MALLOC = handle(LIBRARY, "mi_malloc", MALLOC_TYPE);
        static final MethodHandle FREE = handle(LIBRARY, "mi_free", FREE_TYPE);
    }

    private static final class Jemalloc {
        private static final SymbolLookup LIBRARY = library(AllocatorLibraries.jemallocPath());
        static final MethodHandle MALLOC = handle(LIBRARY, "malloc", MALLOC_TYPE);
        static final MethodHandle FREE = handle(LIBRARY, "free", FREE_TYPE);
    }
}
