package dev.arenakit.tool.sql;

import dev.arenakit.mapped.internal.files.FileReplacement;
import dev.arenakit.sql.SqlException;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Interruption;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/// A new Parquet file with the structs of an allocation. It is written beside its path and then renamed, so that the
/// file is complete or does not exist. Only the owner of the file may read it, as with the files of an image.
public final class SqlParquetFile {
    private SqlParquetFile() {}

    /// Writes the structs of an allocation. `arena sql` has the same rows and columns.
    ///
    /// @param allocation the label of the allocation
    /// @param mayReplace whether the file may replace an existing file
    /// @return whether everything was written; otherwise, this is reported
    /// @throws IOException if the image cannot be read, or there is no library of DuckDB
    public static boolean export(Streams streams, Path base, String allocation, Path file, boolean mayReplace)
            throws IOException {
        // If the user interrupts the command, the process waits until the engine has stopped.
        try (Interruption interruption = new Interruption();
                SqlSession session = SqlSession.open(streams, Optional.empty())) {
            interruption.onInterrupt(session::cancel);
            session.add(SqlSession.MAIN, base, false);
            try {
                write(session, "from " + SqlSession.quote(allocation), file, mayReplace);
                return !session.hasProblems();
            } catch (SqlException | IllegalArgumentException e) {
                session.reportFailure(e);
            } catch (IOException e) {
                // An interrupt deletes the file under the statement.
                session.checkCancellation();
                session.report(file + ": " + ErrorText.of(e));
            }
        } catch (CancellationException e) {
            // The user has interrupted the command.
        }
        return false;
    }

    /// Writes the result of a query.
    ///
    /// @throws SqlException if the query fails, or the file cannot be written
    /// @throws IOException  if the file exists, or cannot be created
    static void write(SqlSession session, String query, Path file, boolean mayReplace) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            if (!mayReplace) {
                throw new FileSystemException(file.toString(), null, "File exists; --force replaces it");
            }
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileSystemException(file.toString(), null, "not a regular file, which is not replaced");
            }
        }
        try (FileReplacement replacement = FileReplacement.of(file)) {
            // An interrupted statement may run for longer than the process waits for it.
            session.onCancel(() -> discard(replacement));
            session.copyToParquet(query, replacement.written());
            if (mayReplace) {
                replacement.commit();
            } else {
                replacement.commitNew();
            }
        }
    }

    private static void discard(FileReplacement replacement) {
        try {
            replacement.close();
        } catch (IOException _) {
            // The thread of the statement tries again, and reports this.
        }
    }
}
