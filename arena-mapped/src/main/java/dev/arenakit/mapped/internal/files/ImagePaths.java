package dev.arenakit.mapped.internal.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The paths of the files of an image: the catalog, the lock file and the data files.
public final class ImagePaths {
    private static final String CATALOG = ".catalog";
    private static final String LOCK = ".lock";
    private static final String DATA = "-";
    /// Numbers are at most 18 digits long, so that each of them fits into a `long`.
    private static final Pattern NAME = Pattern.compile("(?<base>.+)(?:" + Pattern.quote(CATALOG) + "|"
            + Pattern.quote(LOCK) + "|" + DATA + "(?<number>0|[1-9][0-9]{0,17}))", Pattern.DOTALL);

    /// The format of the time in a unique base. Listings are sorted by time, and shells need no quotes.
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.nnnnnnnnn'Z'")
            .withZone(ZoneOffset.UTC);

    private ImagePaths() {}

    /// {@return the path of the catalog}
    ///
    /// @param base the base of the image
    public static Path catalog(Path base) {
        return file(base, CATALOG);
    }

    /// {@return the path of the lock file}
    ///
    /// @param base the base of the image
    public static Path lock(Path base) {
        return file(base, LOCK);
    }

    /// {@return the path of a data file}
    ///
    /// @param base   the base of the image
    /// @param number the number of the data file, from 0
    public static Path data(Path base, long number) {
        return file(base, DATA + number);
    }

    /// {@return the base of the image that a file with this name belongs to, or empty if no file of an image has this
    /// name}
    ///
    /// @param file the path of a catalog, a lock file or a data file
    public static Optional<Path> baseOf(Path file) {
        Matcher name = match(file);
        return name.matches() ? Optional.of(file.resolveSibling(name.group("base"))) : Optional.empty();
    }

    /// {@return the number in the name of a data file, or empty if no data file has this name}
    ///
    /// @param file the path of a data file
    public static OptionalLong numberOf(Path file) {
        Matcher name = match(file);
        return name.matches() && name.group("number") != null
                ? OptionalLong.of(Long.parseLong(name.group("number")))
                : OptionalLong.empty();
    }

    /// {@return a base with the current time and the process id}
    public static Path uniqueBase(Path base) {
        return file(base, "-" + TIME.format(Instant.now()) + "-" + ProcessHandle.current().pid());
    }

    /// The numbers of the data files that exist, whether a catalog records them or not. The directory is read: a
    /// damaged or malicious catalog may contain any number of a file, and to try all smaller numbers would take long.
    public static SortedSet<Long> numbers(Path base) throws IOException {
        SortedSet<Long> numbers = new TreeSet<>();
        for (Path file : dataFiles(base)) {
            if (Files.isRegularFile(file)) {
                numbers.add(numberOf(file).orElseThrow());
            }
        }
        return numbers;
    }

    /// The paths in the directory of an image that have the names of its data files.
    public static List<Path> dataFiles(Path base) throws IOException {
        List<Path> found = new ArrayList<>();
        Optional<Path> name = Optional.ofNullable(base.getFileName());
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(base.toAbsolutePath().resolveSibling(""))) {
            for (Path entry : entries) {
                if (numberOf(entry).isPresent() && baseOf(entry).map(Path::getFileName).equals(name)) {
                    found.add(entry);
                }
            }
            return found;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static Matcher match(Path file) {
        Path name = file.getFileName();
        return NAME.matcher(name == null ? "" : name.toString());
    }

    private static Path file(Path base, String suffix) {
        Path name = base.getFileName();
        return name == null ? base.resolve(suffix) : base.resolveSibling(name + suffix);
    }
}
