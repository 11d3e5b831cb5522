package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests copies of an image whose owner, another process, allocates and writes meanwhile. A copy has all data files of
/// the allocations that it lists, and gives zeroed memory when it is reopened.
class ImageLiveCopyTest extends InDirectory {
    private static final int COPIES_OF_A_PROCESS = 6;
    private static final int ALLOCATIONS = 50;
    private final List<String> wrong = new ArrayList<>();
    private int readable;
    private final Path copy = directory.resolve("copy");

    /// On a disk, the steps of the owner take longer than in memory, and more copies fall between them.
    ImageLiveCopyTest() {
        super(TestFileSystem.BUILD);
    }

    /// Some of 12 copies would be wrong if the order of steps was. It takes 2 seconds.
    @Test
    @Tag("full")
    void copyTo_whileTheOwnerAllocates_isCompleteAndGivesZeroedMemory() throws Exception {
        copy(2);
        assertThat(wrong).isEmpty();
        assertThat(readable).isPositive();
    }

    @Test
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void copyTo_manyTimesWhileTheOwnerAllocates_isCompleteAndGivesZeroedMemory() throws Exception {
        copy(16);
        assertThat(wrong).isEmpty();
        assertThat(readable).isGreaterThan(1_000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void copyTo_whileAllocationsAreFreed_hasThemAsFreed(boolean isPlain) throws IOException {
        TestFileSystem.assumeHoles(directory);
        InfiniteArenaBuilder builder = InfiniteArena.builder(base);
        try (InfiniteArena arena = (isPlain ? builder : builder.chunked()).build()) {
            arena.names().allocate("first", ValueLayout.JAVA_BYTE, 4 << 20).fill((byte) 1);
            MemorySegment unnamed = arena.allocate(2 << 20, 8).fill((byte) 2);
            arena.allocate(8, 8).fill((byte) 3);
            arena.names().allocate("name", ValueLayout.JAVA_BYTE, 4 << 20).fill((byte) 4);
            boolean[] isFreed = {false};
            try (ArenaImage image = ArenaImage.open(base)) {
                image.copyTo(copy, _ -> {
                    if (!isFreed[0] && Files.exists(ImageFiles.data(copy, 0))) {
                        isFreed[0] = true;
                        arena.free(unnamed);
                        arena.names().free("name");
                        arena.names().allocate("name", ValueLayout.JAVA_BYTE, 1).fill((byte) 5);
                        arena.allocate(8, 8).fill((byte) 6);
                    }
                });
            }
            assertThat(isFreed[0]).isTrue();
            try (ArenaImage image = ArenaImage.open(copy)) {
                assertThat(image.allocations().map(Allocation::isLive)).containsExactly(true, false, true, false);
                assertThat(image.integrity().problems()).isEmpty();
            }
            try (InfiniteArena reopened = InfiniteArena.builder(copy).reopen()) {
                assertThat(reopened.names()
                        .allocate("name", ValueLayout.JAVA_BYTE, 4 << 20)
                        .mismatch(
                                MemorySegment.ofArray(new byte[4 << 20])))
                        .isEqualTo(-1);
            }
        }
    }

    /// A value that is replaced in its place changes neither the root nor the generation.
    @Test
    @Tag("full")
    void copyTo_whileAValueOfATreeIsReplaced_isNotTakenForComplete() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).build(); ArenaImage image = ArenaImage.open(base)) {
            ImageLongTree tree = arena.structures().longTree("tree");
            for (long key = 0; key < 200_000; key++) {
                tree.put(key, 0);
            }
            image.copyTo(copy, _ -> {
                if (Files.exists(ImageFiles.data(copy, 0))) {
                    tree.put(199_999, 1);
                }
            });
            using(ArenaImage.open(copy),
                    copied -> assertThat(copied.entries(copied.find("tree").orElseThrow()).orElseThrow().state())
                            .isEqualTo(StructureState.FORCED));
        }
    }

    @Test
    void copyTo_ofHolesAlone_canBeEnded() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            arena.names().allocate("holes", ValueLayout.JAVA_BYTE, 4 << 20);
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThatThrownBy(() -> image.copyTo(copy, _ -> {
                    if (Files.exists(ImageFiles.data(copy, 0))) {
                        throw new CancellationException();
                    }
                })).isInstanceOf(CancellationException.class);
            }
            assertThat(TestFileSystem.names(directory)).noneMatch(name -> name.startsWith("copy"));
        }
    }

    private void copy(int processes) throws Exception {
        for (int i = 0; i < processes; i++) {
            Path process = Files.createDirectory(directory.resolve("process"));
            copyImageOfAProcess(process, i % 2 == 0);
            TestFileSystem.remove(process);
        }
    }

    private void copyImageOfAProcess(Path process, boolean isPlain) throws Exception {
        Path image = process.resolve("image");
        Path progressFile = process.resolve("progress");
        Process owner = ChildJvm.denied()
                .command(LiveImageChild.class, image.toString(), Boolean.toString(isPlain),
                        progressFile.toString())
                .start();
        try (Arena arena = Arena.ofShared(); BufferedReader output = owner.inputReader()) {
            ImageProgress progress = new ImageProgress(progressFile, arena);
            assertThat(output.readLine()).isEqualTo("writing");
            int readableBefore = readable;
            // On a busy machine, the owner may make its first allocation late.
            for (int i = 0; i < COPIES_OF_A_PROCESS || readable == readableBefore; i++) {
                assertThat(owner.isAlive()).isTrue();
                Path each = process.resolve("copy" + i);
                ImageProgress.Known before = progress.known(0);
                using(ArenaImage.open(image), live -> live.copyTo(each));
                String where = (isPlain ? "plain" : "chunked") + " copy " + i + ": ";
                check(each, before, where);
                reopen(each, where);
                ImageFiles.delete(each);
            }
        } finally {
            owner.destroyForcibly();
            owner.waitFor();
        }
    }

    private void check(Path copy, ImageProgress.Known before, String where) throws IOException {
        try (ArenaImage image = ArenaImage.open(copy); Arena arena = Arena.ofConfined()) {
            image.integrity().problems().forEach(problem -> wrong.add(where + problem));
            Set<ImagePiece> found = new HashSet<>();
            for (Allocation allocation : image.allocations().toList()) {
                ImagePiece piece = allocation.name()
                        .map(ImagePiece::ofName)
                        .orElseGet(() -> ImagePiece.ofSize(allocation.byteSize()));
                expect(piece.isRecordedBy(allocation) && found.add(piece), where + "false record: " + allocation);
                try {
                    MemorySegment memory = image.segment(allocation, arena);
                    expect(!before.isWritten(piece) || piece.isWritten(memory), where + "contents: " + allocation);
                    readable++;
                } catch (IOException e) {
                    wrong.add(where + "unreadable: " + e);
                }
            }
        }
    }

    private void reopen(Path copy, String where) {
        try (InfiniteArena arena = InfiniteArena.builder(copy).reopen()) {
            SplittableRandom random = new SplittableRandom(1);
            int dirty = 0;
            for (int i = 0; i < ALLOCATIONS; i++) {
                int byteSize = 1 + random.nextInt(1 << (4 + random.nextInt(9)));
                MemorySegment memory = arena.allocate(byteSize, 1);
                dirty += memory.mismatch(MemorySegment.ofArray(new byte[byteSize])) < 0 ? 0 : 1;
            }
            expect(dirty == 0, where + "not zeroed: " + dirty + " of " + ALLOCATIONS);
        } catch (UncheckedIOException e) {
            wrong.add(where + "not reopened: " + e.getCause());
        }
    }

    private void expect(boolean condition, String otherwise) {
        if (!condition) {
            wrong.add(otherwise);
        }
    }

    /// Owns an image and allocates, at a rate at which others can copy the image many times meanwhile.
    static final class LiveImageChild {
        /// A plain image has a file for each, which copies take long to create.
        private static final int PLAIN_PIECES = 60;
        private static final int CHUNKED_PIECES = 1_500;

        private LiveImageChild() {}

        /// Writes until the process is killed.
        ///
        /// @param arguments the base of the image, whether it has a file for each allocation, and the file of the progress
        public static void main(String[] arguments) throws Exception {
            ChildJvm.endWithParent();
            boolean isPlain = Boolean.parseBoolean(arguments[1]);
            ImageProgress progress = new ImageProgress(Path.of(arguments[2]), Arena.global());
            InfiniteArenaBuilder builder = InfiniteArena.builder(Path.of(arguments[0]));
            InfiniteArena arena = isPlain ? builder.build() : builder.chunked(64 << 10).build();
            for (int thread = 0; thread < ImagePiece.THREADS; thread++) {
                int number = thread;
                Thread.ofPlatform().start(() -> {
                    for (int n = 0; n < (isPlain ? PLAIN_PIECES : CHUNKED_PIECES); n++) {
                        ImageChild.write(0, arena, new ImagePiece(number, n), progress);
                        // All threads allocate at the same time, and then pause.
                        if (n % (isPlain ? 3 : 10) == 0) {
                            LockSupport.parkNanos(isPlain ? 10_000_000 : 2_000_000);
                        }
                    }
                });
            }
            System.out.println("writing");
            // Until it is killed.
            System.in.read();
        }
    }
}
