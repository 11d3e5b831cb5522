package dev.arenakit.sql.internal.duckdb;

/// Names and literals in SQL. The engine compares names without regard to case.
public final class SqlIdentifiers {
    private SqlIdentifiers() {}

    /// Returns a name in quotes, so that it may be any text, a keyword included.
    public static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /// Returns a text as a literal.
    public static String literal(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }

    /// Whether the engine regards names as equal.
    public static boolean areEqual(String name, String other) {
        return key(name).equals(key(other));
    }

    /// Returns the same key for equal names. The engine ignores the case of letters in ASCII only.
    public static String key(String name) {
        return name.chars()
                .map(c -> c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
