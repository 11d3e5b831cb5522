package dev.arenakit.diagnostics;

import dev.arenakit.diagnostics.DebugOptions.Guard;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Optional;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A JVM that calls memset with 8 bytes too many, behind or before a block, or after the arena was closed.
final class CrashSession {
    @SuppressWarnings("restricted") // A wrong native call is the subject.
    private static final MethodHandle MEMSET = Linker.nativeLinker()
            .downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow("memset"),
                    FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG));

    /// Runs until the process is terminated.
    ///
    /// @param arguments where the guard page is, and the directory of the block file; or `LATE`, or `END` for a process
    ///                  that ends well, the directory, and the size of the quarantine
    public static void main(String[] arguments) throws Throwable {
        if (arguments[0].equals("LATE") || arguments[0].equals("END")) {
            long address = closeAfterUse(DebugOptions.behind()
                    .withBlockFilesIn(Path.of(arguments[1]))
                    .withQuarantine(Long.parseLong(arguments[2])));
            if (arguments[0].equals("LATE")) {
                memset(MemorySegment.ofAddress(address), 8);
            }
            System.out.println("not reached");
            return;
        }
        Guard guard = Guard.valueOf(arguments[0]);
        try (Arena arena = DebugArena.wrap(Arena.ofConfined(),
                new DebugOptions(guard, true, Optional.of(Path.of(arguments[1])), 0))) {
            arena.allocate(1_000, 8);
            MemorySegment block = allocateRecord(arena);
            arena.allocate(1_000, 8);
            memset(guard == Guard.BEFORE ? MemorySegment.ofAddress(block.address() - 8) : block,
                    block.byteSize() + 8);
        }
        System.out.println("not reached");
    }

    /// {@return the address that C keeps}
    private static long closeAfterUse(DebugOptions options) {
        DebugArena arena = DebugArena.wrap(Arena.ofConfined(), options);
        arena.allocate(1_000, 8);
        long address = allocateRecord(arena).address();
        closeTooEarly(arena);
        return address;
    }

    private static void closeTooEarly(Arena arena) {
        arena.close();
    }

    private static MemorySegment allocateRecord(Arena arena) {
        return arena.allocate(96, 8);
    }

    private static void memset(MemorySegment target, long byteSize) throws Throwable {
        MemorySegment _ = (MemorySegment) MEMSET.invokeExact(target, 1, byteSize);
    }
}
