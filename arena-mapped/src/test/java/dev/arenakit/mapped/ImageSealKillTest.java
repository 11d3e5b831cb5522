package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.BlockSums;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.catalog.SealReader;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.image.AllocationSealer;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
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

    /// Seals in a process of its own.
    static final class SealChild {
        /// Enough for several texts.
        static final int BLOCKS = 2_500;

        private SealChild() {}

        public static void main(String[] arguments) throws IOException {
            ChildJvm.endWithParent();
            switch (arguments[0]) {
                case "fill" -> fill(Path.of(arguments[1], "memory"));
                case "record" -> record(Path.of(arguments[1]));
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }

        /// Seals until the disk is full, and prints what is valid then.
        private static void fill(Path base) throws IOException {
            try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1L << 30).build()) {
                MemorySegment data = arena.allocate("data", JAVA_LONG, 1 << 12);
                data.fill((byte) 1);
                arena.seal("data");
                for (int i = 0; i < 1 << 20; i++) {
                    arena.seal("data");
                }
            } catch (DiskFullException e) {
                System.out.println(e.getMessage());
                try (ArenaImage image = ArenaImage.open(base)) {
                    Allocation data = image.find("data").orElseThrow();
                    System.out.println((image.seal(data).isPresent() ? "sealed, " : "") + (image.damage(data).isEmpty()
                            ? "undamaged"
                            : "") + ", problems: " + image.problems().toList());
                }
            }
        }

        /// Records seals until the process is killed. All checksums of the n-th one are n. Prints n afterwards.
        private static void record(Path base) throws IOException {
            CatalogWriter catalog = CatalogWriter.create(base, Arena.global(), CatalogLevel.SIZES, 0,
                    FileMode.OWNER_ONLY);
            int line = catalog.reserve();
            long byteSize = BLOCKS * BlockSums.BLOCK;
            catalog.addWhole(line, 0, byteSize, 0, 1, CatalogEntry.Text.NONE, CatalogEntry.Text.NONE);
            Allocation allocation = new Allocation(line * CatalogFormat.LINE / CatalogFormat.SLOT, Optional.empty(),
                    Optional.empty(), 0, 0, byteSize, 0, 1, true, Optional.empty(), OptionalLong.empty(),
                    OptionalLong.empty(), OptionalLong.empty());
            for (int n = 1;; n++) {
                BlockSums sums = new BlockSums();
                for (int block = 0; block < BLOCKS; block++) {
                    sums.add(block, n);
                }
                new AllocationSealer(base, catalog).record(allocation, sums);
                System.out.println(n);
            }
        }
    }
}
