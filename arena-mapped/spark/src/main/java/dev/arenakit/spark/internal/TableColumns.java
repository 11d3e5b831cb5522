package dev.arenakit.spark.internal;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ColumnNames;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ColumnTypes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The columns of the structs of one type.
///
/// @param rowIdName the name of the column of the struct's index
record TableColumns(String rowIdName, List<ColumnType.Column> columns) {
    static TableColumns of(StructType type) {
        // All arrays have the same type in Spark.
        List<ColumnType.Column> columns = new ColumnTypes(Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE,
                names -> ColumnNames.unique(names, TableColumns::key)).of(type);
        return new TableColumns(ColumnNames.rowId(columns, TableColumns::key), columns);
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    Optional<ColumnType.Column> column(String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }
}
