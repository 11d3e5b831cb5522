package dev.arenakit.examples.debugging;

import dev.arenakit.MallocArena;
import dev.arenakit.diagnostics.DebugArena;
import dev.arenakit.diagnostics.DebugOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// Frees a name, or closes its arena, and lets C code write to the name afterwards.
public final class UseAfterFree {
    private UseAfterFree() {}

    /// Runs the program.
    ///
    /// @param arguments `debug` for C code that writes to the freed name, or `closed` and the directory of the block
    ///                  file for C code that writes to it after the arena was closed
    public static void main(String[] arguments) {
        if (arguments[0].equals("closed")) {
            try (Arena arena = Arena.ofConfined()) {
                CStrings.copy(register(Path.of(arguments[1])), arena.allocateFrom("John Doe"));
            }
        } else {
            try (DebugArena arena = DebugArena.wrap(MallocArena.ofConfined(), DebugOptions.canaries().unzeroed())) {
                MemorySegment name = arena.allocateFrom("Jane Doe");
                release(arena, name);
                CStrings.copy(name, arena.allocateFrom("John Doe")); // the bug
            }
        }
    }

    private static MemorySegment register(Path directory) {
        DebugOptions options = DebugOptions.behind().withQuarantine(1L << 30).withBlockFilesIn(directory);
        try (Arena arena = DebugArena.wrap(Arena.ofConfined(), options)) {
            return MemorySegment.ofAddress(arena.allocateFrom("Jane Doe").address()); // the bug: C keeps it
        }
    }

    private static void release(DebugArena arena, MemorySegment name) {
        arena.free(name);
    }
}
