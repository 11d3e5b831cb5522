package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.files.ImagePaths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class DuplicateNamesTest {
    private static final int NAMES = 100_000;

    @Test
    void find_manyDifferentNames_readsTheCatalogOnce(@TempDir Path directory)
            throws IOException {
        Path base = directory.resolve("image");
        InfiniteArena.ofShared(base).close();
        DuplicateNames names = new DuplicateNames(2L * NAMES * CatalogFormat.LINE);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < NAMES; i++) {
            names.add(random.nextLong());
        }
        CatalogReader closed = CatalogReader.open(ImagePaths.catalog(base));
        closed.close();
        // A second pass would fail.
        assertThat(names.find(closed)).isEmpty();
    }
}
