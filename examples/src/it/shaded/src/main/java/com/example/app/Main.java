package com.example.app;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.InfiniteArena;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Counts its runs in an image, which the shaded and the unshaded library share.
public final class Main {
    private static final RecordMapper<Runs> RUNS = RecordMapper.of(Runs.class);

    private Main() {}

    record Runs(long count, Library last) {}

    enum Library {
        NONE, SHADED, UNSHADED
    }

    /// Runs the program.
    ///
    /// @param args the base of the image, and the library that is used
    /// @throws Exception if the program fails
    public static void main(String[] args) throws Exception {
        try (SlabPool pool = SlabPool.create(); SlabArena slab = pool.openConfined()) {
            greet(slab, SlabArena.class);
        }
        try (MallocArena malloc = MallocArena.ofConfined()) {
            greet(malloc, MallocArena.class);
        }
        try (InfiniteArena arena = InfiniteArena.builder(Path.of(args[0])).openOrCreate()) {
            MemorySegment runs = arena.names().getOrAllocate("runs", RUNS.type(), 1);
            System.out.println(RUNS.get(runs));
            RUNS.set(runs, new Runs(RUNS.get(runs).count() + 1, Library.valueOf(args[1])));
        }
        System.out.println("Class path: " + classPath());
    }

    static void greet(Arena arena, Class<?> type) {
        System.out.println(arena.allocateFrom("Hello from " + type.getName()).getString(0));
    }

    /// Returns the entries of the class path, without versions: the program has one dependency.
    static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> String.valueOf(Path.of(entry).getFileName()).replaceFirst("-\\d.*", ""))
                .collect(Collectors.joining(", "));
    }
}
