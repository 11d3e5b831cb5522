package dev.arenakit.mapped;

import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests images of earlier formats: three images of five allocations each, written before the format had runs; two that
/// were written before it had allocations that grow; and the images that releases have written.
class ImageVersionTest extends InDirectory {

    @BeforeEach
    void unzip() throws IOException {
        ReleasedImages.unzip("images-version-1.zip", directory);
        ReleasedImages.unzip("images-version-2.zip", directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "plain", "full"})
    void open_ofVersion1_readsAll(String name) throws IOException {
        try (ArenaImage image = ArenaImage.open(directory.resolve(name)); Arena arena = Arena.ofConfined()) {
            assertThat(image.integrity().problems()).isEmpty();
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
            assertThat(arena.names().find("numbers").orElseThrow().getAtIndex(JAVA_INT, 24)).isEqualTo(24);
            arena.names().allocate("new", JAVA_LONG, 2).fill((byte) 'n');
            for (int i = 0; i < 50; i++) {
                MemorySegment small = arena.allocate(10, 8);
                assertThat(small.mismatch(MemorySegment.ofArray(new byte[10]))).isEqualTo(-1);
                small.fill((byte) 's');
            }
        }
        assertThat(Files.readAllBytes(ImageFiles.catalog(base))[8]).as("version").isEqualTo((byte) 3);
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.allocations()).hasSize(5 + 1 + 50);
            assertThat(image.owners()).hasSize(2);
            Allocation first = image.allocations().findFirst().orElseThrow();
            assertThat(image.segment(first, arena).get(JAVA_BYTE, 99)).isEqualTo((byte) 'a');
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked2", "plain2"})
    void reopen_ofVersion2_growsAsBefore(String name) throws IOException {
        Path base = directory.resolve(name);
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.allocations().map(Allocation::byteSize)).containsExactly(100L, 0L, 24L, 80L, 3_000L);
            assertThat(image.allocations().map(Allocation::elementCount)).containsOnly(OptionalLong.empty());
        }
        StructType longs = StructType.wrapperOf(MemoryType.of(JAVA_LONG));
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThat(arena.names().get("growing", longs).getAtIndex(JAVA_LONG, 9)).isEqualTo(9);
            // The record had a largest size of 8,000 bytes, which was not enforced.
            assertThat(arena.names().resize("growing", 2_000).getAtIndex(JAVA_LONG, 9)).isEqualTo(9);
            assertThatThrownBy(() -> arena.names().growable("growing", longs, 1_000))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Allocation was not made to grow");
            arena.names().growable("new", longs, 1_000).grow(8);
        }
        assertThat(Files.readAllBytes(ImageFiles.catalog(base))[8]).as("version").isEqualTo((byte) 3);
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.get("growing", longs).byteSize()).isEqualTo(16_000);
        }
    }

    @ParameterizedTest
    @FieldSource("dev.arenakit.mapped.ReleasedImages#ZIPS")
    void openAndReopen_ofARelease_readsAllAndGoesOn(String zip) throws IOException {
        ReleasedImages.unzip(zip, Files.createDirectory(directory.resolve("release")));
        for (String name : List.of("plain", "chunked")) {
            Path base = directory.resolve("release").resolve(name);
            ReleasedImages.assertFilled(base);
            ReleasedImages.goOn(base);
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThat(image.integrity().problems()).isEmpty();
                assertThat(image.owners()).hasSize(2);
            }
        }
    }

    @Test
    void keptImages_haveEachVersionOfTheCatalog() throws IOException {
        for (String zip : ReleasedImages.ZIPS) {
            ReleasedImages.unzip(zip, Files.createDirectory(directory.resolve(zip)));
        }
        InfiniteArena.ofShared(directory.resolve("present")).close();
        byte present = catalogVersion(directory.resolve("present.catalog"));
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files.filter(file -> file.toString().endsWith(".catalog"))
                    .filter(file -> !file.endsWith("present.catalog"))
                    .map(ImageVersionTest::catalogVersion))
                    .as("a format that no release has written: keep images of it, see .ci/release.md")
                    .containsAll(IntStream.rangeClosed(1, present).mapToObj(version -> (byte) version).toList());
        }
    }

    private static byte catalogVersion(Path catalog) {
        try {
            return Files.readAllBytes(catalog)[8];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
