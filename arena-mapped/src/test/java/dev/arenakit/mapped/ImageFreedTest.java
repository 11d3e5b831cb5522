package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests when the contents, the space and the files of freed allocations go, and what a process leaves that dies before.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class ImageFreedTest extends InDirectory {
    private static final long MIB = 1L << 20;

    ImageFreedTest(TestFileSystem place) {
        super(place);
    }

    private Path data(int number) {
        return ImageFiles.data(base, number);
    }

    /// Copies an image as a process leaves it that is killed now.
    private Path killed(String name) throws IOException {
        Path copy = directory.resolve(name);
        for (Path file : TestFileSystem.list(directory)) {
            if (!file.toString().endsWith(".lock")) {
                Path target = directory.resolve(file.getFileName().toString().replace("memory", name));
                ChildJvm.run(new ProcessBuilder("cp", "--sparse=always", file.toString(), target.toString()));
                TestFileSystem.forOwnerAlone(target);
            }
        }
        return copy;
    }

    @Test
    void free_beforeForce_keepsContentsAndSpace() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(128 * MIB).build()) {
            MemorySegment large = arena.names().allocate("large", JAVA_BYTE, 4 * MIB).fill((byte) 7);
            arena.free(large);
            assertThat(large.get(JAVA_BYTE, 4 * MIB - 1)).isEqualTo((byte) 7);
            assertThat(storedByteSize(data(0))).isGreaterThanOrEqualTo(4 * MIB);
            arena.force();
            assertThat(large.get(JAVA_BYTE, 4 * MIB - 1)).isZero();
            assertThat(storedByteSize(data(0))).isLessThan(MIB);
        }
    }

    @Test
    void free_of64MiB_freesTheirSpaceAtOnce() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(128 * MIB).build()) {
            List<MemorySegment> segments = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                segments.add(arena.allocate(4 * MIB, 1));
                segments.getLast().set(JAVA_BYTE, 0, (byte) 7);
            }
            segments.forEach(arena::free);
            assertThat(storedByteSize(data(0))).isZero();
        }
    }

    @Test
    void close_afterFree_freesTheSpace() throws IOException {
        TestFileSystem.assumeHoles(directory);
        using(InfiniteArena.builder(base).chunked(128 * MIB).build(),
                arena -> arena.free(arena.allocate(4 * MIB, 1).fill((byte) 7)));
        assertThat(storedByteSize(data(0))).isZero();
    }

    @Test
    void reopen_afterADeathBeforeTheSpaceWasFreed_freesIt() throws IOException {
        TestFileSystem.assumeHoles(directory);
        Path left;
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(128 * MIB).build()) {
            arena.names().allocate("kept", JAVA_BYTE, 4 * MIB).fill((byte) 7);
            arena.free(arena.allocate(4 * MIB, 1).fill((byte) 7));
            arena.free(arena.allocate(100, 1).fill((byte) 7));
            left = killed("left");
        }
        try (InfiniteArena arena = InfiniteArena.builder(left).reopen();
                ArenaImage image = ArenaImage.open(left);
                Arena reading = Arena.ofConfined()) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(arena.names().get("kept").get(JAVA_BYTE, 4 * MIB - 1)).isEqualTo((byte) 7);
            for (Allocation allocation : image.allocations().filter(each -> !each.isLive()).toList()) {
                assertThat(image.segment(allocation, reading).get(JAVA_BYTE, 0)).isZero();
            }
            try (SparseFile file = SparseFile.open(ImageFiles.data(left, 0))) {
                assertThat(file.storedByteSize().orElseThrow()).isLessThan(5 * MIB);
            }
        }
    }

    @Test
    void free_inAPlainArena_removesTheFile() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            int before = MappingLimit.used();
            MemorySegment kept = arena.names().allocate("kept", JAVA_BYTE, 5_000).fill((byte) 7);
            MemorySegment freed = arena.names().allocate("freed", JAVA_BYTE, 5_000).fill((byte) 7);
            arena.free(freed);
            arena.force();
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
            assertThat(freed.get(JAVA_BYTE, 4_999)).isZero();
            freed.fill((byte) 8);
            assertThat(kept.get(JAVA_BYTE, 4_999)).isEqualTo((byte) 7);
            assertThat(image.integrity().problems()).isEmpty();
            arena.names().allocate("freed", JAVA_BYTE, 5_000);
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0", "memory-2");
            assertThat(MappingLimit.used() - before).isBetween(2, 3);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen(); ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.allocations().map(Allocation::isLive)).containsExactly(true, false, true);
            assertThat(arena.names().get("kept").get(JAVA_BYTE, 0)).isEqualTo((byte) 7);
            arena.free(arena.names().get("freed"));
        }
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen(); ArenaImage image = ArenaImage.open(base)) {
            arena.names().allocate("later", JAVA_BYTE, 5_000);
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0", "memory-3");
            image.copyTo(directory.resolve("copy"));
        }
        try (ArenaImage copy = ArenaImage.open(directory.resolve("copy"))) {
            assertThat(copy.integrity().problems()).isEmpty();
            assertThat(copy.dataFiles()).hasSize(2).allMatch(Files::exists);
        }
        assertThat(ImageFiles.repair(base, directory.resolve("mended"))).isEmpty();
        ImageFiles.delete(base);
        assertThat(TestFileSystem.names(directory)).noneMatch(name -> name.startsWith("memory"));
    }

    @Test
    void reopen_afterADeathBeforeAFileWasRemoved_removesIt() throws IOException {
        TestFileSystem.assumeHoles(directory);
        Path left;
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("kept", JAVA_BYTE, 5_000).fill((byte) 7);
            arena.free(arena.allocate(5_000, 1).fill((byte) 7));
            left = killed("left");
        }
        InfiniteArena.builder(left).reopen().close();
        assertThat(TestFileSystem.dataFiles(directory)).contains("left-0").doesNotContain("left-1");
        using(ArenaImage.open(left), image -> assertThat(image.integrity().problems()).isEmpty());
    }

    /// The file is recorded as removed before it is unlinked, and the allocation counts as freed until it is.
    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    void reopen_afterADeathWhileAFileWasRemoved_removesIt(boolean isUnlinked, boolean reserved) throws IOException {
        TestFileSystem.assumeHoles(directory);
        long line;
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("kept", JAVA_BYTE, 5_000).fill((byte) 7);
            arena.names().allocate("freed", JAVA_BYTE, 5_000).fill((byte) 7);
        }
        line = read(ArenaImage.open(base),
                image -> image.find("freed").orElseThrow().number() * CatalogFormat.SLOT / CatalogFormat.LINE);
        setState(line, CatalogFormat.STATE_FREED);
        setState(line(ImageFiles.catalog(base), 1, 2), CatalogFormat.STATE_REMOVED);
        if (isUnlinked) {
            Files.delete(data(1));
        }
        InfiniteArenaBuilder builder = InfiniteArena.builder(base);
        (reserved ? builder.reserved() : builder).reopen().close();
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        assertThat(state(line)).isEqualTo(CatalogFormat.STATE_ENDED);
        using(ArenaImage.open(base), image -> assertThat(image.integrity().problems()).isEmpty());
    }

    @Test
    void reopen_oneBitOfAStateIsDamaged_keepsTheContents() throws IOException {
        long line;
        using(InfiniteArena.builder(base).chunked(MIB).build(),
                arena -> arena.names().allocate("kept", JAVA_BYTE, 5_000).fill((byte) 7));
        line = read(ArenaImage.open(base),
                image -> image.find("kept").orElseThrow().number() * CatalogFormat.SLOT / CatalogFormat.LINE);
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            setState(line, CatalogFormat.STATE_LIVE ^ (1 << bit));
            InfiniteArena.builder(base).reopen().close();
            byte[] bytes = Files.readAllBytes(data(0));
            assertThat(bytes[0]).as("bit " + bit).isEqualTo((byte) 7);
        }
    }

    @Test
    void fileOfALiveAllocation_isDamagedToRemoved_isReportedAndCopiedAndMended() throws IOException {
        using(InfiniteArena.builder(base).build(),
                arena -> arena.names().allocate("kept", JAVA_BYTE, 5_000).fill((byte) 7));
        setState(line(ImageFiles.catalog(base), 0, 2), CatalogFormat.STATE_REMOVED);
        Path copied = base.resolveSibling("copied");
        Path mended = base.resolveSibling("mended");
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).singleElement()
                    .extracting(ImageIntegrity.Problem::description)
                    .asString()
                    .contains("Data file is recorded as removed, and has live allocations: path=" + data(0));
            image.copyTo(copied);
            assertThat(ImageFiles.data(copied, 0)).hasBinaryContent(Files.readAllBytes(data(0)));
        }
        ImageFiles.repair(base, mended);
        try (ArenaImage image = ArenaImage.open(mended)) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(ImageFiles.data(mended, 0)).hasBinaryContent(Files.readAllBytes(data(0)));
        }
        InfiniteArena.builder(base).reopen().close();
        assertThat(data(0)).exists();
    }

    private int state(long line) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(ImageFiles.catalog(base)))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt((int) (line * CatalogFormat.LINE + CatalogFormat.STATE));
    }

    private void setState(long line, int state) throws IOException {
        try (FileChannel catalog = FileChannel.open(ImageFiles.catalog(base), StandardOpenOption.WRITE)) {
            catalog.write(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(0, state),
                    line * CatalogFormat.LINE + CatalogFormat.STATE);
        }
    }

    @Test
    @Tag("full")
    void free_manyTimesInAPlainArena_leavesNeitherFilesNorMappings() throws IOException {
        manyTimes(1_000);
    }

    /// The limit of the process is 10,000 mappings.
    @Test
    @Tag("slow")
    void free_thirtyThousandTimesInAPlainArena_leavesNeitherFilesNorMappings() throws IOException {
        manyTimes(30_000);
    }

    private void manyTimes(int count) throws IOException {
        int before = MappingLimit.used();
        long mappings = ProcessMaps.of(directory).size();
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment first = arena.allocate(5_000, 1).fill((byte) 7);
            for (int i = 0; i < count; i++) {
                MemorySegment segment = arena.allocate(5_000, 1);
                segment.set(JAVA_BYTE, 0, (byte) 7);
                arena.free(segment);
            }
            arena.force();
            assertThat(TestFileSystem.dataFiles(directory)).hasSize(1);
            assertThat(MappingLimit.used() - before).isLessThan(100);
            assertThat(ProcessMaps.of(directory)).hasSizeLessThan((int) mappings + 10);
            assertThat(first.get(JAVA_BYTE, 4_999)).isEqualTo((byte) 7);
        }
        assertThat(MappingLimit.used()).isEqualTo(before);
    }

    @Test
    void free_ofEveryOtherAllocation_countsTheMappingsThatRemain() throws IOException {
        TestFileSystem.assumeHoles(directory);
        int before = MappingLimit.used();
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            List<MemorySegment> segments = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                segments.add(arena.allocate(4_096, 1));
            }
            for (int i = 0; i < 200; i += 2) {
                arena.free(segments.get(i));
            }
            arena.force();
            assertThat(MappingLimit.used() - before).isBetween(190, 201);
            for (int i = 1; i < 200; i += 2) {
                arena.free(segments.get(i));
            }
            arena.force();
            assertThat(MappingLimit.used() - before).isLessThan(20);
        }
        assertThat(MappingLimit.used()).isEqualTo(before);
    }

    @Test
    void reopen_afterADeathBeforeAFileWasUsed_removesTheEmptyFile() throws IOException {
        planned();
        TestFileSystem.createOwnFile(data(1));
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).singleElement()
                    .matches(ImageIntegrity.Problem::isNote)
                    .matches(problem -> problem.description().startsWith("Data file was not used"));
            image.copyTo(directory.resolve("copy"));
        }
        assertThat(ImageFiles.data(directory.resolve("copy"), 1)).doesNotExist();
        InfiniteArena.builder(base).openOrCreate().close();
        assertThat(data(1)).doesNotExist();
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate();
                ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).isEmpty();
            arena.allocate(5_000, 1);
            assertThat(TestFileSystem.dataFiles(directory)).contains("memory-0", "memory-2");
        }
    }

    @Test
    void reopen_afterADeathBeforeAFileWasMade_hasNoProblem() throws IOException {
        planned();
        using(ArenaImage.open(base), image -> assertThat(image.integrity().problems()).isEmpty());
        assertThat(ImageFiles.repair(base, directory.resolve("mended"))).isEmpty();
        ImageFiles.delete(base);
        assertThat(TestFileSystem.names(directory)).noneMatch(name -> name.startsWith("memory"));
    }

    @Test
    void reopen_afterADeathBeforeReservedBlocksWereUsed_removesTheFileThatSomebodyHasRead() throws IOException {
        planned();
        // As data, such blocks have no other content.
        Files.write(data(1), new byte[8192]);
        TestFileSystem.forOwnerAlone(data(1));
        using(ArenaImage.open(base),
                image -> assertThat(image.integrity().problems()).singleElement()
                        .matches(ImageIntegrity.Problem::isNote));
        InfiniteArena.builder(base).openOrCreate().close();
        assertThat(data(1)).doesNotExist();
    }

    @Test
    void planned_withDataOfSomebody_isReportedAndNeverDeleted() throws IOException {
        planned();
        Files.writeString(data(1), "data");
        TestFileSystem.forOwnerAlone(data(1));
        InfiniteArena.builder(base).reopen().close();
        assertThat(data(1)).hasContent("data");
        using(ArenaImage.open(base), image -> assertThat(image.integrity().problems()).singleElement()
                .matches(
                        problem -> problem.description().startsWith("Data file has data that no record describes")));
        assertThatThrownBy(() -> ImageFiles.delete(base))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("memory-1")
                .hasMessageContaining("remove it by hand");
        assertThat(data(1)).hasContent("data");
        Files.delete(data(1));
        ImageFiles.delete(base);
    }

    @Test
    void openOrCreate_besideAnEmptyFileAndAnUnfinishedCatalog_createsTheImage() throws IOException {
        for (Path file : List.of(ImageFiles.catalog(base), data(0))) {
            TestFileSystem.createOwnFile(file);
        }
        using(InfiniteArena.builder(base).openOrCreate(), arena -> arena.allocate(100, 1));
        using(ArenaImage.open(base), image -> assertThat(image.integrity().problems()).isEmpty());
    }

    /// Makes an image whose last record is of a file that is planned.
    private void planned() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("kept", JAVA_BYTE, 100).fill((byte) 7);
            arena.allocate(100, 1);
        }
        Path catalog = ImageFiles.catalog(base);
        int file = line(catalog, 1, 2);
        int allocation = line(catalog, 1, 7);
        try (FileChannel channel = FileChannel.open(catalog, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(8), file * 64L + 16);
            channel.write(ByteBuffer.wrap(new byte[]{3, 0, 0, 0}), file * 64L + 4);
        }
        Files.delete(data(1));
        cancelLine(catalog, allocation);
    }

    private static int line(Path catalog, int number, int kind) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(catalog)).order(ByteOrder.LITTLE_ENDIAN);
        for (int line = 2; line < bytes.capacity() / 64; line++) {
            if (bytes.getInt(line * 64) == line && bytes.get(line * 64 + 8) == kind
                    && bytes.getInt(line * 64 + 12) == number) {
                return line;
            }
        }
        throw new AssertionError();
    }

    /// Writes a cancelled entry.
    private static void cancelLine(Path catalog, int line) throws IOException {
        MemorySegment entry = Arena.ofAuto().allocate(64, 8);
        entry.set(JAVA_INT, 0, line);
        entry.set(JAVA_INT, 4, 1);
        entry.set(JAVA_BYTE, 8, CatalogFormat.KIND_CANCELLED);
        entry.set(JAVA_LONG, 56,
                CatalogFormat.checksum(entry, 0, line, 0, 0));
        try (FileChannel channel = FileChannel.open(catalog, StandardOpenOption.WRITE)) {
            channel.write(entry.asByteBuffer(), line * 64L);
        }
    }
}
