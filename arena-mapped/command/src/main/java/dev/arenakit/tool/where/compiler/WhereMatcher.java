package dev.arenakit.tool.where.compiler;

import java.lang.foreign.MemorySegment;

/// A predicate that has been compiled for one type. Structs that are zero satisfy no predicate, since nobody can tell
/// whether they were written; the caller must leave them out.
public abstract class WhereMatcher {
    WhereMatcher() {}

    /// Finds the first struct that satisfies the predicate.
    ///
    /// @param bytes consecutive structs
    /// @param from  the offset of the first struct
    /// @param to    the offset after the last struct
    /// @param index the index of the first struct in the allocation
    /// @return the offset of the struct, or -1 if there is none
    public abstract long next(MemorySegment bytes, long from, long to, long index);
}
