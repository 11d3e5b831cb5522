package dev.arenakit.tool.console;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Times as text in the time zone of the user, `2026-11-21 14:05:33`.
public final class Times {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    private Times() {}

    public static String format(Instant time) {
        return FORMAT.format(time);
    }
}
