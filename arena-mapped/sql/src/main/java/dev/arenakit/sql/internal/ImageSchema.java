package dev.arenakit.sql.internal;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.internal.column.ColumnNames;
import dev.arenakit.mapped.internal.column.TableColumns;
import dev.arenakit.mapped.internal.column.TableRows;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.column.SqlColumns;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The schema of an image, with a table for each allocation that has a type.
public final class ImageSchema {
    /// The engine has databases or schemas of these names, so that a table `temp.trades` would be ambiguous.
    private static final List<String> ENGINE_NAMES = List.of("memory", "temp", "system", "pg_catalog",
            "information_schema");

    private final String name;
    private final ArenaImage image;
    private final BooleanSupplier cancelled;
    /// The names of the columns, by the names of the tables, in the order of the allocations.
    private final Map<String, List<String>> columns = new LinkedHashMap<>();
    /// The tables without a view, by their keys ([SqlIdentifiers#key]). Guarded by the lock of the engine.
    private final Map<String, Source> pending = new LinkedHashMap<>();
    /// The names of allocations, by the names of their tables, if these are other names.
    private final Map<String, String> renamed = new LinkedHashMap<>();
    private final List<String> leftOut = new ArrayList<>();
    private volatile boolean zeroRows;

    /// The properties of a table without a view. An image may have many, and queries use few.
    ///
    /// @param parts       the parts with the structs; none for a structure, whose entries are the rows
    /// @param isCounted   whether the image records the number of rows, so that rows of zeros count, too
    /// @param structure   the number of the allocation if it is a structure, or -1
    record Source(String name, TableColumns columns, List<AllocationPart> parts, boolean isCounted,
            long structure) {
        Source named(String other) {
            return new Source(other, columns, parts, isCounted, structure);
        }
    }

    /// Adds a table for each allocation that has a type. Leaves out structs that have no size or are too large.
    ///
    /// @param cancelled whether the current query shall end
    /// @throws SqlException if the engine reserves the name
    public ImageSchema(String name, ArenaImage image, BooleanSupplier cancelled) throws IOException {
        if (ENGINE_NAMES.stream().anyMatch(engineName -> SqlIdentifiers.areEqual(engineName, name))) {
            throw new SqlException("The engine needs this name of a schema; choose another: name=" + name);
        }
        this.name = name;
        this.image = image;
        this.cancelled = cancelled;
        Map<StructType, TableColumns> equal = new HashMap<>();
        // Hashing a type visits all of its members.
        IdentityHashMap<StructType, TableColumns> same = new IdentityHashMap<>();
        List<Source> sources = new ArrayList<>();
        try (Stream<Allocation> all = image.allocations()) {
            all.filter(Allocation::isLive)
                    .forEach(allocation -> source(allocation, type -> same.computeIfAbsent(type,
                            _ -> equal.computeIfAbsent(type, SqlColumns::of))).ifPresent(sources::add));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        add(sources);
    }

    /// Adds tables. If names have the same key, the tables have suffixes, so that no statement reads another table than
    /// it means.
    private void add(List<Source> sources) {
        Map<String, Long> counts = sources.stream()
                .collect(Collectors.groupingBy(source -> SqlIdentifiers.key(source.name), Collectors.counting()));
        Set<String> taken = new HashSet<>(counts.keySet());
        for (Source source : sources) {
            String key = SqlIdentifiers.key(source.name);
            Source added = source;
            if (counts.getOrDefault(key, 0L) > 1) {
                added = source.named(ColumnNames.unique(source.name, SqlIdentifiers::key, taken));
                renamed.put(added.name, source.name);
            }
            pending.put(SqlIdentifiers.key(added.name), added);
            columns.put(added.name, added.columns.names());
        }
    }

    private Optional<Source> source(Allocation allocation, Function<StructType, TableColumns> columnsOf) {
        Optional<StructType> type = Optional.empty();
        Optional<String> refusal;
        try {
            type = image.type(allocation);
            refusal = type.flatMap(TableRows::refusal);
        } catch (LayoutParseException e) {
            refusal = Optional.of(String.valueOf(e.getMessage()));
        }
        if (refusal.isPresent()) {
            leftOut.add(allocation.label() + ": " + refusal.get());
            return Optional.empty();
        }
        return type.map(struct -> source(allocation, struct, columnsOf.apply(struct)));
    }

    private Source source(Allocation allocation, StructType type, TableColumns found) {
        if (isStructure(allocation)) {
            return new Source(name(allocation), found, List.of(), true, allocation.number());
        }
        TableRows rows = TableRows.of(allocation, type);
        return new Source(name(allocation), found, rows.parts(), rows.isCounted(), -1);
    }

    private boolean isStructure(Allocation allocation) {
        try {
            return image.entries(allocation).isPresent();
        } catch (IOException _) {
            // A query of its table says what is wrong.
            return true;
        }
    }

    /// A statement cannot contain a NUL, which only a forged catalog has in a name.
    static String name(Allocation allocation) {
        return allocation.name().filter(name -> name.indexOf('\0') < 0).orElseGet(() -> "#" + allocation.number());
    }

    public String name() {
        return name;
    }

    /// The names of the columns, by the names of the tables, in the order of the allocations. The tables of one type
    /// have the same list.
    public Map<String, List<String>> columns() {
        return columns;
    }

    /// The allocations without a table, with the reason.
    public List<String> leftOut() {
        return leftOut;
    }

    /// Includes structs whose bytes are all zero, in all queries that begin from now on.
    public void includeZeroRows() {
        zeroRows = true;
    }

    /// The tables without a view, by their keys ([SqlIdentifiers#key]). [ImageViews] removes a table when it creates
    /// the table's view.
    Map<String, Source> pending() {
        return pending;
    }

    /// The names of allocations, by the names of their tables, if these are other names.
    public Map<String, String> renamed() {
        return renamed;
    }

    SqlTable table(Source source) {
        if (source.structure >= 0) {
            return new EntryTable(name + "." + source.name, source.columns, image.base(), source.structure);
        }
        List<Path> paths = source.parts.stream().map(part -> image.file(part.file())).toList();
        return new ImageTable(name + "." + source.name, source.columns, paths, source.parts,
                () -> zeroRows || source.isCounted, cancelled);
    }
}
