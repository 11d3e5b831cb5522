package dev.arenakit.tool.image;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Suggestions;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/// The files of an image that exist, found by their names: `base.catalog`, and `base-0`, `base-1` and so on.
///
/// @param base       the base of the image, with which the paths of the files begin
/// @param hasCatalog whether the catalog exists
/// @param numbers    the numbers of the data files, in ascending order
public record ImageFileSet(Path base, boolean hasCatalog, List<Long> numbers) {
    /// Finds the files of one image.
    ///
    /// @param base the base of the image
    /// @return an empty set if there is no such image
    public static ImageFileSet of(Path base) throws IOException {
        Path absolute = base.toAbsolutePath();
        Path directory = absolute.getParent();
        ImageFileSet none = new ImageFileSet(base, false, List.of());
        if (directory == null || !Files.isDirectory(directory)) {
            return none;
        }
        String name = String.valueOf(absolute.getFileName());
        ImageFileSet found = find(directory, name, _ -> {}).getOrDefault(name, none);
        return new ImageFileSet(base, found.hasCatalog, found.numbers);
    }

    /// Returns the base that the user means. The path of a catalog, which a shell may have completed, stands for its
    /// image.
    public static Path baseOf(Path path) {
        return ImageFiles.baseOf(path)
                .filter(base -> path.equals(ImageFiles.catalog(base)) && Files.isRegularFile(path))
                .orElse(path);
    }

    /// Opens an image that has a catalog.
    ///
    /// @param base the base of the image, or its catalog
    /// @throws IOException if there is no catalog; the message says which files exist instead, for use after the base
    public static ArenaImage openImage(Path base) throws IOException {
        Path meant = baseOf(base);
        try {
            return ArenaImage.open(meant);
        } catch (NoSuchFileException e) {
            throw noCatalog(meant, e);
        }
    }

    /// Makes the exception for an image without a catalog.
    ///
    /// @param base the base of the image
    public static IOException noCatalog(Path base, NoSuchFileException cause) throws IOException {
        return new IOException(of(base).numbers.isEmpty()
                ? "no such image" + similarImage(base)
                : "no catalog, only data files: ls -ls lists them, arena hexdump prints one", cause);
    }

    /// The question whether another image in the same directory was meant, or an empty text.
    private static String similarImage(Path base) throws IOException {
        Path directory = base.toAbsolutePath().getParent();
        return directory == null || !Files.isDirectory(directory)
                ? ""
                : Suggestions.of(String.valueOf(base.getFileName()), find(directory, "", _ -> {}).values()
                        .stream()
                        .filter(ImageFileSet::hasCatalog)
                        .map(ImageFileSet::name));
    }

    /// Whether a file has the name of a file of an image. The file and the image need not exist.
    public static boolean isNamedLikeAFileOf(Path base, Path file) throws IOException {
        Path directory = base.toAbsolutePath().getParent();
        Path other = file.toAbsolutePath().getParent();
        return directory != null && other != null && Files.isDirectory(other) && Files.isSameFile(directory, other)
                && ImageFiles.baseOf(file).map(Path::getFileName).equals(Optional.ofNullable(base.getFileName()));
    }

    /// Whether there is neither a catalog nor a data file.
    public boolean isEmpty() {
        return !hasCatalog && numbers.isEmpty();
    }

    /// The name of the image, with which the names of its files begin.
    public String name() {
        return PrintableText.of(String.valueOf(base.getFileName()));
    }

    /// Writes the name and the base of an image as properties of a JSON object.
    public static void writeJson(JsonGenerator json, Path base) {
        json.writeStringProperty("image", String.valueOf(base.getFileName()));
        json.writeStringProperty("base", base.toString());
    }

    /// The path of a data file.
    public Path file(long number) {
        return ImageFiles.data(base, number);
    }

    /// The path of the catalog, which need not exist.
    public Path catalog() {
        return ImageFiles.catalog(base);
    }

    /// The path of the lock file, which need not exist.
    public Path lock() {
        return ImageFiles.lock(base);
    }

    /// Finds the images in a directory whose names begin with a prefix.
    ///
    /// @param unnamed takes the catalogs of images that cannot be named
    static SortedMap<String, ImageFileSet> find(Path directory, String prefix, Consumer<Path> unnamed)
            throws IOException {
        SortedMap<String, ImageFileSet> images = new TreeMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String fileName = String.valueOf(entry.getFileName());
                // The text of a name that is not text contains U+FFFD, which some charsets lack.
                boolean isNamed = isNameOf(fileName, entry);
                Path file = isNamed ? entry : entry.resolveSibling(fileName.replace('\ufffd', '?'));
                Path base = ImageFiles.baseOf(file).orElse(null);
                if (base == null || !Files.isRegularFile(entry)) {
                    continue;
                }
                String name = String.valueOf(base.getFileName());
                boolean isCatalog = file.equals(ImageFiles.catalog(base));
                OptionalLong number = ImageFiles.numberOf(file);
                if (isNamed && name.startsWith(prefix) && (isCatalog || number.isPresent())) {
                    images.merge(name, found(base, isCatalog, number), ImageFileSet::join);
                } else if (!isNamed && isCatalog) {
                    unnamed.accept(entry);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        images.values().forEach(image -> Collections.sort(image.numbers));
        return images;
    }

    /// Whether a file can be opened by its name. The name of a file may consist of bytes that are not text.
    private static boolean isNameOf(String name, Path file) {
        try {
            return Path.of(name).equals(file.getFileName());
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static ImageFileSet found(Path base, boolean isCatalog, OptionalLong number) {
        List<Long> numbers = new ArrayList<>();
        number.ifPresent(numbers::add);
        return new ImageFileSet(base, isCatalog, numbers);
    }

    private ImageFileSet join(ImageFileSet more) {
        numbers.addAll(more.numbers);
        return new ImageFileSet(base, hasCatalog || more.hasCatalog, numbers);
    }
}
