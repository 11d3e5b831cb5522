package dev.arenakit.sql.internal.column;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ColumnTypes;
import dev.arenakit.mapped.internal.column.TableColumns;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;

/// Finds the columns that struct types have in the engine.
public final class SqlColumns {
    /// The largest number of elements of an ARRAY. A larger array is a LIST, which takes memory for the elements of its
    /// rows only, while the engine allocates an ARRAY with 2,048 rows for each thread.
    private static final long LARGEST_ARRAY = 1024;
    /// All arrays in unions are LISTs: the engine writes wrong levels to Parquet for an ARRAY that is NULL.
    private static final long LARGEST_ARRAY_IN_UNION = 0;
    /// The largest number of elements of the LISTs of a vector: the engine ends the process if it has no memory for
    /// them. The number of bytes is not limited, although texts and structs need more bytes than numbers.
    private static final long MOST_ELEMENTS = 1 << 27;

    private static final ColumnTypes TYPES = new ColumnTypes(LARGEST_ARRAY, LARGEST_ARRAY_IN_UNION, MOST_ELEMENTS,
            SqlIdentifiers::key);

    private SqlColumns() {}

    /// Returns the columns of a struct type, whose names differ in more than the case of letters.
    public static TableColumns of(StructType struct) {
        return TableColumns.of(struct, TYPES);
    }
}
