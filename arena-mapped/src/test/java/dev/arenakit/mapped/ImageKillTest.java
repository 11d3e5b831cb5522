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
import dev.arenakit.testing.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests the image of a process that is killed while its threads allocate, make allocations of several files, or seal.
/// The image contains each allocation that had returned and the last complete seal, and nothing wrong.
class ImageKillTest {
    /// Time for some hundred allocations.
    private static final int LONGEST_PAUSE_MICROS = 40_000;
    private final AtomicInteger checked = new AtomicInteger();
    private static final int LONGEST_COLOSSAL_PAUSE_MICROS = 30_000;
    private static final int LONGEST_SEALER_PAUSE_MICROS = 20_000;

    @Test
    void kill_atRandomPoints_leavesAllCompletedAllocations() throws Exception {
        kill(2);
        assertThat(checked).hasPositiveValue();
    }

    @Test
    @Tag("slow")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void kill_atAThousandRandomPoints_leavesAllCompletedAllocations() throws Exception {
        kill(1_000);
        assertThat(checked).hasValueGreaterThan(20_000);
    }

    private void kill(int rounds) {
        Threads.race(2, thread -> {
            for (int seed = thread; seed < rounds; seed += 2) {
                killOnce(seed);
            }
        });
    }

    private void killOnce(int seed) throws Exception {
        Path directory = (seed % 2 == 0 ? TestFileSystem.BUILD : TestFileSystem.SHARED_MEMORY).newDirectory();
        try (Arena arena = Arena.ofShared()) {
            ImageProgress progress = new ImageProgress(ImageChild.progress(directory), arena);
            Process writer = ChildJvm.denied().command(ImageChild.class, "write", directory.toString()).start();
            try (BufferedReader output = writer.inputReader()) {
                assertThat(output.readLine()).isEqualTo("ready");
                // One process in five may be killed while it builds its arenas.
                while (seed % 5 != 4 && progress.known(seed % ImageChild.IMAGES).allocated(0) == 0) {
                    TimeUnit.MICROSECONDS.sleep(200);
                }
                TimeUnit.MICROSECONDS.sleep(new SplittableRandom(seed).nextInt(LONGEST_PAUSE_MICROS));
            } finally {
                writer.destroyForcibly();
            }
            assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
            for (int image = 0; image < ImageChild.IMAGES; image++) {
                // An image whose arena was not built completely may be damaged or missing.
                if (progress.isBuilt(image)) {
                    Path base = ImageChild.base(directory, image);
                    ImageProgress.Known known = progress.known(image);
                    checkOwners(base, writer.pid());
                    assertThat(new WrittenImage(base, known, 0, known).check(seed)).as("seed=%d, image=%d", seed, image)
                            .isEmpty();
                    checkOwners(base, writer.pid(), ProcessHandle.current().pid());
                    checked.addAndGet(IntStream.range(0, ImagePiece.THREADS).map(known::allocated).sum());
                }
            }
        }
        TestFileSystem.remove(directory);
    }

    private static void checkOwners(Path base, Long... pids) throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.ownerIsAlive()).isFalse();
            assertThat(image.owners()).extracting(OwnerRecord::pid).containsExactly(pids);
            assertThat(image.integrity().problems().filter(ImageKillTest::isOfNoKill)).isEmpty();
        }
    }

    private static boolean isOfNoKill(ImageIntegrity.Problem problem) {
        return !problem.description().startsWith("Records were not finished")
                && !problem.description().startsWith("Data file was not used");
    }

    @Test
    @Tag("full")
    void kill_whileAllocatingInSeveralFiles_leavesImagesThatCanBeReopened() throws Exception {
        for (int seed = 0; seed < 2; seed++) {
            killColossalOnce(seed);
        }
    }

    @Test
    @Tag("full")
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void kill_twoHundredTimesWhileAllocatingInSeveralFiles_leavesImagesThatCanBeReopened() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            killColossalOnce(seed);
        }
    }

    private static void killColossalOnce(int seed) throws Exception {
        Path directory = TestFileSystem.BUILD.newDirectory();
        TestFileSystem.assumeExt4(directory);
        Path output = directory.resolve("output");
        String printed = KilledWriter.kill(
                ChildJvm.granted().command(ImageChild.class, "colossal", directory.toString()),
                output, 1, new SplittableRandom(seed).nextInt(LONGEST_COLOSSAL_PAUSE_MICROS));
        int completed = (int) printed.lines().count() - 1;
        for (int image = 0; image <= completed; image++) {
            checkColossal(ImageChild.base(directory, image), image);
        }
        checkLast(ImageChild.base(directory, completed + 1), completed + 1);
        TestFileSystem.remove(directory);
    }

    private static void checkColossal(Path base, int image) throws IOException {
        try (ArenaImage found = ArenaImage.open(base)) {
            assertThat(found.integrity().problems()).isEmpty();
            assertThat(found.find("colossal").orElseThrow().parts()).hasSize(3);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            checkContents(arena.names().get("colossal"), image);
        }
    }

    /// Checks the image that was being made, if the process had got so far.
    private static void checkLast(Path base, int image) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            Optional<MemorySegment> found = arena.names().find("colossal");
            assertThat(found.isEmpty() || found.get().byteSize() == ImageChild.COLOSSAL).isTrue();
            MemorySegment other = arena.names().allocate("other", JAVA_INT, ImageChild.COLOSSAL / Integer.BYTES);
            other.set(JAVA_INT, 0, image + 1);
            other.set(JAVA_INT, other.byteSize() - Integer.BYTES, image + 1);
            checkContents(other, image);
        }
        try (ArenaImage found = ArenaImage.open(base)) {
            assertThat(found.integrity().problems().filter(ImageKillTest::isOfNoKill)).isEmpty();
        }
    }

    private static void checkContents(MemorySegment memory, int image) {
        assertThat(memory.byteSize()).isEqualTo(ImageChild.COLOSSAL);
        assertThat(memory.get(JAVA_INT, 0)).isEqualTo(image + 1);
        assertThat(memory.get(JAVA_INT, memory.byteSize() - Integer.BYTES)).isEqualTo(image + 1);
    }

    @Test
    @Tag("full")
    void kill_whileSealing_leavesACompleteSeal() throws Exception {
        for (int seed = 0; seed < 3; seed++) {
            killSealerOnce(seed);
        }
    }

    @Test
    @Tag("full")
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void kill_twoHundredTimesWhileSealing_leavesACompleteSeal() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            killSealerOnce(seed);
        }
    }

    private static void killSealerOnce(int seed) throws Exception {
        Path directory = TestFileSystem.SHARED_MEMORY.newDirectory();
        Path base = directory.resolve("memory");
        Path output = directory.resolve("output");
        String printed = KilledWriter.kill(ChildJvm.denied().command(SealChild.class, "record", base.toString()),
                output, 1,
                new SplittableRandom(seed).nextInt(LONGEST_SEALER_PAUSE_MICROS));
        checkSeal(base, (int) printed.chars().filter(character -> character == '\n').count());
        TestFileSystem.remove(directory);
    }

    private static void checkSeal(Path base, int completed) throws IOException {
        try (ArenaImage image = ArenaImage.open(base);
                CatalogReader catalog = CatalogReader.open(ImageFiles.catalog(base))) {
            Allocation allocation = image.allocations().findFirst().orElseThrow();
            assertThat(image.integrity().seal(allocation)).isPresent();
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
                MemorySegment data = arena.names().allocate("data", JAVA_LONG, 1 << 12);
                data.fill((byte) 1);
                arena.names().seal("data");
                for (int i = 0; i < 1 << 20; i++) {
                    arena.names().seal("data");
                }
            } catch (DiskFullException e) {
                System.out.println(e.getMessage());
                try (ArenaImage image = ArenaImage.open(base)) {
                    Allocation data = image.find("data").orElseThrow();
                    System.out.println((image.integrity().seal(data).isPresent() ? "sealed, " : "")
                            + (image.integrity().damage(data).isEmpty()
                                    ? "undamaged"
                                    : "")
                            + ", problems: " + image.integrity().problems().toList());
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
