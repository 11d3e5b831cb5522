package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// What this process has read and written so far. Tests that need it are skipped where Linux does not count it.
public final class ProcessCounters {
    private static final Path FILE = Path.of("/proc/self/io");

    private ProcessCounters() {}

    /// Returns a counter by its name in the file: bytes that were read (`rchar`), or write operations (`syscw`).
    public static long value(String name) throws IOException {
        assumeTrue(Files.isReadable(FILE), "needs " + FILE);
        return Files.readAllLines(FILE)
                .stream()
                .filter(line -> line.startsWith(name + ": "))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 2)))
                .sum();
    }
}
