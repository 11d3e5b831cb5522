package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests catalogs whose sizes and numbers ask for far more work than their bytes: holes of terabytes, and the largest
/// number of a data file. A reader that visits each line or each number exceeds the timeout.
@Timeout(120)
class ImageHoleTest extends InDirectory {
    private static final long TEBIBYTE = 1L << 40;

    private final Path catalog = directory.resolve("memory.catalog");

    @BeforeEach
    void make() {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("first", JAVA_LONG, 1);
            arena.names().allocate("last", JAVA_LONG, 1);
        }
    }

    private void grow(long byteSize) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(catalog.toFile(), "rw")) {
            file.setLength(byteSize);
        }
    }

    /// Changes the catalog.
    private void patch(Patch patch) throws IOException {
        try (FileChannel channel = FileChannel.open(catalog, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            patch.accept(channel.map(MapMode.READ_WRITE, 0, Math.min(channel.size(), 1 << 20), arena));
        }
    }

    private static long mark(MemorySegment bytes) {
        return bytes.get(CatalogFormat.LONG, CatalogFormat.MARK_AT);
    }

    private List<String> names(Path of) throws IOException {
        try (ArenaImage image = ArenaImage.open(of)) {
            assertThat(image.find("last")).isPresent();
            assertThat(image.owners()).hasSize(1);
            return image.allocations().map(Allocation::label).toList();
        }
    }

    private List<String> problems(Path of) throws IOException {
        return read(ArenaImage.open(of),
                image -> image.integrity().problems().map(ImageIntegrity.Problem::description).toList());
    }

    @Test
    void read_catalogOfATebibyteWithoutMark_endsAtOnce() throws IOException {
        grow(TEBIBYTE);
        patch(bytes -> bytes.set(CatalogFormat.LONG, CatalogFormat.MARK_AT, -1L >>> 16));

        assertThat(names(base)).containsExactly("first", "last");
        assertThat(problems(base)).anyMatch(it -> it.startsWith("High-water mark of the catalog is damaged"));
        Path to = directory.resolve("repaired");
        assertThat(ImageFiles.repair(base, to)).anyMatch(it -> it.description().startsWith("High-water mark"));
        assertThat(Files.size(directory.resolve("repaired.catalog"))).isLessThan(1 << 20);
        assertThat(problems(to)).isEmpty();
    }

    @Test
    void read_markAtTheLargestSize_endsAtOnce() throws IOException {
        grow(TEBIBYTE);
        patch(bytes -> bytes.set(CatalogFormat.LONG, CatalogFormat.MARK_AT,
                Integer.MAX_VALUE * CatalogFormat.LINE));

        assertThat(names(base)).containsExactly("first", "last");
        assertThat(problems(base)).singleElement().asString().startsWith("Records were not finished");
        Path to = directory.resolve("repaired");
        assertThat(ImageFiles.repair(base, to)).singleElement().asString().contains("in a hole of the catalog");
        assertThat(names(to)).containsExactly("first", "last");
        using(ArenaImage.open(base), image -> image.copyTo(directory.resolve("copy")));
        assertThat(names(directory.resolve("copy"))).containsExactly("first", "last");
        ImageFiles.delete(base);
        assertThat(catalog).doesNotExist();
    }

    @Test
    void read_recordsBehindAHole_areFound() throws IOException {
        long far = 1L << 36;
        grow(TEBIBYTE);
        patch(map -> map.set(CatalogFormat.LONG, CatalogFormat.MARK_AT, far + CatalogFormat.LINE));
        try (FileChannel channel = FileChannel.open(catalog, StandardOpenOption.WRITE)) {
            MemorySegment record = Arena.ofAuto().allocate(CatalogFormat.LINE, Long.BYTES);
            record.set(JAVA_BYTE, CatalogFormat.KIND, CatalogFormat.KIND_FILE);
            record.set(CatalogFormat.INT, CatalogFormat.FILE, 7);
            record.set(CatalogFormat.INT, CatalogFormat.STATE, CatalogFormat.STATE_LIVE);
            int line = (int) (far / CatalogFormat.LINE);
            record.set(CatalogFormat.INT, 0, line);
            record.set(CatalogFormat.LONG, CatalogFormat.CHECKSUM, CatalogFormat.checksum(record, 0, line, 0, 0));
            channel.write(record.asByteBuffer(), far);
        }

        using(ArenaImage.open(base), image -> assertThat(image.dataFiles()).contains(directory.resolve("memory-7")));
    }

    @Test
    void read_largestNumberOfAFile_visitsFilesThatExistOnly() throws IOException {
        patch(map -> {
            for (long at = CatalogFormat.FIRST_ENTRY; at < CatalogFormat.end(mark(map)); at += CatalogFormat.LINE) {
                if (map.get(JAVA_BYTE, at + CatalogFormat.KIND) == CatalogFormat.KIND_FILE
                        && map.get(CatalogFormat.INT, at + CatalogFormat.FILE) == 1) {
                    map.set(CatalogFormat.INT, at + CatalogFormat.FILE, CatalogFormat.LARGEST_FILE);
                    map.set(CatalogFormat.LONG, at + CatalogFormat.CHECKSUM,
                            CatalogFormat.checksum(map, at, at / CatalogFormat.LINE, 0, 0));
                }
            }
        });

        assertThat(problems(base)).contains("Data file is missing: path=" + base + "-" + CatalogFormat.LARGEST_FILE)
                .anyMatch(it -> it
                        .startsWith("Data file has lost its record when the machine failed: path=" + base + "-1;"));
        assertThat(ImageFiles.repair(base, directory.resolve("repaired")))
                .anyMatch(it -> it.description().startsWith("Data file was not recorded, and was added: number=1"));
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            // A record with a greater number could not be read.
            assertThatThrownBy(() -> arena.names().allocate("more", JAVA_LONG, 1))
                    .isInstanceOf(CapacityExceededException.class)
                    .hasMessageContaining("Numbers of data files are used up");
        }
    }

    @FunctionalInterface
    private interface Patch {
        void accept(MemorySegment bytes);
    }
}
