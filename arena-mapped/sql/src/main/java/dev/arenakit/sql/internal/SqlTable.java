package dev.arenakit.sql.internal;

import dev.arenakit.sql.internal.column.ColumnType;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/// A table: structs of one type, and the columns of their members. The first column is the index of the struct.
public abstract class SqlTable {
    private final String name;
    private final TableColumns columns;

    SqlTable(String name, TableColumns columns) {
        this.name = name;
        this.columns = columns;
    }

    /// The name in messages.
    final String name() {
        return name;
    }

    /// The name of the first column.
    final String rowIdName() {
        return columns.rowIdName();
    }

    final long structByteSize() {
        return columns.structByteSize();
    }

    /// The columns after the first one.
    List<ColumnType.Column> columns() {
        return columns.columns();
    }

    /// The reason why the current query may not read the table, or "".
    abstract String refusal();

    /// The number of rows, if it is known before they are read.
    abstract OptionalLong rowCount();

    /// Begins to read the table.
    abstract TableScan scan() throws IOException;
}
