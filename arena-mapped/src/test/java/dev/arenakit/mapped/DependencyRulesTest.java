package dev.arenakit.mapped;

import dev.arenakit.MallocArena;
import dev.arenakit.mapped.planted.mapped.Table;
import dev.arenakit.mapped.planted.mapped.internal.arena.Owner;
import dev.arenakit.mapped.planted.mapped.internal.catalog.Entries;
import dev.arenakit.mapped.planted.mapped.internal.data.Numbers;
import dev.arenakit.mapped.planted.mapped.internal.files.Paths;
import dev.arenakit.mapped.planted.mapped.internal.locks.Lock;
import dev.arenakit.mapped.planted.mapped.internal.reservation.Space;
import dev.arenakit.testing.LibraryRulesContract;
import dev.arenakit.testing.PackageArrowsContract;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The rules for this module and its packages. The planted classes show that the table's rules can fail.
class DependencyRulesTest implements PackageArrowsContract, LibraryRulesContract {
    private static final String TABLE = """
            mapped -> mapped.internal.arena, mapped.internal.catalog, mapped.internal.data, mapped.internal.files
            mapped -> mapped.internal.image, mapped.internal.locks
            mapped -> mapped.internal.structure, mapped.internal.table, mapped.internal.tree, mapped.internal.entries
            mapped -> (collection), (collection.concurrent), mapped.internal.ring
            mapped -> internal, internal.diagnostics.budget, internal.file, ., (diagnostics), dump, layout, layout.type
            mapped.io -> mapped.internal.io, mapped.internal.files, internal, internal.scope, internal.file, dump
            mapped.trace -> mapped, mapped.internal.trace, (.), (diagnostics)
            mapped.internal.trace -> internal.scope, (diagnostics), (mapped.trace)
            mapped.internal.files -> internal, internal.diagnostics.event, internal.file, (.), (diagnostics), (dump)
            mapped.internal.files -> (mapped)
            mapped.internal.locks -> mapped.internal.files, internal.file
            mapped.internal.reservation -> mapped.internal.files, internal, internal.diagnostics.event, internal.file
            mapped.internal.reservation -> (mapped)
            mapped.internal.catalog -> mapped.internal.files, internal, internal.nativecall, internal.scope, (.)
            mapped.internal.catalog -> (dump), (mapped)
            mapped.internal.data -> mapped.internal.catalog, mapped.internal.files, mapped.internal.reservation
            mapped.internal.data -> internal, internal.diagnostics.event, internal.file, internal.nativecall
            mapped.internal.data -> internal.scope, (.), (diagnostics), (mapped)
            mapped.internal.arena -> mapped.internal.data, mapped.internal.catalog, mapped.internal.files
            mapped.internal.arena -> mapped.internal.locks, mapped.internal.reservation, internal, internal.file
            mapped.internal.arena -> internal.scope, (.), layout.type, (layout.text), (mapped)
            mapped.internal.arena.NamedAllocations -> layout.text.LayoutText
            mapped.internal.arena.TypeMismatch -> layout.text.LayoutText
            mapped.internal.image -> mapped.internal.arena, mapped.internal.catalog, mapped.internal.data
            mapped.internal.image -> mapped.internal.files, mapped.internal.locks
            mapped.internal.image -> mapped.internal.structure, mapped.internal.entries
            mapped.internal.image -> internal.scope, internal.diagnostics.event, (dump), layout.type, (layout.text)
            mapped.internal.image -> (mapped)
            mapped.internal.image.TypeCache -> layout.text.LayoutText
            mapped.internal.structure -> mapped.internal.arena, mapped.internal.catalog, mapped.internal.files
            mapped.internal.structure -> internal, layout.type, (mapped)
            mapped.internal.table -> internal, mapped.internal.structure, (collection), (mapped)
            mapped.internal.tree -> mapped.internal.structure, mapped.internal.catalog, internal, (.)
            mapped.internal.tree -> layout, layout.type, (mapped)
            mapped.internal.entries -> mapped.internal.structure, mapped.internal.table, mapped.internal.tree
            mapped.internal.entries -> mapped.internal.column, layout.type, (mapped)
            mapped.internal.ring -> mapped.internal.files, internal.nativecall, internal.scope, internal.file
            mapped.internal.ring -> internal.ring, (collection.concurrent)
            mapped.internal.column -> mapped.internal.files, layout.type, collection, (mapped)
            mapped.internal.column.buffer -> internal, mapped.internal.column, mapped.internal.files, layout.type
            mapped.internal.io -> mapped.internal.files, internal, internal.nativecall, internal.scope, internal.file
            mapped.internal.io -> (.), (mapped.io)
            """;

    @Override
    public String root() {
        return "dev.arenakit";
    }

    @Override
    public String table() {
        return TABLE;
    }

    @Override
    public Set<String> families() {
        // The buffers of columns are sealed, one class for each kind of type.
        return Set.of("dev.arenakit.mapped.internal.column.buffer");
    }

    @Override
    public Set<String> linkingClasses() {
        return Set.of("dev.arenakit.mapped.internal.catalog.BootId");
    }

    @Override
    public String plantedRoot() {
        return "dev.arenakit.mapped.planted";
    }

    @Override
    public List<Class<?>> planted() {
        return List.of(Table.class, Entries.class, Owner.class, Numbers.class, Space.class, Lock.class, Paths.class);
    }

    @Override
    public List<Class<?>> requiredModules() {
        return List.of(MallocArena.class);
    }

    @Override
    public Map<String, Set<String>> internalExports() {
        return Map.of("dev.arenakit.mapped.internal.files", Set.of("dev.arenakit.sql"),
                "dev.arenakit.mapped.internal.column", Set.of("dev.arenakit.sql", "dev.arenakit.arrow"),
                "dev.arenakit.mapped.internal.column.buffer", Set.of("dev.arenakit.sql", "dev.arenakit.arrow"));
    }

    @Override
    public Set<String> statefulClasses() {
        return Set.of("dev.arenakit.mapped.internal.files.MappingLimit",
                "dev.arenakit.mapped.internal.locks.OwnedFiles");
    }
}
