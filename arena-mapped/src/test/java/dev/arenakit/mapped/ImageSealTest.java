package dev.arenakit.mapped;

import dev.arenakit.mapped.ImageIntegrity.DamagedRange;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.catalog.BlockSums;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.SealReader;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests seals: their checksums, the damage that they detect, and that only a complete seal has an effect.
class ImageSealTest extends InDirectory {
    private static final long MIB = 1 << 20;
    /// More blocks than the checksums of one text.
    private static final int MANY_BLOCKS = 2_500;

    /// The kinds of arenas.
    enum Kind {
        PLAIN, CONFINED, CHUNKED, SIZES, RESERVED;

        InfiniteArena build(Path base) {
            InfiniteArenaBuilder builder = InfiniteArena.builder(base);
            if (this == RESERVED) {
                TestFileSystem.assumeHoles(base);
            }
            return switch (this) {
                case PLAIN -> builder.build();
                case CONFINED -> builder.confined().build();
                case CHUNKED -> builder.chunked(1L << 30).build();
                case SIZES -> builder.catalog(CatalogLevel.SIZES).build();
                case RESERVED -> builder.reserved().build();
            };
        }
    }

    private static List<DamagedRange> damage(Path base, String name) throws IOException {
        return read(ArenaImage.open(base), image -> image.integrity().damage(image.find(name).orElseThrow()));
    }

    private static Optional<Seal> sealOf(Path base, String name) throws IOException {
        return read(ArenaImage.open(base), image -> image.integrity().seal(image.find(name).orElseThrow()));
    }

    private static void store(Path file, long position, byte... bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), position);
        }
    }

    @ParameterizedTest
    @EnumSource
    void seal_ofEachKindOfArena_detectsEachChangedBlock(Kind kind) throws IOException {
        Instant before = Instant.now().minusMillis(1);
        try (InfiniteArena arena = kind.build(base)) {
            arena.names().allocate("other", JAVA_LONG, 1000).fill((byte) 1);
            MemorySegment data = arena.names().allocate("data", JAVA_BYTE, 5 * MIB + 17);
            data.asSlice(MIB + 5, 10).fill((byte) 7);
            data.asSlice(5 * MIB).fill((byte) 8);
            Seal seal = arena.names().seal("data");

            assertThat(seal.byteSize()).isEqualTo(data.byteSize());
            assertThat(seal.time()).isBetween(before, Instant.now());
            assertThat(sealOf(base, "data")).contains(seal);
            assertThat(sealOf(base, "other")).isEmpty();
            assertThat(damage(base, "data")).isEmpty();
            assertThat(damage(base, "other")).isEmpty();

            data.set(JAVA_BYTE, MIB + 9, (byte) 6);
            assertThat(damage(base, "data")).containsExactly(new DamagedRange(MIB, MIB));
            data.set(JAVA_BYTE, MIB + 9, (byte) 7);
            assertThat(damage(base, "data")).isEmpty();
            data.set(JAVA_BYTE, 3 * MIB, (byte) 1);
            data.set(JAVA_BYTE, 4 * MIB, (byte) 1);
            data.set(JAVA_BYTE, 5 * MIB + 16, (byte) 1);
            assertThat(damage(base, "data")).containsExactly(new DamagedRange(3 * MIB, 2 * MIB + 17));
            assertThat(arena.names().seal("data").time()).isAfterOrEqualTo(seal.time());
            assertThat(damage(base, "data")).isEmpty();
            data.fill((byte) 0);
            assertThat(damage(base, "data")).containsExactly(new DamagedRange(MIB, MIB),
                    new DamagedRange(3 * MIB, 2 * MIB + 17));
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.allocations()).hasSize(2);
        }
    }

    @Test
    void seal_ofHolesAndZeros_staysSmallAndKeepsTheHoles() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment data = arena.names().allocate("data", JAVA_BYTE, 1L << 40);
            data.set(JAVA_BYTE, (1L << 39) + 3, (byte) 1);
            data.set(JAVA_BYTE, 17, (byte) 0);
            try (SparseFile file = SparseFile.open(ImageFiles.data(base, 0))) {
                long stored = file.storedByteSize().orElseThrow();
                arena.names().seal("data");
                assertThat(damage(base, "data")).isEmpty();
                assertThat(file.storedByteSize()).hasValue(stored);
            }
            data.set(JAVA_BYTE, (1L << 40) - 1, (byte) 1);
            assertThat(damage(base, "data")).containsExactly(new DamagedRange((1L << 40) - MIB, MIB));
        }
        assertThat(Files.size(ImageFiles.catalog(base))).isLessThanOrEqualTo(1 << 16);
    }

    @Test
    void seal_asDocumented_isTheCrcOfEachBlock() throws IOException {
        byte[] block = new byte[(int) MIB];
        block[100_000] = 1;
        CRC32C crc = new CRC32C();
        crc.update(block);
        CRC32C end = new CRC32C();
        end.update(new byte[]{0, 2});
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment data = arena.names().allocate("data", JAVA_BYTE, 32 * MIB + 2);
            data.set(JAVA_BYTE, 30 * MIB + 100_000, (byte) 1);
            data.set(JAVA_BYTE, 31 * MIB + 100_000, (byte) 1);
            data.set(JAVA_BYTE, 7 * MIB + 100_000, (byte) 1);
            data.set(JAVA_BYTE, 32 * MIB + 1, (byte) 2);
            Seal seal = arena.names().seal("data");
            String hex = HexFormat.of().toHexDigits((int) crc.getValue());
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThat(new String(Files.readAllBytes(ImageFiles.catalog(base)), ISO_8859_1))
                        .contains(
                                "\u0001seal " + image.find("data").orElseThrow().number() + " " + data.byteSize() + " "
                                        + seal.time().toEpochMilli() + " 0 7:" + hex + " 1e:" + hex + hex
                                        + HexFormat.of().toHexDigits((int) end.getValue()) + "\0");
            }
        }
    }

    @Test
    void seal_ofManyBlocks_hasSeveralTexts() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            MemorySegment data = arena.names().allocate("data", JAVA_BYTE, MANY_BLOCKS * MIB);
            for (int block = 0; block < MANY_BLOCKS; block++) {
                data.set(JAVA_BYTE, block * MIB + block, (byte) 1);
            }
            arena.names().seal("data");
            assertThat(damage(base, "data")).isEmpty();
            data.set(JAVA_BYTE, 1_500 * MIB, (byte) 1);
            data.set(JAVA_BYTE, (MANY_BLOCKS - 1) * MIB, (byte) 1);
            assertThat(damage(base, "data")).containsExactly(new DamagedRange(1_500 * MIB, MIB),
                    new DamagedRange((MANY_BLOCKS - 1) * MIB, MIB));
        }
        assertThat(Files.size(ImageFiles.catalog(base))).isLessThanOrEqualTo(1 << 16);

        // A seal with a missing text does not count.
        byte[] catalog = Files.readAllBytes(ImageFiles.catalog(base));
        int part = new String(catalog, ISO_8859_1).indexOf("\u0001part ");
        store(ImageFiles.catalog(base), part + 100, (byte) ~catalog[part + 100]);
        assertThat(sealOf(base, "data")).isEmpty();
        assertThat(damage(base, "data")).isEmpty();
        using(ArenaImage.open(base), image -> assertThat(image.integrity().problems()).singleElement()
                .satisfies(problem -> assertThat(problem.description()).startsWith("Records are damaged")));
    }

    /// Adds a text with a valid checksum to the catalog of an image that has no owner.
    ///
    /// @return its line
    private int append(String text) throws IOException {
        byte[] bytes = text.getBytes(ISO_8859_1);
        try (FileChannel file = FileChannel.open(ImageFiles.catalog(base), StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            ByteBuffer mark = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            file.read(mark, CatalogFormat.MARK_AT);
            long at = CatalogFormat.end(mark.getLong(0));
            int line = (int) (at / CatalogFormat.LINE);
            long byteSize = CatalogFormat.textByteSize(bytes.length);
            ByteBuffer entry = ByteBuffer.allocate((int) byteSize).order(ByteOrder.LITTLE_ENDIAN);
            entry.putInt(0, line).putInt(4, CatalogFormat.STATE_LIVE);
            entry.putLong((int) CatalogFormat.KIND, CatalogFormat.textHead(bytes.length));
            entry.putLong((int) CatalogFormat.TEXT_CHECKSUM, CatalogFormat.checksum(bytes));
            entry.put((int) CatalogFormat.TEXT_BYTES, bytes);
            file.write(entry, at);
            mark.putLong(0, mark.getLong(0) + byteSize).rewind();
            file.write(mark, CatalogFormat.MARK_AT);
            return line;
        }
    }

    private long sealFiveMebibytes() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("data", JAVA_BYTE, 5 * MIB).fill((byte) 1);
            arena.names().seal("data");
        }
        return read(ArenaImage.open(base), image -> image.find("data").orElseThrow().number());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1 5 0 0:00000001", "9223372036854775807 5 0 7fffffff:0000000100000002",
            "5242880 5 0 -1:00000001", "5242880 5 0 0:0", "5242880 5 0 0:", "5242880 5 0 5:00000001",
            "5242880 5 0 0:00000001 0:00000002", "5242880 5 -1 0:00000001", "5242880 5"})
    void damage_ofASealThatNoWriterMakes_isThatOfTheSealBeforeIt(String seal) throws IOException {
        long number = sealFiveMebibytes();
        Seal good = sealOf(base, "data").orElseThrow();
        append("\u0001seal " + number + " " + seal);
        store(ImageFiles.data(base, 0), MIB, (byte) 9);
        assertThat(sealOf(base, "data")).contains(good);
        assertThat(damage(base, "data")).containsExactly(new DamagedRange(MIB, MIB));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5242881 5 0 0:00000001", "1152921504606846976 5 0 0:00000001"})
    void seal_largerThanTheAllocation_countsAsNone(String seal) throws IOException {
        append("\u0001seal " + sealFiveMebibytes() + " " + seal);
        assertThat(damage(base, "data")).isEmpty();
        assertThat(sealOf(base, "data").map(Seal::byteSize)).isNotEqualTo(Optional.of(5 * MIB + 1));
    }

    @Test
    void seal_whosePartsAreThoseOfManyOthers_isReadOnce() throws IOException {
        long number = sealFiveMebibytes();
        int previous = 0;
        for (int i = 0; i < 300; i++) {
            previous = append("\u0001part " + number + " 5242880 5 " + previous + " ");
        }
        for (int i = 0; i < 300; i++) {
            append("\u0001seal " + number + " 5242880 5 " + previous + " ");
        }
        assertThat(damage(base, "data")).containsExactly(new DamagedRange(0, 5 * MIB));
    }

    @Test
    void seal_ofMoreAllocationsThanAreKnownAtATime_isFound() throws IOException {
        int count = 40;
        int latest = 31;
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            for (int i = 0; i < count; i++) {
                arena.names().allocate("data" + i, JAVA_BYTE, i + 1).fill((byte) i);
            }
            for (int i = count - 1; i >= 0; i--) {
                arena.names().seal("data" + i * 7 % count);
            }
            arena.names().get("data" + latest).fill((byte) 77);
            arena.names().seal("data" + latest);
        }
        try (CatalogReader catalog = CatalogReader.open(ImageFiles.catalog(base));
                ArenaImage image = ArenaImage.open(base)) {
            List<Allocation> allocations = image.allocations().toList();
            for (int largest : new int[]{2, 3, 8, 64, 100}) {
                SealReader seals = new SealReader(catalog, largest);
                for (int i = 0; i < 4 * count; i++) {
                    Allocation each = allocations.get(i < count ? i : i * 11 % count);
                    BlockSums found = new BlockSums();
                    image.source(each).transferTo(found, 0, each.byteSize());
                    found.finish(each.byteSize());
                    assertThat(seals.find(each)).extracting(Seal::byteSize).isEqualTo(each.byteSize());
                    assertThat(Objects.requireNonNull(seals.sums(each)).differences(found, each.byteSize())).isEmpty();
                }
            }
        }
    }

    @Test
    void seal_ofSeveralFiles_readsAll() throws IOException {
        TestFileSystem.assumeHoles(directory);
        Path disk = TestFileSystem.BUILD.newDirectory();
        Path colossal = disk.resolve("memory");
        try (InfiniteArena arena = InfiniteArena.ofShared(colossal)) {
            MemorySegment data = arena.names().allocate("data", JAVA_BYTE, 17L << 40);
            data.set(JAVA_BYTE, 0, (byte) 1);
            data.set(JAVA_BYTE, (17L << 40) - 1, (byte) 1);
            arena.names().seal("data");
            assertThat(damage(colossal, "data")).isEmpty();
            data.set(JAVA_BYTE, (17L << 40) - 2, (byte) 1);
            assertThat(damage(colossal, "data")).containsExactly(new DamagedRange((17L << 40) - MIB, MIB));
        } finally {
            TestFileSystem.remove(disk);
        }
    }

    @Test
    void seal_beforeGrowing_isOfTheFormerSize() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableSegment data = arena.names().growable("data", NamedAllocations.structOf(JAVA_LONG), 1L << 30);
            assertThat(arena.names().seal("data").byteSize()).isZero();
            data.grow(1_000).fill((byte) 1);
            assertThat(damage(base, "data")).isEmpty();
            assertThat(arena.names().seal("data").byteSize()).isEqualTo(1_000);
            MemorySegment grown = arena.names().resize("data", 1 << 20);
            grown.asSlice(1_000).fill((byte) 2);
            assertThat(sealOf(base, "data").orElseThrow().byteSize()).isEqualTo(1_000);
            assertThat(damage(base, "data")).isEmpty();
            grown.set(JAVA_BYTE, 999, (byte) 2);
            assertThat(damage(base, "data")).containsExactly(new DamagedRange(0, 1_000));
            arena.names().seal("data");
            assertThat(damage(base, "data")).isEmpty();
        }
    }

    @Test
    void seal_ofAFreedAllocation_isNotThatOfTheNextOne() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("data", JAVA_LONG, 10).fill((byte) 1);
            arena.names().seal("data");
            arena.names().free("data");
            assertThatThrownBy(() -> arena.names().seal("data")).isInstanceOf(NoSuchElementException.class);
            arena.names().allocate("data", JAVA_LONG, 10);
            assertThat(sealOf(base, "data")).isEmpty();
            assertThat(damage(base, "data")).isEmpty();
        }
    }

    @Test
    void seal_afterReopeningCopyingAndRepairing_isTheSame() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("data", JAVA_LONG, 1000).fill((byte) 1);
            arena.names().allocate("empty", JAVA_LONG, 0);
            arena.names().seal("data");
            arena.names().seal("empty");
        }
        Seal seal = sealOf(base, "data").orElseThrow();
        Path copy = directory.resolve("copy");
        Path repaired = directory.resolve("repaired");
        using(ArenaImage.open(base), image -> image.copyTo(copy));
        assertThat(ImageFiles.repair(base, repaired)).isEmpty();
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            arena.names().allocate("more", JAVA_LONG, 5);
            arena.names().get("data").set(JAVA_LONG, 800, 1);
        }
        for (Path each : List.of(base, copy, repaired)) {
            assertThat(sealOf(each, "data")).contains(seal);
            assertThat(sealOf(each, "empty")).isPresent();
            assertThat(damage(each, "data")).hasSize(each.equals(base) ? 1 : 0);
        }
        using(InfiniteArena.builder(base).reopen(), arena -> arena.names().seal("data"));
        assertThat(damage(base, "data")).isEmpty();
    }

    @Test
    void seal_ofImagesOfVersion1_works() throws IOException {
        ReleasedImages.unzip("images-version-1.zip", directory);
        for (String name : List.of("chunked", "plain", "full")) {
            Path old = directory.resolve(name);
            assertThat(sealOf(old, "numbers")).isEmpty();
            assertThat(ImageFiles.seal(old, _ -> true)).isEqualTo(4);
            assertThat(damage(old, "numbers")).isEmpty();
            try (ArenaImage image = ArenaImage.open(old)) {
                assertThat(image.integrity().problems()).isEmpty();
                Allocation numbers = image.find("numbers").orElseThrow();
                store(image.file(numbers.file()), numbers.byteOffset(), (byte) 99);
                assertThat(image.integrity().damage(numbers)).containsExactly(new DamagedRange(0, 100));
            }
        }
    }

    @Test
    void seal_ofAnImageWithoutOwner_sealsThoseSelected() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            arena.allocate(100, 8).fill((byte) 3);
            arena.names().allocate("data", JAVA_LONG, 1000).fill((byte) 1);
            arena.names().allocate("freed", JAVA_LONG, 1000);
            arena.names().free("freed");
            arena.names().allocate("last", JAVA_LONG, 1000).fill((byte) 1);
            assertThatThrownBy(() -> ImageFiles.seal(base, _ -> true)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("owned by this process")
                    .hasMessageContaining("InfiniteArena.names().seal");
        }
        assertThat(ImageFiles.seal(base, allocation -> allocation.name().isEmpty())).isEqualTo(1);
        assertThat(sealOf(base, "data")).isEmpty();
        assertThat(ImageFiles.seal(base, _ -> true)).isEqualTo(3);
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.ownerState()).isEqualTo(OwnerState.CLOSED);
            assertThat(image.integrity().problems()).isEmpty();
            for (Allocation allocation : image.allocations().toList()) {
                assertThat(image.integrity().seal(allocation).isPresent()).isEqualTo(allocation.isLive());
                assertThat(image.integrity().damage(allocation)).isEmpty();
            }
            Allocation first = image.allocations().findFirst().orElseThrow();
            store(image.file(first.file()), first.byteOffset() + 99, (byte) 0);
            assertThat(image.integrity().damage(first)).containsExactly(new DamagedRange(0, 100));
        }
        Path none = directory.resolve("none");
        assertThatThrownBy(() -> ImageFiles.seal(none, _ -> true)).isInstanceOf(IOException.class);
        assertThat(TestFileSystem.names(directory)).noneMatch(name -> name.startsWith("none"));
    }

    @Test
    void seal_refused_saysWhy() throws IOException {
        InfiniteArena closed = InfiniteArena.ofShared(directory.resolve("closed"));
        closed.names().allocate("data", JAVA_LONG, 1);
        closed.close();
        assertThatThrownBy(() -> closed.names().seal("data")).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        using(InfiniteArena.builder(directory.resolve("off")).catalog(CatalogLevel.OFF).build(),
                arena -> assertThatThrownBy(() -> arena.names().seal("data")).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("no catalog"));
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("data", JAVA_LONG, 1 << 20);
            assertThatThrownBy(() -> arena.names().seal("dat")).isInstanceOf(NoSuchElementException.class)
                    .hasMessageContaining("names=[data]");
            arena.names().seal("data");
            TestFileSystem.assumeDeletionOfMappedFiles(directory);
            TestFileSystem.truncate(ImageFiles.data(base, 0), 7);
            assertThatThrownBy(() -> arena.names().seal("data")).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("truncated: allocation=data");
            assertThat(damage(base, "data")).as("what is lost was zero").isEmpty();
            Files.delete(ImageFiles.data(base, 0));
            assertThatThrownBy(() -> arena.names().seal("data")).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(ImageFiles.data(base, 0).toString());
        }
        assertThat(sealOf(base, "data")).isPresent();
    }

    @Test
    void seal_interrupted_sealsAndStaysInterrupted() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("data", JAVA_LONG, 1000).fill((byte) 1);
            Thread.currentThread().interrupt();
            arena.names().seal("data");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(damage(base, "data")).isEmpty();
        }
    }

    @Test
    void seal_byThreadsWhileOthersAllocate_keepsAll() throws Exception {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1L << 30).build()) {
            Threads.race(4, thread -> {
                arena.names().allocate("data" + thread, JAVA_LONG, 1000).fill((byte) 1);
                for (int i = 0; i < 50; i++) {
                    arena.names().seal("data" + thread);
                    arena.names().allocate(thread + "-" + i, JAVA_LONG, 1);
                    arena.allocate(8);
                }
            });
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.allocations()).hasSize(4 * 101);
        }
        for (int thread = 0; thread < 4; thread++) {
            assertThat(sealOf(base, "data" + thread)).isPresent();
            assertThat(damage(base, "data" + thread)).isEmpty();
        }
    }

    @Test
    @Tag("full")
    void seal_onAFullDisk_keepsThePreviousSeal() throws Exception {
        assertThat(SmallDisk.run(ImageKillTest.SealChild.class, "fill", directory.resolve("disk")).getLast())
                .isEqualTo("sealed, undamaged, problems: []");
    }
}
