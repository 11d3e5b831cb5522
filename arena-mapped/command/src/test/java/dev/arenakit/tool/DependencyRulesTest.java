package dev.arenakit.tool;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.arenakit.MallocArena;
import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.sql.StructSql;
import dev.arenakit.testing.DependencyRulesContract;
import dev.arenakit.testing.Modules;
import dev.arenakit.testing.PackageArrows;
import dev.arenakit.testing.PackageArrowsContract;
import dev.arenakit.tool.planted.console.Terminal;
import dev.arenakit.tool.planted.copy.Usage;
import dev.arenakit.tool.planted.image.Catalog;
import dev.arenakit.tool.planted.ls.Listing;
import dev.arenakit.tool.planted.show.Viewing;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

/// The rules for the command and its packages, and for the launcher, which shares no class with the command. The
/// planted classes show that the table's rules can fail. Takes some seconds: the classes of all libraries that the
/// command may use are listed.
class DependencyRulesTest implements PackageArrowsContract, DependencyRulesContract {
    private static final String ROOT = "dev.arenakit.tool";
    private static final String LAUNCHER = "dev.arenakit.launcher";

    private static final String TABLE = """
            . -> console, completion, copy, diff, export, find, hexdump, importing, ls, purge, repair, seal, serve
            . -> show, sql, trace, types, verify
            console ->
            image -> console
            structs -> console, image
            where -> console, image, structs
            page -> console, image
            completion -> console
            copy -> console, image
            diff -> console, image, structs, where
            export -> console, image, structs, page
            find -> console, image, structs, where
            hexdump -> console, image
            importing -> console, structs
            ls -> console, image
            purge -> console, image
            repair -> console, image
            seal -> console, image
            serve -> console, image, structs
            show -> console, image, structs, where
            sql -> console, image
            trace -> console, image
            types -> console
            verify -> console, image
            """;

    @Override
    public String root() {
        return ROOT;
    }

    @Override
    public String table() {
        return TABLE;
    }

    @Override
    public boolean isInternal(String name) {
        return true;
    }

    @Override
    public String plantedRoot() {
        return dev.arenakit.tool.planted.Main.class.getPackageName();
    }

    @Override
    public List<Class<?>> planted() {
        return List.of(Terminal.class, Catalog.class, Usage.class, Listing.class);
    }

    @Override
    public JavaClasses classes() {
        return Modules.mainClasses().that(not(resideInAPackage(LAUNCHER)));
    }

    @Override
    public Set<String> dependencies() {
        Set<String> packages = Modules.exportedPackages(MallocArena.class, InfiniteArena.class, StructSql.class,
                ArrowIpc.class);
        packages.addAll(Set.of("dev.arenakit.mapped.internal.files", "dev.arenakit.mapped.internal.locks",
                "dev.arenakit.mapped.internal.ring", "com.sun.net.httpserver", "picocli..",
                "tools.jackson.core..", "de.siegmar.fastcsv..", "org.jline.."));
        return packages;
    }

    @Nested
    class Launcher implements DependencyRulesContract {
        @Override
        public JavaClasses classes() {
            return Modules.mainClasses().that(resideInAPackage(LAUNCHER));
        }
    }

    @Test
    void rootPackage_hasTheMainClassesAlone() {
        assertThat(Modules.mainClasses()).filteredOn(type -> type.getPackageName().equals(ROOT))
                .filteredOn(JavaClass::isTopLevelClass)
                .extracting(JavaClass::getSimpleName)
                .containsExactlyInAnyOrder("Main", "CacheTraining", "package-info");
    }

    @Test
    void violations_ofAllowedDependencies_areNone() {
        assertThat(new PackageArrows(plantedRoot(), TABLE).violations(new ClassFileImporter()
                .importClasses(dev.arenakit.tool.planted.Main.class, Viewing.class))).isEmpty();
    }
}
