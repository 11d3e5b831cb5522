package dev.arenakit.internal.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class UnownedMappingsTest {
    private static final Path MAPS = Path.of("/proc/self/maps");

    private final Path directory;

    UnownedMappingsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void checkSystem() {
        assumeTrue(MappedFile.isAvailableFor(directory), "needs Linux with native access");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "file %41 (deleted)", "d\u00e9j\u00e0", "two\nlines", "back\\slash"})
    void unmap_ofAMappedFile_endsAllItsMappings(String name) throws IOException {
        Path file = directory.resolve(name);
        map(file, Arena.global());
        map(file, Arena.global());
        assertThat(countMappings()).isEqualTo(2);
        assertThat(UnownedMappings.count(file, 5_000)).isEqualTo(2);
        assertThat(UnownedMappings.count(file, 5_000 + (64 << 10))).isZero();

        assertThat(UnownedMappings.unmap(file)).isTrue();

        assertThat(countMappings()).isZero();
        assertThat(UnownedMappings.unmap(file)).isTrue();
    }

    @Test
    void unmap_ofAnotherFile_hasNoEffect() throws IOException {
        Path file = directory.resolve("file");
        Path deleted = directory.resolve("0");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mapped = map(file, arena);
            MemorySegment longer = map(directory.resolve("file-0"), arena);
            MemorySegment removed = map(deleted, arena);
            Files.delete(deleted);
            Files.createFile(deleted);
            // Its path ends as the line of the deleted file would.
            Path nested = Files.createDirectories(Path.of(directory + "/x " + directory)).resolve("0");
            MemorySegment other = map(nested, arena);

            assertThat(UnownedMappings.unmap(deleted)).isTrue();
            assertThat(UnownedMappings.unmap(Files.createFile(directory.resolve("ile-0")))).isTrue();

            assertThat(countMappings()).isEqualTo(4);
            assertThat(Stream.of(mapped, longer, removed, other).map(each -> each.get(JAVA_BYTE, 0)))
                    .containsOnly((byte) 0);
        }
    }

    @Test
    void count_ofAMissingFile_isZero() {
        assertThat(UnownedMappings.count(directory.resolve("missing"), 1)).isZero();
    }

    @Test
    void unmap_inAnInterruptedThread_endsTheMapping() throws IOException {
        Path file = directory.resolve("file");
        map(file, Arena.global());
        Thread.currentThread().interrupt();

        assertThat(UnownedMappings.unmap(file)).isTrue();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(countMappings()).isZero();
    }

    private static MemorySegment map(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return channel.map(MapMode.READ_WRITE, 0, 5_000, arena);
        }
    }

    private long countMappings() throws IOException {
        try (Stream<String> lines = Files.lines(MAPS)) {
            return lines.filter(line -> line.contains(directory.toString())).count();
        }
    }
}
