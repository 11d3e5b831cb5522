package dev.arenakit.tool.image;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.Counts;
import java.util.Optional;
import java.util.OptionalLong;
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
    record Named(String name, StructRange range) {}

    /// Parses a name with a range, or returns empty if a name has no range. The range is empty if its last struct is
    /// before its first struct.
    static Optional<Named> parse(String text) {
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

    /// Limits this range to the structs of an allocation. The last struct may be incomplete.
    public StructRange within(Allocation allocation, StructType type) {
        if (equals(ALL)) {
            OptionalLong elements = TypeNames.elements(type, allocation);
            if (elements.isPresent()) {
                return new StructRange(0, elements.getAsLong());
            }
        }
        long structs = type.byteSize() == 0 ? 1 : Math.ceilDiv(allocation.byteSize(), type.byteSize());
        return new StructRange(first, Math.min(count, Math.max(0, structs - first)));
    }

    /// A message for use after the label of an allocation if it has no struct in this range.
    public Optional<String> missing(Allocation allocation, StructType type) {
        return equals(ALL) || within(allocation, type).count > 0
                ? Optional.empty()
                : Optional.of("there is no [" + first + "]: it has "
                        + Counts.of(TypeNames.count(type, allocation), "struct"));
    }
}
