package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

import static org.assertj.core.api.Assertions.assertThat;

/// A test with an empty directory, which is removed afterwards. The test must not change the count of mappings.
abstract class InDirectory {
    final TestFileSystem place;
    final Path directory;

    /// The base of the arena of a test.
    final Path base;

    final int mappingsBefore = MappingLimit.used();

    InDirectory(TestFileSystem place) throws IOException {
        this.place = place;
        this.directory = place.newDirectory();
        this.base = directory.resolve("memory");
    }

    @AfterEach
    void removeDirectory() throws IOException {
        TestFileSystem.remove(directory);
        assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
    }
}
