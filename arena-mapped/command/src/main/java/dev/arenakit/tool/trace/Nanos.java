package dev.arenakit.tool.trace;

import java.util.Locale;

/// Formats times and lifetimes.
final class Nanos {
    private static final String[] UNITS = {"ns", "us", "ms", "s"};

    private Nanos() {}

    /// Formats a time in the largest unit that is not greater: `17 ms`, `1.5 us`.
    static String format(long nanos) {
        double value = nanos;
        int unit = 0;
        while (value >= 1_000 && unit < UNITS.length - 1) {
            value /= 1_000;
            unit++;
        }
        return String.format(Locale.ROOT, value < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
    }

    /// Formats the shortest lifetime of a class.
    static String lifetime(long nanos) {
        return nanos < 0 ? "live at the end" : nanos == 0 ? "0 ns" : "from " + format(nanos);
    }
}
