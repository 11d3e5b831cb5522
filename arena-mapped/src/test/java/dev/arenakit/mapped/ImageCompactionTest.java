package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ImageCompactionTest {
    private static final long CHUNK = 1 << 20;
    private static final int ALLOCATIONS = 40;

    private final Path directory = TestFileSystem.SHARED_MEMORY.newDirectory();
    private final Path base = directory.resolve("memory");
    private final Path to = directory.resolve("compact");

    ImageCompactionTest() throws IOException {}

    @AfterEach
    void removeDirectory() throws IOException {
        TestFileSystem.remove(directory);
    }

    private InfiniteArena.Builder builder(boolean chunked) {
        InfiniteArena.Builder builder = InfiniteArena.builder(base);
        return chunked ? builder.chunked(CHUNK) : builder;
    }

    /// Makes allocations of many sizes and alignments, some larger than a chunk. Every second one is freed, and every
    /// fourth one is sealed. Contents are the number of the allocation, between holes.
    private void fill(InfiniteArena arena) {
        for (int i = 0; i < ALLOCATIONS; i++) {
            long longs = i == 20 ? CHUNK / 4 : 1 + i * 997L;
            MemorySegment memory = i % 8 == 4
                    ? arena.allocate(longs * Long.BYTES, 1L << (i % 13))
                    : arena.allocate("a" + i, JAVA_LONG, longs);
            memory.setAtIndex(JAVA_LONG, 0, i);
            memory.setAtIndex(JAVA_LONG, longs - 1, i);
            if (i % 2 == 1) {
                arena.free("a" + i);
            } else if (i % 8 == 0) {
                arena.seal("a" + i);
            }
        }
        arena.allocate("empty", JAVA_LONG, 0);
    }

    private static Map<String, Allocation> live(ArenaImage image) throws IOException {
        Map<String, Allocation> live = new HashMap<>();
        image.allocations()
                .filter(Allocation::isLive)
                .forEach(allocation -> live.put(allocation.name().orElse("of " + allocation.byteSize()), allocation));
        return live;
    }

    private static void assertSame(ArenaImage original, ArenaImage copy) throws IOException {
        Map<String, Allocation> copied = live(copy);
        Map<String, Allocation> expected = live(original);
        assertThat(copied.keySet()).isEqualTo(expected.keySet());
        try (Arena arena = Arena.ofConfined()) {
            for (Map.Entry<String, Allocation> each : expected.entrySet()) {
                Allocation before = each.getValue();
                Allocation after = Objects.requireNonNull(copied.get(each.getKey()));
                assertThat(after.typeText()).isEqualTo(before.typeText());
                assertThat(after.byteAlignment()).isEqualTo(before.byteAlignment());
                assertThat(after.byteOffset() % after.byteAlignment()).isZero();
                assertThat(after.time()).isEqualTo(before.time());
                assertThat(after.thread()).isEqualTo(before.thread());
                assertThat(copy.segment(after, arena).mismatch(original.segment(before, arena))).isEqualTo(-1);
                assertThat(copy.seal(after)).isEqualTo(original.seal(before));
                assertThat(copy.damage(after)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void compactTo_imageWithFreedMemory_hasTheLiveAllocationsAlone(boolean chunked) throws IOException {
        try (InfiniteArena arena = builder(chunked).build()) {
            fill(arena);
        }
        InfiniteArena.builder(base).reopen().close();
        List<Path> before = files();
        try (ArenaImage original = ArenaImage.open(base)) {
            original.compactTo(to);
            try (ArenaImage copy = ArenaImage.open(to)) {
                assertThat(copy.problems()).isEmpty();
                assertThat(copy.allocations()).hasSize(ALLOCATIONS / 2 + 1).allMatch(Allocation::isLive);
                assertThat(copy.isChunked()).isEqualTo(chunked);
                assertThat(copy.owners()).singleElement().matches(OwnerRecord::isClosed);
                assertThat(copy.ownerIsAlive()).isFalse();
                assertThat(copy.allocations().filter(allocation -> seal(copy, allocation))).hasSize(5);
                assertThat(Files.size(ImageFiles.catalog(to))).isLessThan(1 << 14);
                assertSame(original, copy);
                assertThat(copy.dataFiles()).hasSize(chunked ? 5 : ALLOCATIONS / 2 + 1).allMatch(Files::exists);
            }
        }
        assertThat(files()).as("of the image").containsAll(before);
        try (InfiniteArena arena = InfiniteArena.builder(to).reopen();
                ArenaImage original = ArenaImage.open(base);
                ArenaImage copy = ArenaImage.attach(to)) {
            assertThat(arena.find("a2").orElseThrow().get(JAVA_LONG, 0)).isEqualTo(2);
            MemorySegment more = arena.allocate("more", JAVA_LONG, 1_000);
            assertThat(more.mismatch(MemorySegment.ofArray(new long[1_000]))).as("zeroed").isEqualTo(-1);
            more.fill((byte) 1);
            arena.free("more");
            assertSame(original, copy);
        }
        try (ArenaImage copy = ArenaImage.open(to)) {
            assertThat(copy.problems()).isEmpty();
        }
    }

    private static boolean seal(ArenaImage image, Allocation allocation) {
        try {
            return image.seal(allocation).isPresent();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void compactTo_terabytesOfHoles_areHoles() throws IOException {
        long byteSize = 1L << 36;
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1L << 38).build()) {
            arena.allocate("freed", JAVA_BYTE, 1 << 20).fill((byte) 1);
            arena.allocate("huge", JAVA_BYTE, byteSize).set(JAVA_BYTE, byteSize - 1, (byte) 7);
            arena.free("freed");
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            image.compactTo(to);
        }
        try (ArenaImage copy = ArenaImage.open(to)) {
            Allocation huge = copy.find("huge").orElseThrow();
            assertThat(huge.byteOffset()).isZero();
            long[] last = {0};
            copy.source(huge).transferTo(new ExtentSource.Sink() {
                @Override
                public void data(MemorySegment bytes) {
                    last[0] = bytes.get(JAVA_BYTE, bytes.byteSize() - 1);
                }

                @Override
                public void zeros(long count) {
                    // Most of the memory is a hole.
                }
            }, 0, byteSize);
            assertThat(last[0]).isEqualTo(7);
            assertThat(dev.arenakit.mapped.io.SparseFile.open(copy.file(0)).storedByteSize().orElse(0))
                    .isLessThan(1 << 16);
        }
    }

    @Test
    void compactTo_freedAfterItWasCopied_isFreedInTheCopy() throws IOException {
        try (InfiniteArena arena = builder(true).build(); ArenaImage image = ArenaImage.open(base)) {
            fill(arena);
            long[] calls = {0};
            image.compactTo(to, _ -> {
                if (calls[0]++ == 30) {
                    arena.free("a0");
                    arena.allocate("a0", JAVA_LONG, 1).set(JAVA_LONG, 0, 100);
                }
            });
            assertThat(calls[0]).isGreaterThan(30);
        }
        try (ArenaImage copy = ArenaImage.open(to)) {
            assertThat(copy.allocations().filter(it -> !it.isLive())).extracting(Allocation::label)
                    .containsExactly("a0");
            assertThat(copy.problems()).isEmpty();
        }
    }

    @Test
    void compactTo_freedAndRemovedBeforeItWasCopied_isFreedInTheCopy() throws IOException {
        try (InfiniteArena arena = builder(false).build(); ArenaImage image = ArenaImage.open(base)) {
            arena.allocate("first", JAVA_LONG, 10).fill((byte) 7);
            MemorySegment freed = arena.allocate("freed", JAVA_LONG, 10).fill((byte) 7);
            arena.allocate("last", JAVA_LONG, 10).fill((byte) 7);
            boolean[] isFreed = {false};
            image.compactTo(to, _ -> {
                if (!isFreed[0]) {
                    isFreed[0] = true;
                    arena.free(freed);
                    arena.force();
                }
            });
            assertThat(isFreed[0]).isTrue();
        }
        try (ArenaImage copy = ArenaImage.open(to)) {
            assertThat(copy.problems()).isEmpty();
            assertThat(copy.allocations().filter(Allocation::isLive)).extracting(Allocation::label)
                    .containsExactly("first", "last");
        }
        InfiniteArena.builder(to).reopen().close();
    }

    /// The copy would be without the allocation, and without a sign of it.
    @Test
    void compactTo_recordIsDamaged_isRefused() throws IOException {
        try (InfiniteArena arena = builder(false).build()) {
            fill(arena);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            long at = image.find("a8").orElseThrow().number() * CatalogFormat.SLOT;
            try (FileChannel catalog = FileChannel.open(ImageFiles.catalog(base), StandardOpenOption.READ,
                    StandardOpenOption.WRITE)) {
                ByteBuffer checksum = ByteBuffer.allocate(1);
                catalog.read(checksum, at + CatalogFormat.CHECKSUM);
                checksum.put(0, (byte) ~checksum.get(0)).flip();
                catalog.write(checksum, at + CatalogFormat.CHECKSUM);
            }
            List<Path> before = files();
            assertThatThrownBy(() -> image.compactTo(to)).isInstanceOf(IOException.class)
                    .hasMessageContaining("Records are damaged")
                    .hasMessageContaining("repair the image first");
            assertThat(files()).isEqualTo(before);
        }
    }

    @Test
    void compactTo_failsMidway_leavesNoFile() throws IOException {
        try (InfiniteArena arena = builder(false).build()) {
            fill(arena);
        }
        List<Path> before = files();
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThatThrownBy(() -> image.compactTo(to, written -> {
                if (written > 50) {
                    // The copy has no header yet: a kill now leaves no image.
                    assertThatThrownBy(() -> ArenaImage.open(to)).isInstanceOf(IOException.class);
                    throw new IllegalStateException("stop");
                }
            })).hasMessage("stop");
            assertThat(files()).isEqualTo(before);
            Files.delete(image.file(image.find("a38").orElseThrow().file()));
            assertThatThrownBy(() -> image.compactTo(to)).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> image.compactTo(base)).isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(files()).hasSize(before.size() - 1);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted(Comparator.naturalOrder()).toList();
        }
    }
}
