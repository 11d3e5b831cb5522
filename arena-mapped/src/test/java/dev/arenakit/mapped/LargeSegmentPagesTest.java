package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.io.SparseFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests the pages and the blocks of memory that grows.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class LargeSegmentPagesTest extends InDirectory {
    private static final long MIB = 1L << 20;

    LargeSegmentPagesTest(TestFileSystem place) throws IOException {
        super(place);
    }

    @Test
    void free_ofMemoryThatHasGrown_freesItsBlocksAndItsName() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            GrowableSegment growable = arena.growable("values", NamedAllocations.structOf(JAVA_BYTE), 1L << 40);
            assertThatThrownBy(() -> arena.free(growable.segment())).isInstanceOf(IllegalArgumentException.class);
            MemorySegment first = growable.grow(MIB);
            MemorySegment grown = growable.grow(8 * MIB + 100);
            grown.fill((byte) 7);
            assertThatThrownBy(() -> arena.free(first)).isInstanceOf(IllegalArgumentException.class);
            assertThat(grown.get(JAVA_BYTE, 0)).isEqualTo((byte) 7);
            arena.free(grown);
            assertThat(arena.find("values")).isEmpty();
            assertThatThrownBy(() -> arena.free(grown)).hasMessageContaining("freed");
            arena.force();
            assertThat(ImageFiles.data(base, 0)).doesNotExist();
            assertThat(isZero(grown)).isTrue();
        }
    }

    @Test
    void free_afterResize_takesTheSegmentOfThePresentSize() {
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            MemorySegment first = arena.allocate("values", JAVA_BYTE, 100);
            MemorySegment resized = arena.resize("values", 2 * MIB);
            resized.fill((byte) 7);
            assertThatThrownBy(() -> arena.free(first)).isInstanceOf(IllegalArgumentException.class);
            arena.free(resized);
            arena.force();
            assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
            assertThat(isZero(resized)).isTrue();
            assertThat(isZero(first)).isTrue();
            assertThat(arena.find("values")).isEmpty();
        }
    }

    @Test
    void free_afterReopen_ofMemoryThatHasGrown_freesIt() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            arena.growable("values", NamedAllocations.structOf(JAVA_BYTE), 1L << 40).grow(2 * MIB).fill((byte) 7);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            MemorySegment values = arena.get("values");
            arena.free(values);
            arena.force();
            assertThat(isZero(values)).isTrue();
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.allocations()).noneMatch(Allocation::isLive);
            assertThat(image.problems()).isEmpty();
        }
    }

    @Test
    void prefault_ofMemoryThatHasGrown_isOfItsPresentSize() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).randomAccess().build()) {
            GrowableSegment growable = arena.growable(1L << 40);
            MemorySegment grown = growable.grow(2 * MIB + 100);
            arena.prefault(grown);
            assertThat(arena.residentBytes(grown)).isEqualTo(grown.byteSize());
            arena.advise(grown, Advice.SEQUENTIAL);
            assertThat(arena.residentBytes(growable.grow(64 * MIB).asSlice(4 * MIB, MIB))).isZero();
            assertThat(Files.size(ImageFiles.data(base, 0))).isEqualTo(64 * MIB);
        }
    }

    @Test
    void find_inAReservedArena_ofMemoryThatHasGrown_reservesIt() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            arena.growable("values", NamedAllocations.structOf(JAVA_BYTE), 1L << 40).grow(2 * MIB);
            arena.growable("empty", NamedAllocations.structOf(JAVA_BYTE), 1L << 40);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reserved().reopen()) {
            assertThat(arena.get("values").byteSize()).isEqualTo(2 * MIB);
            assertThat(arena.get("empty").byteSize()).isZero();
            try (SparseFile file = SparseFile.open(ImageFiles.data(base, 0))) {
                assertThat(file.storedByteSize().orElseThrow()).isGreaterThanOrEqualTo(2 * MIB);
            }
        }
    }

    private static boolean isZero(MemorySegment segment) {
        return segment.mismatch(MemorySegment.ofArray(new byte[(int) segment.byteSize()])) == -1;
    }
}
