package dev.arenakit.examples.debugging;

import dev.arenakit.MallocArena;
import dev.arenakit.diagnostics.DebugArena;
import dev.arenakit.diagnostics.DebugOptions;
import java.lang.foreign.MemorySegment;

/// Frees a name and uses it afterwards.
public final class UseAfterFree {
    private UseAfterFree() {}

    /// Runs the program.
    ///
    /// @param arguments `checked` for Java code that reads the name, or `debug` for C code that writes to it
    public static void main(String[] arguments) {
        if (arguments[0].equals("checked")) {
            try (MallocArena arena = MallocArena.builder().checked().build()) {
                MemorySegment name = arena.allocateFrom("Jane Doe");
                arena.free(name);
                System.out.println(name.getString(0)); // the bug
            }
        } else {
            try (DebugArena arena = DebugArena.wrap(MallocArena.ofConfined(), DebugOptions.canaries().unzeroed())) {
                MemorySegment name = arena.allocateFrom("Jane Doe");
                release(arena, name);
                CStrings.copy(name, arena.allocateFrom("John Doe")); // the bug
            }
        }
    }

    private static void release(DebugArena arena, MemorySegment name) {
        arena.free(name);
    }
}
