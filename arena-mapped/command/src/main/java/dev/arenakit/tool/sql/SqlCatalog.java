package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlImage;
import dev.arenakit.sql.SqlResult;
import dev.arenakit.sql.internal.command.CommandAccess;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The tables and columns of an engine, and the keywords of its language.
final class SqlCatalog {
    /// A column of a table.
    ///
    /// @param schema    the schema of the table
    /// @param tableName the name of the table as it is written in SQL
    /// @param type      the type, or "" if the engine has not been asked for it
    record Column(String schema, String table, String tableName, String name, String type) {}

    private static final String COLUMNS = "select schema_name, table_name, column_name, data_type from duckdb_columns()"
            + " where not internal order by database_name, schema_name <> 'main', schema_name, table_oid, column_index";
    private static final String KEYWORDS = "select keyword_name from duckdb_keywords()"
            + " where keyword_category <> 'unreserved' union select distinct function_name from duckdb_functions()"
            + " where function_type = 'aggregate' and function_name similar to '[a-z]+' order by 1";

    private final SqlSession session;
    /// The types of the columns of tables that no statement has named, by the list of the columns' names, which the
    /// tables of one struct share.
    private final IdentityHashMap<List<String>, List<String>> types = new IdentityHashMap<>();
    private List<Column> columns = List.of();
    private List<String> keywords = List.of();
    private boolean isRead;

    SqlCatalog(SqlSession session) {
        this.session = session;
    }

    /// Records that a statement may have changed the tables.
    void setChanged() {
        isRead = false;
    }

    /// The columns of all tables, in order.
    List<Column> columns() {
        if (!isRead) {
            columns = readColumns();
            isRead = true;
        }
        return columns;
    }

    /// The reserved words, and the names of aggregate functions.
    List<String> keywords() {
        if (keywords.isEmpty()) {
            List<String> read = new ArrayList<>();
            try (SqlResult result = session.query(KEYWORDS)) {
                while (result.next()) {
                    read.add(result.text(0));
                }
            }
            keywords = read;
        }
        return keywords;
    }

    /// Makes [#columns] have the types of tables that no statement has named, and of the other tables of their structs.
    /// The engine needs half a millisecond to learn of a table, and an image has few structs.
    void learn(List<Column> untyped) {
        for (SqlImage image : session.images()) {
            Map<String, List<String>> unnamed = CommandAccess.unnamedTables(image);
            for (Column column : untyped) {
                List<String> names = image.schema().equals(column.schema()) ? unnamed.get(column.table()) : null;
                if (names != null && !types.containsKey(names)) {
                    types.put(names, readTypes(column));
                }
            }
        }
        isRead = false;
    }

    private List<String> readTypes(Column column) {
        List<String> read = new ArrayList<>();
        try (SqlResult result = session.query("describe " + QuotedNames.of(column.schema()) + "."
                + QuotedNames.of(column.table()))) {
            while (result.next()) {
                read.add(result.text(1));
            }
        }
        return read;
    }

    private List<Column> readColumns() {
        Map<String, List<Column>> named = readNamed();
        List<Column> all = new ArrayList<>();
        for (SqlImage image : session.images()) {
            Map<String, List<String>> unnamed = CommandAccess.unnamedTables(image);
            for (String table : image.tables()) {
                List<String> names = unnamed.get(table);
                List<Column> columns = named.remove(key(image.schema(), table));
                if (columns != null) {
                    all.addAll(columns);
                } else if (names != null) {
                    String tableName = QuotedNames.of(image.schema(), table);
                    List<String> known = types.get(names);
                    for (int i = 0; i < names.size(); i++) {
                        all.add(new Column(image.schema(), table, tableName, names.get(i),
                                known == null ? "" : known.get(i)));
                    }
                }
            }
        }
        named.values().forEach(all::addAll);
        return all;
    }

    private Map<String, List<Column>> readNamed() {
        Map<String, List<Column>> read = new LinkedHashMap<>();
        try (SqlResult result = session.queryNamed(COLUMNS)) {
            while (result.next()) {
                Column column = new Column(result.text(0), result.text(1),
                        QuotedNames.of(result.text(0), result.text(1)), result.text(2), result.text(3));
                read.computeIfAbsent(key(column.schema(), column.table()), _ -> new ArrayList<>()).add(column);
            }
        }
        return read;
    }

    private static String key(String schema, String table) {
        return schema + '\0' + table;
    }
}
