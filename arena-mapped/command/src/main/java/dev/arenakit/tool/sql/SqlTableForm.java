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
    private static final int MEASURED_CHARACTERS = 1 << 20;
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
    public long print(SqlResult result, SqlSession.CancelFlag cancellation) throws IOException {
        if (result.columns().equals(EXPLANATION)) {
            return printLines(result);
        }
        List<String> names = result.columns().stream().map(PrintableText::of).toList();
        boolean[] hasText = new boolean[names.size()];
        boolean[] hasNumber = new boolean[names.size()];
        List<String[]> first = new ArrayList<>();
        int characters = 0;
        while (first.size() < MEASURED_ROWS && characters < MEASURED_CHARACTERS && result.next()) {
            cancellation.check();
            String[] row = row(result, hasText, hasNumber);
            first.add(row);
            for (String cell : row) {
                characters += cell.length();
            }
        }
        if (first.isEmpty() && !result.hasRows()) {
            return 0;
        }
        Table table = new Table(columns(names, hasText, hasNumber));
        table.measure(names.toArray(String[]::new));
        first.forEach(table::measure);
        table.printTitles(streams);
        for (String[] row : first) {
            cancellation.check();
            table.print(streams, row);
        }
        long rows = first.size();
        for (; result.next(); rows++) {
            cancellation.check();
            table.print(streams, row(result, hasText, hasNumber));
        }
        if (!table.leftOut().isEmpty()) {
            streams.print(streams.styled(AnsiCodes.DIM, "The terminal is too narrow for "
                    + String.join(", ", table.leftOut())) + "\n");
        }
        return rows;
    }

    private static String[] row(SqlResult result, boolean[] hasText, boolean[] hasNumber) {
        String[] row = new String[hasText.length];
        for (int i = 0; i < row.length; i++) {
            Object value = result.value(i).orElse(null);
            boolean isNumber = value instanceof Number;
            hasNumber[i] |= isNumber;
            hasText[i] |= value != null && !isNumber;
            row[i] = value == null ? SqlValues.NULL : PrintableText.of(SqlValues.text(value));
        }
        return row;
    }

    private static Table.Column[] columns(List<String> names, boolean[] hasText, boolean[] hasNumber) {
        Table.Column[] columns = new Table.Column[names.size()];
        for (int i = 0; i < columns.length; i++) {
            boolean isText = hasText[i] || !hasNumber[i];
            columns[i] = new Table.Column(names.get(i), isText, isText, false,
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
