package dev.arenakit.sql.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.TableColumns;
import dev.arenakit.mapped.internal.column.buffer.StructBatch;
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

    final long structByteSize() {
        return columns.structByteSize();
    }

    TableColumns columns() {
        return columns;
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
        /// Takes the next rows.
        ///
        /// @param rows the batch of the calling thread, which this method begins
        /// @param used the columns that are used
        /// @return whether there were more rows
        boolean next(StructBatch rows, List<ColumnType.Column> used) throws IOException;

        /// The largest number of threads that have work.
        long threads();

        @Override
        void close();
    }
}
