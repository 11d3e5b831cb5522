package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Allocates and frees by segment in images of all kinds, in a process of its own, until it is killed.
final class FreeChild {
    /// The arenas of [#builder] by their numbers: plain and chunked, sparse and reserved.
    static final int IMAGES = 4;
    static final int PIECES = 40;

    /// The number of allocations from the allocation of a piece to its end.
    private static final int LIFETIME = 4;

    private FreeChild() {}

    /// The n-th allocation of an arena. The parent knows all of them in advance.
    record Piece(int n) {
        /// The piece of a record.
        static Piece of(Allocation allocation) {
            return new Piece(
                    allocation.name().map(Integer::parseInt).orElseGet(() -> (int) allocation.byteSize() - 1000));
        }

        private int random(int bound) {
            return Math.floorMod(Integer.reverseBytes((n + 1) * 0x9e3779b1), bound);
        }

        private boolean isNamed() {
            return n % 3 != 0;
        }

        /// A third of the pieces is large enough to become holes. Those without names are known by their sizes.
        long byteSize() {
            return switch (n % 3) {
                case 0 -> 1000L + n;
                case 1 -> (1L << 20) + random(1 << 20);
                default -> 5_000L + random(200_000);
            };
        }

        MemorySegment allocate(InfiniteArena arena) {
            return isNamed()
                    ? arena.allocate(Integer.toString(n), JAVA_BYTE, byteSize())
                    : arena.allocate(byteSize(), 1);
        }

        boolean isRecordedBy(Allocation allocation) {
            return allocation.name().isPresent() == isNamed() && allocation.byteSize() == byteSize();
        }

        /// The value of each byte of the allocation. Neighbours have other values.
        byte value() {
            return (byte) (n % 255 + 1);
        }

        private boolean isFreed() {
            return random(3) != 0;
        }

        boolean mayBeAllocated(long steps) {
            return steps >= 3L * n;
        }

        boolean isAllocated(long steps) {
            return steps >= 3L * n + 1;
        }

        boolean isWritten(long steps) {
            return steps >= 3L * n + 2;
        }

        /// Whether `free` may have begun.
        boolean mayBeFreed(long steps) {
            return isFreed() && new Piece(n + LIFETIME).isWritten(steps);
        }

        /// Whether `free` has returned.
        boolean isFreed(long steps) {
            return isFreed() && steps >= 3L * (n + LIFETIME) + 3;
        }
    }

    /// Whether a process that has got so far may be freeing.
    static boolean isFreeing(long steps) {
        return steps % 3 == 2 && steps / 3 >= LIFETIME && new Piece((int) (steps / 3) - LIFETIME).isFreed();
    }

    /// Whether a process that has got so far has made all allocations of an image.
    static boolean isDone(long steps) {
        return steps == 3L * PIECES;
    }

    static InfiniteArena.Builder builder(Path directory, int image) {
        InfiniteArena.Builder builder = InfiniteArena.builder(ImageChild.base(directory, image));
        if (image % 2 == 1) {
            builder.chunked(1L << 30);
        }
        return image < 2 ? builder : builder.reserved();
    }

    public static void main(String[] arguments) throws Exception {
        ChildJvm.endWithParent();
        Path directory = Path.of(arguments[0]);
        ImageProgress progress = new ImageProgress(ImageChild.progress(directory), Arena.global());
        System.out.println("ready");
        List<Thread> writers = IntStream.range(0, IMAGES)
                .mapToObj(image -> Thread.ofPlatform().start(() -> write(directory, image, progress)))
                .toList();
        for (Thread writer : writers) {
            writer.join();
        }
        // A killed process has not closed its arenas.
        System.in.read();
        Runtime.getRuntime().halt(0);
    }

    private static void write(Path directory, int image, ImageProgress progress) {
        InfiniteArena arena = builder(directory, image).build();
        progress.built(image);
        List<MemorySegment> segments = new ArrayList<>();
        for (int n = 0; n < PIECES; n++) {
            ImagePiece step = new ImagePiece(0, n);
            Piece piece = new Piece(n);
            segments.add(piece.allocate(arena));
            progress.allocated(image, step);
            segments.getLast().fill(piece.value());
            progress.written(image, step);
            if (n >= LIFETIME && new Piece(n - LIFETIME).isFreed()) {
                arena.free(segments.get(n - LIFETIME));
            }
            progress.done(image, step);
        }
    }
}
