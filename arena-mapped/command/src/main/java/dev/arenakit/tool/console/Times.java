package dev.arenakit.tool.console;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Times as text in the time zone of the user, `2026-11-21 14:05:33`. Not safe for use by several threads.
public final class Times {
    private final DateTimeFormatter format = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT)
            .withZone(ZoneId.systemDefault());
    /// The last text is cached, since a program makes thousands of allocations in a second.
    private long lastSecond = Long.MIN_VALUE;
    private String last = "";

    public String format(Instant time) {
        if (time.getEpochSecond() != lastSecond) {
            lastSecond = time.getEpochSecond();
            last = format.format(time);
        }
        return last;
    }
}
