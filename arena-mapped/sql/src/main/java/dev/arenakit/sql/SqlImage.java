package dev.arenakit.sql;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.sql.internal.ImageSchema;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// The allocations of an image, as tables of a schema ([StructSql#image]). Thread-safe.
public final class SqlImage {
    private final ImageSchema schema;

    /// @throws SqlException if the engine reserves the name of the schema
    SqlImage(String schema, ArenaImage image, BooleanSupplier cancelled) throws IOException {
        this.schema = new ImageSchema(schema, image, cancelled);
    }

    ImageSchema imageSchema() {
        return schema;
    }

    /// {@return the name of the schema}
    public String schema() {
        return schema.name();
    }

    /// Returns the names of the tables. A table has the name of its allocation, or a name such as `#27` if the
    /// allocation has no name, or a name with a NUL. SQL does not distinguish upper from lower case in ASCII:
    /// if two names differ only in case, the tables have the suffixes `_1` and `_2`.
    ///
    /// @return the names, in the order of the allocations
    public List<String> tables() {
        return List.copyOf(schema.columns().keySet());
    }

    /// Returns the names of the columns of each table, which no query needs to find.
    ///
    /// @return the names of the columns, by the names of the tables, in the order of the allocations
    public Map<String, List<String>> columns() {
        return Collections.unmodifiableMap(schema.columns());
    }

    /// Returns the tables that have a suffix, because the names of several allocations differ only in case.
    ///
    /// @return the names of the allocations, by the names of their tables
    public Map<String, String> renamedTables() {
        return Collections.unmodifiableMap(schema.renamed());
    }

    /// Returns the allocations that have a type but no table, with the reason: the type cannot be parsed, has no size,
    /// or is larger than 64 MiB.
    ///
    /// @return a line for each allocation
    public List<String> leftOut() {
        return List.copyOf(schema.leftOut());
    }

    /// Includes the structs whose bytes are all zero, written or not, in all queries that begin from now on.
    ///
    /// @return this image
    public SqlImage withZeroRows() {
        schema.includeZeroRows();
        return this;
    }
}
