package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.ImageProblem;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.internal.arena.ReopenedState;
import dev.arenakit.mapped.internal.files.PageSize;
import dev.arenakit.mapped.io.SparseFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests allocations that are recorded in runs.
class CatalogRunTest {
    private final Path directory = TestFileSystem.BUILD.newDirectory();
    private final Path base = directory.resolve("memory");

    CatalogRunTest() throws IOException {}

    @AfterEach
    void removeDirectory() throws IOException {
        TestFileSystem.remove(directory);
    }

    /// Makes an image of 20 allocations in two runs, of 8 and 24 slots.
    private List<Allocation> makeImage() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            for (int i = 1; i <= 20; i++) {
                arena.allocate(i, 1).fill((byte) i);
            }
        }
        return allocations();
    }

    private List<Allocation> allocations() throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            return image.allocations().toList();
        }
    }

    private List<String> problems() throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            return image.problems().filter(problem -> !problem.isNote()).map(ImageProblem::description).toList();
        }
    }

    private void overwriteSlot(long number, long value) throws IOException {
        try (FileChannel catalog = FileChannel.open(ImageFiles.catalog(base), StandardOpenOption.WRITE)) {
            catalog.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value), number * 8);
        }
    }

    private long slot(long number) throws IOException {
        try (FileChannel catalog = FileChannel.open(ImageFiles.catalog(base))) {
            ByteBuffer slot = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            catalog.read(slot, number * 8);
            return slot.getLong(0);
        }
    }

    @Test
    void allocations_ofEverySizeAndAlignment_areWhereTheMemoryIs() throws IOException {
        List<MemorySegment> segments = new ArrayList<>();
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(16 << 20).build()) {
            for (int i = 0; i < 1_500; i++) {
                long byteAlignment = 1L << i % 22;
                long byteSize = 1 + i * 37L % 5_000 + (i % 100 == 0 ? 200_000 : 0);
                MemorySegment segment = arena.allocate(byteSize, byteAlignment);
                segment.set(JAVA_BYTE, 0, (byte) (i | 1));
                segments.add(segment);
            }
            List<Allocation> all = allocations();
            assertThat(all).extracting(Allocation::byteSize)
                    .containsExactlyInAnyOrderElementsOf(
                            segments.stream().map(MemorySegment::byteSize).toList());
            try (ArenaImage image = ArenaImage.open(base); Arena reader = Arena.ofConfined()) {
                assertThat(image.problems()).isEmpty();
                for (Allocation allocation : all) {
                    assertThat(image.segment(allocation, reader).get(JAVA_BYTE, 0)).as(allocation.toString())
                            .isNotZero();
                    assertThat(image.allocation(allocation.number())).contains(allocation);
                }
            }
        }
        assertThat(allocations()).hasSize(1_500);
        assertThat(problems()).isEmpty();
    }

    @Test
    void allocate_inManyThreads_givesDisjointRangesThatAreRecorded() throws Exception {
        Set<Long> addresses = new HashSet<>();
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().catalog(CatalogLevel.FULL).build()) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 300; t++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    try {
                        for (int i = 0; i < 20; i++) {
                            long address = arena.allocate(8, 8).address();
                            synchronized (addresses) {
                                addresses.add(address);
                            }
                            LockSupport.parkNanos(1_000);
                        }
                    } catch (Throwable e) {
                        failure.set(e);
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failure).hasValue(null);
        }
        assertThat(addresses).hasSize(6_000);
        assertThat(allocations()).hasSize(6_000)
                .allMatch(allocation -> allocation.thread().isPresent()
                        && allocation.time().isPresent());
        assertThat(allocations().stream().map(Allocation::thread).distinct()).hasSize(300);
        assertThat(problems()).isEmpty();
    }

    @Test
    void number_whenAnEarlierRecordIsDamaged_staysTheSame() throws IOException {
        List<Allocation> before = makeImage();
        overwriteSlot(before.get(2).number(), slot(before.get(2).number()) ^ 1);

        List<Allocation> after = allocations();
        assertThat(after).as("without the rest of the first run").hasSize(2 + 12);
        assertThat(before).containsAll(after);
        assertThat(problems()).singleElement().asString().contains("Records are damaged");
    }

    @Test
    void problems_lastSlotsOfAnEndedRunCleared_areReported() throws IOException {
        List<Allocation> before = makeImage();
        overwriteSlot(before.getLast().number(), 0);

        assertThat(allocations()).hasSize(19);
        assertThat(problems()).singleElement().asString().contains("Records are damaged");
    }

    @Test
    void reopen_afterRuns_beginsBehindTheirRanges() throws IOException {
        List<Allocation> before = makeImage();
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            MemorySegment next = arena.allocate(100_000, 1);
            assertThat(next.mismatch(MemorySegment.ofArray(new byte[100_000]))).isEqualTo(-1);
        }
        Allocation last = allocations().getLast();
        assertThat(last.file()).isZero();
        assertThat(last.byteOffset()).isGreaterThan(before.getLast().byteOffset() + 20);
        assertThat(problems()).isEmpty();
    }

    @Test
    void reopen_dataBehindTheLastRecord_beginsANewFile() throws IOException {
        makeImage();
        try (FileChannel data = FileChannel.open(ImageFiles.data(base, 0), StandardOpenOption.WRITE)) {
            data.write(ByteBuffer.wrap(new byte[]{1}), 1L << 30);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            arena.allocate(8, 8);
        }
        assertThat(allocations().getLast().file()).isEqualTo(1);
    }

    @Test
    void allocate_afterAnotherOwnerTookOver_isRefusedBeforeItClaimsAnything() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build(); Arena other = Arena.ofConfined()) {
            for (int i = 0; i < 8; i++) {
                arena.allocate(8, 8);
            }
            try (CatalogReader reader = CatalogReader.open(ImageFiles.catalog(base))) {
                CatalogWriter.map(base, other, CatalogLevel.SIZES).takeOver(() -> ReopenedState.read(base, reader));
            }

            assertThatThrownBy(() -> arena.allocate(8, 8)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Another owner has taken over the image");
            assertThatThrownBy(() -> arena.allocate("name", JAVA_INT, 1)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> arena.allocate(1L << 41, 1)).isInstanceOf(IllegalStateException.class);
            assertThat(allocations()).hasSize(8);
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        }
    }

    @Test
    void close_afterTheImageWasMadeAnew_leavesTheNewOne() throws IOException {
        InfiniteArena old = InfiniteArena.builder(base).chunked().build();
        old.allocate(8, 8);
        for (Path file : TestFileSystem.list(directory)) {
            Files.delete(file);
        }
        makeImage();
        byte[] before = Files.readAllBytes(ImageFiles.catalog(base));
        old.close();
        assertThat(Files.readAllBytes(ImageFiles.catalog(base))).isEqualTo(before);
    }

    @Test
    void build_ofASmallImage_takesAPageOfTheDisk() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            arena.allocate(8, 8);
            try (SparseFile catalog = SparseFile.open(ImageFiles.catalog(base))) {
                catalog.storedByteSize()
                        .ifPresent(stored -> assertThat(stored).isLessThanOrEqualTo(2 * PageSize.BYTES));
            }
        }
    }
}
