package dev.arenakit.sql;

import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// A table: structs of one type, and the columns of their members. The first column is the index of the struct.
abstract class SqlTable {
    private static final String ROW_ID = "rowid";

    private final String name;
    private final long structByteSize;
    private final List<ColumnType.Column> columns;
    private final String rowIdName;

    SqlTable(String name, StructType type) {
        this.name = name;
        structByteSize = type.byteSize();
        columns = ColumnTypes.of(type);
        // A member keeps its name, which a record has too.
        rowIdName = Names.unique(ROW_ID, columns.stream()
                .map(column -> column.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(HashSet::new)));
    }

    /// The name in messages.
    final String name() {
        return name;
    }

    /// The name of the first column.
    final String rowIdName() {
        return rowIdName;
    }

    final long structByteSize() {
        return structByteSize;
    }

    /// The columns without that of the index.
    List<ColumnType.Column> columns() {
        return columns;
    }

    /// The reason why the current query may not read the table, or "".
    abstract String refusal();

    /// The number of rows, if it is known before they are read.
    abstract OptionalLong rowCount();

    /// Begins to read the table.
    abstract TableScan scan() throws IOException;
}
