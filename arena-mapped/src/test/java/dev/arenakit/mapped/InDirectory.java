package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.MappingLimit;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

import static org.assertj.core.api.Assertions.assertThat;

/// A test with an empty directory, which is removed afterwards. The test must not change the count of mappings.
public abstract class InDirectory {
    public final TestFileSystem place;
    public final Path directory;

    /// The base of the arena of a test.
    public final Path base;

    public final int mappingsBefore = MappingLimit.used();

    public InDirectory() {
        this(TestFileSystem.SHARED_MEMORY);
    }

    public InDirectory(TestFileSystem place) {
        this.place = place;
        this.directory = place.newDirectory();
        this.base = directory.resolve("memory");
    }

    @AfterEach
    void removeDirectory() throws IOException {
        TestFileSystem.remove(directory);
        assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
    }

    /// Uses an arena, and closes it.
    public static <X extends Exception> void using(InfiniteArena arena, Use<InfiniteArena, X> use) throws X {
        try (arena) {
            use.of(arena);
        }
    }

    /// Uses an image, and closes it.
    public static <X extends Exception> void using(ArenaImage image, Use<ArenaImage, X> use) throws X, IOException {
        try (image) {
            use.of(image);
        }
    }

    /// Reads a value of an image.
    public static <T> T read(ArenaImage image, ImageValue<T> value) throws IOException {
        try (image) {
            return value.of(image);
        }
    }

    /// A use of an arena or an image.
    public interface Use<T, X extends Exception> {
        void of(T used) throws X;
    }

    /// A value of an image.
    public interface ImageValue<T> {
        T of(ArenaImage image) throws IOException;
    }
}
