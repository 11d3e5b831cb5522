package dev.arenakit;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.arenakit.planted.internal.malloc.Registry;
import dev.arenakit.planted.internal.pool.Cache;
import dev.arenakit.planted.layout.type.Struct;
import dev.arenakit.testing.PackageArrows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The packages of this module, and the packages that each may use. The planted classes show that the rules can fail.
class PackageArrowsTest {
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
            internal.layout.value -> internal.layout.declaration, layout.type, (layout.annotation)
            internal.layout.record -> internal.layout.declaration, internal.layout.emit, internal.layout.value, layout.type
            internal.layout.view -> internal.layout.declaration, internal.layout.emit, internal.layout.value, layout.type
            internal.layout.view -> (layout)
            internal.layout.field -> internal.layout.declaration, internal.layout.emit, internal.layout.value, layout.type
            internal.layout.text -> internal, layout.type
            """;

    private static final JavaClasses CLASSES = PackageArrows.mainClasses();

    @Test
    void packages_useTheListedOnesAlone() {
        assertThat(new PackageArrows("dev.arenakit", TABLE).violations(CLASSES)).isEmpty();
    }

    @Test
    void table_listsNothingThatIsNotNeeded() {
        assertThat(new PackageArrows("dev.arenakit", TABLE).unused(CLASSES)).isEmpty();
    }

    @Test
    void internalPackages_haveNoCycle() {
        assertThat(new PackageArrows("dev.arenakit", TABLE).cyclic(name -> name.contains("internal"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(classes = {Registry.class, Cache.class, Struct.class})
    void violations_ofAPlantedClass_nameIt(Class<?> planted) {
        assertThat(new PackageArrows("dev.arenakit.planted", TABLE)
                .violations(new ClassFileImporter().importClasses(planted))).singleElement()
                .asString()
                .contains(planted.getName());
    }
}
