package dev.arenakit.mapped;

import dev.arenakit.mapped.io.SparseFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Scenarios that tests run in a process of their own. They print what they did, and an exception ends the process.
final class ChildMain {
    private static final VarHandle LONG = JAVA_LONG.varHandle().withInvokeExactBehavior();

    private ChildMain() {}

    public static void main(String[] arguments) throws IOException {
        Path base = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "write" -> write(base);
            case "use" -> use(base);
            case "limit" -> limit(base, Long.parseLong(arguments[2]));
            case "copy" -> copy(base);
            case "colossal" -> colossal(base);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /// Writes a pattern, a text, and an increasing counter until the process is killed.
    private static void write(Path base) {
        InfiniteArena plain = InfiniteArena.ofShared(base.resolveSibling("plain"));
        InfiniteArena chunked = InfiniteArena.builder(base.resolveSibling("chunked")).chunked().build();
        MemorySegment pattern = plain.allocate(1L << 40, 8);
        for (long i = 0; i < 10_000; i++) {
            pattern.setAtIndex(JAVA_LONG, i * 100, ~i);
        }
        chunked.allocateFrom("Hello World");
        MemorySegment counter = plain.allocate(8, 8);
        MemorySegment log = chunked.allocate(1L << 30, 8);
        System.out.println("ready");
        for (long n = 1;; n++) {
            log.setAtIndex(JAVA_LONG, n & 0xfffff, n);
            LONG.setRelease(counter, 0L, n);
        }
    }

    /// Uses all kinds of arenas.
    private static void use(Path base) {
        boolean enabled = ChildMain.class.getModule().isNativeAccessEnabled()
                || InfiniteArena.class.getModule()
                        .getLayer()
                        .findModule("dev.arenakit")
                        .orElseThrow()
                        .isNativeAccessEnabled();
        InfiniteArenaBuilder[] builders = {InfiniteArena.builder(base), InfiniteArena.builder(base).confined(),
                InfiniteArena.builder(base).chunked(), InfiniteArena.builder(base).chunked().confined()};
        for (InfiniteArenaBuilder builder : builders) {
            try (InfiniteArena arena = builder.deleteOnClose().build()) {
                arena.allocate(0, 1);
                arena.allocateFrom(JAVA_LONG, 1, 2, 3).force();
            }
        }
        System.out.println("native access: " + enabled);
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

    /// Reaches a limit of the system, first with a chunk and then with an allocation.
    private static void limit(Path base, long chunkByteSize) {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(chunkByteSize).build()) {
            MemorySegment first = arena.allocate(100, 1);
            MemorySegment second = arena.allocate(100, 1);
            System.out.println("distance: " + (second.address() - first.address()));
            try {
                arena.allocate(1L << 42, 1);
            } catch (Throwable t) {
                System.out.println(t);
            }
        }
    }
}
