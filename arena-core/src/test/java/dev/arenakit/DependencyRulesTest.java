package dev.arenakit;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.arenakit.planted.internal.malloc.Registry;
import dev.arenakit.planted.internal.pool.Cache;
import dev.arenakit.planted.internal.pool.memory.Slab;
import dev.arenakit.planted.internal.pool.stock.Store;
import dev.arenakit.planted.layout.type.Struct;
import dev.arenakit.testing.DependencyRules;
import dev.arenakit.testing.LibraryRulesContract;
import dev.arenakit.testing.PackageArrowsContract;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The rules for this module and its packages, and for the contract, which has no tests of its own. The planted
/// classes show that the table's rules can fail. Takes some seconds: the first test reads the classes of the
/// module.
class DependencyRulesTest implements PackageArrowsContract, LibraryRulesContract {
    private static final String INTERNAL = "dev.arenakit.internal";
    private static final String CALLS = INTERNAL + ".nativecall";
    private static final String FILES = INTERNAL + ".file";
    private static final Set<String> OUR_MODULES = Set.of("dev.arenakit.arrow", "dev.arenakit.mapped",
            "dev.arenakit.sql");

    private static final String TABLE = """
            . -> diagnostics, internal, internal.nativecall, internal.scope, internal.diagnostics.budget
            . -> internal.diagnostics.leak, internal.freelist
            . -> internal.malloc, internal.pool, internal.pool.stock
            collection -> internal, internal.collection, internal.collection.bytes, layout, layout.type
            collection.concurrent -> internal.collection, internal.collection.bytes, internal.collection.cache
            collection.concurrent -> internal.ring
            diagnostics -> internal, internal.nativecall, internal.scope, internal.diagnostics.budget
            diagnostics -> internal.diagnostics.debug, internal.diagnostics.event, internal.diagnostics.leak, (.)
            dump -> internal.dump, layout.type
            layout -> internal.layout.declaration, internal.layout.emit, internal.layout.field, internal.layout.record
            layout -> internal.layout.value, internal.layout.view, layout.type
            layout.annotation ->
            layout.text -> internal.layout.header, internal.layout.text, layout.type
            layout.type -> internal, internal.nativecall
            internal -> internal.nativecall, internal.scope, (.)
            internal.nativecall -> internal.scope
            internal.scope ->
            internal.file -> internal, internal.nativecall, internal.scope
            internal.malloc -> internal, internal.nativecall, internal.scope, internal.diagnostics.leak, (.)
            internal.pool.memory -> internal, internal.diagnostics.event, internal.diagnostics.leak, (.)
            internal.pool.stock -> internal, internal.nativecall, internal.diagnostics.event, internal.diagnostics.leak
            internal.pool.stock -> internal.pool.memory, (.), (diagnostics)
            internal.pool -> internal, internal.scope, internal.diagnostics.event, internal.diagnostics.leak
            internal.pool -> internal.pool.memory, internal.pool.stock, (.), (diagnostics)
            internal.freelist -> internal, internal.scope, internal.diagnostics.leak, internal.malloc, internal.pool
            internal.freelist -> internal.pool.memory, internal.pool.stock, (.)
            internal.collection -> internal, internal.scope, layout.type, (.)
            internal.collection.HugePages -> MallocArena
            internal.collection.bytes -> internal, internal.collection
            internal.collection.cache -> internal.collection, internal.collection.bytes, (collection.concurrent)
            internal.ring -> internal.nativecall, (collection.concurrent)
            internal.diagnostics.event -> (.), (diagnostics)
            internal.diagnostics.leak -> internal.nativecall, internal.scope, internal.diagnostics.event, (diagnostics)
            internal.diagnostics.budget -> internal, internal.scope, (diagnostics)
            internal.diagnostics.budget -> internal.diagnostics.event, internal.diagnostics.leak
            internal.diagnostics.debug -> internal, internal.nativecall, internal.scope, internal.diagnostics.event
            internal.diagnostics.debug -> (.), (diagnostics)
            internal.dump -> (dump), layout.type
            internal.layout.declaration -> internal, layout.type, (layout), (layout.annotation)
            internal.layout.emit -> internal.scope, layout.type
            internal.layout.value -> internal.layout.declaration, internal.layout.emit, layout.type, (layout)
            internal.layout.value -> (layout.annotation)
            internal.layout.record -> internal.layout.declaration, internal.layout.emit, internal.layout.value
            internal.layout.record -> layout.type
            internal.layout.view -> internal.layout.declaration, internal.layout.emit, internal.layout.value
            internal.layout.view -> layout.type
            internal.layout.view -> (layout)
            internal.layout.field -> internal.layout.declaration, internal.layout.emit, internal.layout.value
            internal.layout.field -> layout.type
            internal.layout.text -> internal, layout.type, (layout.text)
            internal.layout.header -> internal, layout.type, (layout.text)
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
        return List.of("collection.BytesKeyMap", "collection.EntryMap",
                "collection.NumberList", "collection.NumberTable", "collection.StructOrder",
                "layout.StructMapper", "layout.ColumnTableTemplate", "layout.RecordMapperTemplate",
                "layout.ViewMapperTemplate",
                "layout.StructListTemplate", "layout.StructSpliteratorTemplate", "layout.type.StructByteOrder",
                "layout.type.JdkLayouts", "layout.type.MemberNames", "layout.type.StructChecks",
                "layout.type.Types", "SlabPools");
    }

    @Override
    public String plantedRoot() {
        return "dev.arenakit.planted";
    }

    @Override
    public List<Class<?>> planted() {
        return List.of(Registry.class, Cache.class, Slab.class, Store.class, Struct.class);
    }

    @Override
    public Set<String> families() {
        // The types of memory, their codecs and their decoders are sealed; the arenas of a pool are one subject.
        return Set.of("dev.arenakit.layout.type", "dev.arenakit.internal.layout.value", "dev.arenakit.internal.dump",
                "dev.arenakit.internal.pool");
    }

    @Override
    public Set<String> nativePackages() {
        return Set.of(CALLS, INTERNAL + ".scope");
    }

    @Override
    public Set<String> linkingClasses() {
        // NativeFunctions links for other modules. The callbacks have no name in C.
        return Set.of("dev.arenakit.AllocatorCallbacks", CALLS + ".CFunction", CALLS + ".NativeFunctions");
    }

    @Override
    public Set<String> statefulClasses() {
        return Set.of("dev.arenakit.internal.layout.emit.MapperCache",
                "dev.arenakit.internal.scope.LeasedRange", "dev.arenakit.internal.PageMappings",
                "dev.arenakit.internal.diagnostics.event.MemoryMXBeans",
                "dev.arenakit.internal.diagnostics.event.MemoryRegistry",
                "dev.arenakit.internal.diagnostics.leak.LeakRegistry",
                "dev.arenakit.internal.diagnostics.debug.Quarantine");
    }

    @Override
    public Set<String> optionalModules() {
        return Set.of("java.management", "jdk.jfr");
    }

    @Override
    public Map<String, Set<String>> internalExports() {
        return Map.of(INTERNAL, OUR_MODULES, CALLS, OUR_MODULES, INTERNAL + ".scope", OUR_MODULES, FILES,
                Set.of("dev.arenakit.mapped", "dev.arenakit.sql"), INTERNAL + ".diagnostics.budget",
                Set.of("dev.arenakit.mapped"), INTERNAL + ".diagnostics.event", Set.of("dev.arenakit.mapped"),
                INTERNAL + ".ring", Set.of("dev.arenakit.mapped"));
    }

    @Test
    void constantsOfC_areInTheClassesThatAreComparedWithTheHeaders() {
        // The constant of NotInlined is about the compiler of the JVM.
        DependencyRules.intConstantsOnlyIn(INTERNAL, Set.of(INTERNAL + ".NotInlined")).check(classes());
        DependencyRules.intConstantsOnlyIn(CALLS, Set.of(CALLS + ".CHeaders")).check(classes());
        DependencyRules.intConstantsOnlyIn(FILES, Set.of()).check(classes());
    }

    @Test
    void contract_dependsOnJUnitAndAssertJAlone() {
        JavaClasses contract = new ClassFileImporter().importPackages("dev.arenakit.contract");
        DependencyRules.dependOnlyOn(contract, List.of("org.junit.jupiter.api..", "org.assertj.core.api.."))
                .check(contract);
    }
}
