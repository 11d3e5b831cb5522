package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A file of an image, by its name: `base-0`, `base-1` and so on.
///
/// @param path   the file
/// @param base   the name that the files of the image share
/// @param number of the file in the image
record ImageFile(Path path, String base, long number) {
    private static final Pattern NAME = Pattern.compile("(?<base>.+)-(?<number>0|[1-9][0-9]{0,17})", Pattern.DOTALL);
    private static final Comparator<ImageFile> ORDER = Comparator.comparing(ImageFile::base)
            .thenComparingLong(ImageFile::number);

    /// The files of all images in a directory, in the order of their numbers.
    static List<ImageFile> in(Path directory) throws IOException {
        List<ImageFile> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                Matcher name = NAME.matcher(String.valueOf(entry.getFileName()));
                if (name.matches() && Files.isRegularFile(entry)) {
                    files.add(new ImageFile(entry, name.group("base"), Long.parseLong(name.group("number"))));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        files.sort(ORDER);
        return files;
    }

    /// The files of one image.
    static List<ImageFile> of(Path base) throws IOException {
        Path absolute = base.toAbsolutePath();
        Path directory = absolute.getParent();
        return directory == null || !Files.isDirectory(directory)
                ? List.of()
                : in(directory).stream()
                        .filter(file -> file.base.equals(String.valueOf(absolute.getFileName())))
                        .toList();
    }
}
