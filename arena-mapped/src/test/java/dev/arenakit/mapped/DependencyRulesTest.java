package dev.arenakit.mapped;

import dev.arenakit.MallocArena;
import dev.arenakit.mapped.planted.mapped.Table;
import dev.arenakit.mapped.planted.mapped.internal.arena.Owner;
import dev.arenakit.mapped.planted.mapped.internal.catalog.Entries;
import dev.arenakit.testing.LibraryRulesContract;
import dev.arenakit.testing.PackageArrowsContract;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The rules for this module and its packages. The planted classes show that the table's rules can fail.
class DependencyRulesTest implements PackageArrowsContract, LibraryRulesContract {
    private static final String TABLE = """
            mapped -> mapped.internal.arena, mapped.internal.catalog, mapped.internal.files, mapped.internal.image
            mapped -> mapped.internal.structure, mapped.internal.table, mapped.internal.tree, mapped.internal.entries
            mapped -> collection, mapped.internal.ring
            mapped -> internal, internal.diagnostics, internal.file, ., (diagnostics), dump, layout, layout.type
            mapped.io -> mapped.internal.io, mapped.internal.files, internal, internal.scope, internal.file, dump
            mapped.internal.files -> internal, internal.diagnostics, internal.file, (.), (diagnostics), (dump), (mapped)
            mapped.internal.catalog -> mapped.internal.files, internal, internal.scope, (.), (dump), (mapped)
            mapped.internal.arena -> mapped.internal.catalog, mapped.internal.files, internal, internal.nativecall
            mapped.internal.arena -> internal.scope, internal.file
            mapped.internal.arena -> internal.diagnostics, (.), (diagnostics), layout.type, (layout.text), (mapped)
            mapped.internal.arena.NamedAllocations -> layout.text.LayoutText
            mapped.internal.arena.TypeMismatch -> layout.text.LayoutText
            mapped.internal.image -> mapped.internal.arena, mapped.internal.catalog, mapped.internal.files
            mapped.internal.image -> mapped.internal.structure, mapped.internal.entries
            mapped.internal.image -> internal.scope, internal.diagnostics, (dump), layout.type, (layout.text), (mapped)
            mapped.internal.image.TypeCache -> layout.text.LayoutText
            mapped.internal.structure -> mapped.internal.arena, mapped.internal.catalog, mapped.internal.files
            mapped.internal.structure -> internal, layout.type, (mapped)
            mapped.internal.table -> internal, mapped.internal.structure, (collection), (mapped)
            mapped.internal.tree -> mapped.internal.structure, mapped.internal.catalog, internal, (.), (collection)
            mapped.internal.tree -> layout, layout.type, (mapped)
            mapped.internal.entries -> mapped.internal.structure, mapped.internal.table, mapped.internal.tree
            mapped.internal.entries -> (dump), layout.type, (mapped)
            mapped.internal.ring -> mapped.internal.files, internal.nativecall, internal.scope, internal.file
            mapped.internal.ring -> internal.ring, (collection)
            mapped.internal.column -> layout.type, (mapped)
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
    public String plantedRoot() {
        return "dev.arenakit.mapped.planted";
    }

    @Override
    public List<Class<?>> planted() {
        return List.of(Table.class, Entries.class, Owner.class);
    }

    @Override
    public List<Class<?>> requiredModules() {
        return List.of(MallocArena.class);
    }

    @Override
    public Map<String, Set<String>> internalExports() {
        return Map.of("dev.arenakit.mapped.internal.files", Set.of("dev.arenakit.sql"),
                "dev.arenakit.mapped.internal.column", Set.of("dev.arenakit.sql", "dev.arenakit.arrow"));
    }

    @Override
    public Set<String> statefulClasses() {
        return Set.of("dev.arenakit.mapped.internal.files.MappingLimit",
                "dev.arenakit.mapped.internal.files.OwnedFiles");
    }
}
