package dev.arenakit.sql;

import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/// A table: structs of one type, and the columns of their members. The first column is the index of the struct.
abstract class SqlTable {
    static final String ROW_ID = "rowid";

    private final String name;
    private final long structByteSize;
    private final List<ColumnType.Column> columns;

    SqlTable(String name, StructType type) {
        this.name = name;
        structByteSize = type.byteSize();
        columns = ColumnTypes.of(type, ROW_ID);
    }

    /// The name in messages.
    final String name() {
        return name;
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
