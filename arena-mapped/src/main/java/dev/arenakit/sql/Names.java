package dev.arenakit.sql;

import java.util.Locale;
import java.util.Set;

/// Names in SQL, which the engine compares without regard to case.
final class Names {
    private Names() {}

    /// Returns a name in quotes, so that it may be any text, a keyword included.
    static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /// Returns a text as a literal.
    static String literal(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }

    /// Whether the engine regards names as equal. It ignores the case of letters in ASCII only.
    static boolean areEqual(String name, String other) {
        return asciiLowerCase(name).equals(asciiLowerCase(other));
    }

    private static String asciiLowerCase(String name) {
        return name.chars()
                .map(c -> c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /// Returns the name, with a number after it if it is taken.
    ///
    /// @param taken the names in lower case that are taken, to which the name is added
    static String unique(String name, Set<String> taken) {
        String unique = name;
        for (int i = 1; !taken.add(unique.toLowerCase(Locale.ROOT)); i++) {
            unique = name + "_" + i;
        }
        return unique;
    }
}
