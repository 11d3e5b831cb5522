package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.StructType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The columns of the tables of one struct type.
///
/// @param rowIdName the name of the first column, the index of the struct
/// @param columns   the other columns
/// @param names     the names of all columns, in order
public record TableColumns(long structByteSize, String rowIdName, List<ColumnType.Column> columns,
        List<String> names) {
    public static TableColumns of(StructType type, ColumnTypes types) {
        List<ColumnType.Column> columns = types.of(type);
        String rowIdName = types.rowId(columns);
        return new TableColumns(type.byteSize(), rowIdName, columns,
                Stream.concat(Stream.of(rowIdName), columns.stream().map(ColumnType.Column::name)).toList());
    }

    public Optional<ColumnType.Column> column(String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }
}
