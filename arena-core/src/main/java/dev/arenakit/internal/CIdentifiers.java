package dev.arenakit.internal;

/// Checks that the names of types and members are C identifiers.
public final class CIdentifiers {
    /// The beginning of the name of a member that has no name in C. Such names replace the names of jextract, as in
    /// `anon_3_9`.
    public static final String ANONYMOUS = "anon_";

    private CIdentifiers() {}

    /// Checks that a name is a C identifier.
    ///
    /// @throws IllegalArgumentException if not; the message has the name
    public static void check(String name) {
        if (!isIdentifier(name)) {
            throw new IllegalArgumentException("Name is not a C identifier: name=" + name
                    + "; it consists of letters, digits and underscores");
        }
    }

    /// Checks that a name is empty or a C identifier.
    ///
    /// @throws IllegalArgumentException if not; the message has the name
    public static void checkOptional(String name) {
        if (!name.isEmpty()) {
            check(name);
        }
    }

    /// Whether the name is empty or a C identifier.
    public static boolean isOptional(String name) {
        return name.isEmpty() || isIdentifier(name);
    }

    private static boolean isIdentifier(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
            boolean digit = c >= '0' && c <= '9';
            if (!letter && (!digit || i == 0)) {
                return false;
            }
        }
        return !name.isEmpty();
    }
}
