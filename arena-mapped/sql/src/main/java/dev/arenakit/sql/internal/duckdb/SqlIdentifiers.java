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

    /// Returns the least number of characters to insert, delete or replace that turn one name into the other.
    public static int distance(String name, String other) {
        int[] distances = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            distances[j] = j;
        }
        for (int i = 1; i <= name.length(); i++) {
            int diagonal = distances[0];
            distances[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (name.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = distances[j];
                distances[j] = Math.min(replaced, 1 + Math.min(distances[j], distances[j - 1]));
            }
        }
        return distances[other.length()];
    }
}
