package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

import static org.assertj.core.api.Assertions.assertThat;

/// A test with an empty directory, which afterwards is removed and must not have left a mapping counted.
abstract class InDirectory {
    final Place place;
    final Path directory;

    /// The base of the files of a test's arena.
    final Path base;

    final int mappingsBefore = Mappings.used();

    InDirectory(Place place) throws IOException {
        this.place = place;
        this.directory = place.newDirectory();
        this.base = directory.resolve("memory");
    }

    @AfterEach
    void removeDirectory() throws IOException {
        Place.remove(directory);
        assertThat(Mappings.used()).isEqualTo(mappingsBefore);
    }
}
