package com.example.app;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Has arenas in its API, and uses them.
public final class Main {
    private Main() {}

    /// Runs the program.
    ///
    /// @param args none
    /// @throws IOException if the directory of the files cannot be created
    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of("target", "memory"));
        InfiniteArena.Builder files = InfiniteArena.builder(directory.resolve("app")).uniqueBase().deleteOnClose();
        try (MallocArena malloc = MallocArena.ofConfined();
                SlabPool pool = SlabPool.create();
                SlabArena slab = pool.openConfined();
                InfiniteArena infinite = files.build()) {
            greet(malloc, slab, infinite);
        }
    }

    /// Writes to memory of each arena and prints what it reads back.
    ///
    /// @param malloc   the first arena
    /// @param slab     the second arena
    /// @param infinite the third arena
    public static void greet(MallocArena malloc, SlabArena slab, InfiniteArena infinite) {
        for (Arena arena : List.of(malloc, slab, infinite)) {
            MemorySegment text = arena.allocateFrom("Hello from " + arena.getClass().getModule().getName());
            System.out.println(text.getString(0));
        }
    }
}
