package dev.arenakit.bench.micro.stored;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A directory for the files of one arena.
final class Scratch {
    private final Path directory;

    Scratch() {
        try {
            directory = Files.createTempDirectory("arenakit-bench-");
        } catch (IOException e) {
            throw new UncheckedIOException("No scratch directory", e);
        }
    }

    Path base() {
        return directory.resolve("memory");
    }

    void delete() throws IOException {
        Files.delete(directory);
    }
}
