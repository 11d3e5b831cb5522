package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageProblem;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.TestFileSystem;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests a scan that reads some lines before their writer has written them, and the next lines afterwards.
class CatalogScanTest {
    private static final int LINE = 64;
    /// The size of the window of a scan. Bytes after it are read later.
    private static final int WINDOW = 1 << 16;
    /// Too large for a run, so that each allocation has a line.
    private static final long LARGE = 1 << 20;
    private static final String NAME = "n".repeat(1_000);

    private final Path directory = TestFileSystem.BUILD.newDirectory();
    private final Path base = directory.resolve("memory");
    private final Path catalog = directory.resolve("memory.catalog");

    CatalogScanTest() throws IOException {}

    @AfterEach
    void removeDirectory() throws IOException {
        TestFileSystem.remove(directory);
    }

    /// Makes an image with a long name, which begins some lines before the end of the first window.
    ///
    /// @return the bytes of its catalog
    private byte[] makeImage(int linesBefore) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            // Its type is recorded now, so that the long name comes next.
            arena.allocate("first", JAVA_INT, 1);
            while (end() < 2 * LINE + WINDOW - linesBefore * LINE) {
                arena.allocate(LARGE, 1);
            }
            arena.allocate(NAME, JAVA_INT, 1);
            arena.allocate(LARGE, 1);
        }
        return Files.readAllBytes(catalog);
    }

    private int end() throws IOException {
        return (int) ByteBuffer.wrap(Files.readAllBytes(catalog)).order(ByteOrder.LITTLE_ENDIAN).getLong(LINE);
    }

    private void overwrite(byte[] bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(catalog.toFile(), "rw")) {
            file.write(bytes);
        }
    }

    @Test
    void next_textWrittenAfterItsFirstLineWasRead_isNotDamaged() throws IOException {
        byte[] later = makeImage(3);
        for (int written : new int[]{0, 1, 2, 3}) {
            // The first lines of the text are written, or only its start. The other lines are reserved.
            byte[] before = later.clone();
            int text = 2 * LINE + WINDOW - 3 * LINE;
            Arrays.fill(before, text + written * LINE, end(), (byte) 0);
            if (written > 0) {
                Arrays.fill(before, text, text + 4, (byte) 0);
            }
            overwrite(before);
            List<CatalogEntry> entries = new ArrayList<>();
            try (CatalogReader reader = CatalogReader.open(catalog)) {
                CatalogScan scan = CatalogScan.of(reader);
                entries.add(scan.next());
                overwrite(later);
                for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                    entries.add(entry);
                }
            }
            assertThat(entries).as("written=%d", written)
                    .filteredOn(entry -> entry instanceof CatalogEntry.Unreadable unreadable && unreadable.isFinished())
                    .isEmpty();
            assertThat(entries).filteredOn(CatalogEntry.Allocated.class::isInstance)
                    .extracting(entry -> ((CatalogEntry.Allocated) entry).name().text())
                    .endsWith(NAME, "");
        }
    }

    @Test
    void allocations_textUnfinished_skipItsBytes() throws IOException {
        byte[] bytes = makeImage(3);
        int text = 2 * LINE + WINDOW - 3 * LINE;
        int textLines = Math.ceilDiv(24 + NAME.length(), LINE);
        // The writer died before the last store.
        Arrays.fill(bytes, text, text + 4, (byte) 0);
        overwrite(bytes);

        try (ArenaImage image = ArenaImage.open(base)) {
            List<Allocation> all = image.allocations().toList();
            assertThat(all.getLast()).as("after the text")
                    .extracting(Allocation::name)
                    .isEqualTo(java.util.Optional.empty());
            assertThat(all).noneMatch(allocation -> allocation.name().filter(NAME::equals).isPresent());
            List<String> problems = image.problems().map(ImageProblem::description).toList();
            assertThat(problems).hasSize(2)
                    .anyMatch(problem -> problem.contains("not finished")
                            && problem.endsWith("lines=" + text / LINE + ".." + (text / LINE + textLines - 1)))
                    .anyMatch(problem -> problem.contains("damaged"));
        }
    }

    @Test
    void allocations_unfinishedTextOfAWrongSize_hidesNoOthers() throws IOException {
        byte[] bytes = makeImage(3);
        int text = 2 * LINE + WINDOW - 3 * LINE;
        Arrays.fill(bytes, text, text + 4, (byte) 0);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(text + 12, 1 << 19);
        overwrite(bytes);

        try (ArenaImage image = ArenaImage.open(base)) {
            int end = end();
            assertThat(image.allocations().toList().getLast().byteOffset()).isGreaterThan(1_000);
            assertThat(image.problems()).isNotEmpty();
            assertThat(end()).isEqualTo(end);
        }
    }

    @Test
    void iterator_whileTheOwnerAllocates_endsAtTheEndThatItFound() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 20).build();
                ArenaImage image = ArenaImage.open(base)) {
            arena.allocate("first", JAVA_INT, 1);
            Iterator<Allocation> allocations = image.allocations().iterator();
            assertThat(allocations.next().name()).contains("first");
            for (int i = 0; i < 2_000; i++) {
                arena.allocate(1, 1);
            }
            assertThat(allocations.hasNext()).isFalse();
            assertThat(image.allocations()).hasSize(2_001);
        }
    }
}
