package dev.arenakit.mapped;

import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.mapped.ArenaPages.Advice;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.data.DataFileParts;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests allocations that are larger than the files that ext4 allows, and the pages and blocks of memory that grows. On
/// tmpfs, which allows such files, some allocations are one file.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class ColossalAllocationTest extends InDirectory {
    private static final long TIB = 1L << 40;
    private static final long COLOSSAL = 64 * TIB;
    private static final long PART = 8 * TIB;
    private static final long MIB = 1L << 20;

    ColossalAllocationTest(TestFileSystem place) {
        super(place);
    }

    @Test
    void allocate_64TiB_isOneSegmentOfZerosAcrossAllSeams() throws IOException {
        TestFileSystem.assumeHoles(directory);
        long descriptors = descriptors();
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment memory = arena.allocate(COLOSSAL, 4096);
            assertThat(memory.byteSize()).isEqualTo(COLOSSAL);
            assertThat(memory.address() % 4096).isZero();
            assertThat(memory.scope()).isEqualTo(arena.scope());

            checkSeams(memory, PART, 7);

            arena.pages().force(memory.asSlice(PART - 100, 200));
            assertThat(descriptors()).isEqualTo(descriptors);
        }
        assertThat(ProcessMaps.of(directory)).isEmpty();
    }

    @Test
    void segment_ofAChunk_takesLittleAddressSpace() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build();
                ArenaImage image = ArenaImage.attach(base);
                Arena readers = Arena.ofShared()) {
            arena.names().allocate("first", 64, 8).fill((byte) 7);
            arena.names().allocate("second", 8 * MIB, 8).fill((byte) 8);
            long before = ProcessMaps.addressSpace();
            MemorySegment first = image.segment(image.find("first").orElseThrow(), readers);
            MemorySegment second = image.segment(image.find("second").orElseThrow(), readers);
            assertThat(first.get(JAVA_BYTE, 63)).isEqualTo((byte) 7);
            assertThat(second.get(JAVA_BYTE, 8 * MIB - 1)).isEqualTo((byte) 8);
            assertThat(ProcessMaps.addressSpace() - before).isLessThan(1L << 30);
        }
    }

    @Test
    void parts_small_areOneSegment() throws IOException {
        TestFileSystem.assumeHoles(directory);
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
        assertThat(ProcessMaps.of(directory)).isEmpty();

        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = DataFileParts.map(base, parts.parts(), parts.byteSize(),
                    number -> FileIdentity.ofAny(ImageFiles.data(base, number)), false, arena);
            assertThat(memory.isReadOnly()).isTrue();
            assertThat(memory.asSlice((1 << 16) - 4, 8).toArray(JAVA_BYTE)).containsOnly(1);
        }
        assertThat(ProcessMaps.of(directory)).isEmpty();
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
    void allocate_moreThanTheAddressSpace_saysHowMuchThereIs() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base); Arena addresses = Arena.ofShared()) {
            AddressSpaceTest.leaveAtMost(100 * TIB, addresses);
            assertThatThrownBy(() -> arena.allocate(120 * TIB, 1)).isInstanceOf(OutOfMemoryError.class)
                    // Several files have no path.
                    .hasMessageMatching("(?s)Address space is exhausted: (path=" + Pattern.quote(base + "-0")
                            + ", )?byteSize=" + 120 * TIB + ", .*largest=[0-9]{13,15}\\D.*ulimit -v.*");
            assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
            assertThat(MappingLimit.used()).as("the catalog").isEqualTo(mappingsBefore + 1);
            assertThat(ProcessMaps.of(directory)).as("the catalog").hasSize(1);

            arena.allocate(100, 1);
        }
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
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
            assertThatThrownBy(() -> arena.pages().force(other.allocate(8)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("base=" + base);
            MemorySegment memory = arena.allocate(100, 1);
            arena.pages().force(memory);
            arena.pages().force(arena.allocate(0));
            assertThat(Threads.thrownBy(() -> arena.pages().force(memory))).isInstanceOf(WrongThreadException.class);
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

    @Test
    void free_ofMemoryThatHasGrown_freesItsBlocksAndItsName() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            GrowableSegment growable = arena.names().growable("values", NamedAllocations.structOf(JAVA_BYTE), 1L << 40);
            assertThatThrownBy(() -> arena.free(growable.segment())).isInstanceOf(IllegalArgumentException.class);
            MemorySegment first = growable.grow(MIB);
            MemorySegment grown = growable.grow(8 * MIB + 100);
            grown.fill((byte) 7);
            assertThatThrownBy(() -> arena.free(first)).isInstanceOf(IllegalArgumentException.class);
            assertThat(grown.get(JAVA_BYTE, 0)).isEqualTo((byte) 7);
            arena.free(grown);
            assertThat(arena.names().find("values")).isEmpty();
            assertThatThrownBy(() -> arena.free(grown)).hasMessageContaining("freed");
            arena.force();
            assertThat(ImageFiles.data(base, 0)).doesNotExist();
            assertThat(isFilled(grown, 0)).isTrue();
        }
    }

    @Test
    void free_afterResize_takesTheSegmentOfThePresentSize() {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            MemorySegment first = arena.names().allocate("values", JAVA_BYTE, 100);
            MemorySegment resized = arena.names().resize("values", 2 * MIB);
            resized.fill((byte) 7);
            assertThatThrownBy(() -> arena.free(first)).isInstanceOf(IllegalArgumentException.class);
            arena.free(resized);
            arena.force();
            assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
            assertThat(isFilled(resized, 0)).isTrue();
            assertThat(isFilled(first, 0)).isTrue();
            assertThat(arena.names().find("values")).isEmpty();
        }
    }

    @Test
    void prefault_ofMemoryThatHasGrown_isOfItsPresentSize() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).randomAccess().build()) {
            GrowableSegment growable = arena.growable(1L << 40);
            MemorySegment grown = growable.grow(2 * MIB + 100);
            arena.pages().prefault(grown);
            assertThat(arena.pages().residentBytes(grown)).isEqualTo(grown.byteSize());
            arena.pages().advise(grown, Advice.SEQUENTIAL);
            assertThat(arena.pages().residentBytes(growable.grow(64 * MIB).asSlice(4 * MIB, MIB))).isZero();
            assertThat(Files.size(ImageFiles.data(base, 0))).isEqualTo(64 * MIB);
        }
    }
}
