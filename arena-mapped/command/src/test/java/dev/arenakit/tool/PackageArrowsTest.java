package dev.arenakit.tool;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.arenakit.testing.PackageArrows;
import dev.arenakit.tool.planted.console.Terminal;
import dev.arenakit.tool.planted.du.Usage;
import dev.arenakit.tool.planted.image.Catalog;
import dev.arenakit.tool.planted.ls.Listing;
import dev.arenakit.tool.planted.show.Viewing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static org.assertj.core.api.Assertions.assertThat;

/// The packages of the command, and the packages that each may use. The planted classes show that the table's rules can
/// fail.
class PackageArrowsTest {
    private static final String ROOT = "dev.arenakit.tool";
    private static final String PLANTED_ROOT = dev.arenakit.tool.planted.Main.class.getPackageName();

    private static final String TABLE = """
            . -> console, completion, copy, diff, du, export, find, hexdump, importing, ls, purge, repair, seal, show
            . -> sql, verify, watch
            console ->
            image -> console
            structs -> console, image
            where -> console, image, structs, where.compiler
            where.compiler -> console
            page -> console, image
            completion -> console, image
            copy -> console, image
            diff -> console, image, where
            du -> console, image
            export -> console, image, structs, where, page
            find -> console, image, structs, where
            hexdump -> console, image
            importing -> console, structs
            ls -> console, image
            purge -> console, image
            repair -> console, image
            seal -> console, image
            show -> console, image, structs, where
            sql -> console, image
            verify -> console, image
            watch -> console, image
            """;

    private static final JavaClasses COMMAND = PackageArrows.mainClasses()
            .that(describe("are of the command", type -> (type.getPackageName() + ".").startsWith(ROOT + ".")));

    @Test
    void packages_useTheListedOnesAlone() {
        assertThat(new PackageArrows(ROOT, TABLE).violations(COMMAND)).isEmpty();
    }

    @Test
    void table_listsNothingThatIsNotNeeded() {
        assertThat(new PackageArrows(ROOT, TABLE).unused(COMMAND)).isEmpty();
    }

    @Test
    void packages_haveNoCycle() {
        assertThat(new PackageArrows(ROOT, TABLE).cyclic(_ -> true)).isEmpty();
    }

    @Test
    void rootPackage_hasTheMainClassesAlone() {
        assertThat(COMMAND).filteredOn(type -> type.getPackageName().equals(ROOT) && type.isTopLevelClass())
                .extracting(JavaClass::getSimpleName)
                .containsExactlyInAnyOrder("Main", "CacheTraining", "package-info");
    }

    @ParameterizedTest
    @ValueSource(classes = {Terminal.class, Catalog.class, Usage.class, Listing.class})
    void violations_ofAPlantedClass_nameIt(Class<?> planted) {
        assertThat(new PackageArrows(PLANTED_ROOT, TABLE).violations(new ClassFileImporter().importClasses(planted)))
                .singleElement()
                .asString()
                .contains(planted.getName());
    }

    @ParameterizedTest
    @ValueSource(classes = {dev.arenakit.tool.planted.Main.class, Viewing.class})
    void violations_ofAllowedDependencies_areNone(Class<?> planted) {
        assertThat(new PackageArrows(PLANTED_ROOT, TABLE).violations(new ClassFileImporter().importClasses(planted)))
                .isEmpty();
    }
}
