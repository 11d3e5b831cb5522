package com.example.app;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.dump.HexDump;
import dev.arenakit.mapped.InfiniteArena;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Writes to memory of each arena and prints what it reads.
public final class Main {
    private Main() {}

    /// Runs the program.
    ///
    /// @param args a directory for files
    /// @throws Exception if the program fails
    public static void main(String[] args) throws Exception {
        use("MallocArena", MallocArena.ofConfined());
        use("MallocArena", MallocArena.builder().shared().checked().build());
        try (SlabPool pool = SlabPool.builder().maxByteSize(1 << 20).build()) {
            use("SlabArena", pool.openConfined());
            use("SlabArena", pool.openShared());
            fill(pool);
        }
        Path directory = Files.createDirectories(Path.of(args[0], "memory"));
        InfiniteArena.Builder files = InfiniteArena.builder(directory.resolve("app")).uniqueBase().deleteOnClose();
        use("InfiniteArena", files.build());
        use("InfiniteArena", files.chunked().confined().build());
        free();
        System.out.println("Class path: " + classPath());
    }

    static void use(String name, Arena opened) {
        try (Arena arena = opened) {
            MemorySegment text = arena.allocateFrom("Hello from " + name);
            MemorySegment counts = arena.allocate(JAVA_LONG, 1_000);
            counts.setAtIndex(JAVA_LONG, 999, text.byteSize());
            System.out.println(text.getString(0) + ", " + counts.getAtIndex(JAVA_LONG, 999));
        }
    }

    static void free() {
        try (MallocArena arena = MallocArena.ofConfined()) {
            MemorySegment grown = arena.reallocate(arena.allocateFrom(JAVA_LONG, 1, 2, 3), 1 << 20);
            System.out.print(HexDump.toString(grown.asSlice(0, 24)));
            arena.free(grown);
        }
    }

    static void fill(SlabPool pool) {
        try (SlabArena arena = pool.openConfined(); Arena frame = arena.pushFrame()) {
            frame.allocate(2 << 20);
        } catch (CapacityExceededException e) {
            System.out.println("Limit: " + e.limit());
        }
    }

    /// Returns the entries of the class path, without versions: the example has one dependency.
    static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> String.valueOf(Path.of(entry).getFileName()).replaceFirst("-\\d.*", ""))
                .collect(Collectors.joining(", "));
    }
}
