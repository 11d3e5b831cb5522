package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.GrowableSegment;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.Seal;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.arena.ReopenedState;
import dev.arenakit.mapped.internal.data.Chunk;
import dev.arenakit.mapped.internal.files.PageSize;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests allocations that are recorded in runs, and scans beside their writer. A script in Python, which uses its
/// standard library alone, lists the same allocations from the documentation of [CatalogFormat].
class CatalogRunTest extends InDirectory {
    private static final int LINE = 64;

    /// The size of the window of a scan. Bytes after it are read later.
    private static final int WINDOW = 1 << 16;

    /// Too large for a run, so that each allocation has a line.
    private static final long LARGE = 1 << 20;
    private static final String NAME = "n".repeat(1_000);
    private final Path catalog = directory.resolve("memory.catalog");

    /// More blocks than the checksums of one text, without the first ones.
    private static final long BLOCKS = 1_050;
    private static final long FIRST = 100;

    CatalogRunTest() {
        super(TestFileSystem.BUILD);
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
        return read(ArenaImage.open(base), image -> image.allocations().toList());
    }

    private List<String> problems() throws IOException {
        return read(ArenaImage.open(base),
                image -> image.integrity()
                        .problems()
                        .filter(problem -> !problem.isNote())
                        .map(ImageIntegrity.Problem::description)
                        .toList());
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

    /// Linux with pages of 4 KiB maps these files at multiples of 2 MiB, and other systems at any page.
    @Test
    void allocations_ofEverySizeAndAlignment_areWhereTheMemoryIs() throws IOException {
        long largest = AddressRange.isKnownFor(base) && PageSize.BYTES == 4096
                ? Chunk.LARGEST_ALIGNMENT
                : PageSize.BYTES;
        List<MemorySegment> segments = new ArrayList<>();
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(16 << 20).build()) {
            for (int i = 0; i < 700; i++) {
                long byteAlignment = Math.min(1L << i % 22, largest);
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
                assertThat(image.integrity().problems()).isEmpty();
                for (Allocation allocation : all) {
                    assertThat(image.segment(allocation, reader).get(JAVA_BYTE, 0)).as(allocation.toString())
                            .isNotZero();
                    assertThat(image.allocation(allocation.number())).contains(allocation);
                }
            }
        }
        assertThat(allocations()).hasSize(700);
        assertThat(problems()).isEmpty();
    }

    @Test
    void allocate_inManyThreads_givesDisjointRangesThatAreRecorded() throws IOException {
        Set<Long> addresses = ConcurrentHashMap.newKeySet();
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().catalog(CatalogLevel.FULL).build()) {
            Threads.race(30, _ -> {
                for (int i = 0; i < 200; i++) {
                    addresses.add(arena.allocate(8, 8).address());
                }
            });
        }
        assertThat(addresses).hasSize(6_000);
        assertThat(allocations()).hasSize(6_000)
                .allMatch(allocation -> allocation.thread().isPresent()
                        && allocation.time().isPresent());
        assertThat(allocations().stream().map(Allocation::thread).distinct()).hasSize(30);
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
    void reopen_dataBehindTheLastRecord_allocatesAroundIt() throws IOException {
        makeImage();
        try (FileChannel data = FileChannel.open(ImageFiles.data(base, 0), StandardOpenOption.WRITE)) {
            data.write(ByteBuffer.wrap(new byte[]{1}), 1L << 30);
        }
        using(InfiniteArena.builder(base).reopen(), arena -> {
            arena.allocate(8, 8);
            arena.names().allocate("behind", JAVA_BYTE, 1L << 30);
        });
        assertThat(allocations()).allMatch(allocation -> allocation.file() == 0)
                .filteredOn(allocation -> allocation.name().isPresent())
                .singleElement()
                .matches(behind -> behind.byteOffset() > 1L << 30);
    }

    @Test
    void allocate_afterAnotherOwnerTookOver_isRefusedBeforeItClaimsAnything() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build(); Arena other = Arena.ofConfined()) {
            for (int i = 0; i < 8; i++) {
                arena.allocate(8, 8);
            }
            CatalogWriter owner = CatalogWriter.map(base, other, CatalogLevel.SIZES);
            try (CatalogReader reader = CatalogReader.open(ImageFiles.catalog(base))) {
                owner.takeOver(() -> ReopenedState.read(base, reader));
            }

            assertThatThrownBy(() -> arena.allocate(8, 8)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Another owner has taken over the image");
            assertThatThrownBy(() -> arena.names().allocate("name", JAVA_INT, 1))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> arena.allocate(1L << 41, 1)).isInstanceOf(IllegalStateException.class);
            assertThat(allocations()).hasSize(8);
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
            owner.file().release();
        }
    }

    @Test
    void close_afterTheImageWasMadeAnew_leavesTheNewOne() throws IOException {
        TestFileSystem.assumeDeletionOfMappedFiles(directory);
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

    /// Makes an image with a long name, which begins some lines before the end of the first window.
    ///
    /// @return the bytes of its catalog
    private byte[] makeImage(int linesBefore) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            // Its type is recorded now, so that the long name comes next.
            arena.names().allocate("first", JAVA_INT, 1);
            while (end() < 2 * LINE + WINDOW - linesBefore * LINE) {
                arena.allocate(LARGE, 1);
            }
            arena.names().allocate(NAME, JAVA_INT, 1);
            arena.allocate(LARGE, 1);
        }
        return Files.readAllBytes(catalog);
    }

    private int end() throws IOException {
        return (int) ByteBuffer.wrap(Files.readAllBytes(catalog)).order(ByteOrder.LITTLE_ENDIAN).getLong(LINE);
    }

    private void overwrite(byte[] bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(catalog.toFile(), "rw")) {
            file.write(bytes);
        }
    }

    @Test
    void next_textWrittenAfterItsFirstLineWasRead_isNotDamaged() throws IOException {
        byte[] later = makeImage(3);
        for (int written : new int[]{0, 1, 2, 3}) {
            // The first lines of the text are written, or only its start. The other lines are reserved.
            byte[] before = later.clone();
            int text = 2 * LINE + WINDOW - 3 * LINE;
            Arrays.fill(before, text + written * LINE, end(), (byte) 0);
            if (written > 0) {
                Arrays.fill(before, text, text + 4, (byte) 0);
            }
            overwrite(before);
            List<CatalogEntry> entries = new ArrayList<>();
            try (CatalogReader reader = CatalogReader.open(catalog)) {
                CatalogScan scan = CatalogScan.of(reader);
                entries.add(scan.next());
                overwrite(later);
                for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                    entries.add(entry);
                }
            }
            assertThat(entries).as("written=%d", written)
                    .filteredOn(entry -> entry instanceof CatalogEntry.Unreadable unreadable && unreadable.isFinished())
                    .isEmpty();
            assertThat(entries).filteredOn(CatalogEntry.Allocated.class::isInstance)
                    .extracting(entry -> ((CatalogEntry.Allocated) entry).name().text())
                    .endsWith(NAME, "");
        }
    }

    @Test
    void allocations_textUnfinished_skipItsBytes() throws IOException {
        byte[] bytes = makeImage(3);
        int text = 2 * LINE + WINDOW - 3 * LINE;
        int textLines = Math.ceilDiv(24 + NAME.length(), LINE);
        // The writer died before the last store.
        Arrays.fill(bytes, text, text + 4, (byte) 0);
        overwrite(bytes);

        try (ArenaImage image = ArenaImage.open(base)) {
            List<Allocation> all = image.allocations().toList();
            assertThat(all.getLast()).as("after the text")
                    .extracting(Allocation::name)
                    .isEqualTo(java.util.Optional.empty());
            assertThat(all).noneMatch(allocation -> allocation.name().filter(NAME::equals).isPresent());
            List<String> problems = image.integrity().problems().map(ImageIntegrity.Problem::description).toList();
            assertThat(problems).hasSize(2)
                    .anyMatch(problem -> problem.contains("not finished")
                            && problem.endsWith("lines=" + text / LINE + ".." + (text / LINE + textLines - 1)))
                    .anyMatch(problem -> problem.contains("damaged"));
        }
    }

    @Test
    void allocations_unfinishedTextOfAWrongSize_hidesNoOthers() throws IOException {
        byte[] bytes = makeImage(3);
        int text = 2 * LINE + WINDOW - 3 * LINE;
        Arrays.fill(bytes, text, text + 4, (byte) 0);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(text + 12, 1 << 19);
        overwrite(bytes);

        try (ArenaImage image = ArenaImage.open(base)) {
            int end = end();
            assertThat(image.allocations().toList().getLast().byteOffset()).isGreaterThan(1_000);
            assertThat(image.integrity().problems()).isNotEmpty();
            assertThat(end()).isEqualTo(end);
        }
    }

    @Test
    void iterator_whileTheOwnerAllocates_endsAtTheEndThatItFound() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 20).build();
                ArenaImage image = ArenaImage.open(base)) {
            arena.names().allocate("first", JAVA_INT, 1);
            Iterator<Allocation> allocations = image.allocations().iterator();
            assertThat(allocations.next().name()).contains("first");
            for (int i = 0; i < 2_000; i++) {
                arena.allocate(1, 1);
            }
            assertThat(allocations.hasNext()).isFalse();
            assertThat(image.allocations()).hasSize(2_001);
        }
    }

    @Test
    @Tag("full")
    void script_listsTheAllocationsOfTheLibrary() throws Exception {
        assumeTrue(Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "python3"))),
                "needs python3: apt-get install python3");
        Seal seal;
        long number;
        long growingNumber;
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(8 << 20).catalog(CatalogLevel.FULL).build()) {
            for (int i = 0; i < 700; i++) {
                arena.allocate(1 + i % 300 * (i % 50 == 0 ? 1_000L : 1), 1L << i % 22);
            }
            arena.names().allocate("numbers", JAVA_LONG, 10).fill((byte) 1);
            arena.names().allocate("freed", JAVA_LONG, 10);
            arena.names().free("freed");
            arena.names().allocate("empty", JAVA_LONG, 0);
            // The largest address space has room for it, and most file systems need several files.
            arena.names().allocate("large", JAVA_LONG, 1L << 41);
            MemorySegment data = arena.names().allocate("sealed", JAVA_LONG, BLOCKS << 17);
            for (long block = FIRST; block < BLOCKS; block++) {
                data.set(JAVA_LONG, block << 20, block);
            }
            GrowableSegment growing = arena.names().growable("growing", NamedAllocations.structOf(JAVA_LONG), 1_000);
            growing.grow(80);
            growing.elementCount(7);
            arena.force();
            growing.elementCount(9);
            arena.free(arena.growable(1 << 20).grow(100));
            arena.names().seal("numbers");
            seal = arena.names().seal("sealed");
        }

        List<String> expected;
        try (ArenaImage image = ArenaImage.open(base)) {
            expected = image.allocations().map(CatalogRunTest::line).toList();
            growingNumber = image.find("growing").orElseThrow().number();
            number = image.find("sealed").orElseThrow().number();
        }
        List<String> found = new ArrayList<>(run());
        List<String> files = found.stream().filter(line -> line.startsWith("file|")).toList();
        found.removeAll(files);
        assertThat(files).contains("file|0|8388608|there").anyMatch(line -> line.endsWith("|removed"));
        assertThat(found.subList(0, 707)).isEqualTo(expected);
        assertThat(found.subList(707, found.size())).hasSize(4)
                .contains("count|" + growingNumber + "|9|9")
                .last()
                .isEqualTo("seal|" + number + "|" + seal.byteSize() + "|" + seal.time().toEpochMilli() + "|"
                        + (BLOCKS - FIRST) + "|" + Long.toHexString(FIRST));
    }

    private List<String> run() throws IOException, InterruptedException {
        Path script = directory.resolve("catalog.py");
        try (InputStream resource = Objects.requireNonNull(getClass().getResourceAsStream("catalog.py"))) {
            Files.copy(resource, script);
        }
        Path output = directory.resolve("output");
        Process python = new ProcessBuilder("python3", script.toString(), ImageFiles.catalog(base).toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(python.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(python.exitValue()).as(Files.readString(output)).isZero();
        return Files.readAllLines(output);
    }

    private static String line(Allocation allocation) {
        Instant time = allocation.time().orElseThrow();
        return String.join("|", Long.toString(allocation.number()), Integer.toString(allocation.file()),
                Long.toString(allocation.byteOffset()), Long.toString(allocation.byteSize()),
                Long.toString(allocation.byteAlignment()), allocation.isLive() ? "1" : "0",
                quoted(allocation.name().orElse("")), quoted(allocation.typeText().orElse("")),
                Long.toString(time.getEpochSecond() * 1_000_000_000 + time.getNano()),
                Long.toString(allocation.thread().orElseThrow()));
    }

    private static String quoted(String text) {
        return "'" + text.replace("\n", "\\n") + "'";
    }
}
