package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.SplittableRandom;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Copies and mends an image again and again, until the power of its disk is cut. Another thread writes the catalog of
/// the present copy to the device all the time, and nothing else, as the kernel may at any moment.
final class PowerLossCopyChild {
    /// The number of longs in the image.
    static final int LONGS = 1 << 17;

    private PowerLossCopyChild() {}

    /// The value at an index.
    static long value(long index) {
        return (index + 1) * 0x9e37_79b9_7f4a_7c15L;
    }

    static Path copy(Path directory, int number) {
        return directory.resolve("copy" + number);
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
        Path base = directory.resolve("memory");
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment values = arena.allocate("values", JAVA_LONG, LONGS);
            for (long i = 0; i < LONGS; i++) {
                values.setAtIndex(JAVA_LONG, i, value(i));
            }
        }
        PowerCut cut = new PowerCut(directory);
        int last = random.nextInt(1, 6);
        int syncs = random.nextInt(0, 12);
        for (int number = 0;; number++) {
            Path copy = copy(directory, number);
            Thread writing = null;
            if (number == last) {
                writing = Thread.ofPlatform().start(() -> {
                    for (int i = 0; i <= syncs;) {
                        i += sync(ImageFiles.catalog(copy)) ? 1 : 0;
                    }
                    cutNow(cut);
                });
            }
            if (number % 2 == 0) {
                try (ArenaImage image = ArenaImage.open(base)) {
                    image.copyTo(copy);
                }
            } else {
                ArenaImage.repair(base, copy, _ -> {
                    // Nobody watches the progress.
                });
            }
            // Printed before the power is cut, or after it. Then the copy was complete before.
            System.out.println("copied " + number);
            if (writing != null) {
                cutNow(cut);
            }
        }
    }

    private static boolean sync(Path file) {
        try {
            SafeFiles.force(file);
            return true;
        } catch (NoSuchFileException _) {
            return false;
        } catch (IOException _) {
            // The power is cut.
            return true;
        }
    }

    private static void cutNow(PowerCut cut) {
        try {
            cut.now(PowerCut.Kind.NOTHING);
        } catch (IOException _) {
            // The other thread was faster.
        }
        Runtime.getRuntime().halt(0);
    }
}
