package dev.arenakit.bench.candidate.peer;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Functions of the C library. The calls are as direct as Java allows: through `static final` handles with a bound
/// address, with pointers as `long`. A *critical* call omits the transition between Java and native code.
public final class LibcAllocator {
    /// All of memory, for reads and writes at addresses.
    @SuppressWarnings("restricted")
    public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final FunctionDescriptor TO_ADDRESS = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor TO_VOID = FunctionDescriptor.ofVoid(JAVA_LONG);

    private static final MethodHandle MALLOC_CRITICAL = handle("malloc", TO_ADDRESS, Linker.Option.critical(false));
    private static final MethodHandle FREE_CRITICAL = handle("free", TO_VOID, Linker.Option.critical(false));

    private LibcAllocator() {}

    /// Returns a handle of a function of the C library.
    ///
    /// @param function name of the function
    /// @param type     type of the function
    /// @param options  options of the call
    /// @return the handle
    /// @throws UnavailableException if the library has no such function
    @SuppressWarnings("restricted")
    public static MethodHandle handle(String function, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        MemorySegment address = linker.defaultLookup()
                .find(function)
                .orElseThrow(() -> new UnavailableException("The C library has no " + function));
        return linker.downcallHandle(address, type, options);
    }

    /// {@return the address of a new block, by a critical call}
    ///
    /// @param byteSize size of the block
    public static long mallocCritical(long byteSize) {
        try {
            return (long) MALLOC_CRITICAL.invokeExact(byteSize);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Frees a block, by a critical call.
    ///
    /// @param address address of the block
    public static void freeCritical(long address) {
        try {
            FREE_CRITICAL.invokeExact(address);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
