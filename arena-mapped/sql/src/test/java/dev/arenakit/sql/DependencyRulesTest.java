package dev.arenakit.sql;

import dev.arenakit.MallocArena;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.sql.planted.sql.internal.Rows;
import dev.arenakit.sql.planted.sql.internal.duckdb.Library;
import dev.arenakit.testing.DependencyRules;
import dev.arenakit.testing.LibraryRulesContract;
import dev.arenakit.testing.PackageArrowsContract;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The rules for this module and its packages. The planted classes show that the table's rules can fail.
class DependencyRulesTest implements PackageArrowsContract, LibraryRulesContract {
    private static final String DUCKDB_PACKAGE = "dev.arenakit.sql.internal.duckdb";

    private static final String TABLE = """
            sql -> internal.scope, sql.internal, sql.internal.duckdb, layout.type, mapped, mapped.internal.files
            sql.internal -> mapped.internal.column.buffer, sql.internal.column, sql.internal.duckdb, layout.type, internal
            sql.internal -> mapped, mapped.internal.column, mapped.internal.files, (layout.text), (sql)
            sql.internal.column -> mapped.internal.column.buffer, sql.internal.duckdb, mapped.internal.column, layout.type
            sql.internal.column -> internal, (sql)
            sql.internal.duckdb -> internal, internal.nativecall, mapped.internal.files, (sql)
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
        return "dev.arenakit.sql.planted";
    }

    @Override
    public List<Class<?>> planted() {
        return List.of(Rows.class, Library.class);
    }

    @Override
    public List<Class<?>> requiredModules() {
        return List.of(MallocArena.class, InfiniteArena.class);
    }

    @Override
    public Set<String> linkingClasses() {
        return Set.of(DUCKDB_PACKAGE + ".DuckDbFunction", DUCKDB_PACKAGE + ".DuckDbLibrary");
    }

    @Test
    void linkedOnlyBy_classesThatLinkThroughCore_isViolated() {
        assertThat(DependencyRules.linkedOnlyBy(Set.of()).evaluate(classes()).getFailureReport().getDetails())
                .anyMatch(violation -> violation.contains(".DuckDbFunction"))
                .anyMatch(violation -> violation.contains(".DuckDbLibrary"));
    }

    @Test
    void constantsOfC_areInTheClassThatIsComparedWithTheHeader() {
        // The constants of the other two are about files.
        DependencyRules
                .intConstantsOnlyIn(DUCKDB_PACKAGE, Set.of(DUCKDB_PACKAGE + ".DuckDbHeader",
                        DUCKDB_PACKAGE + ".ElfFile", DUCKDB_PACKAGE + ".LibraryCache"))
                .check(classes());
    }
}
