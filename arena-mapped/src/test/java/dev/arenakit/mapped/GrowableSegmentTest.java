package dev.arenakit.mapped;

import dev.arenakit.BlockAllocator;
import dev.arenakit.CapacityExceededException;
import dev.arenakit.collection.LongList;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.arena.ReopenedState;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@ParameterizedClass
@EnumSource(TestFileSystem.class)
class GrowableSegmentTest extends InDirectory {
    private static final long TIB = 1L << 40;
    private static final StructType INTS = NamedAllocations.structOf(JAVA_INT);

    GrowableSegmentTest(TestFileSystem place) {
        super(place);
    }

    @Test
    void asAllocator_ofAList_growsToATebibyteWithoutMoving() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            GrowableSegment growable = arena.growable(TIB);
            try (LongList list = LongList.create(growable.asAllocator())) {
                for (long i = 0; i < 100_000; i++) {
                    list.add(i);
                }
                long address = list.asSegment().address();
                list.ensureCapacity(TIB / Long.BYTES);
                assertThat(list.byteSize()).isEqualTo(TIB);
                list.add(-1);
                assertThat(list.asSegment().address()).isEqualTo(address).isEqualTo(growable.segment().address());
                assertThat(list.get(99_999)).isEqualTo(99_999);
                assertThatThrownBy(() -> list.ensureCapacity(TIB / Long.BYTES + 1))
                        .isInstanceOf(CapacityExceededException.class);
                assertThat(list.get(100_000)).isEqualTo(-1);
            }
            try (LongList next = LongList.create(growable.asAllocator())) {
                next.add(7);
                assertThat(growable.segment().get(JAVA_LONG, 0)).isEqualTo(7);
            }
        }
    }

    @Test
    void asAllocator_secondBlock_isRefused() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            BlockAllocator allocator = arena.growable(1 << 20).asAllocator();
            MemorySegment block = allocator.allocate(100, 8);
            assertThatThrownBy(() -> allocator.allocate(1, 1)).isInstanceOf(CapacityExceededException.class)
                    .hasMessageContaining("give each structure a GrowableSegment of its own");
            MemorySegment resized = allocator.reallocate(block, 50);
            assertThatThrownBy(() -> allocator.free(block)).isInstanceOf(IllegalArgumentException.class);
            allocator.free(resized);
            assertThat(allocator.allocate(8, 4096).address()).isEqualTo(block.address());
        }
    }

    @Test
    void grow_toATebibyte_keepsAddressAndContents() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            GrowableSegment growable = arena.growable(TIB);
            assertThat(growable.maxByteSize()).isEqualTo(TIB);
            assertThat(growable.byteSize()).isZero();
            assertThat(growable.segment().byteSize()).isZero();
            TestFileSystem.assertFileSize(directory.resolve("memory-0"), 0);

            MemorySegment first = growable.grow(100);
            first.fill((byte) 1);
            long address = first.address();
            long written = 100;
            for (long size = 1_000; size < TIB; size *= 7) {
                MemorySegment grown = growable.grow(size);
                assertThat(grown.address()).isEqualTo(address);
                assertThat(grown.byteSize()).isEqualTo(size);
                TestFileSystem.assertFileSize(directory.resolve("memory-0"), size);
                assertThat(grown.get(JAVA_BYTE, written - 1)).isEqualTo((byte) 1);
                assertThat(grown.get(JAVA_BYTE, written)).isZero();
                grown.set(JAVA_BYTE, size - 1, (byte) 1);
                written = size;
            }
            assertThat(growable.grow(TIB).byteSize()).isEqualTo(TIB);
            assertThat(growable.segment().isMapped()).isTrue();
            assertThat(first.byteSize()).isEqualTo(100);
            growable.segment().set(JAVA_BYTE, 0, (byte) 9);
            assertThat(first.get(JAVA_BYTE, 0)).as("the same memory").isEqualTo((byte) 9);
            arena.pages().force(growable.segment().asSlice(0, 4096));
        }
    }

    @Test
    void grow_refused_changesNothing() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            GrowableSegment growable = arena.growable(10_000);
            growable.grow(1_000);
            assertThatThrownBy(() -> growable.grow(10_001)).isInstanceOf(CapacityExceededException.class)
                    .hasMessageContaining("limit=10000, used=1000, requested=9001");
            assertThatThrownBy(() -> growable.grow(-1)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("newByteSize=-1");
            assertThat(Threads.thrownBy(() -> growable.grow(2_000))).isInstanceOf(WrongThreadException.class);
            assertThat(growable.byteSize()).isEqualTo(1_000);
            assertThatThrownBy(() -> arena.growable(0)).isInstanceOf(IllegalArgumentException.class);
            TestFileSystem.assumeHoles(directory);
            try (Arena addresses = Arena.ofShared()) {
                AddressSpaceTest.leaveAtMost(100 * TIB, addresses);
                assertThatThrownBy(() -> arena.growable(120 * TIB)).isInstanceOf(OutOfMemoryError.class)
                        .hasMessageContaining("largest=");
            }
        }
    }

    @Test
    void grow_fileRemoved_isRefused() throws IOException {
        TestFileSystem.assumeDeletionOfMappedFiles(directory);
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            GrowableSegment growable = arena.growable(10_000);
            growable.grow(1_000);
            Files.delete(directory.resolve("memory-0"));
            assertThatThrownBy(() -> growable.grow(2_000)).hasMessageContaining("the file was removed");
            assertThat(directory.resolve("memory-0")).doesNotExist();
            assertThat(growable.byteSize()).isEqualTo(1_000);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void grow_fileReplaced_isRefusedAndLeavesTheOtherFileAlone(boolean isSymbolic) throws IOException {
        TestFileSystem.assumeDeletionOfMappedFiles(directory);
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            GrowableSegment growable = arena.names().growable("values", INTS, 10_000);
            growable.grow(1_000);
            arena.names().allocate("ints", JAVA_INT, 250).fill((byte) 1);
            Path victim = Files.write(directory.resolve("victim"), new byte[1_500]);
            for (int number = 0; number < 2; number++) {
                Path file = directory.resolve("memory-" + number);
                Files.move(file, directory.resolve("moved" + number));
                if (isSymbolic) {
                    Files.createSymbolicLink(file, victim);
                } else {
                    Files.createLink(file, victim);
                }
            }
            for (ThrowingCallable call : List.<ThrowingCallable>of(() -> growable.grow(2_000),
                    () -> arena.names().resize("ints", 500))) {
                assertThatThrownBy(call).isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("another file has replaced it");
            }
            assertThat(Files.readAllBytes(victim)).hasSize(1_500).containsOnly(0);
            assertThat(growable.byteSize()).isEqualTo(1_000);
            assertThat(arena.names().get("ints").toArray(JAVA_BYTE)).hasSize(1_000).containsOnly(1);

            for (int number = 0; number < 2; number++) {
                Files.move(directory.resolve("moved" + number), directory.resolve("memory-" + number),
                        StandardCopyOption.REPLACE_EXISTING);
            }
            growable.grow(2_000).set(JAVA_BYTE, 1_999, (byte) 1);
            assertThat(arena.names().resize("ints", 500).get(JAVA_BYTE, 999)).isEqualTo((byte) 1);
        }
    }

    @Test
    void grow_afterClose_throws() {
        GrowableSegment growable;
        try (InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build()) {
            growable = arena.growable(10_000);
            growable.grow(1_000);
        }
        assertThatThrownBy(() -> growable.grow(2_000)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> growable.segment().get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThat(TestFileSystem.names(directory)).isEmpty();
    }

    @Test
    void grow_afterAnotherOwnerTookOver_isRefusedAndChangesNothing() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base); Arena later = Arena.ofConfined()) {
            GrowableSegment growable = arena.names().growable("values", INTS, 10_000);
            growable.grow(100).fill((byte) 1);
            arena.names().allocate("ints", JAVA_INT, 10);
            CatalogWriter owner = CatalogWriter.map(base, later, CatalogLevel.FULL);
            try (CatalogReader reader = CatalogReader.open(ImageFiles.catalog(base))) {
                owner.takeOver(() -> ReopenedState.read(base, reader));
            }
            // The other owner has let both grow, and not recorded it yet.
            extendByGarbage(directory.resolve("memory-0"));
            extendByGarbage(directory.resolve("memory-1"));
            byte[] catalog = Files.readAllBytes(ImageFiles.catalog(base));
            for (ThrowingCallable call : List.<ThrowingCallable>of(() -> growable.grow(2_000),
                    () -> arena.names().resize("values", 1_000), () -> arena.names().resize("ints", 20),
                    () -> arena.free(growable.segment()))) {
                assertThatThrownBy(call).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("Another owner has taken over the image");
            }
            assertThat(growable.byteSize()).isEqualTo(100);
            assertThat(growable.grow(50)).isSameAs(growable.segment());
            assertThat(growable.segment().toArray(JAVA_BYTE)).containsOnly(1);
            assertThat(Files.readAllBytes(ImageFiles.catalog(base))).isEqualTo(catalog);
            assertThat(Files.readString(directory.resolve("memory-0"))).endsWith("garbage");
            assertThat(Files.readString(directory.resolve("memory-1"))).endsWith("garbage");
            owner.file().release();
        }
    }

    /// Another owner takes the image over after a call has checked that there is none.
    @Test
    void grow_anotherOwnerHasGrownTheFile_neverMakesItSmaller() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableSegment growable = arena.names().growable("values", INTS, 10_000);
            growable.grow(100);
            arena.names().allocate("ints", JAVA_INT, 25);
            for (int number = 0; number < 2; number++) {
                Path file = directory.resolve("memory-" + number);
                try (RandomAccessFile grown = new RandomAccessFile(file.toFile(), "rw")) {
                    grown.setLength(200);
                    extendByGarbage(file);
                }
                arena.names().resize(number == 0 ? "values" : "ints", 30);
                assertThat(Files.readString(file)).hasSize(207).endsWith("garbage");
            }
        }
    }

    @Test
    void grow_anotherOwnerHasRecordedALargerSize_keepsTheRecord() {
        try (Arena scope = Arena.ofConfined()) {
            CatalogWriter catalog = CatalogWriter.create(base, scope, CatalogLevel.SIZES, 0, FileMode.OWNER_ONLY);
            int line = catalog.reserve();
            catalog.addWhole(line, 0, 100, 0, 1, CatalogEntry.Text.NONE, CatalogEntry.Text.NONE);
            long recorded = catalog.records().checkGrowth(line);
            catalog.records().grow(line, recorded, 500);
            assertThatThrownBy(() -> catalog.records().grow(line, recorded, 200))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(catalog.records().checkGrowth(line)).isEqualTo(500);
            catalog.records().grow(line, 500, 200);
            assertThat(catalog.records().checkGrowth(line)).as("no record becomes smaller").isEqualTo(500);
            catalog.file().release();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void grow_afterFree_isRefusedAndChangesNothing(boolean byName) throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableSegment growable = arena.names().growable("values", INTS, 10_000);
            growable.grow(100).fill((byte) 1);
            if (byName) {
                arena.names().free("values");
            } else {
                arena.free(growable.segment());
            }
            MemorySegment next = arena.names().growable("values", INTS, 10_000).grow(100);
            byte[] catalog = Files.readAllBytes(ImageFiles.catalog(base));
            assertThatThrownBy(() -> growable.grow(2_000)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Memory was freed, and cannot grow");
            assertThatThrownBy(() -> growable.grow(100)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Memory was freed, and cannot grow");
            assertThat(Files.readAllBytes(ImageFiles.catalog(base))).isEqualTo(catalog);
            assertThat(arena.names().resize("values", 30).address()).isEqualTo(next.address());
        }
    }

    @Test
    void free_whileAnotherThreadGrows_freesThePresentSizeOrNothing() throws Exception {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            for (int round = 0; round < 20; round++) {
                GrowableSegment growable = arena.growable(1 << 20);
                growable.grow(4096);
                CompletableFuture<Void> grower = CompletableFuture.runAsync(() -> {
                    try {
                        for (int size = 8192; size <= 1 << 20; size += 4096) {
                            growable.grow(size);
                        }
                    } catch (IllegalStateException e) {
                        assertThat(e).hasMessageContaining("Memory was freed");
                    }
                });
                boolean isFreed = false;
                while (!isFreed) {
                    MemorySegment present = growable.segment();
                    try {
                        arena.free(present);
                        isFreed = true;
                        assertThat(growable.byteSize()).isEqualTo(present.byteSize());
                    } catch (IllegalArgumentException e) {
                        assertThat(e).hasMessageContaining("Segment is no live allocation");
                    }
                }
                grower.get(1, TimeUnit.MINUTES);
            }
        }
    }

    @Test
    void grow_whileOthersRead_keepsTheirSegmentsValid() throws Exception {
        int steps = 400;
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableSegment growable = arena.growable(1L << 30);
            growable.grow(4).set(JAVA_INT, 0, 1);
            Runnable reader = () -> {
                MemorySegment first = growable.segment();
                MemorySegment latest = first;
                while (latest.byteSize() < 4096L * (steps - 1)) {
                    assertThat(first.get(JAVA_INT, 0)).isEqualTo(1);
                    assertThat(latest.get(JAVA_INT, latest.byteSize() - 4)).isBetween(0, steps);
                    latest = growable.segment();
                }
            };
            Runnable writer = () -> {
                for (int i = 1; i < steps; i++) {
                    MemorySegment grown = growable.grow(4096L * i);
                    assertThat(grown.byteSize()).isGreaterThanOrEqualTo(4096L * i);
                    grown.set(JAVA_INT, grown.byteSize() - 4, i);
                }
            };
            Threads.race(4, index -> (index < 2 ? reader : writer).run());
            assertThat(growable.byteSize()).isEqualTo(4096L * (steps - 1));
        }
    }

    @Test
    void image_ofGrowingMemory_hasThePresentSize() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 20).build();
                ArenaImage image = ArenaImage.open(base)) {
            arena.allocate(100, 1).fill((byte) 1);
            GrowableSegment growable = arena.names().growable("values", INTS, 1L << 30);
            assertThat(image.find("values").orElseThrow().byteSize()).isZero();
            for (int count = 1; count < 3_000; count += 700) {
                growable.grow(4L * count).setAtIndex(JAVA_INT, count - 1, count);
                try (Arena reader = Arena.ofConfined()) {
                    MemorySegment read = image.segment(image.find("values").orElseThrow(), reader);
                    assertThat(read.byteSize()).isEqualTo(4L * count);
                    assertThat(read.getAtIndex(JAVA_INT, count - 1)).isEqualTo(count);
                }
            }
            image.copyTo(directory.resolve("copy"));
            assertThat(image.integrity().problems()).isEmpty();
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThat(arena.names().get("values").byteSize()).isEqualTo(4 * 2_801);
            assertThat(arena.allocate(100, 1).toArray(JAVA_BYTE)).containsOnly(0);
        }
        using(InfiniteArena.builder(directory.resolve("copy")).reopen(),
                arena -> assertThat(arena.names().resize("values", 5_000).getAtIndex(JAVA_INT, 2_800))
                        .isEqualTo(2_801));
    }

    @Test
    void resize_ofAPlainAllocation_sharesMemoryWithEarlierSegments() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment first = arena.names().allocate("ints", JAVA_INT, 10);
            first.fill((byte) 1);
            MemorySegment second = arena.names().resize("ints", 1_000_000);
            assertThat(second.byteSize()).isEqualTo(4_000_000);
            assertThat(second.get(JAVA_BYTE, 39)).isEqualTo((byte) 1);
            assertThat(second.asSlice(40, 5_000).toArray(JAVA_BYTE)).containsOnly(0);
            second.set(JAVA_BYTE, 0, (byte) 2);
            assertThat(first.get(JAVA_BYTE, 0)).isEqualTo((byte) 2);
            assertThat(arena.names().get("ints").byteSize()).isEqualTo(4_000_000);
            assertThat(arena.names().resize("ints", 5).byteSize()).isEqualTo(4_000_000);
            assertThatThrownBy(() -> arena.names().resize("other", 5)).isInstanceOf(NoSuchElementException.class);
        }
        extendByGarbage(directory.resolve("memory-0"));
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            MemorySegment resized = arena.names().resize("ints", 1_100_000);
            assertThat(resized.get(JAVA_BYTE, 39)).isEqualTo((byte) 1);
            assertThat(resized.asSlice(4_000_000).toArray(JAVA_BYTE)).as("grown, not recorded").containsOnly(0);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.find("ints").orElseThrow().byteSize()).isEqualTo(4_400_000);
        }
    }

    private static void extendByGarbage(Path file) throws IOException {
        try (RandomAccessFile writable = new RandomAccessFile(file.toFile(), "rw")) {
            writable.seek(writable.length());
            writable.write("garbage".getBytes(US_ASCII));
        }
    }

    @Test
    void resize_ofGrowableMemory_keepsTheAddress() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableSegment growable = arena.names().growable("ints", INTS, 1_000);
            long address = growable.grow(40).address();
            assertThat(arena.names().resize("ints", 1_000).address()).isEqualTo(address);
            assertThat(growable.byteSize()).isEqualTo(4_000);
            assertThatThrownBy(() -> arena.names().resize("ints", 1_001)).isInstanceOf(CapacityExceededException.class);
            assertThat(arena.names().growable("ints", INTS, 1_000).segment().address()).isEqualTo(address);
        }
    }
}
