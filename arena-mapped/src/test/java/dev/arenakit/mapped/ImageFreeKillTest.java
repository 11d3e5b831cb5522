package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests the images of a process that is killed while it frees allocations. An allocation that was being freed is live
/// and whole, or recorded as freed. All others are as they were.
@Tag("full")
class ImageFreeKillTest {
    /// Time for most allocations of the process.
    private static final int LONGEST_PAUSE_MICROS = 30_000;

    /// Some times the time that freeing takes.
    private static final int LONGEST_FREE_NANOS = 500_000;

    /// The number of images whose process was killed after `free` began and before it returned.
    private int killedMeanwhile;

    @Test
    void free_killedMeanwhile_leavesAllOtherAllocations() throws Exception {
        for (int seed = 0; seed < 2; seed++) {
            killOnce(seed);
        }
    }

    @Test
    @Tag("slow")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void free_killedTwoHundredTimes_leavesAllOtherAllocations() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            killOnce(seed);
        }
        assertThat(killedMeanwhile).isGreaterThan(20);
    }

    /// Every second process is killed when it has begun to free.
    private void killOnce(int seed) throws Exception {
        Path directory = (seed % 4 < 2 ? TestFileSystem.BUILD : TestFileSystem.SHARED_MEMORY).newDirectory();
        try (Arena arena = Arena.ofShared()) {
            ImageProgress progress = new ImageProgress(ImageChild.progress(directory), arena);
            Process writer = ChildJvm.granted().command(Child.class, directory.toString()).start();
            try (BufferedReader output = writer.inputReader()) {
                assertThat(output.readLine()).isEqualTo("ready");
                SplittableRandom random = new SplittableRandom(seed);
                int watched = seed / 2 % Child.IMAGES;
                int least = 3 * random.nextInt(Child.PIECES / 2);
                while (steps(progress, watched) < least) {
                    assertThat(writer.isAlive()).isTrue();
                    TimeUnit.MICROSECONDS.sleep(100);
                }
                if (seed % 2 == 0) {
                    // The process may have made all its allocations before this thread runs again.
                    for (long steps = least; writer.isAlive() && !Child.isFreeing(steps)
                            && !Child.isDone(steps);) {
                        Thread.onSpinWait();
                        steps = steps(progress, watched);
                    }
                    LockSupport.parkNanos(random.nextInt(LONGEST_FREE_NANOS));
                } else {
                    TimeUnit.MICROSECONDS.sleep(random.nextInt(LONGEST_PAUSE_MICROS));
                }
            } finally {
                writer.destroyForcibly();
            }
            assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
            for (int image = 0; image < Child.IMAGES; image++) {
                // An image whose arena was not built completely may be damaged or missing.
                if (progress.isBuilt(image)) {
                    new Image(directory, image, steps(progress, image)).check("seed=" + seed + ", image=" + image);
                }
            }
        }
        TestFileSystem.remove(directory);
    }

    private static long steps(ImageProgress progress, int image) {
        return progress.known(image).steps().getFirst();
    }

    /// The checks of one image.
    private final class Image {
        private final Path directory;
        private final int number;
        private final long steps;
        private final List<String> wrong = new ArrayList<>();

        Image(Path directory, int number, long steps) {
            this.directory = directory;
            this.number = number;
            this.steps = steps;
        }

        void check(String which) throws IOException {
            if (Child.isFreeing(steps)) {
                killedMeanwhile++;
            }
            Map<Child.Piece, Boolean> found = checkImage(false);
            assertThat(wrong).as("%s", which).isEmpty();
            Map<Child.Piece, Boolean> expected = continueWith(found);
            assertThat(wrong).as("reopened, %s", which).isEmpty();
            assertThat(checkImage(true)).as("after reopening, %s", which).isEqualTo(expected);
            assertThat(wrong).as("after reopening, %s", which).isEmpty();
        }

        /// @param isReopened whether the next owner may have freed pieces
        /// @return whether each piece is live
        private Map<Child.Piece, Boolean> checkImage(boolean isReopened) throws IOException {
            Map<Child.Piece, Boolean> found = new HashMap<>();
            try (ArenaImage image = ArenaImage.open(ImageChild.base(directory, number));
                    Arena arena = Arena.ofConfined()) {
                image.integrity()
                        .problems()
                        .filter(problem -> !problem.isNote())
                        .forEach(problem -> wrong.add(problem.toString()));
                for (Allocation allocation : image.allocations().toList()) {
                    if (!allocation.isLive() && !Files.exists(image.file(allocation.file()))) {
                        found.put(Child.Piece.of(allocation), false);
                        continue;
                    }
                    MemorySegment memory = image.segment(allocation, arena);
                    if (allocation.name().filter(name -> name.startsWith("later")).isPresent()) {
                        expect(InDirectory.isFilled(memory, -1), "contents of " + allocation);
                        continue;
                    }
                    Child.Piece piece = Child.Piece.of(allocation);
                    expect(piece.mayBeAllocated(steps) && piece.isRecordedBy(allocation), "false record " + allocation);
                    expect(found.put(piece, allocation.isLive()) == null, "recorded twice " + allocation);
                    if (allocation.isLive() || !isReopened) {
                        check(piece, allocation.isLive(), memory);
                    } else {
                        expect(InDirectory.isFilled(memory, 0), "contents of freed " + piece);
                    }
                }
            }
            for (int n = 0; new Child.Piece(n).isAllocated(steps); n++) {
                expect(found.containsKey(new Child.Piece(n)), "lost " + n);
            }
            return found;
        }

        private void check(Child.Piece piece, boolean isLive, MemorySegment memory) {
            expect(isLive ? !piece.isFreed(steps) : piece.mayBeFreed(steps), "state of " + piece);
            if (isLive && piece.isWritten(steps)) {
                expect(InDirectory.isFilled(memory, piece.value()), "contents of live " + piece);
            } else {
                expect(isFilledWithEither(memory, piece.value()), "contents of freed or unfinished " + piece);
            }
        }

        /// Continues as the next owner: checks and frees the memory of the previous owner, and allocates.
        ///
        /// @return whether each piece is live afterwards
        private Map<Child.Piece, Boolean> continueWith(Map<Child.Piece, Boolean> found) {
            Map<Child.Piece, Boolean> left = new HashMap<>(found);
            try (InfiniteArena arena = Child.builder(directory, number).reopen()) {
                for (int i = 0; i < 4; i++) {
                    MemorySegment memory = arena.names().allocate("later" + i, JAVA_BYTE, i % 2 == 0 ? 1_000 : 3 << 20);
                    expect(InDirectory.isFilled(memory, 0), "not zeroed: later" + i);
                    memory.fill((byte) -1);
                }
                found.forEach((piece, isLive) -> {
                    MemorySegment memory = arena.names().find(Integer.toString(piece.n())).orElse(null);
                    if (memory != null) {
                        expect(isLive, "found though freed: " + piece);
                        check(piece, true, memory);
                        if (piece.n() % 2 == 0) {
                            arena.free(memory);
                            arena.force();
                            expect(InDirectory.isFilled(memory, 0), "contents after free: " + piece);
                            left.put(piece, false);
                        }
                    }
                });
            }
            return left;
        }

        private void expect(boolean condition, String otherwise) {
            if (!condition) {
                wrong.add(otherwise);
            }
        }
    }

    private static boolean isFilledWithEither(MemorySegment memory, byte value) {
        for (byte found : memory.toArray(JAVA_BYTE)) {
            if (found != 0 && found != value) {
                return false;
            }
        }
        return true;
    }

    /// Allocates and frees by segment in images of all kinds, in a process of its own, until it is killed.
    static final class Child {
        /// The arenas of [#builder] by their numbers: plain and chunked, sparse and reserved.
        static final int IMAGES = 4;
        static final int PIECES = 40;

        /// The number of allocations from the allocation of a piece to its end.
        private static final int LIFETIME = 4;

        private Child() {}

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
                        ? arena.names().allocate(Integer.toString(n), JAVA_BYTE, byteSize())
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

        static InfiniteArenaBuilder builder(Path directory, int image) {
            InfiniteArenaBuilder builder = InfiniteArena.builder(ImageChild.base(directory, image));
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
}
