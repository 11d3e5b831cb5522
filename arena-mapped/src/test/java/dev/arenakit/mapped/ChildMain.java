package dev.arenakit.mapped;

import dev.arenakit.mapped.io.SparseFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Scenarios that tests run in a process of their own. They print what they did, and an exception ends the process.
final class ChildMain {

    private ChildMain() {}

    public static void main(String[] arguments) throws IOException {
        Path base = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "copy" -> copy(base);
            case "colossal" -> colossal(base);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /// Makes an image with a hole, counts its extents, and copies it.
    private static void copy(Path base) throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            arena.names().allocate("values", JAVA_LONG, 1 << 20).setAtIndex(JAVA_LONG, 1 << 19, 42);
            try (SparseFile file = SparseFile.open(ImageFiles.data(base, 0))) {
                System.out.println("holes unknown: " + file.holesUnknown().orElse("no"));
            }
            image.copyTo(base.resolveSibling("copy"));
        }
    }

    /// Allocates more than a file of ext4 can have, and then the most that it can have.
    private static void colossal(Path base) {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            try {
                arena.allocate(16L << 40, 1);
            } catch (UncheckedIOException e) {
                System.out.println(e);
            }
            arena.allocate((16L << 40) - 4096, 1);
        }
    }
}
