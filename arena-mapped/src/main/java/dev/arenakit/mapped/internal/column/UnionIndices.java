package dev.arenakit.mapped.internal.column;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Finds the valid members of unions, as indices of the members that have columns.
public final class UnionIndices {
    /// The index if the type does not tell which member is valid.
    public static final int UNKNOWN = -2;
    /// The index if no member is valid.
    static final int NONE = -1;

    private final @Nullable IntegerColumnReader discriminator;
    private final long[][] values;
    private final int otherwise;

    public UnionIndices(ColumnType.Union union) {
        discriminator = union.discriminator().orElse(null);
        values = union.values()
                .stream()
                .map(ofMember -> ofMember.stream().mapToLong(Long::longValue).toArray())
                .toArray(long[][]::new);
        otherwise = union.otherwise();
    }

    /// Returns the index of the valid member, or [#UNKNOWN], or [#NONE].
    ///
    /// @param struct the offset of the struct that contains the union
    public int read(MemorySegment segment, long struct) {
        if (discriminator == null) {
            return UNKNOWN;
        }
        long value = discriminator.read(segment, struct);
        for (int i = 0; i < values.length; i++) {
            for (long each : values[i]) {
                if (each == value) {
                    return i;
                }
            }
        }
        return otherwise;
    }
}
