package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.ArenaPages.Advice;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests arenas on ext4, whose files end below 16 TiB: larger allocations have several files, and larger chunks are
/// halved.
class FileSizeLimitTest extends InDirectory {
    private static final long TIB = 1L << 40;
    private static final long COLOSSAL = 64 * TIB;
    private static final long LARGE = 17 * TIB;
    private static final long PART = 8 * TIB;

    /// A row of a table.
    public record Row(long number) {}

    FileSizeLimitTest() {
        super(TestFileSystem.BUILD);
    }

    @BeforeEach
    void assumeExt4() throws IOException {
        TestFileSystem.assumeExt4(directory);
    }

    @Test
    void allocate_chunkAboveTheFileSystemsLimit_isHalved() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(64 * TIB).build()) {
            arena.allocate(100, 1);
            arena.allocate(8 * TIB, 1);
            assertThat(Files.size(directory.resolve("memory-0"))).isEqualTo(8 * TIB);
            assertThat(Files.size(directory.resolve("memory-1"))).isEqualTo(8 * TIB);
        }
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("large")).chunked(64 * TIB).build()) {
            // A quarter is too small for the request, which is the last size to try.
            arena.allocate(12 * TIB, 1);
            assertThat(Files.size(directory.resolve("large-0"))).isEqualTo(12 * TIB);
        }
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("large-0", "memory-0", "memory-1");
    }

    @Test
    @Tag("full")
    void allocate_aboveTheFileSystemsLimitWithoutNativeAccess_namesTheFlagAndLeavesNoFile() throws Exception {
        String output = ChildJvm.run(
                ChildJvm.onModulePath(ChildJvm.DENY, "-Xmx64m").command(ChildMain.class, "colossal", base.toString()));

        assertThat(output)
                .contains("UncheckedIOException: File system refuses a file of this size: path=" + base + "-0")
                .contains("byteSize=" + (16 * TIB))
                .contains("16 TiB")
                .contains("--enable-native-access=dev.arenakit");
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        assertThat(Files.size(directory.resolve("memory-0"))).isEqualTo((16 * TIB) - 4096);
    }

    @Test
    void allocate_inChunkedArena_hasFilesOfItsOwn() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 20).build()) {
            arena.allocate(100, 8).fill((byte) 1);
            MemorySegment memory = arena.allocate(20 * TIB, 2 << 20);
            assertThat(memory.address() % (2 << 20)).isZero();
            memory.set(JAVA_LONG, 20 * TIB - 8, 5);
            arena.allocate(100, 8).fill((byte) 1);
        }
        using(InfiniteArena.builder(base).reopen(),
                arena -> assertThat(arena.allocate(100, 1).toArray(JAVA_BYTE)).containsOnly(0));
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.allocations().map(Allocation::file)).containsExactlyInAnyOrder(0, 0, 0, 1);
        }
    }

    @Test
    void allocate_inChunksThatTheFileSystemRefuses_neverSharesItsFiles() throws IOException {
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
    void close_deleteOnClose_deletesAllParts() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).confined().deleteOnClose().build()) {
            arena.allocate(COLOSSAL, 1);
            arena.allocate(100, 1);
            assertThat(TestFileSystem.dataFiles(directory)).hasSize(9);
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + 10);
        }
        assertThat(TestFileSystem.names(directory)).isEmpty();
        assertThat(ProcessMaps.of(directory)).isEmpty();
    }

    @Test
    void allocate_aPartExistsAndNoCatalog_leavesNothingBehind() throws IOException {
        Path occupied = Files.writeString(directory.resolve("memory-2"), "somebody's");
        try (InfiniteArena arena = InfiniteArena.builder(base).catalog(CatalogLevel.OFF).build()) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> arena.allocate(COLOSSAL, 1)).isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("File already exists: path=" + occupied);
                assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-2");
                assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
                assertThat(ProcessMaps.of(directory)).isEmpty();
            }
            Files.delete(occupied);
            arena.allocate(COLOSSAL, 1);
            assertThat(TestFileSystem.dataFiles(directory)).hasSize(8);
        }
    }

    @Test
    void allocate_aPartExists_takesTheNumbersBehindIt() throws IOException {
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
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment memory = arena.names().allocate("colossal", JAVA_LONG, 3 * PART / 8 - 10);
            memory.set(JAVA_LONG, PART - 8, 1);
            memory.set(JAVA_LONG, PART, 2);
            memory.set(JAVA_LONG, memory.byteSize() - 8, 3);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            arena.names().allocate("small", JAVA_LONG, 1);
            MemorySegment memory = arena.names().get("colossal");
            assertThat(memory.byteSize()).isEqualTo(3 * PART - 80);
            checkMarks(memory);
            assertThat(arena.names().get("colossal").address()).isEqualTo(memory.address());
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + 5);
            memory.set(JAVA_LONG, 2 * PART, 4);
            arena.force();
        }
        assertThat(ProcessMaps.of(directory)).isEmpty();
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            Allocation colossal = image.find("colossal").orElseThrow();
            assertThat(colossal.parts()).containsExactly(new AllocationPart(0, 0, PART),
                    new AllocationPart(1, 0, PART), new AllocationPart(2, 0, PART - 80));
            checkMarks(image.segment(colossal, arena));
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(longs(image.source(colossal), PART - 8, 24)).containsExactly(1L, 2L, 0L);
            assertThat(longs(image.source(colossal), 2 * PART - 8, 16)).containsExactly(0L, 4L);
            image.copyTo(directory.resolve("copy"));
        }
        using(InfiniteArena.builder(directory.resolve("copy")).reopen(),
                arena -> checkMarks(arena.names().get("colossal")));
        ImageFiles.delete(directory.resolve("copy"));
        assertThat(TestFileSystem.dataFiles(directory)).hasSize(4);
    }

    private static void checkMarks(MemorySegment memory) {
        assertThat(memory.get(JAVA_LONG, PART - 8)).isEqualTo(1);
        assertThat(memory.get(JAVA_LONG, PART)).isEqualTo(2);
        assertThat(memory.get(JAVA_LONG, 3 * PART - 88)).isEqualTo(3);
        assertThat(memory.get(JAVA_LONG, PART + 8)).isZero();
    }

    /// The record of a later file is behind an unfinished one, or the machine failed before it was on the disk.
    @Test
    void copyTo_ofMemoryThatGrows_hasItsFilesOrLacksIt() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableSegment growable = arena.names()
                    .growable("grows", NamedAllocations.structOf(JAVA_LONG), 3 * PART / 8);
            growable.grow(8).set(JAVA_LONG, 0, 7);
            try (ArenaImage image = ArenaImage.open(base)) {
                TestCatalog.clearRecordOfFile(base, 2);
                image.copyTo(directory.resolve("running"));
            }
        }
        using(ArenaImage.open(base), image -> image.copyTo(directory.resolve("dead")));
        for (String copy : List.of("running", "dead")) {
            try (InfiniteArena arena = InfiniteArena.builder(directory.resolve(copy)).reopen()) {
                GrowableSegment growable = arena.names()
                        .growable("grows", NamedAllocations.structOf(JAVA_LONG), 3 * PART / 8);
                assertThat(growable.segment().byteSize()).as(copy).isEqualTo(copy.equals("dead") ? 8 : 0);
                growable.grow(2 * PART + 8).set(JAVA_LONG, 2 * PART, 42);
                arena.names().allocate("more", JAVA_LONG, 8).fill((byte) 1);
                assertThat(growable.segment().get(JAVA_LONG, 2 * PART)).isEqualTo(42);
            }
        }
    }

    @Test
    void read_aPartIsTruncated_isReportedAndRefused() throws IOException {
        using(InfiniteArena.ofShared(base),
                arena -> arena.names().allocate("colossal", JAVA_LONG, 3 * PART / 8).set(JAVA_LONG, PART, 2));
        TestFileSystem.truncate(directory.resolve("memory-1"), 100);
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(image.integrity().problems()).isNotEmpty()
                    .allMatch(problem -> problem.description().contains("path=" + base + "-1"));
            Allocation colossal = image.find("colossal").orElseThrow();
            assertThatThrownBy(() -> image.segment(colossal, arena))
                    .hasMessageContaining("byteSize=100, needed=" + PART);
            assertThat(longs(image.source(colossal), PART, 1_000)).as("ends early").hasSize(12);
            ImageFiles.repair(base, directory.resolve("mended"));
        }
        using(ArenaImage.open(directory.resolve("mended")),
                mended -> assertThat(mended.integrity().problems()).isEmpty());
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThatThrownBy(() -> arena.names().find("colossal")).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("path=" + base + "-1");
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + 1);
        }
    }

    @Test
    void growable_aboveTheFileSystemsLimit_growsAcrossTheSeams() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableSegment growable = arena.names().growable("values", NamedAllocations.structOf(JAVA_INT), 5 * TIB);
            growable.grow(100).fill((byte) 1);
            assertThat(Files.size(directory.resolve("memory-0"))).isEqualTo(100);
            MemorySegment grown = growable.grow(8 * TIB + 100);
            assertThat(Files.size(directory.resolve("memory-0"))).isEqualTo(8 * TIB);
            assertThat(Files.size(directory.resolve("memory-1"))).isEqualTo(100);
            assertThat(Files.size(directory.resolve("memory-2"))).isZero();
            grown.asSlice(8 * TIB - 8, 16).fill((byte) 2);
            assertThat(grown.get(JAVA_BYTE, 99)).isEqualTo((byte) 1);
            growable.grow(20 * TIB).set(JAVA_BYTE, 20 * TIB - 1, (byte) 3);
            assertThat(arena.names().get("values").byteSize()).isEqualTo(20 * TIB);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.find("values").orElseThrow().parts()).hasSize(3);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThat(arena.names().get("values").get(JAVA_BYTE, 20 * TIB - 1)).isEqualTo((byte) 3);
            assertThatThrownBy(() -> arena.names().resize("values", 6 * TIB))
                    .isInstanceOf(CapacityExceededException.class);
        }
    }

    @Test
    void append_toMemoryInSeveralFiles_growsAcrossTheSeam() throws IOException {
        RecordMapper<Row> mapper = RecordMapper.of(Row.class);
        long seam = PART / mapper.byteSize();
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            GrowableTable<Row> table = arena.structures().table("rows", mapper, 2 * seam + seam / 2);
            arena.names().growable("rows", mapper.type(), 1).grow((seam - 2) * mapper.byteSize());
            arena.names().growable("rows", mapper.type(), 1).elementCount(seam - 2);
            for (long number = seam - 2; number < seam + 2; number++) {
                assertThat(table.append(new Row(number))).isEqualTo(number);
            }
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            GrowableTable<Row> table = arena.structures().table("rows", mapper, 1);
            assertThat(table.size()).isEqualTo(seam + 2);
            assertThat(table.get(seam)).isEqualTo(new Row(seam));
            assertThat(table.get(0).number()).isZero();
            assertThat(table.segment().get(JAVA_INT, 0)).isZero();
        }
    }

    @Test
    void methods_onMemoryInSeveralFiles_areRefusedAndChangeNothing() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).randomAccess().build()) {
            checkRefused(arena, arena.names().allocate("colossal", JAVA_LONG, LARGE / 8));
            GrowableSegment growable = arena.growable(LARGE);
            checkRefused(arena, growable.grow(1 << 20));
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).randomAccess().reopen()) {
            checkRefused(arena, arena.names().get("colossal"));
            arena.names().free("colossal");
            assertThat(arena.names().find("colossal")).isEmpty();
        }
    }

    private static void checkRefused(InfiniteArena arena, MemorySegment memory) {
        memory.set(JAVA_LONG, 8, 42);
        List<ThrowingCallable> calls = List.of(() -> arena.pages().prefault(memory.asSlice(0, 100)),
                () -> arena.pages().advise(memory, Advice.WILL_NEED),
                () -> arena.pages().residentBytes(memory.asSlice(0, 100)));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call).isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Segment of an allocation that has several files");
        }
        assertThat(memory.get(JAVA_LONG, 8)).isEqualTo(42);
    }

    @Test
    void free_ofMemoryInSeveralFiles_removesThem() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            MemorySegment colossal = arena.names().allocate("colossal", JAVA_LONG, LARGE / 8);
            MemorySegment grown = arena.growable(LARGE).grow(1 << 20);
            int files = TestFileSystem.dataFiles(directory).size();
            colossal.set(JAVA_LONG, LARGE - 8, 42);
            grown.set(JAVA_LONG, 0, 42);
            arena.free(grown);
            assertThatThrownBy(() -> arena.free(colossal.asSlice(0, 8))).isInstanceOf(IllegalArgumentException.class);
            arena.force();
            assertThat(TestFileSystem.dataFiles(directory)).hasSize(files / 2);
            assertThat(grown.get(JAVA_LONG, 0)).isZero();
            arena.free(colossal);
            arena.force();
            assertThat(colossal.get(JAVA_LONG, LARGE - 8)).isZero();
            assertThat(MappingLimit.used() - mappingsBefore).isLessThan(5);
            assertThat(arena.names().find("colossal")).isEmpty();
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThat(image.integrity().problems()).isEmpty();
                assertThat(image.dataFiles().filter(Files::exists)).isEmpty();
            }
        }
    }

    /// The first of several files is made zero, and the second one cannot be.
    @Test
    void reopen_anotherFileOfAFreedAllocationCannotBeCleared_isLeftToTheNextOwner() throws IOException {
        Path second = ImageFiles.data(base, 1);
        Path aside = directory.resolve("aside");
        InfiniteArena arena = InfiniteArena.builder(base).build();
        MemorySegment colossal = arena.names().allocate("colossal", JAVA_LONG, LARGE / 8);
        colossal.set(JAVA_LONG, 0, 42);
        colossal.set(JAVA_LONG, LARGE / 2, 42);
        Files.move(second, aside);
        Files.createFile(second);
        assertThatThrownBy(() -> arena.free(colossal)).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("another file has replaced it");
        arena.close();
        Files.move(aside, second, StandardCopyOption.REPLACE_EXISTING);

        Files.createLink(aside, second);
        InfiniteArena.builder(base).reserved().reopen().close();
        Files.delete(aside);
        try (SparseFile file = SparseFile.open(second)) {
            assertThat(file.nextData(0)).isPresent();
        }
        InfiniteArena.builder(base).reopen().close();
        assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
    }

    @Test
    void allocationInSeveralFiles_inAReservedArena_isRefused() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).reserved().build()) {
            assertThatThrownBy(() -> arena.allocate(LARGE, 1)).isInstanceOf(DiskFullException.class);
            assertThatThrownBy(() -> arena.growable(LARGE)).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("File system refuses a file of this size");
            assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
            arena.allocate(100, 1);
        }
    }

    @Test
    void find_inAReservedArena_ofMemoryInSeveralFiles_isRefused() throws IOException {
        using(InfiniteArena.builder(base).build(), arena -> arena.names().allocate("colossal", JAVA_LONG, LARGE / 8));
        using(InfiniteArena.builder(base).reserved().reopen(),
                arena -> assertThatThrownBy(() -> arena.names().find("colossal"))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("Allocation in several files cannot be reserved: first=" + base + "-0"));
    }

    /// The complete longs in a range.
    private static List<Long> longs(ExtentSource source, long skip, int byteSize) throws IOException {
        byte[] bytes = bytes(source, skip, byteSize);
        return IntStream.range(0, bytes.length / Long.BYTES)
                .mapToObj(i -> MemorySegment.ofArray(bytes).getAtIndex(JAVA_LONG_UNALIGNED, i))
                .toList();
    }
}
