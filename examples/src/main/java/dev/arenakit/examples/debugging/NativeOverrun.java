package dev.arenakit.examples.debugging;

import dev.arenakit.MallocArena;
import dev.arenakit.diagnostics.DebugArena;
import dev.arenakit.diagnostics.DebugOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// Copies names by C's `strcpy`, into blocks whose size is the number of characters.
public final class NativeOverrun {
    private NativeOverrun() {}

    /// Runs the program.
    ///
    /// @param arguments `malloc`, `guard` or `canaries`; for `guard`, the directory of the block file
    public static void main(String[] arguments) {
        try (Arena arena = open(arguments)) {
            System.out.println(CStrings.length(copy(arena, "Jane Doe")));
            System.out.println(CStrings.length(copy(arena, "Zoë Müller")));
        }
        System.out.println("closed");
    }

    private static Arena open(String[] arguments) {
        return switch (arguments[0]) {
            case "guard" -> DebugArena.wrap(Arena.ofConfined(),
                    DebugOptions.behind().withBlockFilesIn(Path.of(arguments[1])));
            case "canaries" -> DebugArena.wrap(Arena.ofConfined(), DebugOptions.canaries());
            default -> MallocArena.ofConfined();
        };
    }

    private static MemorySegment copy(Arena arena, String name) {
        MemorySegment copy = arena.allocate(name.length() + 1); // the bug: ë and ü take two bytes each
        CStrings.copy(copy, arena.allocateFrom(name));
        return copy;
    }
}
