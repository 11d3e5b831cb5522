package dev.arenakit.tool.image;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Consecutive structs of an allocation.
///
/// @param first the index of the first struct
/// @param count the largest number of structs
public record StructRange(long first, long count) {
    /// All structs of an allocation. If it grows, these are the structs that the program has stored and counted.
    public static final StructRange ALL = new StructRange(0, Long.MAX_VALUE);

    /// `trades[7]`, or `trades[7..9]` with both ends.
    private static final Pattern SYNTAX = Pattern.compile(
            "(?<name>.+)\\[(?<first>\\d{1,19})(?:\\.\\.(?<last>\\d{1,19}))?]",
            Pattern.DOTALL);

    /// The name of an allocation, and the range of its structs.
    public record Named(String name, StructRange range) {}

    /// Parses a name with a range, or returns empty if a name has no range. The range is empty if its last struct is
    /// before its first struct.
    public static Optional<Named> parse(String text) {
        Matcher parts = SYNTAX.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long first = index(parts.group("first"));
        long last = parts.group("last") == null ? first : index(parts.group("last"));
        long count = last < first ? 0 : Math.min(last - first, Long.MAX_VALUE - 1) + 1;
        return Optional.of(new Named(parts.group("name"), new StructRange(first, count)));
    }

    /// The index, or an index beyond all structs if the number is too large.
    private static long index(String digits) {
        long index = Long.parseUnsignedLong(digits);
        return index < 0 ? Long.MAX_VALUE : index;
    }
}
