package dev.arenakit.sql;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// The allocations of an image, as tables of a schema ([StructSql#image]). Thread-safe.
public final class SqlImage {
    /// A struct is read in one piece.
    private static final long LARGEST_STRUCT = 1 << 26;

    /// The engine has databases or schemas of these names, so that a table `temp.trades` would be ambiguous.
    private static final List<String> ENGINE_NAMES = List.of("memory", "temp", "system", "pg_catalog",
            "information_schema");

    private final String schema;
    private final List<String> tables = new ArrayList<>();
    /// The tables without a view, by their names in lower case. Guarded by the lock of the engine.
    private final Map<String, Source> pending = new LinkedHashMap<>();
    private final ArenaImage image;
    private final BooleanSupplier cancelled;
    private final List<String> leftOut = new ArrayList<>();
    private volatile boolean zeroRows;

    /// What is needed to make a table, of which there may be many.
    record Source(String name, TableColumns columns, List<AllocationPart> parts) {}

    SqlImage(String schema, ArenaImage image, BooleanSupplier cancelled) throws IOException {
        if (ENGINE_NAMES.stream().anyMatch(name -> Names.areEqual(name, schema))) {
            throw new SqlException("The engine needs this name of a schema; choose another: name=" + schema);
        }
        this.schema = schema;
        this.image = image;
        this.cancelled = cancelled;
        Set<String> taken = new HashSet<>();
        Map<StructType, TableColumns> columns = new HashMap<>();
        try (Stream<Allocation> all = image.allocations()) {
            all.filter(Allocation::isLive).forEach(allocation -> add(allocation, taken, columns));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void add(Allocation allocation, Set<String> taken, Map<StructType, TableColumns> columns) {
        Optional<StructType> type;
        try {
            type = image.type(allocation);
        } catch (LayoutParseException e) {
            leftOut.add(allocation.label() + ": " + e.getMessage());
            return;
        }
        if (type.isEmpty()) {
            return;
        }
        long byteSize = type.get().byteSize();
        if (byteSize == 0 || byteSize > LARGEST_STRUCT) {
            leftOut.add(allocation.label() + ": struct of byteSize=" + byteSize);
            return;
        }
        String table = Names.unique(allocation.label(), taken);
        tables.add(table);
        pending.put(Names.key(table), new Source(table, columns.computeIfAbsent(type.get(), TableColumns::of),
                allocation.parts()));
    }

    /// {@return the name of the schema}
    public String schema() {
        return schema;
    }

    /// Returns the names of the tables: those of the allocations, or `#27` for an allocation without a name. SQL does
    /// not distinguish upper from lower case; of two names that differ only in that, the second one is followed by
    /// `_1`.
    ///
    /// @return the names, in the order of the allocations
    public List<String> tables() {
        return List.copyOf(tables);
    }

    /// Returns the allocations that are no tables although they have a type, with the reason: the type cannot be
    /// parsed, or has no size, or is larger than 64 MiB.
    ///
    /// @return a line for each
    public List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    /// Includes the structs whose bytes are all zero, written or not, in all queries that begin from now on.
    ///
    /// @return this image
    public SqlImage withZeroRows() {
        zeroRows = true;
        return this;
    }

    Map<String, Source> pending() {
        return pending;
    }

    ImageTable table(Source source) {
        return new ImageTable(schema + "." + source.name, source.columns, ImageBytes.files(image, source.parts),
                source.parts,
                () -> zeroRows, cancelled);
    }
}
