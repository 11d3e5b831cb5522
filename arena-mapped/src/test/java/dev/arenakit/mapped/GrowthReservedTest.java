package dev.arenakit.mapped;

import dev.arenakit.diagnostics.BudgetExceededException;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.diagnostics.MemoryStatistics;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.arena.GrowableMemory;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.io.SparseFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests memory that grows together with its blocks, in a reserved arena and in any other.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class GrowthReservedTest extends InDirectory {
    private static final long MIB = 1 << 20;
    private static final long LARGEST = 1L << 40;
    private static final StructType BYTES = NamedAllocations.structOf(JAVA_BYTE);

    GrowthReservedTest(TestFileSystem place) throws IOException {
        super(place);
    }

    private InfiniteArena reserved() {
        return InfiniteArena.builder(base).reserved().openOrCreate();
    }

    private static long stored(Path file) throws IOException {
        try (SparseFile sparse = SparseFile.open(file)) {
            return sparse.storedByteSize().orElseThrow();
        }
    }

    private Path file(int number) {
        return ImageFiles.data(base, number);
    }

    private static boolean isZero(MemorySegment segment) {
        return segment.mismatch(MemorySegment.ofArray(new byte[(int) segment.byteSize()])) == -1;
    }

    @Test
    void grow_inAReservedArena_reservesTheBlocksOfTheNewRange() throws IOException {
        try (InfiniteArena arena = reserved()) {
            GrowableSegment bytes = arena.growable("bytes", BYTES, LARGEST);
            assertThat(Files.size(file(0))).isZero();
            assertThat(stored(file(0))).isZero();
            long address = bytes.segment().address();
            for (long byteSize : new long[]{1, 5_000, MIB, 3 * MIB + 5, 9 * MIB}) {
                MemorySegment grown = bytes.grow(byteSize);
                assertThat(grown.address()).isEqualTo(address);
                assertThat(isZero(grown)).isTrue();
                assertThat(Files.size(file(0))).isEqualTo(byteSize);
                assertThat(stored(file(0))).isBetween(byteSize, byteSize + MIB);
            }
            bytes.segment().fill((byte) 1);
            assertThat(stored(file(0))).isBetween(9 * MIB, 10 * MIB);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.problems()).isEmpty();
        }
    }

    @Test
    void resize_inAReservedArena_reservesTheBlocksOfTheNewRange() throws IOException {
        try (InfiniteArena arena = reserved()) {
            arena.allocate("bytes", BYTES, MIB).fill((byte) 1);
            MemorySegment resized = arena.resize("bytes", 5 * MIB);
            assertThat(resized.get(JAVA_BYTE, MIB - 1)).isEqualTo((byte) 1);
            assertThat(isZero(resized.asSlice(MIB))).isTrue();
            assertThat(stored(file(0))).isBetween(5 * MIB, 6 * MIB);
            assertThat(arena.resize("bytes", 10).byteSize()).isEqualTo(5 * MIB);
        }
    }

    /// The memory was made by a sparse arena.
    @Test
    void growable_reopenedInAReservedArena_isReservedUpToItsPresentSize() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.growable("bytes", BYTES, LARGEST).grow(3 * MIB + 7).set(JAVA_BYTE, 5, (byte) 5);
            arena.growable("empty", BYTES, LARGEST);
        }
        try (InfiniteArena arena = reserved()) {
            assertThat(arena.growable("empty", BYTES, 1).byteSize()).isZero();
            assertThat(stored(file(1))).isZero();
            GrowableSegment bytes = arena.growable("bytes", BYTES, 1);
            assertThat(bytes.maxByteSize()).isEqualTo(LARGEST);
            assertThat(bytes.segment().get(JAVA_BYTE, 5)).isEqualTo((byte) 5);
            assertThat(Files.size(file(0))).isEqualTo(3 * MIB + 7);
            assertThat(stored(file(0))).isBetween(3 * MIB + 7, 4 * MIB);
            assertThat(isZero(bytes.grow(8 * MIB).asSlice(6))).isTrue();
            assertThat(stored(file(0))).isBetween(8 * MIB, 9 * MIB);
            assertThat(arena.get("bytes").byteSize()).isEqualTo(8 * MIB);
        }
    }

    @Test
    void growable_reopenedInAReservedArenaWithATruncatedFile_isRefusedAndStaysTruncated() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.growable("bytes", BYTES, LARGEST).grow(3 * MIB);
        }
        try (FileChannel channel = FileChannel.open(file(0), StandardOpenOption.WRITE)) {
            channel.truncate(MIB);
        }
        try (InfiniteArena arena = reserved()) {
            assertThatThrownBy(() -> arena.growable("bytes", BYTES, 1)).hasMessageContaining("Data file is truncated");
            assertThat(Files.size(file(0))).isEqualTo(MIB);
        }
    }

    /// A killed owner may have grown the file, and not recorded the new size.
    @Test
    void grow_ofAFileThatIsLongerThanRecorded_handsOutZeros() throws IOException {
        try (InfiniteArena arena = reserved()) {
            arena.growable("bytes", BYTES, LARGEST).grow(MIB + 3).fill((byte) 1);
        }
        try (FileChannel channel = FileChannel.open(file(0), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[]{7, 7, 7}), MIB + 3);
            channel.write(ByteBuffer.wrap(new byte[]{7, 7, 7}), 7 * MIB);
        }
        try (InfiniteArena arena = reserved()) {
            GrowableSegment bytes = arena.growable("bytes", BYTES, 1);
            assertThat(bytes.byteSize()).isEqualTo(MIB + 3);
            MemorySegment grown = bytes.grow(8 * MIB);
            assertThat(grown.get(JAVA_BYTE, MIB + 2)).isEqualTo((byte) 1);
            assertThat(isZero(grown.asSlice(MIB + 3))).isTrue();
            assertThat(stored(file(0))).isBetween(8 * MIB, 9 * MIB);
        }
    }

    @Test
    void grow_beyondTheBudget_changesNothing() throws IOException {
        MemoryBudget budget = MemoryBudget.root("disk", 0, 8 * MIB);
        try (InfiniteArena arena = InfiniteArena.builder(base).reserved().budget(budget).build()) {
            GrowableSegment bytes = arena.growable("bytes", BYTES, LARGEST);
            assertThat(budget.stats().diskByteSize()).isZero();
            bytes.grow(5 * MIB);
            assertThat(budget.stats().diskByteSize()).isEqualTo(5 * MIB);
            assertThatThrownBy(() -> bytes.grow(9 * MIB)).isInstanceOf(BudgetExceededException.class);
            assertThat(bytes.byteSize()).isEqualTo(5 * MIB);
            assertThat(Files.size(file(0))).isEqualTo(5 * MIB);
            bytes.grow(8 * MIB);
            assertThat(budget.stats().diskByteSize()).isEqualTo(8 * MIB);
            arena.allocate("fixed", BYTES, 0);
            assertThatThrownBy(() -> arena.resize("fixed", 1)).isInstanceOf(BudgetExceededException.class);
        }
        assertThat(budget.stats().diskByteSize()).isZero();
        try (InfiniteArena arena = InfiniteArena.builder(base).reserved().budget(budget).reopen()) {
            GrowableSegment bytes = arena.growable("bytes", BYTES, 1);
            assertThat(budget.stats().diskByteSize()).isZero();
            bytes.grow(9 * MIB);
            assertThat(budget.stats().diskByteSize()).isEqualTo(MIB);
        }
        budget.close();
    }

    @Test
    void grow_inAReservedArenaOfAFileThatWasReplaced_isRefused() throws IOException {
        try (InfiniteArena arena = reserved()) {
            GrowableSegment bytes = arena.growable("bytes", BYTES, LARGEST);
            bytes.grow(MIB);
            Files.move(file(0), directory.resolve("aside"));
            Files.createFile(file(0));
            assertThatThrownBy(() -> bytes.grow(2 * MIB)).hasMessageContaining("another file has replaced it");
            assertThat(Files.size(file(0))).isZero();
            assertThat(bytes.byteSize()).isEqualTo(MIB);
            Files.move(directory.resolve("aside"), file(0), StandardCopyOption.REPLACE_EXISTING);
            assertThat(bytes.grow(2 * MIB).byteSize()).isEqualTo(2 * MIB);
            assertThat(MemoryStatistics.ofProcess().images())
                    .anyMatch(image -> image.base().equals(base.toString()) && image.diskByteSize() == 2 * MIB);
        }
    }

    @Test
    void growStored_inASparseArena_reservesTheNewRangeAndLessThanAGranuleBeforeIt() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            GrowableSegment bytes = arena.growable("bytes", BYTES, LARGEST);
            GrowableMemory memory = bytes.memory();
            memory.growStored(3 * MIB + 5);
            assertThat(Files.size(file(0))).isEqualTo(3 * MIB + 5);
            assertThat(stored(file(0))).isBetween(3 * MIB + 5, 4 * MIB);
            memory.grow(11 * MIB);
            assertThat(stored(file(0))).isBetween(3 * MIB + 5, 4 * MIB);
            memory.growStored(13 * MIB);
            assertThat(stored(file(0))).isBetween(6 * MIB, 7 * MIB);
            assertThat(memory.growStored(7).byteSize()).isEqualTo(13 * MIB);
            assertThat(isZero(bytes.segment())).isTrue();
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThat(arena.growable("bytes", BYTES, 1).byteSize()).isEqualTo(13 * MIB);
        }
    }

    @Test
    void punch_ofWrittenMemory_freesItsBlocksUnlessTheArenaIsReserved() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableMemory memory = arena.growable("bytes", BYTES, LARGEST).memory();
            memory.growStored(8 * MIB).fill((byte) 1);
            assertThat(memory.punch(MIB + 1, 5 * MIB)).isTrue();
            assertThat(stored(file(0))).isBetween(3 * MIB, 4 * MIB);
            MemorySegment segment = memory.segment();
            assertThat(segment.get(JAVA_BYTE, MIB)).isEqualTo((byte) 1);
            assertThat(isZero(segment.asSlice(MIB + 1, 5 * MIB))).isTrue();
            assertThat(segment.get(JAVA_BYTE, 6 * MIB + 1)).isEqualTo((byte) 1);
            assertThat(memory.punch(8 * MIB, 0)).isTrue();
            assertThatThrownBy(() -> memory.punch(8 * MIB, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            arena.free("bytes");
            assertThatThrownBy(() -> memory.punch(0, 1)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Memory was freed");
        }
        try (InfiniteArena arena = reserved()) {
            GrowableMemory memory = arena.growable("others", BYTES, LARGEST).memory();
            memory.grow(2 * MIB).fill((byte) 1);
            assertThat(memory.punch(0, 2 * MIB)).isFalse();
            assertThat(memory.segment().get(JAVA_BYTE, MIB)).isEqualTo((byte) 1);
        }
    }

    /// On ext4, the memory has several files.
    @Test
    void growStored_ofMemoryInSeveralFiles_isSparseAndHasHolesAndCanBeForced() {
        long seam = 8L << 40;
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableMemory memory = arena.growable(20L << 40).memory();
            memory.grow(seam - 4096);
            if (memory.segment().isMapped()) {
                // This file system allows one file. Its blocks would be reserved.
                assertThat(memory.growStored(seam + 4096).byteSize()).isEqualTo(seam + 4096);
            } else {
                memory.growStored(seam + 4 * MIB);
            }
            MemorySegment segment = memory.segment();
            segment.asSlice(seam - 4096, 8192).fill((byte) 1);
            memory.force(seam - 10, 20);
            memory.force(seam, 0);
            assertThat(memory.punch(seam - 1, 2)).isTrue();
            assertThat(segment.get(JAVA_BYTE, seam - 2)).isEqualTo((byte) 1);
            assertThat(segment.get(JAVA_BYTE, seam - 1)).isZero();
            assertThat(segment.get(JAVA_BYTE, seam)).isZero();
            assertThat(segment.get(JAVA_BYTE, seam + 1)).isEqualTo((byte) 1);
            assertThatThrownBy(() -> memory.force(segment.byteSize(), 1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }
}
