package dev.arenakit.tool.image;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.Counts;
import java.util.Optional;

/// Consecutive structs of an allocation.
///
/// @param first the index of the first struct
/// @param count the largest number of structs
public record StructRange(long first, long count) {
    /// All structs of an allocation.
    public static final StructRange ALL = new StructRange(0, Long.MAX_VALUE);

    /// Limits this range to the structs of an allocation. The last struct may be incomplete.
    public StructRange within(Allocation allocation, StructType type) {
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
