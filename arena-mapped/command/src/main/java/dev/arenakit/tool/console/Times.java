package dev.arenakit.tool.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Times and durations as text. The converter parses the value of an option: `90s`, `30m`, `12h`, `7d` or `2w`.
public final class Times implements ITypeConverter<Duration> {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT)
            .withZone(ZoneId.systemDefault());
    private static final Pattern SPAN = Pattern.compile("(\\d{1,9})([smhdw])");
    private static final Map<String, Duration> UNITS = Map.of("s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1), "d", Duration.ofDays(1), "w", Duration.ofDays(7));

    @Override
    public Duration convert(String text) {
        Matcher span = SPAN.matcher(text);
        if (!span.matches()) {
            throw new TypeConversionException("'" + text + "' is not a span of time such as 90s, 30m, 12h, 7d or 2w");
        }
        return UNITS.getOrDefault(span.group(2), Duration.ZERO).multipliedBy(Long.parseLong(span.group(1)));
    }

    /// Formats a time in the time zone of the user: `2026-11-21 14:05:33`.
    public static String format(Instant time) {
        return FORMAT.format(time);
    }

    /// Formats a duration in its largest unit: `3 h`.
    public static String format(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 100) {
            return seconds + " s";
        }
        if (seconds < 100 * 60) {
            return seconds / 60 + " min";
        }
        return seconds < 100 * 3600 ? seconds / 3600 + " h" : seconds / 86_400 + " d";
    }
}
