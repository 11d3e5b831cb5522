package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Writes images until the power of their file system is cut. After each `force()`, it prints what the images must
/// contain afterwards.
final class PowerLossChild {
    private static final int PLAIN_PIECES = 150;
    private static final int CHUNKED_PIECES = 4_000;
    /// The size of the allocations that one thread makes at a high rate. They contain their numbers. No piece has this
    /// size.
    static final long SMALL_BYTE_SIZE = 8;
    private static final int MOST_SMALL = 300_000;
    private static final int SMALL_BURST = 300;
    private static final int LONGEST_RUN_MILLIS = 300;
    /// The number of allocations between two pauses of a thread.
    private static final int BURST = 40;
    private static final int WRITTEN_PAGES = 8;
    /// More than the pages that an image fills before the power loss.
    private static final int MAX_PAGE_BITS = 14;
    private static final long PAGE_BYTE_SIZE = 4096;

    private PowerLossChild() {}

    /// Writes until it cuts the power itself.
    ///
    /// @param arguments the root directory of the file system, the file of the progress, and a seed
    public static void main(String[] arguments) throws Exception {
        ChildJvm.endWithParent();
        Path root = Path.of(arguments[0]);
        ImageProgress progress = new ImageProgress(Path.of(arguments[1]), Arena.global());
        int seed = Integer.parseInt(arguments[2]);
        SplittableRandom random = new SplittableRandom(seed);
        PowerCut power = new PowerCut(root);
        List<CountDownLatch> forced = new ArrayList<>();
        for (int image : images(seed)) {
            forced.add(new CountDownLatch(1));
            write(base(root, image), image, random.split(), progress, forced.getLast());
        }
        for (CountDownLatch image : forced) {
            image.await();
        }
        start(() -> writeBack(root, random.split()));
        TimeUnit.MICROSECONDS.sleep(random.nextInt(LONGEST_RUN_MILLIS * 1000));
        power.now(kind(seed));
        System.out.println("cut");
        Runtime.getRuntime().halt(0);
    }

    /// The images that are written: a plain and a chunked one.
    static List<Integer> images(int seed) {
        return seed % 2 == 0 ? List.of(0, 2) : List.of(1, 3);
    }

    static Path base(Path root, int image) {
        return root.resolve("image" + image);
    }

    /// In most cases nothing is written, since that loses most.
    static PowerCut.Kind kind(int seed) {
        return switch (seed % 10) {
            case 4, 9 -> PowerCut.Kind.SYNC;
            case 7, 8 -> PowerCut.Kind.JOURNAL;
            default -> PowerCut.Kind.NOTHING;
        };
    }

    private static void write(Path base, int image, SplittableRandom random, ImageProgress progress,
            CountDownLatch forced) {
        InfiniteArena arena = ImageChild.builder(base, image, 1L << 30).build();
        progress.built(image);
        for (int thread = 0; thread < ImagePiece.THREADS; thread++) {
            int number = thread;
            start(() -> {
                for (int n = 0; n < (image < 2 ? PLAIN_PIECES : CHUNKED_PIECES); n++) {
                    write(image, arena, new ImagePiece(number, n), progress);
                    if (n % BURST == 0) {
                        LockSupport.parkNanos(5_000_000);
                    }
                }
            });
        }
        AtomicInteger small = new AtomicInteger();
        if (image >= 2) {
            start(() -> writeSmall(arena, small));
        }
        start(() -> {
            while (true) {
                ImageProgress.Known known = progress.known(image);
                int count = small.get();
                arena.force();
                System.out.println("forced " + image + " " + known.text() + " " + count);
                if (known.allocated(0) > 0) {
                    forced.countDown();
                }
                LockSupport.parkNanos(random.nextInt(30_000_000));
            }
        });
    }

    private static void writeSmall(InfiniteArena arena, AtomicInteger count) {
        for (int n = 0; n < MOST_SMALL; n++) {
            arena.allocate(SMALL_BYTE_SIZE, 1).set(JAVA_LONG_UNALIGNED, 0, n);
            count.set(n + 1);
            if (n % SMALL_BURST == 0) {
                LockSupport.parkNanos(300_000);
            }
        }
    }

    /// Starts a thread. The power loss makes it fail.
    static void start(Runnable action) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                action.run();
            } catch (UncheckedIOException | InternalError e) {
                System.out.println("failed: " + e);
            }
        });
    }

    /// Whether a piece is freed together with its contents. The others are freed by their names.
    static boolean losesContents(ImagePiece piece) {
        return piece.isFreed() && piece.n() % 2 == 0;
    }

    private static void write(int image, InfiniteArena arena, ImagePiece piece, ImageProgress progress) {
        MemorySegment memory = piece.allocate(arena);
        progress.allocated(image, piece);
        piece.write(memory);
        if (piece.n() % 16 == 5) {
            // A program may force its data alone. The record may then be lost, and the data not.
            memory.force();
        }
        progress.written(image, piece);
        if (losesContents(piece)) {
            arena.free(memory);
        } else if (piece.isFreed()) {
            arena.names().free(piece.name().orElseThrow());
        }
        progress.done(image, piece);
    }

    /// Writes files and single pages to the disk, as the kernel does from time to time, in any order.
    static void writeBack(Path root, SplittableRandom random) {
        while (true) {
            List<Path> files = TestFileSystem.list(root)
                    .stream()
                    // Closing a lock file would drop the lock.
                    .filter(file -> Files.isRegularFile(file) && !file.toString().endsWith(".lock"))
                    .toList();
            Path file = files.get(random.nextInt(files.size()));
            try {
                if (random.nextBoolean()) {
                    writeBackPages(file, random);
                } else {
                    writeBackWhole(file);
                }
            } catch (IOException e) {
                // A file whose allocations are freed may have just been removed.
                if (Files.exists(file)) {
                    throw new UncheckedIOException(e);
                }
            }
            LockSupport.parkNanos(random.nextInt(30_000_000));
        }
    }

    private static void writeBackWhole(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            channel.force(false);
        }
    }

    /// Writes some pages of a file. Pages at its start are more likely, because the rest is a hole in most files.
    private static void writeBackPages(Path file, SplittableRandom random) throws IOException {
        for (int i = 0; i < WRITTEN_PAGES; i++) {
            long page = random.nextLong(1L << random.nextInt(MAX_PAGE_BITS));
            PowerCut.writeBack(file, page * PAGE_BYTE_SIZE, PAGE_BYTE_SIZE);
        }
    }
}
