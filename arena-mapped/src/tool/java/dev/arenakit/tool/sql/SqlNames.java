package dev.arenakit.tool.sql;

import java.util.regex.Pattern;

/// Names as they are written in SQL.
final class SqlNames {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private SqlNames() {}

    /// Returns a name, in quotes if it needs them.
    static String of(String name) {
        return PLAIN.matcher(name).matches() ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    /// Returns the name of a table, with its schema if it needs one.
    static String of(String schema, String table) {
        return schema.equals(SqlSession.MAIN) ? of(table) : of(schema) + "." + of(table);
    }
}
