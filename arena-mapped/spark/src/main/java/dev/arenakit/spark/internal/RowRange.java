package dev.arenakit.spark.internal;

import java.io.Serializable;

/// A range of structs.
///
/// @param first  the index of the first struct
/// @param end    the index after the last struct
/// @param isHole whether the structs are in a hole, so that their bytes are zero
record RowRange(long first, long end, boolean isHole) implements Serializable {
    static final RowRange ALL = new RowRange(0, Long.MAX_VALUE, false);

    long count() {
        return Math.max(0, end - first);
    }

    RowRange intersect(RowRange other) {
        return new RowRange(Math.max(first, other.first), Math.min(end, other.end), isHole);
    }

    /// The smallest range that contains both.
    RowRange hull(RowRange other) {
        return new RowRange(Math.min(first, other.first), Math.max(end, other.end), isHole);
    }
}
