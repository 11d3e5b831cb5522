package dev.arenakit;

import dev.arenakit.planted.internal.malloc.Registry;
import dev.arenakit.planted.internal.pool.Cache;
import dev.arenakit.planted.layout.type.Struct;
import dev.arenakit.testing.PackageArrowsContract;
import java.util.List;

/// The packages of this module, and the packages that each may use. The planted classes show that the rules can fail.
class PackageArrowsTest implements PackageArrowsContract {
    private static final String TABLE = """
            . -> internal, internal.freelist, internal.malloc, internal.pool
            collection -> internal, internal.collection, layout, layout.type, (.)
            collection.CollectionMemory -> MallocArena
            dump -> internal.dump, layout.type
            layout -> internal.layout.declaration, internal.layout.emit, internal.layout.field, internal.layout.record
            layout -> internal.layout.value, internal.layout.view, layout.type
            layout.annotation ->
            layout.text -> internal.layout.text, layout.type
            layout.type -> internal
            internal ->
            internal.file -> internal
            internal.malloc -> internal
            internal.pool -> internal, (.)
            internal.freelist -> internal, internal.malloc, internal.pool, (.)
            internal.collection -> internal, layout.type, (.)
            internal.dump -> (dump), layout.type
            internal.layout.declaration -> internal, layout.type, (layout), (layout.annotation)
            internal.layout.emit -> layout.type
            internal.layout.value -> internal.layout.declaration, internal.layout.emit, layout.type, (layout.annotation)
            internal.layout.record -> internal.layout.declaration, internal.layout.emit, internal.layout.value, layout.type
            internal.layout.view -> internal.layout.declaration, internal.layout.emit, internal.layout.value, layout.type
            internal.layout.view -> (layout)
            internal.layout.field -> internal.layout.declaration, internal.layout.emit, internal.layout.value, layout.type
            internal.layout.text -> internal, layout.type, (layout.text)
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
    public List<String> hidden() {
        return List.of("collection.CollectionMemory", "collection.StructOrder",
                "layout.StructMapper", "layout.RecordMapperTemplate", "layout.ViewMapperTemplate",
                "layout.StructListTemplate", "layout.StructSpliteratorTemplate", "layout.type.BitFieldOrder",
                "layout.type.JdkLayouts", "layout.type.MemberNames", "layout.type.StructChecks",
                "layout.type.Types");
    }

    @Override
    public String plantedRoot() {
        return "dev.arenakit.planted";
    }

    @Override
    public List<Class<?>> planted() {
        return List.of(Registry.class, Cache.class, Struct.class);
    }
}
