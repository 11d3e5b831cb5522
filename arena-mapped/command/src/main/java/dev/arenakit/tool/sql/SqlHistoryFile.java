package dev.arenakit.tool.sql;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The file with the statements that a user has typed at the prompt. Only the user may read it.
final class SqlHistoryFile {
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

    private SqlHistoryFile() {}

    /// The directory `arenakit` in the user's directory for states of programs.
    static Path directoryOfUser() {
        return directoryOfUser(System.getenv("XDG_STATE_HOME"), System.getProperty("user.home"));
    }

    /// @param state the user's directory for states of programs, if the environment names it
    /// @param home  the user's home; Java returns `?` if the user has no home
    static Path directoryOfUser(@Nullable String state, String home) {
        Path parent = state != null && Path.of(state).isAbsolute() ? Path.of(state) : Path.of(home, ".local", "state");
        return parent.resolve("arenakit");
    }

    /// Creates the file, if it does not exist.
    ///
    /// @return the file; empty if the directory's path is not absolute, if other users can access it, or if it cannot
    ///         be written
    static Optional<Path> in(Path directory) {
        if (!directory.isAbsolute()) {
            return Optional.empty();
        }
        try {
            Files.createDirectories(directory.getParent());
            create(directory, DIRECTORY, true);
            Path file = directory.resolve("sql-history");
            create(file, FILE, false);
            boolean isSafe = Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    && Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS).equals(DIRECTORY)
                    && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(file)
                    && Files.getOwner(file).equals(Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS));
            return isSafe ? Optional.of(file) : Optional.empty();
        } catch (IOException | UnsupportedOperationException _) {
            return Optional.empty();
        }
    }

    private static void create(Path path, Set<PosixFilePermission> permissions, boolean isDirectory)
            throws IOException {
        FileAttribute<Set<PosixFilePermission>> attribute = PosixFilePermissions.asFileAttribute(permissions);
        try {
            if (isDirectory) {
                Files.createDirectory(path, attribute);
            } else {
                Files.createFile(path, attribute);
            }
        } catch (FileAlreadyExistsException _) {
            // The caller checks the existing file or directory.
        }
    }
}
