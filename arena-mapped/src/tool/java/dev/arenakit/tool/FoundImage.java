package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An image, found by the names of its files: `base.catalog`, and `base-0`, `base-1` and so on.
///
/// @param base       the path that its files begin with
/// @param hasCatalog whether there is a catalog
/// @param numbers    of the data files, in their order
record FoundImage(Path base, boolean hasCatalog, List<Long> numbers) {
    private static final String CATALOG = ".catalog";
    /// Of any image, behind its base.
    private static final Pattern FILE = Pattern.compile("-\\d+|\\.catalog|\\.lock");
    private static final Pattern NAME = Pattern
            .compile("(?<base>.+)(?:-(?<number>0|[1-9][0-9]{0,17})|" + Pattern.quote(CATALOG) + ")", Pattern.DOTALL);

    /// The images in a directory, in the order of their names.
    static Collection<FoundImage> in(Path directory) throws IOException {
        return find(directory, "").values();
    }

    /// One image; it has no file at all where there is none.
    ///
    /// @param base of the image
    static FoundImage of(Path base) throws IOException {
        Path absolute = base.toAbsolutePath();
        Path directory = absolute.getParent();
        FoundImage none = new FoundImage(base, false, List.of());
        if (directory == null || !Files.isDirectory(directory)) {
            return none;
        }
        String name = String.valueOf(absolute.getFileName());
        FoundImage found = find(directory, name).getOrDefault(name, none);
        return new FoundImage(base, found.hasCatalog, found.numbers);
    }

    /// The base that is meant: the catalog, to which the completion of a shell leads, stands for its image.
    static Path baseOf(Path path) {
        String name = String.valueOf(path.getFileName());
        return name.length() > CATALOG.length() && name.endsWith(CATALOG) && Files.isRegularFile(path)
                ? path.resolveSibling(name.substring(0, name.length() - CATALOG.length()))
                : path;
    }

    /// Whether a file would be one of an image by its name, whether there is such a file or not.
    static boolean isNamedLikeAFileOf(Path base, Path file) throws IOException {
        Path directory = base.toAbsolutePath().getParent();
        Path other = file.toAbsolutePath().getParent();
        String name = String.valueOf(file.getFileName());
        String baseName = String.valueOf(base.getFileName());
        return directory != null && other != null && Files.isDirectory(other) && Files.isSameFile(directory, other)
                && name.startsWith(baseName)
                && FILE.matcher(name.substring(baseName.length())).matches();
    }

    /// Whether there is no file.
    boolean isEmpty() {
        return !hasCatalog && numbers.isEmpty();
    }

    /// The name that its files begin with.
    String name() {
        return Streams.printable(String.valueOf(base.getFileName()));
    }

    /// A data file.
    Path file(long number) {
        return base.resolveSibling(base.getFileName() + "-" + number);
    }

    /// The catalog, whether there is one or not.
    Path catalog() {
        return base.resolveSibling(base.getFileName() + CATALOG);
    }

    private static SortedMap<String, FoundImage> find(Path directory, String prefix) throws IOException {
        SortedMap<String, FoundImage> images = new TreeMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String entryName = String.valueOf(entry.getFileName());
                Matcher name = NAME.matcher(entryName);
                if (entryName.startsWith(prefix) && name.matches() && Files.isRegularFile(entry)) {
                    images.merge(name.group("base"), found(directory, name), FoundImage::join);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        images.values().forEach(image -> Collections.sort(image.numbers));
        return images;
    }

    private static FoundImage found(Path directory, Matcher name) {
        String number = name.group("number");
        List<Long> numbers = new ArrayList<>();
        if (number != null) {
            numbers.add(Long.valueOf(number));
        }
        return new FoundImage(directory.resolve(name.group("base")), number == null, numbers);
    }

    private FoundImage join(FoundImage more) {
        numbers.addAll(more.numbers);
        return new FoundImage(base, hasCatalog || more.hasCatalog, numbers);
    }
}
