package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.PageSize;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests chunked arenas.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class InfiniteArenaChunkTest extends InDirectory {
    private static final long MIB = 1L << 20;
    private static final long TIB = 1L << 40;

    InfiniteArenaChunkTest(TestFileSystem place) throws IOException {
        super(place);
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
    void allocate_sizeZero_makesNoFile() {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            assertThat(arena.allocate(0, 1).byteSize()).isZero();
            assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
        }
    }

    @Test
    void chunked_sizeOutOfRange_isRefused() {
        for (long size : new long[]{Long.MIN_VALUE, -1, 0, (1L << 47) + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> InfiniteArena.builder(base).chunked(size))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("chunkByteSize=" + size);
        }
    }

    /// When the machine fails, the new size of the catalog may be lost, while the line in which a run begins is on the
    /// disk.
    @Test
    void reopen_catalogThatEndsWithinARun_addsAllocationsBehindTheRun() throws IOException {
        allocateManyAndCut();
        addLater(base);
    }

    @Test
    void reopen_copyOfACatalogThatEndsWithinARun_addsAllocationsBehindTheRun() throws IOException {
        allocateManyAndCut();
        Path copy = base.resolveSibling("copy");
        try (ArenaImage image = ArenaImage.open(base)) {
            image.copyTo(copy);
        }
        addLater(copy);
    }

    @Test
    void reopen_repairedCatalogThatEndedWithinARun_addsAllocationsBehindTheRun() throws IOException {
        allocateManyAndCut();
        Path repaired = base.resolveSibling("repaired");
        ArenaImage.repair(base, repaired);
        addLater(repaired);
    }

    private void allocateManyAndCut() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 20).build()) {
            for (int i = 0; i < 10_000; i++) {
                arena.allocate(8, 1);
            }
        }
        TestCatalog.cutInRun(base);
    }

    private static void addLater(Path image) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(image).reopen()) {
            for (int i = 0; i < 10_000; i++) {
                arena.allocate("later" + i, JAVA_LONG, 1).set(JAVA_LONG, 0, i);
            }
        }
        try (ArenaImage read = ArenaImage.open(image); Arena arena = Arena.ofConfined()) {
            List<Allocation> later = read.allocations().filter(each -> each.name().isPresent()).toList();
            assertThat(later).hasSize(10_000);
            for (int i = 0; i < later.size(); i++) {
                assertThat(read.segment(later.get(i), arena).get(JAVA_LONG, 0)).isEqualTo(i);
            }
        }
    }
}
