package dev.arenakit.sql.internal;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.sql.internal.column.ColumnType;
import dev.arenakit.sql.internal.column.ColumnTypes;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The columns of the tables of one struct type.
///
/// @param rowIdName the name of the first column, the index of the struct
/// @param columns   the other columns
record TableColumns(long structByteSize, String rowIdName, List<ColumnType.Column> columns) {
    private static final String ROW_ID = "rowid";

    static TableColumns of(StructType type) {
        List<ColumnType.Column> columns = ColumnTypes.of(type);
        // Members keep their names, because the components of records have them too.
        return new TableColumns(type.byteSize(), SqlIdentifiers.unique(ROW_ID, columns.stream()
                .map(column -> column.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(HashSet::new))), columns);
    }
}
