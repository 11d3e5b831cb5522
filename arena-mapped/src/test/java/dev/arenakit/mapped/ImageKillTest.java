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
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/// Tests the image of a process that is killed while its threads allocate, make allocations of several files, or seal.
/// The image contains each allocation that had returned and the last complete seal, and nothing wrong.
class ImageKillTest {
    /// Time for some hundred allocations.
    private static final int LONGEST_PAUSE_MICROS = 40_000;
    private final AtomicInteger checked = new AtomicInteger();
    private static final int LONGEST_COLOSSAL_PAUSE_MICROS = 30_000;
    private static final int LONGEST_SEALER_PAUSE_MICROS = 20_000;
    private static final int PIECES = 300;
    private static final int PLAIN = 0;
    private static final int CHUNKED = 3;

    @Test
    void kill_atRandomPoints_leavesAllCompletedAllocations() throws Exception {
        kill(5, 2);
        assertThat(checked).hasPositiveValue();
    }

    @Test
    @Tag("slow")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void kill_atAThousandRandomPoints_leavesAllCompletedAllocations() throws Exception {
        kill(1_000, 2);
        assertThat(checked).hasValueGreaterThan(20_000);
    }

    private void kill(int rounds, int atOnce) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(atOnce)) {
            for (int round = 0; round < rounds; round++) {
                int seed = round;
                running.add(executor.submit(() -> {
                    killOnce(seed);
                    return null;
                }));
            }
        }
        for (Future<?> round : running) {
            round.get();
        }
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
                    Images images = new Images(base, progress.known(image));
                    assertThat(images.check(writer.pid(), 1)).as("seed=%d, image=%d", seed, image).isEmpty();
                    assertThat(images.reopen()).as("reopened, seed=%d, image=%d", seed, image).isEmpty();
                    assertThat(images.check(ProcessHandle.current().pid(), 2))
                            .as("after reopening, seed=%d, image=%d", seed, image)
                            .isEmpty();
                }
            }
        }
        TestFileSystem.remove(directory);
    }

    /// The checks of one image. Each of them returns what is wrong.
    private final class Images {
        private final Path base;
        private final ImageProgress.Known known;
        private final List<String> wrong = new ArrayList<>();
        /// Names of allocations that were made after the image was reopened.
        private final Set<String> later = new HashSet<>();

        Images(Path base, ImageProgress.Known known) {
            this.base = base;
            this.known = known;
        }

        List<String> check(long owner, int owners) throws IOException {
            wrong.clear();
            try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
                expect(!image.ownerIsAlive(), "owner is alive");
                expect(image.owners().size() == owners && image.owners().getLast().pid() == owner,
                        "owners " + image.owners());
                image.integrity()
                        .problems()
                        .filter(problem -> !problem.description().startsWith("Records were not finished")
                                && !problem.description().startsWith("Data file was not used"))
                        .forEach(problem -> wrong.add(problem.toString()));
                List<Allocation> all = image.allocations().toList();
                Set<ImagePiece> found = new HashSet<>();
                for (Allocation allocation : all) {
                    if (allocation.name().filter(later::contains).isEmpty()) {
                        check(allocation, image.segment(allocation, arena), found);
                    }
                }
                for (int thread = 0; thread < ImagePiece.THREADS; thread++) {
                    for (int n = 0; n < known.allocated(thread); n++) {
                        expect(found.contains(new ImagePiece(thread, n)), "lost " + thread + "-" + n);
                        checked.incrementAndGet();
                    }
                }
                wrong.addAll(ImagePiece.overlaps(all));
            }
            return wrong;
        }

        private void check(Allocation allocation, MemorySegment memory, Set<ImagePiece> found) {
            ImagePiece piece = allocation.name()
                    .map(ImagePiece::ofName)
                    .orElseGet(() -> ImagePiece.ofSize(allocation.byteSize()));
            expect(piece.isRecordedBy(allocation), "false record " + allocation);
            expect(known.mayBeAllocated(piece), "nobody made " + allocation);
            expect(found.add(piece), "recorded twice " + allocation);
            expect(allocation.isLive() ? !known.isFreed(piece) : known.mayBeFreed(piece), "state of " + allocation);
            expect(!known.isWritten(piece) || piece.isWritten(memory), "contents of " + allocation);
        }

        List<String> reopen() throws IOException {
            wrong.clear();
            Map<String, Allocation> live;
            try (ArenaImage image = ArenaImage.open(base)) {
                live = image.allocations()
                        .filter(allocation -> allocation.isLive() && allocation.name().isPresent())
                        .collect(Collectors.toMap(allocation -> allocation.name().orElseThrow(), Function.identity()));
            }
            int mappings = 0;
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                for (int i = 0; i < 20; i++) {
                    String name = "later-" + i;
                    later.add(name);
                    MemorySegment memory = arena.names().allocate(name, JAVA_BYTE, 1_000);
                    expect(memory.mismatch(MemorySegment.ofArray(new byte[1_000])) < 0, "not zeroed: " + name);
                    memory.fill((byte) i);
                }
                for (String name : live.keySet()) {
                    // Plain images have a mapping for each.
                    if (mappings++ < 1_000) {
                        ImagePiece piece = ImagePiece.ofName(name);
                        MemorySegment memory = arena.names().find(name, piece.type().orElseThrow()).orElseThrow();
                        expect(!known.isWritten(piece) || piece.isWritten(memory), "contents of " + name);
                    }
                }
            }
            return wrong;
        }

        private void expect(boolean condition, String otherwise) {
            if (!condition) {
                wrong.add(otherwise);
            }
        }
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
            assertThat(found.integrity()
                    .problems()
                    .map(ImageIntegrity.Problem::description)
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

    @Test
    @Tag("full")
    void read_whileOthersWrite_seesCompleteRecordsAndMoreEachTime() throws Exception {
        Path directory = TestFileSystem.BUILD.newDirectory();
        Process writer = ChildJvm.denied()
                .command(ImageChild.class, "write-some", directory.toString(), "" + PIECES, "" + PLAIN,
                        "" + CHUNKED)
                .start();
        try (Arena arena = Arena.ofConfined(); BufferedReader output = writer.inputReader()) {
            ImageProgress progress = new ImageProgress(ImageChild.progress(directory), arena);
            while (!progress.isBuilt(PLAIN) || !progress.isBuilt(CHUNKED)) {
                Thread.onSpinWait();
                assertThat(writer.isAlive()).isTrue();
            }
            try (ArenaImage plain = ArenaImage.open(ImageChild.base(directory, PLAIN));
                    ArenaImage chunked = ArenaImage.open(ImageChild.base(directory, CHUNKED))) {
                Set<ImagePiece> inPlain = Set.of();
                Set<ImagePiece> inChunked = Set.of();
                boolean isDone = false;
                while (!isDone) {
                    // Check before the last pass.
                    isDone = output.ready() && output.readLine().equals("done");
                    inPlain = look(plain, inPlain, progress, PLAIN);
                    inChunked = look(chunked, inChunked, progress, CHUNKED);
                }
                assertThat(inPlain).hasSizeGreaterThan(100 * ImagePiece.THREADS);
                assertThat(inChunked).hasSize(PIECES * ImagePiece.THREADS);
            }
        } finally {
            writer.destroyForcibly().waitFor();
            TestFileSystem.remove(directory);
        }
    }

    /// @return the pieces that were found
    private static Set<ImagePiece> look(ArenaImage image, Set<ImagePiece> before, ImageProgress progress, int number)
            throws IOException {
        assertThat(image.integrity().problems()).isEmpty();
        assertThat(image.ownerIsAlive()).isTrue();
        assertThat(image.owners()).singleElement().matches(owner -> !owner.isClosed());
        ImageProgress.Known known = progress.known(number);
        List<Allocation> all = image.allocations().toList();
        ImageProgress.Known later = progress.known(number);
        Set<ImagePiece> pieces = new HashSet<>();
        for (Allocation allocation : all) {
            ImagePiece piece = piece(allocation);
            boolean isRight = pieces.add(piece) && piece.isRecordedBy(allocation) && later.mayBeAllocated(piece)
                    && (allocation.isLive() ? !known.isFreed(piece) : later.mayBeFreed(piece));
            assertThat(isRight).as("%s as %s", piece, allocation).isTrue();
        }
        for (int thread = 0; thread < ImagePiece.THREADS; thread++) {
            for (int n = 0; n < known.allocated(thread); n++) {
                ImagePiece piece = new ImagePiece(thread, n);
                if (!pieces.contains(piece)) {
                    fail("Not there: " + piece);
                }
            }
        }
        assertThat(pieces.containsAll(before)).as("what was there before").isTrue();
        findLast(image, known);
        return pieces;
    }

    /// The last piece of each thread that is not freed.
    private static void findLast(ArenaImage image, ImageProgress.Known known) throws IOException {
        for (int thread = 0; thread < ImagePiece.THREADS; thread++) {
            ImagePiece piece = new ImagePiece(thread, known.allocated(thread) - 1);
            if (piece.n() >= 0 && piece.isNamed() && !piece.isFreed()) {
                assertThat(image.find(piece.name().orElseThrow())).hasValueSatisfying(
                        found -> assertThat(piece.isRecordedBy(found)).isTrue());
            }
        }
    }

    private static ImagePiece piece(Allocation allocation) {
        return allocation.name().map(ImagePiece::ofName).orElseGet(() -> ImagePiece.ofSize(allocation.byteSize()));
    }
}
