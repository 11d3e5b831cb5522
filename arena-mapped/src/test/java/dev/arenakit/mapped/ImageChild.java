package dev.arenakit.mapped;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/// What the tests of images run in a process of its own.
final class ImageChild {
    /// The images of [#write] by their numbers: both modes, at both levels.
    static final int IMAGES = 4;
    private static final int PLAIN_PIECES = 150;
    private static final int CHUNKED_PIECES = 4_000;

    private ImageChild() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "write" -> write(directory, CHUNKED_PIECES, IntStream.range(0, IMAGES).toArray());
            case "write-one" -> write(directory, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    static Path base(Path directory, int image) {
        return directory.resolve("image" + image);
    }

    static Path progress(Path directory) {
        return directory.resolve("progress");
    }

    private static InfiniteArena.Builder builder(Path directory, int image) {
        InfiniteArena.Builder builder = InfiniteArena.builder(base(directory, image));
        return switch (image) {
            case 0 -> builder;
            case 1 -> builder.catalog(CatalogLevel.SIZES);
            case 2 -> builder.chunked(1L << 34);
            case 3 -> builder.chunked(64 << 10).catalog(CatalogLevel.FULL);
            default -> throw new IllegalArgumentException();
        };
    }

    /// Several threads write images until they are killed, or have written enough.
    private static void write(Path directory, int pieces, int... images) throws Exception {
        ImageProgress progress = new ImageProgress(progress(directory), Arena.global());
        // Before it is ready: making its types takes longer than making an arena.
        new ImagePiece(0, 0).byteSize();
        System.out.println("ready");
        List<Thread> builders = IntStream.of(images)
                .mapToObj(image -> Thread.ofPlatform().start(() -> write(directory, image, image < 2 ? Math.min(pieces, PLAIN_PIECES) : pieces, progress)))
                .toList();
        for (Thread builder : builders) {
            builder.join();
        }
        System.out.println("done");
        // Waits to be killed, or told to end: a process that is killed has closed nothing.
        System.in.read();
        Runtime.getRuntime().halt(0);
    }

    private static void write(Path directory, int image, int pieces, ImageProgress progress) {
        InfiniteArena arena = builder(directory, image).build();
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

    private static void write(int image, InfiniteArena arena, ImagePiece piece, ImageProgress progress) {
        MemorySegment memory = piece.allocate(arena);
        progress.allocated(image, piece);
        piece.write(memory);
        progress.written(image, piece);
        if (piece.isFreed()) {
            arena.free(piece.name().orElseThrow());
        }
        progress.done(image, piece);
    }
}
