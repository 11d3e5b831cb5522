package dev.arenakit.tool.sql;

import dev.arenakit.mapped.internal.files.DirectoryTrust;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.FileTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The file with the statements that a user has typed at the prompt. Only the user may read it.
final class SqlHistoryFile {
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

    /// Creates the file, if it does not exist, in a directory where no other user can read or replace it.
    ///
    /// @throws IOException if there is no such directory, or it cannot be written; the message is for the user
    static Path in(Path directory) throws IOException {
        if (!directory.isAbsolute()) {
            throw new IOException("the user has no home directory");
        }
        DirectoryTrust.createPrivate(directory);
        Path file = directory.resolve("sql-history");
        FileMode.OWNER_ONLY.createIfMissing(file);
        FileTrust.check(file);
        if (!Files.isWritable(file)) {
            throw new IOException("not a file that can be written: path=" + file);
        }
        return file;
    }
}
