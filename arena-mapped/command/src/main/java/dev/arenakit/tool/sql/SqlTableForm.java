package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlResult;
import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// An aligned table. The first rows decide on the widths of the columns, so that results of any size need little
/// memory.
final class SqlTableForm implements SqlForm {
    private static final int MEASURED_ROWS = 1_000;
    /// The columns of the result of EXPLAIN. The texts in these columns are drawings of several lines.
    private static final List<String> EXPLANATION = List.of("explain_key", "explain_value");

    private final Streams streams;

    SqlTableForm(Streams streams) {
        this.streams = streams;
    }

    @Override
    public boolean isStreaming() {
        return false;
    }

    @Override
    public long print(SqlResult result, Runnable cancellation) throws IOException {
        if (result.columns().equals(EXPLANATION)) {
            return printLines(result);
        }
        boolean hasRow = result.next();
        if (!hasRow && !result.hasRows()) {
            return 0;
        }
        Table table = new Table(columns(result, hasRow));
        table.measure(result.columns().stream().map(PrintableText::of).toArray(String[]::new));
        List<String[]> first = new ArrayList<>();
        for (; hasRow && first.size() < MEASURED_ROWS; hasRow = result.next()) {
            cancellation.run();
            first.add(row(result));
        }
        table.print(streams, first);
        long rows = first.size();
        for (; hasRow; rows++) {
            cancellation.run();
            table.print(streams, row(result));
            hasRow = result.next();
        }
        return rows;
    }

    private static String[] row(SqlResult result) {
        String[] row = new String[result.columns().size()];
        for (int i = 0; i < row.length; i++) {
            row[i] = result.value(i).map(value -> PrintableText.of(SqlValues.text(value))).orElse(SqlValues.NULL);
        }
        return row;
    }

    /// The columns of the table. The first row says which columns are numbers.
    private static Table.Column[] columns(SqlResult result, boolean hasRow) {
        Table.Column[] columns = new Table.Column[result.columns().size()];
        for (int i = 0; i < columns.length; i++) {
            boolean isText = !hasRow || !(result.value(i).orElse("") instanceof Number);
            columns[i] = new Table.Column(PrintableText.of(result.columns().get(i)), isText,
                    cell -> cell.equals(SqlValues.NULL) ? AnsiCodes.DIM : "");
        }
        return columns;
    }

    private long printLines(SqlResult result) throws IOException {
        long rows = 0;
        for (; result.next(); rows++) {
            for (String line : result.text(1).lines().toList()) {
                streams.print(PrintableText.of(line) + "\n");
            }
        }
        return rows;
    }
}
