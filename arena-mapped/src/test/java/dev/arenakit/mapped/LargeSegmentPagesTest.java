package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.io.SparseFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests the pages and the blocks of memory that grows, and of memory in several files.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class LargeSegmentPagesTest extends InDirectory {
    private static final long MIB = 1L << 20;
    private static final long COLOSSAL = 17L << 40;

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

    @Test
    void methods_onMemoryInSeveralFiles_areRefusedAndChangeNothing() throws IOException {
        assumeLimit();
        try (InfiniteArena arena = InfiniteArena.builder(base).randomAccess().build()) {
            checkRefused(arena, arena.allocate("colossal", JAVA_LONG, COLOSSAL / 8));
            GrowableSegment growable = arena.growable(COLOSSAL);
            checkRefused(arena, growable.grow(MIB));
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).randomAccess().reopen()) {
            checkRefused(arena, arena.get("colossal"));
            arena.free("colossal");
            assertThat(arena.find("colossal")).isEmpty();
        }
    }

    @Test
    void free_ofMemoryInSeveralFiles_removesThem() throws IOException {
        assumeLimit();
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            MemorySegment colossal = arena.allocate("colossal", JAVA_LONG, COLOSSAL / 8);
            MemorySegment grown = arena.growable(COLOSSAL).grow(MIB);
            int files = TestFileSystem.dataFiles(directory).size();
            colossal.set(JAVA_LONG, COLOSSAL - 8, 42);
            grown.set(JAVA_LONG, 0, 42);
            arena.free(grown);
            assertThatThrownBy(() -> arena.free(colossal.asSlice(0, 8))).isInstanceOf(IllegalArgumentException.class);
            arena.force();
            assertThat(TestFileSystem.dataFiles(directory)).hasSize(files / 2);
            assertThat(grown.get(JAVA_LONG, 0)).isZero();
            arena.free(colossal);
            arena.force();
            assertThat(colossal.get(JAVA_LONG, COLOSSAL - 8)).isZero();
            assertThat(MappingLimit.used() - mappingsBefore).isLessThan(5);
            assertThat(arena.find("colossal")).isEmpty();
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThat(image.problems()).isEmpty();
                assertThat(image.dataFiles().filter(Files::exists)).isEmpty();
            }
        }
    }

    /// The first of several files is made zero, and the second one cannot be.
    @Test
    void reopen_anotherFileOfAFreedAllocationCannotBeCleared_isLeftToTheNextOwner() throws IOException {
        assumeLimit();
        Path second = ImageFiles.data(base, 1);
        Path aside = directory.resolve("aside");
        InfiniteArena arena = InfiniteArena.builder(base).build();
        MemorySegment colossal = arena.allocate("colossal", JAVA_LONG, COLOSSAL / 8);
        colossal.set(JAVA_LONG, 0, 42);
        colossal.set(JAVA_LONG, COLOSSAL / 2, 42);
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

    private static void checkRefused(InfiniteArena arena, MemorySegment memory) {
        memory.set(JAVA_LONG, 8, 42);
        List<ThrowingCallable> calls = List.of(() -> arena.prefault(memory.asSlice(0, 100)),
                () -> arena.advise(memory, Advice.WILL_NEED), () -> arena.residentBytes(memory.asSlice(0, 100)));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call).isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Segment of an allocation that has several files");
        }
        assertThat(memory.get(JAVA_LONG, 8)).isEqualTo(42);
    }

    @Test
    void allocationInSeveralFiles_inAReservedArena_isRefused() throws IOException {
        assumeLimit();
        try (InfiniteArena arena = InfiniteArena.builder(base).reserved().build()) {
            assertThatThrownBy(() -> arena.allocate(COLOSSAL, 1)).isInstanceOf(DiskFullException.class);
            assertThatThrownBy(() -> arena.growable(COLOSSAL)).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("File system refuses a file of this size");
            assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
            arena.allocate(100, 1);
        }
    }

    @Test
    void find_inAReservedArena_ofMemoryInSeveralFiles_isRefused() throws IOException {
        assumeLimit();
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            arena.allocate("colossal", JAVA_LONG, COLOSSAL / 8);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reserved().reopen()) {
            assertThatThrownBy(() -> arena.find("colossal")).isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Allocation in several files cannot be reserved: first=" + base + "-0");
        }
    }

    private static boolean isZero(MemorySegment segment) {
        return segment.mismatch(MemorySegment.ofArray(new byte[(int) segment.byteSize()])) == -1;
    }

    private void assumeLimit() throws IOException {
        TestFileSystem.assumeExt4(directory);
    }
}
