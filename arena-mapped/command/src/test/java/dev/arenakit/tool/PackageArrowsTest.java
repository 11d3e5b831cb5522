package dev.arenakit.tool;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.arenakit.tool.planted.console.Terminal;
import dev.arenakit.tool.planted.du.Usage;
import dev.arenakit.tool.planted.image.Catalog;
import dev.arenakit.tool.planted.ls.Listing;
import dev.arenakit.tool.planted.show.Viewing;
import java.net.URL;
import java.util.Arrays;
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

    private static final JavaClasses COMMAND = classesBeside(Main.class);
    private static final JavaClasses PLANTED = classesBeside(PackageArrowsTest.class)
            .that(describe("are planted", type -> type.getPackageName().startsWith(PLANTED_ROOT)));

    /// Returns the classes of the directory that a class was loaded from.
    private static JavaClasses classesBeside(Class<?> type) {
        URL directory = type.getProtectionDomain().getCodeSource().getLocation();
        return new ClassFileImporter().importUrl(directory);
    }

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
        assertThat(new PackageArrows(PLANTED_ROOT, TABLE).violations(planted(planted))).singleElement()
                .asString()
                .contains(planted.getName());
    }

    @ParameterizedTest
    @ValueSource(classes = {dev.arenakit.tool.planted.Main.class, Viewing.class})
    void violations_ofAllowedDependencies_areNone(Class<?> planted) {
        assertThat(new PackageArrows(PLANTED_ROOT, TABLE).violations(planted(planted))).isEmpty();
    }

    @Test
    void violations_ofAPackageThatIsNotListed_nameIt() {
        assertThat(new PackageArrows(PLANTED_ROOT, "image -> console").violations(planted(Viewing.class)))
                .contains("The table lacks package show");
    }

    @Test
    void violations_ofVocabulary_areClassesAlone() {
        assertThat(new PackageArrows(PLANTED_ROOT, "show -> (console), image").violations(planted(Viewing.class)))
                .singleElement()
                .asString()
                .contains(Terminal.class.getName());
    }

    @Test
    void violations_ofALineBetweenClasses_areNone() {
        PackageArrows arrows = new PackageArrows(PLANTED_ROOT, """
                show -> (console)
                show.Viewing -> console.Terminal, image.Catalog
                """);
        assertThat(arrows.violations(planted(Viewing.class))).isEmpty();
    }

    @Test
    void unused_packagesAndArrows_areNamed() {
        PackageArrows arrows = new PackageArrows(PLANTED_ROOT, """
                show -> console, image, where
                show.Viewing -> ls.Listing
                where ->
                """);
        assertThat(arrows.unused(planted(Viewing.class)))
                .containsExactly("show -> where", "show.Viewing -> ls.Listing", "where");
    }

    @Test
    void cyclic_packagesThatUseEachOther_areNamed() {
        PackageArrows arrows = new PackageArrows(PLANTED_ROOT, """
                . -> ls
                ls -> .
                du -> ls
                ls -> console
                console -> (ls)
                console.Terminal -> ls.Listing
                """);
        assertThat(arrows.cyclic(_ -> true)).containsExactly(".", "du", "ls");
        assertThat(arrows.cyclic(name -> !name.equals("."))).isEmpty();
    }

    private static JavaClasses planted(Class<?>... classes) {
        return PLANTED.that(describe("are of the test", type -> Arrays.stream(classes).anyMatch(type::isEquivalentTo)));
    }
}
