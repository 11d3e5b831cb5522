package dev.arenakit.mapped;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.arenakit.mapped.planted.mapped.Table;
import dev.arenakit.mapped.planted.mapped.internal.arena.Owner;
import dev.arenakit.mapped.planted.mapped.internal.catalog.Entries;
import dev.arenakit.testing.PackageArrows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The packages of this module, and the packages of this module and of core that each may use. The planted classes show
/// that the rules can fail.
class PackageArrowsTest {
    private static final String TABLE = """
            mapped -> mapped.internal.arena, mapped.internal.catalog, mapped.internal.files, mapped.internal.image
            mapped -> internal, internal.file, ., dump, layout.type
            mapped.io -> mapped.internal.io, mapped.internal.files, internal, internal.file, dump
            mapped.internal.files -> internal, internal.file, (.), (dump), (mapped)
            mapped.internal.catalog -> mapped.internal.files, internal, (.), (dump), (mapped)
            mapped.internal.arena -> mapped.internal.catalog, mapped.internal.files, internal, internal.file
            mapped.internal.arena -> (.), layout.type, (layout.text), (mapped)
            mapped.internal.arena.NamedAllocations -> layout.text.LayoutText
            mapped.internal.arena.TypeMismatch -> layout.text.LayoutText
            mapped.internal.image -> mapped.internal.arena, mapped.internal.catalog, mapped.internal.files
            mapped.internal.image -> (dump), layout.type, (layout.text), (mapped)
            mapped.internal.image.TypeCache -> layout.text.LayoutText
            mapped.internal.io -> mapped.internal.files, internal, internal.file, (.), (mapped.io)
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
    @ValueSource(classes = {Table.class, Entries.class, Owner.class})
    void violations_ofAPlantedClass_nameIt(Class<?> planted) {
        assertThat(new PackageArrows("dev.arenakit.mapped.planted", TABLE)
                .violations(new ClassFileImporter().importClasses(planted))).singleElement()
                .asString()
                .contains(planted.getName());
    }
}
