package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/// Owns an image and allocates, at a rate at which others can copy the image many times meanwhile.
final class LiveImageChild {
    /// A plain image has a file for each, which copies take long to create.
    private static final int PLAIN_PIECES = 60;
    private static final int CHUNKED_PIECES = 1_500;

    private LiveImageChild() {}

    /// Writes until the process is killed.
    ///
    /// @param arguments the base of the image, whether it has a file for each allocation, and the file of the progress
    public static void main(String[] arguments) throws Exception {
        ChildJvm.endWithParent();
        boolean isPlain = Boolean.parseBoolean(arguments[1]);
        ImageProgress progress = new ImageProgress(Path.of(arguments[2]), Arena.global());
        InfiniteArena.Builder builder = InfiniteArena.builder(Path.of(arguments[0]));
        InfiniteArena arena = isPlain ? builder.build() : builder.chunked(64 << 10).build();
        for (int thread = 0; thread < ImagePiece.THREADS; thread++) {
            int number = thread;
            Thread.ofPlatform().start(() -> {
                for (int n = 0; n < (isPlain ? PLAIN_PIECES : CHUNKED_PIECES); n++) {
                    write(arena, new ImagePiece(number, n), progress);
                    // All threads allocate at the same time, and then pause.
                    if (n % (isPlain ? 3 : 10) == 0) {
                        LockSupport.parkNanos(isPlain ? 10_000_000 : 2_000_000);
                    }
                }
            });
        }
        System.out.println("writing");
        // Until it is killed.
        System.in.read();
    }

    private static void write(InfiniteArena arena, ImagePiece piece, ImageProgress progress) {
        MemorySegment memory = piece.allocate(arena);
        progress.allocated(0, piece);
        piece.write(memory);
        progress.written(0, piece);
        if (piece.isFreed()) {
            arena.free(piece.name().orElseThrow());
        }
        progress.done(0, piece);
    }
}
