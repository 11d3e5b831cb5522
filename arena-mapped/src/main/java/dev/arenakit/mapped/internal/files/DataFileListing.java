package dev.arenakit.mapped.internal.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;

/// Lists the data files of an image by reading its directory: a damaged or malicious catalog may contain any number of
/// a file, so that trying all smaller numbers would take long.
public final class DataFileListing {
    private DataFileListing() {}

    /// The numbers of the data files that exist, whether a catalog records them or not.
    public static SortedSet<Long> numbers(Path base) throws IOException {
        SortedSet<Long> numbers = new TreeSet<>();
        Optional<Path> name = Optional.ofNullable(base.getFileName());
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(base.toAbsolutePath().resolveSibling(""))) {
            for (Path entry : entries) {
                OptionalLong number = ImagePaths.numberOf(entry);
                if (number.isPresent() && ImagePaths.baseOf(entry).map(Path::getFileName).equals(name)
                        && Files.isRegularFile(entry)) {
                    numbers.add(number.getAsLong());
                }
            }
            return numbers;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }
}
