package dev.arenakit.mapped.internal.data;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.file.MappedPages;
import dev.arenakit.mapped.ArenaPages.Advice;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.PageSize;
import dev.arenakit.mapped.io.SparseFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@ParameterizedClass
@EnumSource(TestFileSystem.class)
class ResidentMemoryTest extends InDirectory {
    private static final long MIB = 1L << 20;

    ResidentMemoryTest(TestFileSystem place) {
        super(place);
    }

    @BeforeEach
    void checkSystem() {
        assumeTrue(MappedPages.isAvailable(), "needs pages of mapped files");
    }

    @Test
    void residentBytes_ofASlice_countsItsBytesAlone() {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().randomAccess().build()) {
            MemorySegment segment = arena.allocate(64 * MIB, PageSize.BYTES);
            assertThat(arena.pages().residentBytes(segment)).isZero();
            segment.set(JAVA_BYTE, 10 * PageSize.BYTES + 7, (byte) 1);
            // Large folios bring their neighbours.
            assertThat(arena.pages().residentBytes(segment)).isBetween(PageSize.BYTES, 2 * MIB);
            assertThat(arena.pages().residentBytes(segment.asSlice(10 * PageSize.BYTES + 5, 10))).isEqualTo(10);
            assertThat(arena.pages().residentBytes(segment.asSlice(10 * PageSize.BYTES, PageSize.BYTES)))
                    .isEqualTo(PageSize.BYTES);
            assertThat(arena.pages().residentBytes(segment.asSlice(32 * MIB))).isZero();
        }
    }

    @Test
    void prefault_ofAHole_makesItDataAndKeepsItsContents() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            MemorySegment segment = arena.allocate(4 * MIB + 100, 1);
            segment.set(JAVA_BYTE, 5, (byte) 7);
            arena.pages().prefault(segment.asSlice(MIB, MIB));
            assertThat(arena.pages().residentBytes(segment.asSlice(MIB, MIB))).isEqualTo(MIB);
            arena.pages().prefault(segment);
            assertThat(arena.pages().residentBytes(segment)).isEqualTo(segment.byteSize());
            assertThat(segment.get(JAVA_BYTE, 5)).isEqualTo((byte) 7);
            segment.set(JAVA_BYTE, 5, (byte) 0);
            assertThat(segment.mismatch(MemorySegment.ofArray(new byte[(int) segment.byteSize()]))).isEqualTo(-1);
            arena.force();
            try (SparseFile file = SparseFile.open(ImageFiles.data(base, 0))) {
                assertThat(file.storedByteSize().orElseThrow()).isGreaterThanOrEqualTo(4 * MIB);
            }
        }
    }

    @Test
    void prefault_ofATruncatedFile_throwsInsteadOfFaulting() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            MemorySegment segment = arena.allocate(MIB, 1);
            Files.write(ImageFiles.data(base, 0), new byte[100]);
            assertThatThrownBy(() -> arena.pages().prefault(segment)).hasMessageContaining("Data file is truncated");
        }
    }

    @Test
    void advise_pageOut_leavesTheContents() {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            MemorySegment segment = arena.allocate(8 * MIB, PageSize.BYTES);
            segment.fill((byte) 7);
            arena.force();
            arena.pages().advise(segment, Advice.PAGE_OUT);
            // The pages of a tmpfs remain where there is no swap space.
            if (place == TestFileSystem.BUILD) {
                assertThat(arena.pages().residentBytes(segment)).isLessThan(4 * MIB);
            }
            assertThat(segment.get(JAVA_BYTE, MIB)).isEqualTo((byte) 7);
        }
    }

    @Test
    void advise_partsOfAFile_countsTheSplits() {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            MemorySegment segment = arena.allocate(8 * MIB, PageSize.BYTES);
            int before = MappingLimit.used();
            for (int i = 0; i < 10; i++) {
                arena.pages().advise(segment.asSlice(MIB + 100, MIB), i % 2 == 0 ? Advice.RANDOM : Advice.SEQUENTIAL);
            }
            assertThat(MappingLimit.used()).isEqualTo(before + 2);
            arena.pages().advise(segment.asSlice(3 * MIB), Advice.WILL_NEED);
            arena.pages().advise(segment.asSlice(0, 0), Advice.NORMAL);
            assertThat(MappingLimit.used()).isEqualTo(before + 2);
        }
    }

    @Test
    void methods_foreignSegmentOrClosedArena_areRefused() {
        InfiniteArena arena = InfiniteArena.builder(base).confined().build();
        MemorySegment segment = arena.allocate(100, 1);
        try (Arena other = Arena.ofConfined()) {
            for (MemorySegment wrong : List.of(other.allocate(100), MemorySegment.ofArray(new byte[9]))) {
                assertThatThrownBy(() -> arena.pages().advise(wrong, Advice.RANDOM))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> arena.pages().prefault(wrong)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> arena.pages().residentBytes(wrong))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
        arena.close();
        assertThatThrownBy(() -> arena.pages().advise(segment, Advice.RANDOM))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> arena.pages().prefault(segment)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> arena.pages().residentBytes(segment)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void advise_whenTheArenaWasClosedMeanwhile_countsNoSplit() {
        Arena memory = Arena.ofShared();
        MappedFiles mapped = new MappedFiles(base, memory, false);
        DataFileWriter files = new DataFileWriter(mapped, null, new RecordedFiles(), FileMode.OWNER_ONLY, false, null);
        ResidentMemory pages = new ResidentMemory(mapped);
        MemorySegment middle = files.map(MIB, MIB, MIB, MIB).slice(MIB / 2, PageSize.BYTES);
        memory.close();
        pages.release();
        files.release(true);

        assertThatThrownBy(() -> pages.advise(middle, MappedPages.Use.RANDOM, true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Already closed");
        assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
    }

    @Test
    void advise_atTheLimitOfMappings_countsNoSplit() {
        try (InfiniteArena arena = InfiniteArena.builder(base).catalog(CatalogLevel.OFF).build()) {
            MemorySegment middle = arena.allocate(MIB, 1).asSlice(MIB / 2, PageSize.BYTES);
            int room = MappingLimit.LIMIT - MappingLimit.used() - 1;
            MappingLimit.reserve(room);
            try {
                assertThatThrownBy(() -> arena.pages().advise(middle, Advice.RANDOM))
                        .isInstanceOf(CapacityExceededException.class)
                        .hasMessageContaining("requested=2");
                assertThat(MappingLimit.used()).isEqualTo(MappingLimit.LIMIT - 1);
            } finally {
                MappingLimit.release(room);
            }
            arena.pages().advise(middle, Advice.RANDOM);
            arena.pages().advise(middle, Advice.NORMAL);
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + 3);
        }
    }
}
