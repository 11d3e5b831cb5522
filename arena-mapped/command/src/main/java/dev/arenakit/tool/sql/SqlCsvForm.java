package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlResult;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Comma-separated values (RFC 4180) with line feeds. NULL is an empty field, and an empty text has quotation marks.
final class SqlCsvForm implements SqlForm {
    private final Streams streams;
    private final StringBuilder row = new StringBuilder();

    SqlCsvForm(Streams streams) {
        this.streams = streams;
    }

    @Override
    public long print(SqlResult result, SqlSession.CancelFlag cancellation) throws IOException {
        if (!result.hasRows()) {
            return 0;
        }
        int count = result.columns().size();
        for (int i = 0; i < count; i++) {
            field(i, result.columns().get(i));
        }
        endRow();
        long rows = 0;
        for (; result.next(); rows++) {
            cancellation.check();
            for (int i = 0; i < count; i++) {
                Optional<Object> value = result.value(i);
                if (value.isPresent()) {
                    field(i, SqlValues.text(value.get()));
                } else {
                    separate(i);
                }
            }
            endRow();
        }
        return rows;
    }

    private void separate(int column) {
        if (column > 0) {
            row.append(',');
        }
    }

    private void field(int column, String text) {
        separate(column);
        row.append(streams.csvField(text));
    }

    private void endRow() throws IOException {
        row.append('\n');
        streams.out().write(row.toString().getBytes(UTF_8));
        row.setLength(0);
    }
}
