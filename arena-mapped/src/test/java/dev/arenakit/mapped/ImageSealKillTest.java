package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.BlockSums;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.SealReader;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests the image of a process that is killed while it seals. Its last complete seal is valid, and no other one.
@Tag("full")
class ImageSealKillTest {
    private static final int LONGEST_PAUSE_MICROS = 20_000;

    @Test
    void kill_whileSealing_leavesACompleteSeal() throws Exception {
        for (int seed = 0; seed < 3; seed++) {
            killOnce(seed);
        }
    }

    @Test
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void kill_twoHundredTimesWhileSealing_leavesACompleteSeal() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            killOnce(seed);
        }
    }

    private static void killOnce(int seed) throws Exception {
        Path directory = TestFileSystem.SHARED_MEMORY.newDirectory();
        Path base = directory.resolve("memory");
        Path output = directory.resolve("output");
        Process sealer = ChildJvm.denied()
                .command(SealChild.class, "record", base.toString())
                .redirectOutput(output.toFile())
                .start();
        try {
            while (Files.size(output) == 0) {
                assertThat(sealer.isAlive()).isTrue();
                TimeUnit.MILLISECONDS.sleep(1);
            }
            TimeUnit.MICROSECONDS.sleep(new SplittableRandom(seed).nextInt(LONGEST_PAUSE_MICROS));
        } finally {
            sealer.destroyForcibly();
        }
        assertThat(sealer.waitFor(60, TimeUnit.SECONDS)).isTrue();
        check(base, (int) Files.readString(output).chars().filter(character -> character == '\n').count());
        TestFileSystem.remove(directory);
    }

    private static void check(Path base, int completed) throws IOException {
        try (ArenaImage image = ArenaImage.open(base);
                CatalogReader catalog = CatalogReader.open(ImageFiles.catalog(base))) {
            Allocation allocation = image.allocations().findFirst().orElseThrow();
            assertThat(image.seal(allocation)).isPresent();
            BlockSums sums = Objects.requireNonNull(new SealReader(catalog).sums(allocation));
            assertThat(sums.count()).isEqualTo(SealChild.BLOCKS);
            for (int i = 0; i < sums.count(); i++) {
                assertThat(sums.block(i)).isEqualTo(i);
                assertThat(sums.sum(i)).isEqualTo(sums.sum(0));
            }
            assertThat(sums.sum(0)).isBetween(completed, completed + 1);
        }
    }
}
