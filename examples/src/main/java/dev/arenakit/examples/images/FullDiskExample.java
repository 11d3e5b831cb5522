package dev.arenakit.examples.images;

import dev.arenakit.mapped.DiskFullException;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.InfiniteArenaBuilder;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// Allocates 10 MiB twice on a disk of 16 MiB, and stores to all of it.
public final class FullDiskExample {
    private static final long BYTE_SIZE = 10 << 20;

    private FullDiskExample() {}

    /// Runs the example.
    ///
    /// @param args `sparse` or `reserved`, and a directory on the disk
    public static void main(String[] args) {
        InfiniteArenaBuilder builder = InfiniteArena.builder(Path.of(args[1]).resolve("memory"));
        try (InfiniteArena arena = args[0].equals("reserved") ? builder.reserved().build() : builder.build()) {
            fillTwo(arena, System.out);
        }
    }

    private static void fillTwo(InfiniteArena arena, PrintStream out) {
        MemorySegment first = arena.allocate(BYTE_SIZE, 1);
        out.println("first allocation made");
        try {
            MemorySegment second = arena.allocate(BYTE_SIZE, 1);
            out.println("second allocation made");
            second.fill((byte) 2);
            out.println("second allocation filled");
        } catch (DiskFullException e) {
            out.println("second allocation refused: " + e.getClass().getSimpleName());
        }
        first.fill((byte) 1);
        out.println("first allocation filled");
    }
}
