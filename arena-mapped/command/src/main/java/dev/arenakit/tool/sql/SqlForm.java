package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlResult;
import dev.arenakit.tool.console.CsvOutput;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A form in which the results of queries are printed.
interface SqlForm {
    /// Prints a result. If the statement was not a query, the table form prints the number of changed rows. The other
    /// forms print nothing, since programs read them.
    ///
    /// @param cancellation is run for each row, and throws an exception if the user has interrupted the statement
    /// @return the number of rows
    /// @throws dev.arenakit.sql.SqlException if a value cannot be read, or the query fails after its first rows
    long print(SqlResult result, Runnable cancellation) throws IOException;

    /// Whether rows are printed before the query has ended. A user reads a whole table or none, and programs look at
    /// the exit code.
    default boolean isStreaming() {
        return true;
    }

    /// Comma-separated values. NULL is a field without a value.
    static SqlForm csv(Streams streams) {
        CsvOutput csv = new CsvOutput(streams);
        return (result, cancellation) -> {
            if (!result.hasRows()) {
                return 0;
            }
            @Nullable
            String[] row = result.columns().toArray(String[]::new);
            csv.write(row);
            long rows = 0;
            for (; result.next(); rows++) {
                cancellation.run();
                for (int i = 0; i < row.length; i++) {
                    row[i] = result.value(i).map(SqlValues::text).orElse(null);
                }
                csv.write(row);
            }
            return rows;
        };
    }
}
