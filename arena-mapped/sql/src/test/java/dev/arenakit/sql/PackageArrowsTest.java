package dev.arenakit.sql;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.arenakit.sql.planted.sql.internal.Rows;
import dev.arenakit.sql.planted.sql.internal.duckdb.Library;
import dev.arenakit.testing.PackageArrows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The packages of this module, and the packages of all modules that each may use. The planted classes show that the
/// rules can fail.
class PackageArrowsTest {
    private static final String TABLE = """
            sql -> sql.internal, sql.internal.column, sql.internal.duckdb, layout, layout.type, mapped
            sql.internal -> sql.internal.column, sql.internal.duckdb, internal.file, layout.type
            sql.internal -> (layout.text), (mapped), (sql)
            sql.internal.column -> sql.internal.duckdb, layout.type
            sql.internal.duckdb -> internal, (sql)
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
    @ValueSource(classes = {Rows.class, Library.class})
    void violations_ofAPlantedClass_nameIt(Class<?> planted) {
        assertThat(new PackageArrows("dev.arenakit.sql.planted", TABLE)
                .violations(new ClassFileImporter().importClasses(planted))).singleElement()
                .asString()
                .contains(planted.getName());
    }
}
