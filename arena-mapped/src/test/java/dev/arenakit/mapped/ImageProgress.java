package dev.arenakit.mapped;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The progress of the writers of a child process, in a file that both processes map: a pipe would be too slow for each
/// step.
public final class ImageProgress {
    private static final VarHandle STEP = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final int STEPS = 3;
    private static final int LINE = 64;

    private final MemorySegment memory;

    public ImageProgress(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            memory = channel.map(MapMode.READ_WRITE, 0, 4096, arena);
        }
    }

    /// Records that `build` has returned.
    void built(int image) {
        store(image, ImagePiece.THREADS, 1);
    }

    boolean isBuilt(int image) {
        return load(image, ImagePiece.THREADS) != 0;
    }

    void allocated(int image, ImagePiece piece) {
        store(image, piece.thread(), piece.n() * (long) STEPS + 1);
    }

    void written(int image, ImagePiece piece) {
        store(image, piece.thread(), piece.n() * (long) STEPS + 2);
    }

    void done(int image, ImagePiece piece) {
        store(image, piece.thread(), piece.n() * (long) STEPS + 3);
    }

    /// The progress on an image at one time.
    public record Known(List<Long> steps) {
        /// Parses the text of [#text].
        static Known parse(String text) {
            return new Known(Stream.of(text.split(",", -1)).map(Long::valueOf).toList());
        }

        String text() {
            return steps.stream().map(String::valueOf).collect(Collectors.joining(","));
        }

        /// The number of allocations of a thread that have returned.
        int allocated(int thread) {
            return (int) ((steps.get(thread) + 2) / STEPS);
        }

        /// Whether `allocate` may have begun.
        boolean mayBeAllocated(ImagePiece piece) {
            return steps.get(piece.thread()) >= piece.n() * (long) STEPS;
        }

        boolean isWritten(ImagePiece piece) {
            return steps.get(piece.thread()) >= piece.n() * (long) STEPS + 2;
        }

        /// Whether `free` may have begun.
        boolean mayBeFreed(ImagePiece piece) {
            return piece.isFreed() && isWritten(piece);
        }

        boolean isFreed(ImagePiece piece) {
            return piece.isFreed() && steps.get(piece.thread()) >= piece.n() * (long) STEPS + 3;
        }
    }

    public Known known(int image) {
        return new Known(IntStream.range(0, ImagePiece.THREADS).mapToObj(thread -> load(image, thread)).toList());
    }

    private void store(int image, int slot, long value) {
        STEP.setRelease(memory, at(image, slot), value);
    }

    private long load(int image, int slot) {
        return (long) STEP.getAcquire(memory, at(image, slot));
    }

    private static long at(int image, int slot) {
        return (image * 8L + slot) * LINE;
    }
}
