package dev.arenakit.mapped.internal.column;

import java.io.Serializable;

/// A range of structs.
///
/// @param first  the index of the first struct
/// @param end    the index after the last struct
/// @param isHole whether the structs are in a hole, so that their bytes are zero
public record RowRange(long first, long end, boolean isHole) implements Serializable {
    public static final RowRange ALL = new RowRange(0, Long.MAX_VALUE, false);

    public long count() {
        return Math.max(0, end - first);
    }

    /// The first structs of the range.
    public RowRange first(long most) {
        return new RowRange(first, first + Math.min(count(), most), isHole);
    }

    /// The structs after another range, which has the first structs of this one.
    public RowRange after(RowRange other) {
        return new RowRange(other.end, end, isHole);
    }

    public RowRange intersect(RowRange other) {
        return new RowRange(Math.max(first, other.first), Math.min(end, other.end), isHole);
    }

    /// The smallest range that contains both.
    public RowRange hull(RowRange other) {
        return new RowRange(Math.min(first, other.first), Math.max(end, other.end), isHole);
    }
}
