package dev.arenakit.internal;

import java.util.regex.Pattern;

/// Checks that the names of types and members are C identifiers.
public final class CIdentifiers {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*");

    private CIdentifiers() {}

    /// Checks that a name is a C identifier.
    ///
    /// @throws IllegalArgumentException if not; the message has the name
    public static void check(String name) {
        if (!IDENTIFIER.matcher(name).matches()) {
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
        return name.isEmpty() || IDENTIFIER.matcher(name).matches();
    }
}
