package dev.arenakit.tool.find;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// An image that an earlier release has written.
final class VersionOneImage {
    private static final Path ZIP = Path.of("../src/test/resources/dev/arenakit/mapped/images-version-1.zip");

    private VersionOneImage() {}

    /// Makes the files of the image.
    ///
    /// @return the base of the image
    static Path unzip(Path directory) throws IOException {
        Files.createDirectory(directory);
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(ZIP))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Files.copy(zip, directory.resolve(entry.getName()));
            }
        }
        return directory.resolve("plain");
    }
}
