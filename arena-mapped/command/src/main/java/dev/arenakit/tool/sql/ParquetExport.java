package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlException;
import dev.arenakit.tool.console.Interruption;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/// The export of the structs of an allocation as a Parquet file, which DuckDB writes. `arena sql` has
/// the same rows and columns.
public final class ParquetExport {
    private ParquetExport() {}

    /// Writes a new file, which only its owner may read.
    ///
    /// @param allocation the label of the allocation
    /// @param mayReplace whether the file may replace an existing file
    /// @return whether everything was written; otherwise, this is reported
    /// @throws IOException if the image cannot be read, or there is no library of DuckDB
    public static boolean write(Streams streams, Path base, String allocation, Path file, boolean mayReplace)
            throws IOException {
        // If the user interrupts the command, the process waits until the engine has stopped.
        try (Interruption interruption = new Interruption();
                SqlSession session = SqlSession.open(streams, Optional.empty())) {
            interruption.onInterrupt(session::cancel);
            session.add(SqlSession.MAIN, base, false);
            return new SqlParquetFile(file, mayReplace).writeOrReport(session, "from " + QuotedNames.of(allocation))
                    && !session.hasProblems();
        } catch (SqlException | CancellationException e) {
            return false;
        }
    }
}
