package dev.arenakit.sql.internal;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.column.ColumnNames;
import dev.arenakit.mapped.internal.column.TableColumns;
import dev.arenakit.mapped.internal.column.TableRows;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.column.SqlColumns;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
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
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The schema of an image, with a table for each allocation that has a type.
public final class ImageSchema {
    /// The engine has databases or schemas of these names, so that a table `temp.trades` would be ambiguous.
    private static final List<String> ENGINE_NAMES = List.of("memory", "temp", "system", "pg_catalog",
            "information_schema");

    private final String name;
    private final Path base;
    private final IntFunction<Path> files;
    private final BooleanSupplier cancelled;
    /// The names of the columns, by the names of the tables, in the order of the allocations.
    private final Map<String, List<String>> columns = new LinkedHashMap<>();
    /// The tables without a view, by their keys ([SqlIdentifiers#key]). Guarded by the lock of the engine.
    private final Map<String, Source> pending = new LinkedHashMap<>();
    /// The tables of allocations whose names have the same key, under their own names.
    private final Map<String, List<Source>> alike = new LinkedHashMap<>();
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

    /// @param base      the base of the image
    /// @param files     returns the path of a data file of the image by its number
    /// @param cancelled whether the current query shall end
    /// @throws SqlException if the engine reserves the name
    public ImageSchema(String name, Path base, IntFunction<Path> files, BooleanSupplier cancelled) {
        if (ENGINE_NAMES.stream().anyMatch(engineName -> SqlIdentifiers.areEqual(engineName, name))) {
            throw new SqlException("The engine needs this name of a schema; choose another: name=" + name);
        }
        this.name = name;
        this.files = files;
        this.base = base;
        this.cancelled = cancelled;
    }

    /// Adds a table for each allocation that has a type. Leaves out structs that have no size or are too large.
    ///
    /// @param types      returns the type of an allocation, and throws a [LayoutParseException] if the text of the type
    ///                   cannot be parsed
    /// @param areEntries whether an allocation is a structure by its type
    public void addAll(Stream<Allocation> allocations, Function<Allocation, Optional<StructType>> types,
            Predicate<Allocation> areEntries) {
        Map<StructType, TableColumns> equal = new HashMap<>();
        // Hashing a type visits all of its members.
        IdentityHashMap<StructType, TableColumns> same = new IdentityHashMap<>();
        Function<StructType, TableColumns> columns = type -> same.computeIfAbsent(type,
                _ -> equal.computeIfAbsent(type, SqlColumns::of));
        List<Source> sources = new ArrayList<>();
        allocations.forEach(allocation -> source(allocation, types, areEntries, columns).ifPresent(sources::add));
        add(sources);
    }

    /// Adds tables. If names have the same key, the table of the first allocation has its name, and the other tables have
    /// a suffix.
    private void add(List<Source> sources) {
        for (Source source : sources) {
            String key = SqlIdentifiers.key(source.name);
            Source first = pending.putIfAbsent(key, source);
            if (first != null) {
                alike.computeIfAbsent(key, _ -> new ArrayList<>(List.of(first))).add(source);
            }
        }
        Set<String> taken = new HashSet<>(alike.isEmpty() ? Set.of() : pending.keySet());
        Set<String> named = new HashSet<>();
        for (Source source : sources) {
            String table = source.name;
            String key = alike.isEmpty() ? table : SqlIdentifiers.key(table);
            if (alike.containsKey(key) && !named.add(key)) {
                table = ColumnNames.unique(table, SqlIdentifiers::key, taken);
                pending.put(SqlIdentifiers.key(table), source.named(table));
                renamed.put(table, source.name);
            }
            columns.put(table, source.columns.names());
        }
        alike.keySet().forEach(pending::remove);
    }

    private Optional<Source> source(Allocation allocation, Function<Allocation, Optional<StructType>> types,
            Predicate<Allocation> areEntries, Function<StructType, TableColumns> columns) {
        Optional<StructType> type;
        try {
            type = types.apply(allocation);
        } catch (LayoutParseException e) {
            leftOut.add(allocation.label() + ": " + e.getMessage());
            return Optional.empty();
        }
        if (type.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> refusal = TableRows.refusal(type.get());
        if (refusal.isPresent()) {
            leftOut.add(allocation.label() + ": " + refusal.get());
            return Optional.empty();
        }
        TableColumns tableColumns = columns.apply(type.get());
        if (areEntries.test(allocation)) {
            return Optional.of(new Source(name(allocation), tableColumns, List.of(), true, allocation.number()));
        }
        TableRows rows = TableRows.of(allocation, type.get());
        return Optional.of(new Source(name(allocation), tableColumns, rows.parts(), rows.isCounted(), -1));
    }

    /// A statement cannot contain a NUL, which only a forged catalog has in a name.
    private static String name(Allocation allocation) {
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

    /// The tables of allocations whose names differ in case only, under the names of the allocations, by their keys.
    /// [ImageViews] gives one of them a view under its name for each statement that uses the name.
    Map<String, List<Source>> alike() {
        return alike;
    }

    /// The names of allocations, by the names of their tables, if these are other names.
    public Map<String, String> renamed() {
        return renamed;
    }

    SqlTable table(Source source) {
        if (source.structure >= 0) {
            return new EntryTable(name + "." + source.name, source.columns, base, source.structure, cancelled);
        }
        List<Path> paths = source.parts.stream().map(part -> files.apply(part.file())).toList();
        return new ImageTable(name + "." + source.name, source.columns, paths, source.parts,
                () -> zeroRows || source.isCounted, cancelled);
    }
}
