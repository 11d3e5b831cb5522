package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlResult;
import dev.arenakit.tool.console.CsvOutput;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Comma-separated values. NULL is a field without a value.
final class SqlCsvForm implements SqlForm {
    private final CsvOutput csv;

    SqlCsvForm(Streams streams) {
        csv = new CsvOutput(streams);
    }

    @Override
    public long print(SqlResult result, SqlSession.CancelFlag cancellation) throws IOException {
        if (!result.hasRows()) {
            return 0;
        }
        @Nullable
        String[] row = result.columns().toArray(String[]::new);
        csv.write(row);
        long rows = 0;
        for (; result.next(); rows++) {
            cancellation.check();
            for (int i = 0; i < row.length; i++) {
                row[i] = result.value(i).map(SqlValues::text).orElse(null);
            }
            csv.write(row);
        }
        return rows;
    }
}
