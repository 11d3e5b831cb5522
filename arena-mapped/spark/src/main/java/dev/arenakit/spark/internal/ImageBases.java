package dev.arenakit.spark.internal;

import dev.arenakit.mapped.ImageFiles;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.util.Utils;

/// Finds the images of paths and globs.
final class ImageBases {
    private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]+):/.*");
    /// With or without an empty host.
    private static final Pattern FILE_SCHEME = Pattern.compile("file:(//(?=/))?");
    private static final Pattern WILDCARD = Pattern.compile("[*?\\[{]");

    private ImageBases() {}

    /// Returns the bases of the images, in order and each once.
    ///
    /// @throws IllegalArgumentException if a path or glob leads to no image
    static List<Path> find(List<String> paths) throws IOException {
        TreeSet<Path> bases = new TreeSet<>();
        for (String path : paths) {
            bases.addAll(find(local(path)));
        }
        return List.copyOf(bases);
    }

    private static String local(String path) {
        Matcher scheme = SCHEME.matcher(path);
        if (!scheme.matches()) {
            return path;
        }
        if (!scheme.group(1).equals("file")) {
            throw new IllegalArgumentException("Images are read from local or mounted file systems only: path=" + path
                    + "; write the table with arena sql BASE \"copy TABLE to 'FILE.parquet'\", and read Parquet");
        }
        return FILE_SCHEME.matcher(path).replaceFirst("");
    }

    private static List<Path> find(String path) throws IOException {
        boolean isGlob = WILDCARD.matcher(path).find();
        if (!isGlob || Files.exists(ImageFiles.catalog(Path.of(path)))) {
            Path base = Path.of(path).toAbsolutePath();
            if (!Files.exists(ImageFiles.catalog(base))) {
                throw none(path);
            }
            return List.of(base);
        }
        String absolute = path.startsWith("/") ? path : Path.of("").toAbsolutePath() + "/" + path;
        List<Path> found = expand(absolute);
        if (found.isEmpty()) {
            throw none(path);
        }
        return found;
    }

    private static IllegalArgumentException none(String path) {
        return new IllegalArgumentException("No image: path=" + path
                + "; pass the base of an image, without the suffix of its files, or a glob such as /shared/images/*;"
                + " Spark does not write images");
    }

    private static List<Path> expand(String glob) throws IOException {
        Path root = Path.of("/");
        int depth = 0;
        for (String name : glob.split("/", 0)) {
            if (depth > 0 || WILDCARD.matcher(name).find()) {
                depth++;
            } else {
                root = root.resolve(name);
            }
        }
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        List<Path> bases = new ArrayList<>();
        try (Stream<Path> files = Files.find(root, depth, (file, _) -> file.toString().endsWith(".catalog"))) {
            files.forEach(catalog -> ImageFiles.baseOf(catalog)
                    .filter(base -> matcher.matches(base) || matcher.matches(catalog))
                    .ifPresent(bases::add));
        }
        return bases;
    }

    /// The description of a file in messages. Executors are on other hosts.
    static String describe(Path file) {
        return "host=" + Utils.localHostName() + ", path=" + file;
    }
}
