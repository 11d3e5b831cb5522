package dev.arenakit.sql;

import dev.arenakit.sql.planted.sql.internal.Rows;
import dev.arenakit.sql.planted.sql.internal.duckdb.Library;
import dev.arenakit.testing.PackageArrowsContract;
import java.util.List;

/// The packages of this module, and the packages of all modules that each may use. The planted classes show that the
/// rules can fail.
class PackageArrowsTest implements PackageArrowsContract {
    private static final String TABLE = """
            sql -> sql.internal, sql.internal.column, sql.internal.duckdb, layout, layout.type, mapped
            sql.internal -> sql.internal.column, sql.internal.duckdb, internal.file, layout.type
            sql.internal -> (layout.text), (mapped), (sql)
            sql.internal.column -> sql.internal.duckdb, layout.type
            sql.internal.duckdb -> internal, (sql)
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
        return List.of();
    }

    @Override
    public String plantedRoot() {
        return "dev.arenakit.sql.planted";
    }

    @Override
    public List<Class<?>> planted() {
        return List.of(Rows.class, Library.class);
    }
}
