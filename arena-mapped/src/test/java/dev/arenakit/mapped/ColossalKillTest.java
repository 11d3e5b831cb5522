package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests the images of a process that is killed while it makes allocations with several data files. Each allocation
/// that had returned is there as a whole, and an image without it can be reopened.
@Tag("full")
class ColossalKillTest {
    private static final int LONGEST_PAUSE_MICROS = 30_000;

    @Test
    void kill_atRandomPoints_leavesImagesThatCanBeReopened() throws Exception {
        for (int seed = 0; seed < 2; seed++) {
            killOnce(seed);
        }
    }

    @Test
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void kill_atTwoHundredRandomPoints_leavesImagesThatCanBeReopened() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            killOnce(seed);
        }
    }

    private static void killOnce(int seed) throws Exception {
        Path directory = TestFileSystem.BUILD.newDirectory();
        TestFileSystem.assumeExt4(directory);
        Path output = directory.resolve("output");
        Process writer = ChildJvm.granted()
                .command(ImageChild.class, "colossal", directory.toString())
                .redirectOutput(output.toFile())
                .start();
        while (Files.size(output) == 0) {
            assertThat(writer.isAlive()).isTrue();
            TimeUnit.MILLISECONDS.sleep(1);
        }
        TimeUnit.MICROSECONDS.sleep(new SplittableRandom(seed).nextInt(LONGEST_PAUSE_MICROS));
        writer.destroyForcibly();
        assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
        int completed = (int) Files.readString(output).lines().count() - 1;
        for (int image = 0; image <= completed; image++) {
            check(ImageChild.base(directory, image), image);
        }
        checkLast(ImageChild.base(directory, completed + 1), completed + 1);
        TestFileSystem.remove(directory);
    }

    private static void check(Path base, int image) throws IOException {
        try (ArenaImage found = ArenaImage.open(base)) {
            assertThat(found.problems()).isEmpty();
            assertThat(found.find("colossal").orElseThrow().parts()).hasSize(3);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            checkContents(arena.get("colossal"), image);
        }
    }

    /// Checks the image that was being made, if the process had got so far.
    private static void checkLast(Path base, int image) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            Optional<MemorySegment> found = arena.find("colossal");
            assertThat(found.isEmpty() || found.get().byteSize() == ImageChild.COLOSSAL).isTrue();
            MemorySegment other = arena.allocate("other", JAVA_INT, ImageChild.COLOSSAL / Integer.BYTES);
            other.set(JAVA_INT, 0, image + 1);
            other.set(JAVA_INT, other.byteSize() - Integer.BYTES, image + 1);
            checkContents(other, image);
        }
        try (ArenaImage found = ArenaImage.open(base)) {
            assertThat(found.problems()
                    .map(ImageProblem::description)
                    .filter(problem -> !problem.startsWith("Records were not finished")
                            && !problem.startsWith("Data file was not used")))
                    .isEmpty();
        }
    }

    private static void checkContents(MemorySegment memory, int image) {
        assertThat(memory.byteSize()).isEqualTo(ImageChild.COLOSSAL);
        assertThat(memory.get(JAVA_INT, 0)).isEqualTo(image + 1);
        assertThat(memory.get(JAVA_INT, memory.byteSize() - Integer.BYTES)).isEqualTo(image + 1);
    }
}
