package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// Images that earlier releases have written.
public final class ReleasedImages {
    private static final Path DIRECTORY = Path.of("../src/test/resources/dev/arenakit/mapped");

    private ReleasedImages() {}

    /// The names of the zip files.
    static Stream<String> zips() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".zip"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    /// Makes a directory with the files of a zip file.
    public static Path unzip(String zipName, Path directory) throws IOException {
        Files.createDirectory(directory);
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(DIRECTORY.resolve(zipName)))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Files.copy(zip, directory.resolve(entry.getName()));
            }
        }
        return directory;
    }
}
