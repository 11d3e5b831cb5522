package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.locks.ImageLock;
import dev.arenakit.mapped.internal.locks.LockKind;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import static java.lang.foreign.ValueLayout.JAVA_INT;

/// Scenarios that tests of images run in a process of their own.
public final class ImageChild {
    /// Builds the arenas of [#write] by their numbers: plain and chunked, at both levels.
    static final int IMAGES = 4;
    /// The size of the allocation of [#colossal].
    static final long COLOSSAL = 17L << 40;
    private static final int PLAIN_PIECES = 150;
    private static final int CHUNKED_PIECES = 4_000;

    private ImageChild() {}

    public static void main(String[] arguments) throws Exception {
        ChildJvm.endWithParent();
        Path directory = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "write" -> write(directory);
            case "own" -> own(directory);
            case "colossal" -> colossal(directory);
            case "hold" -> hold(directory);
            case "probe" -> probe(directory);
            case "wait" -> waitFor(directory);
            case "fill" -> fill(directory);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    static Path base(Path directory, int image) {
        return directory.resolve("image" + image);
    }

    public static Path progress(Path directory) {
        return directory.resolve("progress");
    }

    static InfiniteArenaBuilder builder(Path base, int image, long chunkByteSize) {
        InfiniteArenaBuilder builder = InfiniteArena.builder(base);
        return switch (image) {
            case 0 -> builder;
            case 1 -> builder.catalog(CatalogLevel.SIZES);
            case 2 -> builder.chunked(chunkByteSize);
            case 3 -> builder.chunked(64 << 10).catalog(CatalogLevel.FULL);
            default -> throw new IllegalArgumentException();
        };
    }

    /// Writes images by several threads, until the process is killed or all is written.
    private static void write(Path directory) throws Exception {
        ImageProgress progress = new ImageProgress(progress(directory), Arena.global());
        // Make the types before printing "ready": that takes longer than building an arena.
        new ImagePiece(0, 0).byteSize();
        System.out.println("ready");
        List<Thread> builders = IntStream.range(0, IMAGES)
                .mapToObj(image -> Thread.ofPlatform()
                        .start(() -> write(directory, image, image < 2 ? PLAIN_PIECES : CHUNKED_PIECES, progress)))
                .toList();
        for (Thread builder : builders) {
            builder.join();
        }
        System.out.println("done");
        // Wait until the process is killed or its input ends. A killed process has not closed its arenas.
        System.in.read();
        Runtime.getRuntime().halt(0);
    }

    private static void write(Path directory, int image, int pieces, ImageProgress progress) {
        InfiniteArena arena = builder(base(directory, image), image, 1L << 34).build();
        progress.built(image);
        List<Thread> writers = IntStream.range(0, ImagePiece.THREADS)
                .mapToObj(thread -> Thread.ofPlatform().start(() -> {
                    for (int n = 0; n < pieces; n++) {
                        write(image, arena, new ImagePiece(thread, n), progress);
                    }
                }))
                .toList();
        try {
            for (Thread writer : writers) {
                writer.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void write(int image, InfiniteArena arena, ImagePiece piece, ImageProgress progress) {
        MemorySegment memory = piece.allocate(arena);
        progress.allocated(image, piece);
        piece.write(memory);
        progress.written(image, piece);
        if (piece.isFreed()) {
            arena.names().free(piece.name().orElseThrow());
        }
        progress.done(image, piece);
    }

    /// Builds an arena and prints whether that succeeded.
    private static void own(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            System.out.println("owned " + arena.base());
        } catch (IllegalStateException e) {
            System.out.println(e);
        }
    }

    /// Makes images with an allocation in three data files until it is killed. Prints the number of each when its ends
    /// are written.
    private static void colossal(Path directory) {
        for (int image = 0;; image++) {
            InfiniteArena arena = InfiniteArena.ofShared(base(directory, image));
            MemorySegment memory = arena.names().allocate("colossal", JAVA_INT, COLOSSAL / Integer.BYTES);
            memory.set(JAVA_INT, 0, image + 1);
            memory.set(JAVA_INT, COLOSSAL - Integer.BYTES, image + 1);
            System.out.println(image);
            if (image > 0) {
                arena.close();
            }
        }
    }

    /// Owns an image until it is killed.
    private static void hold(Path base) throws IOException {
        InfiniteArena.ofShared(base).names().allocate("held", JAVA_INT, 1);
        System.out.println("held");
        System.in.read();
    }

    /// Checks repeatedly whether `memory` has an owner, and counts.
    private static void probe(Path directory) throws IOException {
        ImageProgress progress = new ImageProgress(progress(directory), Arena.global());
        System.out.println("probing");
        for (int i = 0;; i++) {
            ImageLock.Holder _ = ImageLock.holder(directory.resolve("memory"), LockKind.PROCESS);
            progress.done(0, new ImagePiece(0, i));
        }
    }

    /// Builds an arena as soon as that succeeds, and deletes its image.
    private static void waitFor(Path base) {
        System.out.println("waiting");
        while (true) {
            try (InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build()) {
                arena.allocate(100, 1);
                System.out.println("built");
                return;
            } catch (IllegalStateException _) {
                Thread.onSpinWait();
            }
        }
    }

    /// Allocates until a small disk is full, frees space and continues. Prints the failure and the contents of the
    /// image.
    private static void fill(Path directory) throws IOException {
        Path ballast = Files.write(directory.resolve("ballast"), new byte[200 << 10]);
        Path base = directory.resolve("memory");
        int made = 0;
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1L << 30).build()) {
            UncheckedIOException failure = null;
            while (failure == null) {
                try {
                    arena.names().allocate(made + "n".repeat(900), JAVA_INT, 1);
                    made++;
                } catch (UncheckedIOException e) {
                    failure = e;
                }
            }
            System.out.println(failure.getMessage());
            String refused = made + "n".repeat(900);
            System.out.println("found: " + arena.names().find(refused).isPresent());
            Files.delete(ballast);
            for (int end = made + 50; made < end; made++) {
                arena.names().allocate(made + "n".repeat(900), JAVA_INT, 1);
            }
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            System.out.println("problems: " + image.integrity().problems().toList());
            System.out.println("lost: " + (made - image.allocations().filter(one -> one.name().isPresent()).count()));
        }
    }
}
