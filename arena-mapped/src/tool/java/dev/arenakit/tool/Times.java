package dev.arenakit.tool;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Times as text, `2026-11-21 14:05:33`, where the user is. For one thread at a time.
final class Times {
    private final DateTimeFormatter format = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT)
            .withZone(ZoneId.systemDefault());
    /// Of one second there are thousands of allocations.
    private long lastSecond = Long.MIN_VALUE;
    private String last = "";

    String format(Instant time) {
        if (time.getEpochSecond() != lastSecond) {
            lastSecond = time.getEpochSecond();
            last = format.format(time);
        }
        return last;
    }
}
