package dev.arenakit.mapped;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// The example of [InfiniteArena].
final class InfiniteArenaExample {
    private InfiniteArenaExample() {}

    // @start region="example"
    /// Stores numbers in a file of four terabytes, which remains after the process has ended.
    static Path count(Path directory) {
        try (InfiniteArena arena = InfiniteArena.ofConfined(directory.resolve("counts"))) {
            MemorySegment counts = arena.allocate(4L << 40, 8);
            for (long i = 0; i < 1_000; i++) {
                counts.setAtIndex(JAVA_LONG, i, i * i);
            }
        }
        return directory.resolve("counts-0");
    }
    // @end
}
