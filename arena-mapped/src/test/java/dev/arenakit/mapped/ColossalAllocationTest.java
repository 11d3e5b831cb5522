package dev.arenakit.mapped;

import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.mapped.internal.arena.DataFileParts;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.MappingLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests allocations that are larger than the files that ext4 allows. On tmpfs, which allows such files, some of them
/// are one file.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class ColossalAllocationTest extends InDirectory {
    private static final long TIB = 1L << 40;
    private static final long COLOSSAL = 64 * TIB;
    private static final long PART = 8 * TIB;

    ColossalAllocationTest(TestFileSystem place) throws IOException {
        super(place);
    }

    @Test
    void allocate_64TiB_isOneSegmentOfZerosAcrossAllSeams() throws IOException {
        long descriptors = descriptors();
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment memory = arena.allocate(COLOSSAL, 4096);
            assertThat(memory.byteSize()).isEqualTo(COLOSSAL);
            assertThat(memory.address() % 4096).isZero();
            assertThat(memory.scope()).isEqualTo(arena.scope());

            checkSeams(memory, PART, 7);

            arena.force(memory.asSlice(PART - 100, 200));
            assertThat(descriptors()).isEqualTo(descriptors);
        }
        assertThat(mappings()).isZero();
    }

    @Test
    void parts_small_areOneSegment() throws IOException {
        DataFileParts parts = new DataFileParts(base, 3, 1 << 16, (5 << 16) + 100);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = parts.create(FileMode.OWNER_ONLY, parts.byteSize(), (_, _) -> {
                // The files are not grown.
            }, arena);
            assertThat(memory.byteSize()).isEqualTo((5 << 16) + 100);
            assertThat(memory.address() % (2 << 20)).isZero();
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-3", "memory-4", "memory-5",
                    "memory-6", "memory-7", "memory-8");
            assertThat(Files.size(directory.resolve("memory-8"))).isEqualTo(100);

            checkSeams(memory, 1 << 16, 5);
            assertThatThrownBy(() -> memory.get(JAVA_BYTE, memory.byteSize()))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(mappings()).isZero();

        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = DataFileParts.map(base, parts.parts(), parts.byteSize(),
                    number -> FileIdentity.ofAny(ImageFiles.data(base, number)), false, arena);
            assertThat(memory.isReadOnly()).isTrue();
            assertThat(memory.asSlice((1 << 16) - 4, 8).toArray(JAVA_BYTE)).containsOnly(1);
        }
        assertThat(mappings()).isZero();
    }

    /// Compares reads and writes at random offsets around all seams with a model.
    private static void checkSeams(MemorySegment memory, long partByteSize, int seams) {
        SplittableRandom random = new SplittableRandom(42);
        Map<Long, Byte> model = new HashMap<>();
        for (int i = 0; i < 3_000; i++) {
            long seam = (1 + random.nextInt(seams)) * partByteSize;
            int length = 1 + random.nextInt(16);
            long at = Math.min(seam - 20 + random.nextInt(40), memory.byteSize() - length);
            byte value = (byte) random.nextInt(2, 100);
            switch (random.nextInt(3)) {
                case 0 -> {
                    memory.asSlice(at, length).fill(value);
                    for (int k = 0; k < length; k++) {
                        model.put(at + k, value);
                    }
                }
                case 1 -> {
                    long start = Math.min(at, memory.byteSize() - 8);
                    memory.set(JAVA_LONG_UNALIGNED, start, value * 0x0101_0101_0101_0101L);
                    for (int k = 0; k < 8; k++) {
                        model.put(start + k, value);
                    }
                }
                default -> {
                    byte[] read = memory.asSlice(at, length).toArray(JAVA_BYTE);
                    for (int k = 0; k < length; k++) {
                        assertThat(read[k]).as("offset %d", at + k).isEqualTo(model.getOrDefault(at + k, (byte) 0));
                    }
                }
            }
        }
        assertThat(memory.get(JAVA_BYTE, 0)).isZero();
        assertThat(memory.get(JAVA_BYTE, memory.byteSize() - 1)).isZero();
        for (int seam = 1; seam <= seams; seam++) {
            memory.asSlice(seam * partByteSize - 8, 16).fill((byte) 1);
        }
    }

    @Test
    void allocate_moreThanTheAddressSpace_saysHowMuchThereIs() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            assertThatThrownBy(() -> arena.allocate(120 * TIB, 1)).isInstanceOf(OutOfMemoryError.class)
                    .hasMessageContaining("Address space is exhausted")
                    .hasMessageContaining("byteSize=" + 120 * TIB)
                    .hasMessageMatching("(?s).*, largest=[0-9]{13,15}\\D.*");
            assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
            assertThat(MappingLimit.used()).as("the catalog").isEqualTo(mappingsBefore + 1);
            assertThat(mappings()).as("the catalog").isEqualTo(1);

            arena.allocate(100, 1);
        }
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
    }

    @Test
    void close_deleteOnClose_deletesAllParts() throws IOException {
        assumeLimit();
        try (InfiniteArena arena = InfiniteArena.builder(base).confined().deleteOnClose().build()) {
            arena.allocate(COLOSSAL, 1);
            arena.allocate(100, 1);
            assertThat(TestFileSystem.dataFiles(directory)).hasSize(9);
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + 10);
        }
        assertThat(TestFileSystem.names(directory)).isEmpty();
        assertThat(mappings()).isZero();
    }

    @Test
    void allocate_aPartExistsAndNoCatalog_leavesNothingBehind() throws IOException {
        assumeLimit();
        Path occupied = Files.writeString(directory.resolve("memory-2"), "somebody's");
        try (InfiniteArena arena = InfiniteArena.builder(base).catalog(CatalogLevel.OFF).build()) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> arena.allocate(COLOSSAL, 1)).isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("File already exists: path=" + occupied);
                assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-2");
                assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
                assertThat(mappings()).isZero();
            }
            Files.delete(occupied);
            arena.allocate(COLOSSAL, 1);
            assertThat(TestFileSystem.dataFiles(directory)).hasSize(8);
        }
    }

    @Test
    void allocate_aPartExists_takesTheNumbersBehindIt() throws IOException {
        assumeLimit();
        Files.writeString(directory.resolve("memory-2"), "somebody's");
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate(COLOSSAL, 1);
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThat(image.dataFiles()).hasSize(8);
                assertThat(image.allocations().map(Allocation::file)).containsExactly(3);
            }
        }
    }

    @Test
    void allocate_tooManyParts_isRefusedAtTheLimitOfMappings() throws IOException {
        assumeLimit();
        int room = MappingLimit.LIMIT - mappingsBefore - 5;
        try (InfiniteArena arena = InfiniteArena.builder(base).catalog(CatalogLevel.OFF).build()) {
            MappingLimit.reserve(room);
            try {
                assertThatThrownBy(() -> arena.allocate(COLOSSAL, 1)).hasMessageContaining("Too many file mappings")
                        .hasMessageContaining("requested=8");
            } finally {
                MappingLimit.release(room);
            }
            assertThat(TestFileSystem.names(directory)).isEmpty();
        }
    }

    @Test
    void reopen_afterClose_findsAllParts() throws IOException {
        assumeLimit();
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment memory = arena.allocate("colossal", JAVA_LONG, 3 * PART / 8 - 10);
            memory.set(JAVA_LONG, PART - 8, 1);
            memory.set(JAVA_LONG, PART, 2);
            memory.set(JAVA_LONG, memory.byteSize() - 8, 3);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            arena.allocate("small", JAVA_LONG, 1);
            MemorySegment memory = arena.get("colossal");
            assertThat(memory.byteSize()).isEqualTo(3 * PART - 80);
            checkMarks(memory);
            assertThat(arena.get("colossal").address()).isEqualTo(memory.address());
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + 5);
            memory.set(JAVA_LONG, 2 * PART, 4);
            arena.force();
        }
        assertThat(mappings()).isZero();
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            Allocation colossal = image.find("colossal").orElseThrow();
            assertThat(colossal.parts()).containsExactly(new AllocationPart(0, 0, PART),
                    new AllocationPart(1, 0, PART), new AllocationPart(2, 0, PART - 80));
            checkMarks(image.segment(colossal, arena));
            assertThat(image.problems()).isEmpty();
            assertThat(ImageBytes.of(image.source(colossal), PART - 8, 24)).containsExactly(1L, 2L, 0L);
            assertThat(ImageBytes.of(image.source(colossal), 2 * PART - 8, 16)).containsExactly(0L, 4L);
            image.copyTo(directory.resolve("copy"));
        }
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("copy")).reopen()) {
            checkMarks(arena.get("colossal"));
        }
        ArenaImage.delete(directory.resolve("copy"));
        assertThat(TestFileSystem.dataFiles(directory)).hasSize(4);
    }

    /// The record of a later file is behind an unfinished one, or the machine failed before it was on the disk.
    @Test
    void copyTo_ofMemoryThatGrows_hasItsFilesOrLacksIt() throws IOException {
        assumeLimit();
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableSegment growable = arena.growable("grows", NamedAllocations.structOf(JAVA_LONG), 3 * PART / 8);
            growable.grow(8).set(JAVA_LONG, 0, 7);
            try (ArenaImage image = ArenaImage.open(base)) {
                TestCatalog.clearRecordOfFile(base, 2);
                image.copyTo(directory.resolve("running"));
            }
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            image.copyTo(directory.resolve("dead"));
        }
        for (String copy : List.of("running", "dead")) {
            try (InfiniteArena arena = InfiniteArena.builder(directory.resolve(copy)).reopen()) {
                GrowableSegment growable = arena.growable("grows", NamedAllocations.structOf(JAVA_LONG), 3 * PART / 8);
                assertThat(growable.segment().byteSize()).as(copy).isEqualTo(copy.equals("dead") ? 8 : 0);
                growable.grow(2 * PART + 8).set(JAVA_LONG, 2 * PART, 42);
                arena.allocate("more", JAVA_LONG, 8).fill((byte) 1);
                assertThat(growable.segment().get(JAVA_LONG, 2 * PART)).isEqualTo(42);
            }
        }
    }

    private static void checkMarks(MemorySegment memory) {
        assertThat(memory.get(JAVA_LONG, PART - 8)).isEqualTo(1);
        assertThat(memory.get(JAVA_LONG, PART)).isEqualTo(2);
        assertThat(memory.get(JAVA_LONG, 3 * PART - 88)).isEqualTo(3);
        assertThat(memory.get(JAVA_LONG, PART + 8)).isZero();
    }

    @Test
    void read_aPartIsTruncated_isReportedAndRefused() throws IOException {
        assumeLimit();
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate("colossal", JAVA_LONG, 3 * PART / 8).set(JAVA_LONG, PART, 2);
        }
        try (FileChannel part = FileChannel.open(directory.resolve("memory-1"),
                StandardOpenOption.WRITE)) {
            part.truncate(100);
        }
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(image.problems()).isNotEmpty()
                    .allMatch(problem -> problem.description().contains("path=" + base + "-1"));
            Allocation colossal = image.find("colossal").orElseThrow();
            assertThatThrownBy(() -> image.segment(colossal, arena))
                    .hasMessageContaining("byteSize=100, needed=" + PART);
            assertThat(ImageBytes.of(image.source(colossal), PART, 1_000)).as("ends early").hasSize(12);
            ArenaImage.repair(base, directory.resolve("mended"));
        }
        try (ArenaImage mended = ArenaImage.open(directory.resolve("mended"))) {
            assertThat(mended.problems()).isEmpty();
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThatThrownBy(() -> arena.find("colossal")).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("path=" + base + "-1");
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + 1);
        }
    }

    @Test
    void allocate_inChunkedArena_hasFilesOfItsOwn() throws IOException {
        assumeLimit();
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 20).build()) {
            arena.allocate(100, 8).fill((byte) 1);
            MemorySegment memory = arena.allocate(20 * TIB, 2 << 20);
            assertThat(memory.address() % (2 << 20)).isZero();
            memory.set(JAVA_LONG, 20 * TIB - 8, 5);
            arena.allocate(100, 8).fill((byte) 1);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThat(arena.allocate(100, 1).toArray(JAVA_BYTE)).containsOnly(0);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.problems()).isEmpty();
            assertThat(image.allocations().map(Allocation::file)).containsExactlyInAnyOrder(0, 0, 0, 1);
        }
    }

    @Test
    void allocate_inChunksThatTheFileSystemRefuses_neverSharesItsFiles() throws IOException {
        assumeLimit();
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(32 * TIB).build()) {
            MemorySegment memory = arena.allocate(20 * TIB, 1);
            memory.set(JAVA_LONG, 0, 5);
            // This chunk is 32 TiB, halved until the file system accepts it, whatever the size of the parts.
            arena.allocate(100, 8).fill((byte) 1);
            assertThat(memory.get(JAVA_LONG, 0)).isEqualTo(5);
        }
        assertThat(Files.size(directory.resolve("memory-2"))).isEqualTo(4 * TIB);
        assertThat(Files.size(directory.resolve("memory-3"))).isEqualTo(8 * TIB);
    }

    @Test
    @Tag("full")
    void force_whileTheArenaIsClosed_isRefusedOrPreventsThat() throws Exception {
        for (int round = 0; round < 8; round++) {
            Arena arena = Arena.ofShared();
            MemorySegment memory = new DataFileParts(base, 4 * round, 1 << 20, 4 << 20).create(FileMode.OWNER_ONLY,
                    4 << 20, (_, _) -> {
                        // The files are not grown.
                    }, arena);
            memory.fill((byte) 1);
            CountDownLatch started = new CountDownLatch(1);
            CompletableFuture<Void> forcing = CompletableFuture.runAsync(() -> {
                started.countDown();
                try {
                    for (int i = 0; i < 1_000_000; i++) {
                        AddressRange.force(arena, memory);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            started.await();
            while (arena.scope().isAlive()) {
                try {
                    arena.close();
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("acquired");
                }
            }
            assertThatThrownBy(forcing::join).hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Already closed");
        }
    }

    @Test
    void force_ofOtherMemory_isRefused() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base); Arena other = Arena.ofConfined()) {
            assertThatThrownBy(() -> arena.force(other.allocate(8))).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("base=" + base);
            MemorySegment memory = arena.allocate(100, 1);
            arena.force(memory);
            arena.force(arena.allocate(0));
            assertThatThrownBy(() -> CompletableFuture.runAsync(() -> arena.force(memory)).join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(WrongThreadException.class);
        }
    }

    private void assumeLimit() throws IOException {
        TestFileSystem.assumeExt4(directory);
    }

    /// The number of mappings of files in the directory, and of reserved addresses.
    private long mappings() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(directory.toString())).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            List<Path> open = all.toList();
            return open.stream()
                    .filter(Files::exists)
                    .map(ColossalAllocationTest::target)
                    .filter(target -> target.startsWith(directory.toString()) && !target.endsWith(".lock")
                            && !target.endsWith(".catalog"))
                    .count();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException _) {
            return "";
        }
    }
}
