package dev.arenakit.mapped;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests images that an earlier release has made: three images of five allocations each, written before the format
/// had runs.
class ImageVersionTest {
    private final Path directory = TestFileSystem.BUILD.newDirectory();

    ImageVersionTest() throws IOException {}

    @BeforeEach
    void unzip() throws IOException {
        try (InputStream resource = Objects.requireNonNull(getClass().getResourceAsStream("images-version-1.zip"));
                ZipInputStream zip = new ZipInputStream(resource)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = directory.resolve(entry.getName());
                Files.copy(zip, file);
                if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                    Files.setPosixFilePermissions(file,
                            java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
                }
            }
        }
    }

    @AfterEach
    void removeDirectory() throws IOException {
        TestFileSystem.remove(directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "plain", "full"})
    void open_ofVersion1_readsAll(String name) throws IOException {
        try (ArenaImage image = ArenaImage.open(directory.resolve(name)); Arena arena = Arena.ofConfined()) {
            assertThat(image.problems()).isEmpty();
            assertThat(image.allocations().map(Allocation::byteSize)).containsExactly(100L, 100L, 0L, 24L, 3000L);
            assertThat(image.allocations().map(Allocation::isLive)).containsExactly(true, true, true, false, true);
            MemorySegment numbers = image.segment(image.find("numbers").orElseThrow(), arena);
            for (int i = 0; i < 25; i++) {
                assertThat(numbers.getAtIndex(JAVA_INT, i)).isEqualTo(i);
            }
            for (Allocation allocation : image.allocations().toList()) {
                assertThat(image.allocation(allocation.number())).contains(allocation);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "plain", "full"})
    void reopen_ofVersion1_goesOnInTheCurrentOne(String name) throws IOException {
        Path base = directory.resolve(name);
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThat(arena.find("numbers").orElseThrow().getAtIndex(JAVA_INT, 24)).isEqualTo(24);
            arena.allocate("new", JAVA_LONG, 2).fill((byte) 'n');
            for (int i = 0; i < 50; i++) {
                MemorySegment small = arena.allocate(10, 8);
                assertThat(small.mismatch(MemorySegment.ofArray(new byte[10]))).isEqualTo(-1);
                small.fill((byte) 's');
            }
        }
        assertThat(Files.readAllBytes(ImageFiles.catalog(base))[8]).as("version").isEqualTo((byte) 3);
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(image.problems()).isEmpty();
            assertThat(image.allocations()).hasSize(5 + 1 + 50);
            assertThat(image.owners()).hasSize(2);
            Allocation first = image.allocations().findFirst().orElseThrow();
            assertThat(image.segment(first, arena).get(JAVA_BYTE, 99)).isEqualTo((byte) 'a');
        }
    }
}
