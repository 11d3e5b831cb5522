package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlResult;
import java.util.ArrayList;
import java.util.List;

/// The tables and columns of an engine, and the keywords of its language.
final class SqlCatalog {
    /// A column of a table.
    ///
    /// @param schema the schema of the table
    record Column(String schema, String table, String name, String type) {
        /// The name of the table as it is written in SQL.
        String tableName() {
            return SqlIdentifiers.of(schema, table);
        }
    }

    private static final String COLUMNS = "select schema_name, table_name, column_name, data_type from duckdb_columns()"
            + " where not internal order by database_name, schema_name <> 'main', schema_name, table_oid, column_index";
    private static final String KEYWORDS = "select keyword_name from duckdb_keywords()"
            + " where keyword_category <> 'unreserved' union select distinct function_name from duckdb_functions()"
            + " where function_type = 'aggregate' and function_name similar to '[a-z]+' order by 1";

    private final SqlSession session;
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

    private List<Column> readColumns() {
        List<Column> read = new ArrayList<>();
        try (SqlResult result = session.query(COLUMNS)) {
            while (result.next()) {
                read.add(new Column(result.text(0), result.text(1), result.text(2), result.text(3)));
            }
        }
        return read;
    }
}
