package dev.arenakit.mapped;

import dev.arenakit.internal.file.AddressRange;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/// Ends the owner of an image in this process so that its files are as after a kill.
final class KilledOwner {
    private static final String SUFFIX = ".killed";

    private KilledOwner() {}

    /// Closes an arena, and then restores the files that it had before.
    static void kill(InfiniteArena arena) throws IOException {
        Path base = arena.base();
        if (!AddressRange.isKnownFor(base)) {
            // The copies of tables and trees would have their largest size.
            arena.close();
            TestFileSystem.assumeHoles(base);
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(base.resolveSibling(""),
                base.getFileName() + "[-.]*")) {
            found.forEach(files::add);
        }
        for (Path file : files) {
            Files.copy(file, killed(file));
        }
        arena.close();
        for (Path file : files) {
            Files.move(killed(file), file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static Path killed(Path file) {
        return file.resolveSibling(file.getFileName() + SUFFIX);
    }
}
