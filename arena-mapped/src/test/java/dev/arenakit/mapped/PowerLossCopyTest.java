package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests copies after a power loss: what was reported is complete, and so is every copy that has a header. Only root can
/// mount file systems; the test is skipped for other users.
class PowerLossCopyTest {
    private static final int CRASHES = 30;

    /// The calls that [ImageCopySyncTest] records are the short form.
    @Test
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void powerLoss_whileImagesAreCopied_leavesNoCopyThatIsReportedOrReadableAndIncomplete() throws Exception {
        int copies = 0;
        for (int seed = 0; seed < CRASHES; seed++) {
            Path directory = TestFileSystem.SHARED_MEMORY.newDirectory();
            try (LoopDisk disk = LoopDisk.mount(directory, 64 << 20)) {
                copies += crash(disk, seed);
            } finally {
                TestFileSystem.remove(directory);
            }
        }
        assertThat(copies).isGreaterThan(CRASHES);
    }

    private static int crash(LoopDisk disk, int seed) throws Exception {
        Process child = ChildJvm.granted()
                .command(Child.class, disk.root().toString(), Integer.toString(seed))
                .start();
        List<String> output = child.inputReader().readAllLines();
        child.waitFor();
        List<String> reported = new ArrayList<>(output);
        disk.restart();
        int copies = 0;
        for (int number = 0; number <= reported.size(); number++) {
            Path copy = Child.copy(disk.root(), number);
            boolean isReported = reported.contains("copied " + number);
            String description = "seed=" + seed + ", number=" + number + ", reported=" + isReported + ", output="
                    + output;
            if (isReported || isReadable(copy)) {
                assertThat(Files.exists(ImageFiles.catalog(copy))).as(description).isTrue();
                checkComplete(copy, description);
                copies++;
            }
        }
        return copies;
    }

    private static boolean isReadable(Path base) {
        try (ArenaImage _ = ArenaImage.open(base)) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private static void checkComplete(Path base, String description) throws IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(image.integrity().problems().filter(problem -> !problem.isNote())).as(description).isEmpty();
            MemorySegment values = image.segment(image.find("values").orElseThrow(), arena);
            assertThat(values.byteSize()).as(description).isEqualTo(Child.LONGS * JAVA_LONG.byteSize());
            for (long i = 0; i < Child.LONGS; i++) {
                if (values.getAtIndex(JAVA_LONG, i) != Child.value(i)) {
                    assertThat(i).as(description).isEqualTo(-1);
                }
            }
        }
    }

    /// Copies and mends an image again and again, until the power of its disk is cut. Another thread writes the catalog of
    /// the present copy to the device all the time, and nothing else, as the kernel may at any moment.
    static final class Child {
        /// The number of longs in the image.
        static final int LONGS = 1 << 17;

        private Child() {}

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
                MemorySegment values = arena.names().allocate("values", JAVA_LONG, LONGS);
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
                    ImageFiles.repair(base, copy, _ -> {
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
}
