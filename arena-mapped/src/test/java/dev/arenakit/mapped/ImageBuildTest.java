package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests what remains of an arena that was not built, because it was refused or its process was killed meanwhile.
class ImageBuildTest extends InDirectory {
    @Test
    void build_refused_leavesNoLockFile() throws IOException {
        InfiniteArena.ofShared(base).close();
        Files.delete(ImageFiles.lock(base));
        assertThatThrownBy(() -> InfiniteArena.ofShared(base)).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("already exists");
        assertThat(TestFileSystem.names(directory)).containsExactly("memory.catalog");
        assertThatThrownBy(() -> InfiniteArena.builder(base).chunked().reopen())
                .isInstanceOf(IllegalArgumentException.class);
        Files.write(ImageFiles.catalog(base), new byte[]{1, 2, 3});
        assertThatThrownBy(() -> InfiniteArena.builder(base).openOrCreate()).isInstanceOf(UncheckedIOException.class);
        assertThat(ImageFiles.catalog(base)).as("of another program").hasBinaryContent(new byte[]{1, 2, 3});
    }

    @Test
    void build_nameOfTheBaseTooLong_isRefusedWithARemedy() throws IOException {
        InfiniteArena.ofShared(directory.resolve("x".repeat(247))).close();
        List<String> before = TestFileSystem.names(directory);
        // The first is too long for each file, and the second for the catalog.
        for (int length : new int[]{255, 249}) {
            Path tooLong = directory.resolve("x".repeat(length));
            assertThatThrownBy(() -> InfiniteArena.ofShared(tooLong)).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("File cannot be created: path=" + tooLong)
                    .hasMessageEndingWith("pass a shorter base, with a name of at most 200 bytes");
        }
        Path withoutCatalog = directory.resolve("x".repeat(255));
        using(InfiniteArena.builder(withoutCatalog).catalog(CatalogLevel.OFF).build(),
                arena -> assertThatThrownBy(() -> arena.allocate(8))
                        .hasMessageEndingWith("pass a shorter base, with a name of at most 200 bytes"));
        assertThat(TestFileSystem.names(directory)).isEqualTo(before);
    }

    @Test
    void build_atTheLimitOfMappings_leavesNoFile() {
        int room = MappingLimit.LIMIT - mappingsBefore;
        MappingLimit.reserve(room);
        try {
            assertThatThrownBy(() -> InfiniteArena.ofShared(base))
                    .isInstanceOf(CapacityExceededException.class);
        } finally {
            MappingLimit.release(room);
        }
        assertThat(TestFileSystem.names(directory)).isEmpty();
    }

    /// The stages at which a kill can leave a catalog.
    @Test
    void build_overAnUnfinishedCatalog_succeeds() throws IOException {
        InfiniteArena.ofShared(base).close();
        byte[] whole = Files.readAllBytes(ImageFiles.catalog(base));
        byte[] header = Arrays.copyOf(Arrays.copyOf(whole, (int) CatalogFormat.FIRST_ENTRY), whole.length);
        ByteBuffer.wrap(header)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong((int) CatalogFormat.MARK_AT,
                        CatalogFormat.FIRST_ENTRY);
        byte[] withoutChecksum = header.clone();
        Arrays.fill(withoutChecksum, (int) CatalogFormat.CHECKSUM, (int) CatalogFormat.CHECKSUM + 8, (byte) 0);
        List<byte[]> stages = List.of(new byte[0], new byte[100], new byte[whole.length],
                Arrays.copyOf(Arrays.copyOf(whole, 8), whole.length), withoutChecksum, header, withoutOwner(whole));
        for (int stage = 0; stage < stages.size(); stage++) {
            for (boolean openOrCreate : new boolean[]{false, true}) {
                Files.write(ImageFiles.catalog(base), stages.get(stage));
                InfiniteArenaBuilder builder = InfiniteArena.builder(base);
                using(openOrCreate ? builder.openOrCreate() : builder.build(),
                        arena -> arena.names().allocate("a", JAVA_INT, 1));
                try (ArenaImage image = ArenaImage.open(base)) {
                    assertThat(image.owners()).as("stage %d", stage).hasSize(1);
                    assertThat(image.integrity().problems()).as("stage %d", stage).isEmpty();
                }
                Files.delete(ImageFiles.data(base, 0));
            }
        }
    }

    /// A catalog whose process was killed while it recorded itself.
    private static byte[] withoutOwner(byte[] whole) {
        byte[] catalog = whole.clone();
        for (int at = (int) CatalogFormat.FIRST_ENTRY; at < catalog.length; at += (int) CatalogFormat.LINE) {
            if (catalog[at + (int) CatalogFormat.KIND] == CatalogFormat.KIND_OWNER) {
                Arrays.fill(catalog, at, at + 4, (byte) 0);
            }
        }
        return catalog;
    }

    @Test
    void build_overACompleteImage_isRefused() throws IOException {
        InfiniteArena.ofShared(base).close();
        byte[] empty = Files.readAllBytes(ImageFiles.catalog(base));
        byte[] damaged = empty.clone();
        damaged[(int) CatalogFormat.CHECKSUM] ^= 1;
        byte[] otherVersion = empty.clone();
        otherVersion[(int) CatalogFormat.VERSION_AT] = 99;
        for (byte[] catalog : List.of(empty, damaged, otherVersion)) {
            Files.write(ImageFiles.catalog(base), catalog);
            assertThatThrownBy(() -> InfiniteArena.ofShared(base)).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("already exists");
            assertThat(ImageFiles.catalog(base)).hasBinaryContent(catalog);
        }
        Files.write(ImageFiles.catalog(base), new byte[empty.length]);
        Path data = Files.write(ImageFiles.data(base, 3), new byte[1]);
        assertThatThrownBy(() -> InfiniteArena.ofShared(base)).as("has data").isInstanceOf(UncheckedIOException.class);
        assertThat(data).exists();
    }

    @Test
    @Tag("full")
    void kill_whileBuilding_leavesNothingThatCannotBeBuiltOver() throws Exception {
        // Most kills leave an image that was being built, but not each of them.
        assertThat(killWhileBuilding(2)).isNotNegative();
    }

    @Test
    @Tag("slow")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void kill_oftenWhileBuilding_leavesNothingThatCannotBeBuiltOver() throws Exception {
        assertThat(killWhileBuilding(200)).isGreaterThan(20);
    }

    /// @return how many kills have left an image that was not complete
    private int killWhileBuilding(int rounds) throws Exception {
        int unfinished = 0;
        for (int round = 0; round < rounds; round++) {
            Path place = Files.createDirectory(directory.resolve("round" + round));
            Process builder = ChildJvm.denied().command(OwnerChild.class, "build-all", place.toString()).start();
            try (BufferedReader output = builder.inputReader()) {
                assertThat(output.readLine()).isEqualTo("building");
                TimeUnit.MICROSECONDS.sleep(new SplittableRandom(round).nextInt(30_000));
            } finally {
                builder.destroyForcibly();
            }
            assertThat(builder.waitFor(60, TimeUnit.SECONDS)).isTrue();
            List<Path> images = TestFileSystem.list(place)
                    .stream()
                    .map(file -> ImageFiles.baseOf(file).orElseThrow())
                    .distinct()
                    .toList();
            for (Path image : images) {
                boolean isComplete = isComplete(image);
                unfinished += isComplete ? 0 : 1;
                // The images that were built long before the kill are all the same.
                if (!isComplete || image.equals(images.getLast())) {
                    check(image, isComplete);
                }
            }
            TestFileSystem.remove(place);
        }
        return unfinished;
    }

    private static boolean isComplete(Path base) throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            return !image.owners().isEmpty();
        } catch (IOException _) {
            return false;
        }
    }

    private static void check(Path base, boolean isComplete) throws IOException {
        if (isComplete) {
            assertThatThrownBy(() -> InfiniteArena.ofShared(base)).isInstanceOf(UncheckedIOException.class);
        } else {
            InfiniteArena.ofShared(base).close();
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate();
                ArenaImage image = ArenaImage.open(base)) {
            arena.names().allocate("a", JAVA_INT, 1);
            assertThat(image.owners()).hasSize(2);
            assertThat(image.integrity().problems()).isEmpty();
        }
    }

    @Test
    @Tag("full")
    void allocate_diskFull_saysSoAndContinuesWhenThereIsSpace() throws Exception {
        Path disk = directory.resolve("disk");

        List<String> output = SmallDisk.run(OwnerChild.class, "full-disk", disk);

        String full = "Optional[dev.arenakit.mapped.DiskFullException: ";
        assertThat(output).satisfiesExactly(
                text -> assertThat(text)
                        .startsWith(full + "Disk is full, so that memory cannot be written: base=" + disk),
                array -> assertThat(array).startsWith(full + "Disk is full, so that memory cannot be written"),
                build -> assertThat(build).startsWith(full).contains("path=" + disk.resolve("other")),
                open -> assertThat(open).startsWith(full).contains("path=" + disk.resolve("other")),
                inode -> assertThat(inode).startsWith(full + "Disk is full, so that the file cannot be created: path=")
                        .contains("free space and inodes"),
                again -> assertThat(again).isEqualTo("there is space again"),
                others -> assertThat(others).isEqualTo("[]"));
    }
}
