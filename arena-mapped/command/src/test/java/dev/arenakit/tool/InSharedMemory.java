package dev.arenakit.tool;

import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    /// The base of another image.
    public Path other;

    @BeforeEach
    void findBase() {
        base = directory.resolve("memory");
        other = directory.resolve("other");
    }

    /// Runs a command whose first argument is the base.
    public ToolRun onBase(String command, String... args) {
        return ToolRun.of(Stream.concat(Stream.of(command, base.toString()), Stream.of(args)).toArray(String[]::new));
    }

    /// The names of the files in the directory, in order.
    public List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /// Uses an arena, and closes it.
    public static void using(InfiniteArena arena, Consumer<InfiniteArena> use) {
        try (arena) {
            use.accept(arena);
        }
    }
}
