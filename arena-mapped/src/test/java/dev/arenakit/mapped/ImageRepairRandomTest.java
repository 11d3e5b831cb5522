package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests the repair of catalogs that were changed at random. The images are in shared memory, because finding the holes
/// of new files is slow on disks.
@Tag("full")
class ImageRepairRandomTest extends InDirectory {
    private final Path to = directory.resolve("copy");

    private static List<Allocation> allocations(Path base) throws IOException {
        return read(ArenaImage.open(base), image -> image.allocations().toList());
    }

    @Test
    void repair_changedAtRandom_keepsAllThatIsListedAndVerifies() throws IOException {
        repair(20);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void repair_changedAThousandTimes_keepsAllThatIsListedAndVerifies() throws IOException {
        repair(1_000);
    }

    private void repair(int mutations) throws IOException {
        ImageCorruption corruption = new ImageCorruption(directory);
        int repaired = 0;
        for (int seed = 0; seed < mutations; seed++) {
            corruption.write(corruption.change(new SplittableRandom(seed)));
            List<Allocation> listed;
            try {
                listed = allocations(base);
            } catch (IOException _) {
                listed = List.of();
            }
            List<ImageFiles.Repair> repairs;
            try {
                repairs = ImageFiles.repair(base, to);
            } catch (IOException _) {
                assertThat(listed).as("seed=" + seed).isEmpty();
                continue;
            }
            repaired++;
            try (ArenaImage image = ArenaImage.open(to)) {
                assertThat(image.integrity().problems()).as("seed=" + seed + " " + repairs).isEmpty();
            }
            assertThat(allocations(to)).as("seed=" + seed + " " + repairs)
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("isLive")
                    .containsAll(listed);
            ImageFiles.delete(to);
        }
        assertThat(repaired).isGreaterThan(mutations * 9 / 10 - 1);
    }
}
