package dev.arenakit.diagnostics;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The snippets of the documentation.
final class LeakSnippets {
    private LeakSnippets() {}

    static long wrap() {
        // @start region="wrap"
        try (Arena arena = LeakDetector.wrap(Arena.ofShared())) {
            MemorySegment name = arena.allocateFrom("Without this try, the detector would report the arena");
            return name.byteSize();
        }
        // @end
    }
}
