package dev.arenakit.tool.sql;

import dev.arenakit.mapped.internal.files.DirectoryTrust;
import dev.arenakit.mapped.internal.files.FileTrust;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The file with the statements that a user has typed at the prompt. Only the user may read it.
final class SqlHistoryFile {
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
            DirectoryTrust.createPrivate(directory);
            Path file = directory.resolve("sql-history");
            try {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE));
            } catch (FileAlreadyExistsException _) {
                // The check follows.
            }
            FileTrust.check(file);
            return Files.isWritable(file) ? Optional.of(file) : Optional.empty();
        } catch (IOException | UnsupportedOperationException _) {
            return Optional.empty();
        }
    }
}
