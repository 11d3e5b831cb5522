package dev.arenakit.tool;

import dev.arenakit.mapped.InfiniteArena;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A test with an empty directory on a tmpfs, which is removed afterwards.
public abstract class InSharedMemory {
    @TempDir(factory = SharedMemory.class)
    public Path directory;

    /// The base of the image of a test.
    public Path base;

    @BeforeEach
    void findBase() {
        base = directory.resolve("memory");
    }

    /// Runs a command whose first argument is the base.
    public ToolRun onBase(String command, String... args) {
        return ToolRun.of(Stream.concat(Stream.of(command, base.toString()), Stream.of(args)).toArray(String[]::new));
    }

    /// Uses an arena, and closes it.
    public static void using(InfiniteArena arena, Consumer<InfiniteArena> use) {
        try (arena) {
            use.accept(arena);
        }
    }
}
