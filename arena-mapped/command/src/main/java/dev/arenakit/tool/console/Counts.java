package dev.arenakit.tool.console;

import java.util.Locale;
import java.util.OptionalLong;

/// Numbers as text, with a comma before each group of three digits.
public final class Counts {
    /// The text of an unknown number.
    private static final String UNKNOWN = "?";

    private Counts() {}

    /// Formats a number with commas, `1,048,576`.
    public static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /// Formats a number with commas, or returns `?` if it is unknown.
    public static String grouped(OptionalLong number) {
        return number.isPresent() ? grouped(number.getAsLong()) : UNKNOWN;
    }

    /// Formats a number and what it counts, `1 file` or `2 files`.
    public static String of(long number, String singular) {
        return grouped(number) + " " + singular + (number == 1 ? "" : "s");
    }
}
