package dev.arenakit.mapped;

import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.PageSize;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests plain arenas, which create a file for each allocation, and chunked arenas.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class InfiniteArenaTest extends InDirectory {
    private static final long MIB = 1L << 20;
    private static final long TIB = 1L << 40;
    /// More allocations than the lines that a catalog has at its beginning.
    private static final int MANY = 10_000;

    InfiniteArenaTest(TestFileSystem place) {
        super(place);
    }

    @Test
    void allocate_threeTimes_makesThreeNumberedFilesOfExactSize() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            arena.allocate(100, 1);
            arena.allocate(1L << 40, 8);
            arena.allocate(5000, 16);

            assertThat(arena.base()).isEqualTo(base);
            assertThat(MappingLimit.used()).as("files and the catalog").isEqualTo(mappingsBefore + 3 + 1);
        }

        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0", "memory-1", "memory-2");
        assertThat(Files.size(directory.resolve("memory-0"))).isEqualTo(100);
        assertThat(Files.size(directory.resolve("memory-1"))).isEqualTo(1L << 40);
        assertThat(Files.size(directory.resolve("memory-2"))).isEqualTo(5000);
    }

    @Test
    void example_ofTheClassDoc_leavesItsCounts() throws IOException {
        Path file = InfiniteArenaExample.count(directory);

        assertThat(Files.size(file)).isEqualTo(4L << 40);
        try (Arena arena = InfiniteArena.ofConfined(base); var in = Files.newByteChannel(file)) {
            MemorySegment read = arena.allocate(8_000, 8);
            assertThat(in.read(read.asByteBuffer())).isEqualTo(8_000);
            assertThat(read.getAtIndex(JAVA_LONG, 999)).isEqualTo(999 * 999);
        }
    }

    @Test
    void allocate_sizeZero_makesNoFileAndTakesNoNumber() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            MemorySegment empty = arena.allocate(0, PageSize.BYTES);

            assertThat(empty.byteSize()).isZero();
            assertThat(empty.address()).isNotZero();
            assertThat(empty.address() % PageSize.BYTES).isZero();
            assertThat(empty.scope()).isEqualTo(arena.scope());
            assertThat(TestFileSystem.dataFiles(directory)).isEmpty();

            arena.allocate(1, 1);
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        }
    }

    @Test
    void allocate_alignmentAboveThePage_isRefusedWithTheRemedy() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            assertThatIllegalArgument(() -> arena.allocate(0, 2 * PageSize.BYTES));
            assertThatThrownBy(() -> arena.allocate(8, 2 * PageSize.BYTES))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("byteAlignment=" + 2 * PageSize.BYTES)
                    .hasMessageContaining("largest=" + PageSize.BYTES)
                    .hasMessageContaining("chunked()");
        }
        assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
    }

    @Test
    void close_withDeleteOnClose_removesItsFilesAlone() throws IOException {
        Path foreign = Files.createFile(directory.resolve("memory-7"));
        try (InfiniteArena arena = InfiniteArena.builder(base).confined().deleteOnClose().build()) {
            arena.allocate(8, 8);
            arena.allocate(8, 8);
            Files.delete(directory.resolve("memory-0"));
        }

        assertThat(TestFileSystem.list(directory)).containsExactly(foreign);
    }

    @Test
    void close_whenAFileCannotBeDeleted_deletesTheOthersAndReports() throws IOException {
        TestFileSystem.assumeDeletionOfMappedFiles(directory);
        InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build();
        for (int i = 0; i < 4; i++) {
            arena.allocate(8, 8);
        }
        for (int i = 1; i < 3; i++) {
            Files.delete(directory.resolve("memory-" + i));
            Files.createFile(Files.createDirectory(directory.resolve("memory-" + i)).resolve("inside"));
        }

        assertThatThrownBy(arena::close).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(directory.resolve("memory-1").toString())
                .satisfies(e -> assertThat(e.getSuppressed()).singleElement()
                        .satisfies(next -> assertThat(next).hasMessageContaining("memory-2")));
        assertThat(arena.scope().isAlive()).isFalse();
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-1", "memory-2");
        assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
    }

    @Test
    void uniqueBase_ofTwoArenas_differ() {
        try (InfiniteArena first = InfiniteArena.builder(base).uniqueBase().build();
                InfiniteArena second = InfiniteArena.builder(base).uniqueBase().build()) {
            first.allocate(8, 8);
            second.allocate(8, 8);

            Pattern name = Pattern.compile("memory-\\d{8}T\\d{6}\\.\\d{9}Z-" + ProcessHandle.current().pid());
            assertThat(first.base().getFileName().toString()).matches(name);
            assertThat(first.base()).isNotEqualTo(second.base()).hasParentRaw(directory);
            assertThat(TestFileSystem.dataFiles(directory)).containsExactlyInAnyOrder(first.base().getFileName() + "-0",
                    second.base().getFileName() + "-0");
        }
    }

    @Test
    void build_onSecondRunWithTheSameBase_refusesTheCatalogThatExists() throws IOException {
        using(InfiniteArena.ofConfined(base), first -> first.allocateFrom("first"));
        assertThatThrownBy(() -> InfiniteArena.ofConfined(base)).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("File already exists: path=" + base + ".catalog")
                .hasMessageContaining("uniqueBase()")
                .hasMessageContaining("reopen()");
        assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
        assertThat(Files.readString(directory.resolve("memory-0"))).isEqualTo("first\0");
    }

    @Test
    void builder_ofPathWithoutName_isRefused() {
        for (Path nameless : Set.of(base.getRoot(), Path.of(""))) {
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> InfiniteArena.builder(nameless))
                    .withMessageContaining("base=" + nameless);
        }
    }

    @Test
    void allocate_relativeBase_makesFilesInTheWorkingDirectory() throws IOException {
        Path relative = Path.of("").toAbsolutePath().relativize(base);
        using(InfiniteArena.ofConfined(relative), arena -> arena.allocate(8, 8).setString(0, "1234567", UTF_8));
        assertThat(Files.readString(directory.resolve("memory-0"))).isEqualTo("1234567\0");
    }

    private static void assertThatIllegalArgument(Runnable work) {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(work::run);
    }

    @Test
    void allocate_repeatedly_fillsOneFileInAscendingOrder() throws IOException {
        long[] sizes = {1, 100, 7, 4096, 3};
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            long end = arena.allocate(16, 8).fill((byte) 1).address() + 16;
            for (long size : sizes) {
                MemorySegment next = arena.allocate(size, 8);
                assertThat(next.byteSize()).isEqualTo(size);
                assertThat(next.address()).isEqualTo((end + 7) & -8);
                assertThat(next.isMapped()).isTrue();
                end = next.address() + size;
            }
            arena.allocate(8, 8).force();
            assertThat(MappingLimit.used()).as("file and catalog").isEqualTo(mappingsBefore + 2);
        }

        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        assertThat(Files.size(directory.resolve("memory-0"))).isEqualTo(TIB);
    }

    @Test
    void allocate_moreThanTheRestOfTheChunk_createsTheNextFile() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).confined().chunked(MIB).build()) {
            arena.allocate(MIB - 8, 8);
            arena.allocate(9, 1).fill((byte) 2);
            arena.allocate(MIB - 9, 1).fill((byte) 3);
            arena.allocate(1, 1);
        }

        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0", "memory-1", "memory-2");
        byte[] second = Files.readAllBytes(directory.resolve("memory-1"));
        assertThat(second).hasSize((int) MIB).startsWith(2, 2, 2, 2, 2, 2, 2, 2, 2, 3).endsWith(3);
    }

    @Test
    void allocate_aboveTheChunk_getsAFileOfItsOwnAndKeepsTheChunk() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(MIB).build()) {
            long address = arena.allocate(100, 1).address();
            assertThat(arena.allocate(MIB + 1, 1).byteSize()).isEqualTo(MIB + 1);
            assertThat(arena.allocate(3 * TIB, 8).byteSize()).isEqualTo(3 * TIB);
            assertThat(arena.allocate(100, 1).address()).isEqualTo(address + 100);
        }

        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0", "memory-1", "memory-2");
        assertThat(Files.size(directory.resolve("memory-1"))).isEqualTo(MIB + 1);
        assertThat(Files.size(directory.resolve("memory-2"))).isEqualTo(3 * TIB);
    }

    @Test
    void allocate_alignmentUpToHugePage_alignsTheAddressInChunkAndOwnFile() {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(8 * MIB).build()) {
            for (long alignment = 1; alignment <= 2 * MIB; alignment *= 2) {
                assertThat(arena.allocate(3, alignment).address() % alignment).isZero();
                assertThat(arena.allocate(0, alignment).address() % alignment).isZero();
                MemorySegment own = arena.allocate(8 * MIB + 1, alignment);
                assertThat(own.address() % alignment).isZero();
                own.set(JAVA_BYTE, 8 * MIB, (byte) 1);
            }
            assertThatThrownBy(() -> arena.allocate(3, 4 * MIB)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("byteAlignment=4194304")
                    .hasMessageContaining("largest=2097152");
        }
    }

    @Test
    void allocate_alignmentAboveTheChunk_leavesRoomForIt() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(MIB).build()) {
            for (int i = 0; i < 8; i++) {
                // Mappings of this size begin at any page.
                MemorySegment segment = arena.allocate(100, 2 * MIB);
                assertThat(segment.address() % (2 * MIB)).isZero();
                assertThat(Files.size(directory.resolve("memory-" + i))).isEqualTo(100 + 2 * MIB - PageSize.BYTES);
            }
        }
    }

    @Test
    void chunked_sizeOutOfRange_isRefused() {
        for (long size : new long[]{Long.MIN_VALUE, -1, 0, Sizes.ADDRESSABLE + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> InfiniteArena.builder(base).chunked(size))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("chunkByteSize=" + size);
        }
    }

    /// When the machine fails, the new size of the catalog may be lost, while the line in which a run begins is on the
    /// disk.
    @Test
    void reopen_catalogThatEndsWithinARunOrItsCopies_addsAllocationsBehindTheRun() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 20).build()) {
            for (int i = 0; i < MANY; i++) {
                arena.allocate(8, 1);
            }
        }
        TestCatalog.cutInRun(base);
        Path copy = base.resolveSibling("copy");
        Path repaired = base.resolveSibling("repaired");
        using(ArenaImage.open(base), image -> image.copyTo(copy));
        ImageFiles.repair(base, repaired);
        addLater(base);
        addLater(copy);
        addLater(repaired);
    }

    private static void addLater(Path image) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(image).reopen()) {
            for (int i = 0; i < MANY; i++) {
                arena.names().allocate("later" + i, JAVA_LONG, 1).set(JAVA_LONG, 0, i);
            }
        }
        try (ArenaImage read = ArenaImage.open(image); Arena arena = Arena.ofConfined()) {
            List<Allocation> later = read.allocations().filter(each -> each.name().isPresent()).toList();
            assertThat(later).hasSize(MANY);
            for (int i = 0; i < later.size(); i++) {
                assertThat(read.segment(later.get(i), arena).get(JAVA_LONG, 0)).isEqualTo(i);
            }
        }
    }

    @Test
    @Tag("full")
    void allocate_firstInTwoThreadsAtOnce_makesOneChunk() {
        for (int round = 0; round < 25; round++) {
            try (InfiniteArena arena = InfiniteArena.builder(base).chunked().deleteOnClose().build()) {
                long[] addresses = new long[2];
                Threads.race(2, thread -> addresses[thread] = arena.allocate(8, 8).address());

                assertThat(Math.abs(addresses[0] - addresses[1])).isBetween(8L, MIB);
                assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
            }
        }
    }
}
