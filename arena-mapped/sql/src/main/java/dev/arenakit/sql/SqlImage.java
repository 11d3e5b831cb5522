package dev.arenakit.sql;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.sql.internal.ImageSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// The allocations of an image, as tables of a schema ([StructSql#image]). Thread-safe.
public final class SqlImage {
    private final ImageSchema schema;

    /// @throws SqlException if the engine needs the name of the schema
    SqlImage(String schema, ArenaImage image, BooleanSupplier cancelled) throws IOException {
        this.schema = new ImageSchema(schema, image::file, cancelled);
        try (Stream<Allocation> all = image.allocations()) {
            this.schema.addAll(all.filter(Allocation::isLive), image::type);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    ImageSchema imageSchema() {
        return schema;
    }

    /// {@return the name of the schema}
    public String schema() {
        return schema.name();
    }

    /// Returns the names of the tables: those of the allocations, or `#27` for an allocation without a name. SQL does
    /// not distinguish upper from lower case; of two names that differ only in that, the second one is followed by
    /// `_1`.
    ///
    /// @return the names, in the order of the allocations
    public List<String> tables() {
        return List.copyOf(schema.tables());
    }

    /// Returns the allocations that are no tables although they have a type, with the reason: the type cannot be
    /// parsed, or has no size, or is larger than 64 MiB.
    ///
    /// @return a line for each
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
