package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
import static org.assertj.core.api.Assertions.assertThat;

/// Tests the image of a process that is killed while its threads allocate. It contains each allocation that had
/// returned, and nothing wrong.
class ImageKillTest {
    /// Time for some hundred allocations.
    private static final int LONGEST_PAUSE_MICROS = 40_000;

    private final AtomicInteger checked = new AtomicInteger();

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
                image.problems()
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
                checkOverlaps(all);
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

        private void checkOverlaps(List<Allocation> all) {
            Map<Integer, List<Allocation>> files = all.stream().collect(Collectors.groupingBy(Allocation::file));
            files.values().forEach(inFile -> {
                inFile.sort(Comparator.comparingLong(Allocation::byteOffset));
                for (int i = 1; i < inFile.size(); i++) {
                    Allocation before = inFile.get(i - 1);
                    expect(before.byteOffset() + before.byteSize() <= inFile.get(i).byteOffset(),
                            "overlap " + before + " " + inFile.get(i));
                }
            });
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
                    MemorySegment memory = arena.allocate(name, JAVA_BYTE, 1_000);
                    expect(memory.mismatch(MemorySegment.ofArray(new byte[1_000])) < 0, "not zeroed: " + name);
                    memory.fill((byte) i);
                }
                for (String name : live.keySet()) {
                    // Plain images have a mapping for each.
                    if (mappings++ < 1_000) {
                        ImagePiece piece = ImagePiece.ofName(name);
                        MemorySegment memory = arena.find(name, piece.type().orElseThrow()).orElseThrow();
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
}
