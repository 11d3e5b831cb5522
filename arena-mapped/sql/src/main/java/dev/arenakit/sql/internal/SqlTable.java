package dev.arenakit.sql.internal;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ColumnNames;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.sql.internal.column.SqlColumns;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

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
    String refusal() {
        return "";
    }

    /// The number of rows, if it is known before they are read.
    OptionalLong rowCount() {
        return OptionalLong.empty();
    }

    /// Begins to read the table.
    abstract TableScan scan() throws IOException;

    /// A scan of a table: the rows that it has not read yet. The threads of the scan take ranges of rows. Thread-safe.
    interface TableScan extends AutoCloseable {
        /// Takes the next rows for a thread.
        ///
        /// @return whether there were more rows
        boolean next(ScanThread thread) throws IOException;

        /// The largest number of threads that have work.
        long threads();

        @Override
        void close();
    }

    /// The columns of the tables of one struct type.
    ///
    /// @param rowIdName the name of the first column, the index of the struct
    /// @param columns   the other columns
    /// @param names     the names of all columns, in order
    record TableColumns(long structByteSize, String rowIdName, List<ColumnType.Column> columns, List<String> names) {
        static TableColumns of(StructType type) {
            List<ColumnType.Column> columns = SqlColumns.of(type);
            String rowIdName = ColumnNames.rowId(columns, SqlIdentifiers::key);
            return new TableColumns(type.byteSize(), rowIdName, columns,
                    Stream.concat(Stream.of(rowIdName), columns.stream().map(ColumnType.Column::name)).toList());
        }
    }
}
