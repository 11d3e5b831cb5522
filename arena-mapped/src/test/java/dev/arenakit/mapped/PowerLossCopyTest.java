package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
                .command(PowerLossCopyChild.class, disk.root().toString(), Integer.toString(seed))
                .start();
        List<String> output = child.inputReader().readAllLines();
        child.waitFor();
        List<String> reported = new ArrayList<>(output);
        disk.restart();
        int copies = 0;
        for (int number = 0; number <= reported.size(); number++) {
            Path copy = PowerLossCopyChild.copy(disk.root(), number);
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
            assertThat(image.problems().filter(problem -> !problem.isNote())).as(description).isEmpty();
            MemorySegment values = image.segment(image.find("values").orElseThrow(), arena);
            assertThat(values.byteSize()).as(description).isEqualTo(PowerLossCopyChild.LONGS * JAVA_LONG.byteSize());
            for (long i = 0; i < PowerLossCopyChild.LONGS; i++) {
                if (values.getAtIndex(JAVA_LONG, i) != PowerLossCopyChild.value(i)) {
                    assertThat(i).as(description).isEqualTo(-1);
                }
            }
        }
    }
}
