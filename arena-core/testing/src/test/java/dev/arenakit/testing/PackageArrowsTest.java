package dev.arenakit.testing;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.arenakit.testing.planted.console.Terminal;
import dev.arenakit.testing.planted.show.Viewing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PackageArrowsTest {
    private static final String ROOT = "dev.arenakit.testing.planted";
    private static final JavaClasses VIEWING = new ClassFileImporter().importClasses(Viewing.class);

    @Test
    void violations_ofAnAllowedPackage_areNone() {
        assertThat(arrows("show -> console").violations(VIEWING)).isEmpty();
    }

    @Test
    void violations_ofAForbiddenPackage_nameBothClasses() {
        assertThat(arrows("show ->").violations(VIEWING)).hasSize(2)
                .allSatisfy(violation -> assertThat(violation).contains(Viewing.class.getName()))
                .anySatisfy(violation -> assertThat(violation).contains(Terminal.class.getName()));
    }

    @Test
    void violations_ofAPackageThatIsNotListed_nameIt() {
        assertThat(arrows("console ->").violations(VIEWING)).contains("The table lacks package show");
    }

    @Test
    void violations_ofVocabulary_areClassesAlone() {
        assertThat(arrows("show -> (console)").violations(VIEWING)).singleElement()
                .asString()
                .contains(Terminal.class.getName());
    }

    @Test
    void violations_ofALineBetweenClasses_areNone() {
        assertThat(arrows("""
                show -> (console)
                show.Viewing -> console.Terminal
                """).violations(VIEWING)).isEmpty();
    }

    @Test
    void unused_packagesAndArrows_areNamed() {
        assertThat(arrows("""
                show -> console, where
                show.Viewing -> ls.Listing
                where ->
                """).unused(VIEWING)).containsExactly("show -> where", "show.Viewing -> ls.Listing", "where");
    }

    @Test
    void cyclic_packagesThatUseEachOther_areNamed() {
        PackageArrows arrows = arrows("""
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

    private static PackageArrows arrows(String table) {
        return new PackageArrows(ROOT, table);
    }
}
