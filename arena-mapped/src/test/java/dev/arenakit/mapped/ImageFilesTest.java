package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

class ImageFilesTest extends InDirectory {
    private static final Path MEMORY = Path.of("dir", "memory");

    ImageFilesTest() throws IOException {
        super(TestFileSystem.BUILD);
    }

    @Test
    void filesOfAnArena_haveTheseNames() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            arena.allocate(JAVA_INT);
            arena.allocate(JAVA_INT);
            assertThat(TestFileSystem.list(directory)).containsExactly(ImageFiles.data(base, 0),
                    ImageFiles.data(base, 1),
                    ImageFiles.catalog(base), ImageFiles.lock(base));
        }
    }

    @Test
    void paths_areBesideTheBase() {
        assertThat(ImageFiles.catalog(MEMORY)).isEqualTo(Path.of("dir/memory.catalog"));
        assertThat(ImageFiles.lock(MEMORY)).isEqualTo(Path.of("dir/memory.lock"));
        assertThat(ImageFiles.data(MEMORY, 17)).isEqualTo(Path.of("dir/memory-17"));
    }

    @Test
    void paths_baseWithoutAName_areInTheDirectory() {
        assertThat(ImageFiles.catalog(Path.of("/"))).isEqualTo(Path.of("/.catalog"));
        assertThat(ImageFiles.data(Path.of(""), 0)).isEqualTo(Path.of("-0"));
    }

    @Test
    void baseOf_fileOfAnImage_isItsBase() {
        for (Path base : List.of(MEMORY, Path.of("memory"), Path.of("/memory"), Path.of("memory-0"),
                Path.of("memory.catalog"), Path.of("a\nb"), Path.of("-"))) {
            for (Path file : List.of(ImageFiles.catalog(base), ImageFiles.lock(base), ImageFiles.data(base, 0),
                    ImageFiles.data(base, Integer.MAX_VALUE))) {
                assertThat(ImageFiles.baseOf(file)).as(file.toString()).contains(base);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/", "memory", "memory-", "memory-01", "memory--", "memory-1x", "-1", ".catalog", ".lock",
                    "memory.catalog.bak", "memory-1000000000000000000", "memory.CATALOG"})
    void baseOf_otherName_isEmpty(String name) {
        assertThat(ImageFiles.baseOf(Path.of(name))).isEmpty();
        assertThat(ImageFiles.numberOf(Path.of(name))).isEmpty();
    }

    @Test
    void numberOf_dataFile_isItsNumber() {
        assertThat(ImageFiles.numberOf(ImageFiles.data(MEMORY, 0))).hasValue(0);
        assertThat(ImageFiles.numberOf(ImageFiles.data(MEMORY, 999_999_999_999_999_999L)))
                .hasValue(999_999_999_999_999_999L);
    }

    @Test
    void numberOf_catalogAndLock_isEmpty() {
        assertThat(ImageFiles.numberOf(ImageFiles.catalog(MEMORY))).isEmpty();
        assertThat(ImageFiles.numberOf(ImageFiles.lock(MEMORY))).isEmpty();
    }
}
