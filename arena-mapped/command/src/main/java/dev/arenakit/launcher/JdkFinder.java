package dev.arenakit.launcher;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toList;

/// Finds installations of Java by the `release` file in their home directories.
final class JdkFinder {
    /// A file with a line for each directory that contains installations. The build copies these lines into the script
    /// of the command.
    static final String DIRECTORIES = "jdk-directories.txt";
    private static final String USER_HOME = "~/";
    private static final String MAC_HOME = "Contents/Home";
    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(\\d{1,4})\\b.*");
    private static final int NONE = -1;

    private final Path root;
    private final Path userHome;
    private final Path javaHome;
    private final Map<String, String> environment;

    /// @param root        the root of the file system
    /// @param userHome    the home directory of the user
    /// @param javaHome    the home directory of the running Java; its parent may contain others
    /// @param environment the environment variables
    JdkFinder(Path root, Path userHome, Path javaHome, Map<String, String> environment) {
        this.root = root;
        this.userHome = userHome;
        this.javaHome = javaHome;
        this.environment = environment;
    }

    /// A finder for this machine.
    static JdkFinder ofSystem() {
        return new JdkFinder(Path.of("/"), Path.of(System.getProperty("user.home")),
                Path.of(System.getProperty("java.home")), System.getenv());
    }

    /// Finds the home directory of a suitable Java. `JAVA_HOME` and `PATH` come first. After them comes the oldest
    /// suitable Java in a usual directory.
    ///
    /// @param isSuitable tests the first number of a version
    Optional<Path> find(IntPredicate isSuitable) {
        for (Path home : chosen()) {
            if (isSuitable.test(version(home))) {
                return Optional.of(home);
            }
        }
        Optional<Path> oldest = Optional.empty();
        int oldestVersion = Integer.MAX_VALUE;
        for (Path home : installed()) {
            int version = version(home);
            if (isSuitable.test(version) && version < oldestVersion) {
                oldest = Optional.of(home);
                oldestVersion = version;
            }
        }
        return oldest;
    }

    /// The executable of a Java.
    static Path program(Path home) {
        return home.resolve("bin").resolve("java");
    }

    private List<Path> chosen() {
        List<Path> homes = new ArrayList<>();
        path(environment.getOrDefault("JAVA_HOME", "")).ifPresent(homes::add);
        for (String directory : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            path(directory).map(bin -> bin.resolve("java"))
                    .filter(Files::isExecutable)
                    .flatMap(JdkFinder::homeOf)
                    .ifPresent(homes::add);
        }
        return homes;
    }

    private List<Path> installed() {
        List<Path> parents = new ArrayList<>();
        if (javaHome.getParent() != null) {
            parents.add(javaHome.getParent());
        }
        for (String directory : directories()) {
            parents.add(directory.startsWith(USER_HOME)
                    ? userHome.resolve(directory.substring(USER_HOME.length()))
                    : root.resolve(directory.substring(1)));
        }
        List<Path> homes = new ArrayList<>();
        for (Path parent : parents) {
            for (Path installation : entries(parent)) {
                homes.add(installation);
                homes.add(installation.resolve(MAC_HOME));
            }
        }
        return homes;
    }

    /// The lines of [#DIRECTORIES]: absolute paths, or paths that begin with [#USER_HOME].
    static List<String> directories() {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(JdkFinder.class.getResourceAsStream(DIRECTORIES)),
                        UTF_8))) {
            return lines.lines().collect(toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The first number of the version of the Java in a directory, or [#NONE] if there is no Java.
    private static int version(Path home) {
        if (Files.isExecutable(program(home))) {
            try {
                for (String line : Files.readAllLines(home.resolve("release"))) {
                    Matcher version = VERSION.matcher(line);
                    if (version.matches()) {
                        return Integer.parseInt(version.group(1));
                    }
                }
            } catch (IOException e) {
                return NONE;
            }
        }
        return NONE;
    }

    private static Optional<Path> homeOf(Path program) {
        try {
            return Optional.ofNullable(program.toRealPath().getParent()).map(Path::getParent);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static List<Path> entries(Path directory) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        } catch (IOException | DirectoryIteratorException e) {
            // The directory does not exist or is not readable.
            return entries;
        }
        return entries;
    }

    private static Optional<Path> path(String name) {
        try {
            return name.isEmpty() ? Optional.empty() : Optional.of(Path.of(name));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
