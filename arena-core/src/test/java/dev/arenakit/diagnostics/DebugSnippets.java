package dev.arenakit.diagnostics;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// The snippets in the documentation of this package.
final class DebugSnippets {
    private DebugSnippets() {}

    static void debug(Consumer<MemorySegment> nativeCode) {
        // @start region="debug"
        try (Arena arena = DebugArena.wrap(Arena.ofConfined())) { // was: Arena.ofConfined()
            MemorySegment record = arena.allocate(100, 8);
            nativeCode.accept(record);
        } // throws a CorruptedBlockException if bytes beside the record were written
          // @end
    }

    static void faulty(Consumer<Arena> code) {
        // @start region="faulty"
        for (int n = 1; n <= 10; n++) {
            try (Arena arena = FaultyArena.wrap(Arena.ofConfined(), AllocationFaults.nth(n))) {
                code.accept(arena); // the n-th allocation throws an OutOfMemoryError
            } catch (OutOfMemoryError _) {
                // Check here that the code has left nothing behind.
            }
        }
        // @end
    }
}
